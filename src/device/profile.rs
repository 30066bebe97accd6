//! Times of kernels and transfers from the device's own clock (`--kernel-times`).
//!
//! A profile has a sum for each kind of command and the first [`SPANS`] spans, so its size does not
//! depend on the length of the search: the profiler keeps the events of the last commands only, and
//! reads the times of older ones as it goes. Without a profiler, events are released at once.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::hint;
use std::ops::Deref;
use std::rc::Rc;
use std::time::{Duration, Instant};

use opencl3::command_queue::{CL_QUEUE_PROFILING_ENABLE, CommandQueue};
use opencl3::context::Context;
use opencl3::event::{Event, retain_event};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::types::CL_NON_BLOCKING;

use super::error::DeviceError;
use super::owned::Owned;
use super::wait::{finish, flush, is_done};

/// The most spans of a profile: about 4 MB here, 15 MB in a trace.
pub const SPANS: usize = 100_000;
/// The most events that wait to be read; at this many the profiler reads the older half.
const WAITING: usize = 8192;
/// Commands that a comparison of the clocks takes; it keeps the best.
const COMPARISONS: usize = 16;

/// A kind of command.
#[derive(Debug, Clone, Copy)]
pub enum Command<'a> {
    /// Launches of a kernel, by its name.
    Kernel(&'a str),
    /// `read` (device to host), `write` (host to device) or `fill`.
    Transfer(&'static str),
}

/// The times of all commands of a kind.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandTimes {
    /// The name of the kernel, or `read`, `write` or `fill`.
    pub name: String,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// The number of commands.
    pub count: u64,
    /// The sum of their running times in seconds. Commands of two queues may run at the same time.
    pub seconds: f64,
}

/// A command on the time axis of the process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommandSpan {
    /// Position in [`Profile::commands`].
    pub command: usize,
    /// The queue; queues are numbered from 0 in the order of their first commands.
    pub queue: usize,
    /// When the command started.
    pub start: Instant,
    /// When the command ended.
    pub end: Instant,
}

/// The commands of a device during a search.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Kinds of commands, by time, longest first.
    pub commands: Vec<CommandTimes>,
    /// The first commands, at most [`SPANS`].
    pub spans: Vec<CommandSpan>,
    /// The number of commands without a span.
    pub left_out: u64,
    /// The largest error of the start of a span in seconds: how well the clocks could be compared.
    pub precision: f64,
    /// Seconds that the driver's thread spent on reading times.
    pub reading: f64,
}

/// An in-order queue whose commands may be timed.
pub struct Queue {
    queue: Owned<CommandQueue>,
    profiler: Option<Rc<Profiler>>,
}

impl Deref for Queue {
    type Target = CommandQueue;

    fn deref(&self) -> &CommandQueue {
        &self.queue
    }
}

impl Queue {
    /// Makes a queue of the context's device, which is timed if there is a profiler.
    pub fn new(context: &Context, profiler: Option<&Rc<Profiler>>) -> Result<Queue, DeviceError> {
        let properties = profiler.map_or(0, |_| CL_QUEUE_PROFILING_ENABLE);
        // OpenCL 1.2 devices have this constructor only.
        let queue = CommandQueue::create_default(context, properties)
            .map_err(DeviceError::call("making a queue"))?;
        Ok(Queue {
            queue: Owned::new(queue),
            profiler: profiler.cloned(),
        })
    }

    /// Records the event of a command just enqueued, and returns it to wait for.
    pub fn note(&self, command: Command<'_>, event: Event) -> Owned<Event> {
        let event = Owned::new(event);
        if let Some(profiler) = &self.profiler
            && let mut state = profiler.0.borrow_mut()
            && matches!(state.began, Some(Ok(_)))
            // SAFETY: the handle is that of a live event; the state releases the reference taken
            // here when it drops its own event.
            && unsafe { retain_event(event.get()) }.is_ok()
        {
            state.note(
                self.get() as usize,
                command,
                Owned::new(Event::new(event.get())),
            );
        }
        event
    }
}

/// Times the commands of all queues of a session between [`Profiler::begin`] and
/// [`Profiler::end`].
#[derive(Default)]
pub struct Profiler(RefCell<State>);

#[derive(Default)]
struct State {
    /// When the recording began, or why it failed; nothing is recorded then.
    began: Option<Result<Mark, DeviceError>>,
    /// Handles of the queues, in the order of their first commands.
    queues: Vec<usize>,
    /// Commands whose times are still to be read, oldest first: kind, queue and event.
    waiting: VecDeque<(usize, usize, Owned<Event>)>,
    kinds: Vec<CommandTimes>,
    spans: Vec<Ran>,
    left_out: u64,
    reading: Duration,
}

/// When a command ran, by the device's clock in nanoseconds.
struct Ran {
    kind: usize,
    queue: usize,
    start: u64,
    end: u64,
}

impl Profiler {
    /// Begins to record. `queue` should be idle.
    pub fn begin(&self, context: &Context, queue: &Queue) {
        let mark = Mark::take(context, queue);
        self.0.borrow_mut().began = Some(mark);
    }

    /// Ends the recording, when all queues are done. The error is the reason why there are no
    /// times.
    pub fn end(&self, context: &Context, queue: &Queue) -> Result<Profile, DeviceError> {
        let mut state = self.0.take();
        let began = state.began.take();
        let began = began.unwrap_or_else(|| Mark::take(context, queue))?;
        state.read(0)?;
        let ended = Mark::take(context, queue)?;
        Ok(state.profile(&began, &ended))
    }
}

impl State {
    /// Records a command just enqueued. If reading older ones fails, the search goes on without
    /// times.
    fn note(&mut self, queue: usize, command: Command<'_>, event: Owned<Event>) {
        let kind = self.kind(command);
        let known = self.queues.iter().position(|&known| known == queue);
        let queue = known.unwrap_or_else(|| {
            self.queues.push(queue);
            self.queues.len() - 1
        });
        self.waiting.push_back((kind, queue, event));
        if self.waiting.len() >= WAITING
            && let Err(error) = self.read(WAITING / 2)
        {
            self.began = Some(Err(error));
            self.waiting.clear();
        }
    }

    fn kind(&mut self, command: Command<'_>) -> usize {
        let (name, is_kernel) = match command {
            Command::Kernel(name) => (name, true),
            Command::Transfer(name) => (name, false),
        };
        let same = |kind: &CommandTimes| kind.is_kernel == is_kernel && kind.name == name;
        self.kinds.iter().position(same).unwrap_or_else(|| {
            self.kinds.push(CommandTimes {
                name: name.into(),
                is_kernel,
                count: 0,
                seconds: 0.0,
            });
            self.kinds.len() - 1
        })
    }

    /// Reads the times of the oldest commands until at most `most` wait.
    fn read(&mut self, most: usize) -> Result<(), DeviceError> {
        while self.waiting.len() > most
            && let Some((kind, queue, event)) = self.waiting.pop_front()
        {
            // This flushes the queue of the event, which need not be the current one.
            event
                .wait()
                .map_err(DeviceError::call("waiting for a command"))?;
            let before = Instant::now();
            let (start, end) = times(&event)?;
            self.reading += before.elapsed();
            self.add(Ran {
                kind,
                queue,
                start,
                end,
            });
        }
        Ok(())
    }

    fn add(&mut self, ran: Ran) {
        let kind = &mut self.kinds[ran.kind];
        kind.count += 1;
        kind.seconds += ran.end.saturating_sub(ran.start) as f64 * 1e-9;
        match self.spans.len() < SPANS {
            true => self.spans.push(ran),
            false => self.left_out += 1,
        }
    }

    fn profile(self, began: &Mark, ended: &Mark) -> Profile {
        let mut order: Vec<usize> = (0..self.kinds.len()).collect();
        order.sort_by(|&a, &b| self.kinds[b].seconds.total_cmp(&self.kinds[a].seconds));
        let spans = self.spans.iter().map(|ran| CommandSpan {
            command: order.iter().position(|&kind| kind == ran.kind).unwrap_or(0),
            queue: ran.queue,
            start: host_time(ran.start, began, ended),
            end: host_time(ran.end, began, ended),
        });
        Profile {
            spans: spans.collect(),
            commands: order.iter().map(|&kind| self.kinds[kind].clone()).collect(),
            left_out: self.left_out,
            precision: began.precision.max(ended.precision).as_secs_f64(),
            reading: self.reading.as_secs_f64(),
        }
    }
}

/// Returns the start and end of a finished command, by the device's clock in nanoseconds.
fn times(event: &Event) -> Result<(u64, u64), DeviceError> {
    let start = event.profiling_command_start();
    start
        .and_then(|start| Ok((start, event.profiling_command_end()?)))
        .map_err(DeviceError::call("asking how long a command took"))
}

/// A moment on both clocks.
#[derive(Debug, Clone, Copy)]
struct Mark {
    host: Instant,
    device: u64,
    /// The largest error of `host`.
    precision: Duration,
}

impl Mark {
    /// Compares the clocks: on an idle queue, a small write starts after the host enqueued it and
    /// ends before the host sees its end.
    fn take(context: &Context, queue: &CommandQueue) -> Result<Mark, DeviceError> {
        static WORD: [u8; 8] = [0; 8];
        // SAFETY: no host pointer is handed over.
        let buffer = unsafe {
            Buffer::<u8>::create(context, CL_MEM_READ_WRITE, WORD.len(), std::ptr::null_mut())
        };
        let mut buffer = Owned::new(buffer.map_err(DeviceError::call("allocating a buffer"))?);
        finish(queue)?;
        let mut best: Option<Mark> = None;
        for _ in 0..COMPARISONS {
            let before = Instant::now();
            // SAFETY: the source is static.
            let event =
                unsafe { queue.enqueue_write_buffer(&mut buffer, CL_NON_BLOCKING, 0, &WORD, &[]) };
            let event = Owned::new(event.map_err(DeviceError::call("filling a buffer"))?);
            flush(queue)?;
            // Not `wait`: its sleeps are longer than the command.
            while !is_done(&event)? {
                hint::spin_loop();
            }
            let after = Instant::now();
            let (start, end) = times(&event)?;
            let ran = Duration::from_nanos(end.saturating_sub(start));
            let precision = (after - before).saturating_sub(ran) / 2;
            if best.is_none_or(|best| precision < best.precision) {
                best = Some(Mark {
                    host: before + precision,
                    device: start,
                    precision,
                });
            }
        }
        // There is at least one comparison.
        best.ok_or(DeviceError::Panic("no clocks were compared".into()))
    }
}

/// Converts a time of the device's clock to the time axis of the process, linearly between two
/// marks.
fn host_time(device: u64, began: &Mark, ended: &Mark) -> Instant {
    let rate = match ended.device.saturating_sub(began.device) {
        0 => 1.0,
        ticks => (ended.host - began.host).as_nanos() as f64 / ticks as f64,
    };
    let distance = Duration::from_nanos((device.abs_diff(began.device) as f64 * rate) as u64);
    let moved = match device < began.device {
        true => began.host.checked_sub(distance),
        false => began.host.checked_add(distance),
    };
    moved.unwrap_or(began.host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(host: Instant, device: u64) -> Mark {
        Mark {
            host,
            device,
            precision: Duration::from_micros(3),
        }
    }

    #[test]
    fn the_device_clock_may_run_at_another_rate() {
        let now = Instant::now() + Duration::from_secs(100);
        let began = mark(now, 5_000);
        let ended = mark(now + Duration::from_micros(20), 15_000);
        let host = |device| host_time(device, &began, &ended);
        assert_eq!(host(5_000), now);
        assert_eq!(host(10_000), now + Duration::from_micros(10));
        assert_eq!(host(4_000), now - Duration::from_micros(2));
    }

    #[test]
    fn sums_are_by_kind_and_spans_are_bounded() {
        let mut state = State::default();
        let short = state.kind(Command::Transfer("read"));
        let long = state.kind(Command::Kernel("k"));
        assert_eq!(state.kind(Command::Kernel("k")), long);
        let rest = 5;
        for i in 0..(SPANS + rest) as u64 {
            state.add(Ran {
                kind: long,
                queue: 0,
                start: 10 * i,
                end: 10 * i + 4,
            });
        }
        state.add(Ran {
            kind: short,
            queue: 1,
            start: 0,
            end: 1,
        });
        let now = Instant::now();
        let profile = state.profile(&mark(now, 0), &mark(now, 0));
        assert_eq!(profile.precision, 3e-6);
        let names: Vec<_> = profile
            .commands
            .iter()
            .map(|c| (&*c.name, c.count))
            .collect();
        assert_eq!(names, [("k", (SPANS + rest) as u64), ("read", 1)]);
        assert!(profile.commands[0].is_kernel && !profile.commands[1].is_kernel);
        let expected = 4e-9 * (SPANS + rest) as f64;
        assert!((profile.commands[0].seconds - expected).abs() < 1e-12);
        assert_eq!((profile.spans.len(), profile.left_out), (SPANS, 6));
        let last = profile.spans.last().unwrap();
        assert_eq!((last.command, last.queue), (0, 0));
        assert_eq!(last.end - last.start, Duration::from_nanos(4));
    }
}
