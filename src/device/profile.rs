//! Times of kernels and transfers from the device's own clock (`--kernel-times`).
//!
//! A profile has the total time of each kind of command, and the times of the first [`SPANS`]
//! single commands. The profiler keeps only the events of the latest commands: it reads the times
//! of older ones during the search, so its memory does not grow. Without a profiler, events are
//! released at once.

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

/// The largest number of spans of a profile: about 4 MB in memory, 15 MB in a trace file.
pub const SPANS: usize = 100_000;
/// The number of events with unread times at which the profiler reads the older half.
const MAX_UNREAD: usize = 8192;
/// A comparison of the clocks uses the most precise of this number of measurements.
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
    /// The index of its kind in [`Profile::commands`].
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
    /// The kinds of commands, in the order of their first commands.
    pub commands: Vec<CommandTimes>,
    /// The times of the first commands, at most [`SPANS`].
    pub spans: Vec<CommandSpan>,
    /// The number of later commands, which are in the totals and have no span.
    pub without_span: u64,
    /// The largest error of the comparison of the clocks in seconds.
    pub precision: f64,
    /// The seconds that the driver thread spent on reading times.
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
    /// Makes a queue of the context's device. If there is a profiler, it times the commands.
    pub fn new(context: &Context, profiler: Option<&Rc<Profiler>>) -> Result<Queue, DeviceError> {
        let properties = profiler.map_or(0, |_| CL_QUEUE_PROFILING_ENABLE);
        // OpenCL 1.2 has only this constructor.
        let queue = CommandQueue::create_default(context, properties)
            .map_err(DeviceError::call("making a queue"))?;
        Ok(Queue {
            queue: Owned::new(queue),
            profiler: profiler.cloned(),
        })
    }

    /// Passes the event of a command just enqueued to the profiler, and returns it for waiting.
    pub fn record(&self, command: Command<'_>, event: Event) -> Owned<Event> {
        let event = Owned::new(event);
        if let Some(profiler) = &self.profiler
            && let mut state = profiler.0.borrow_mut()
            && matches!(state.began, Some(Ok(_)))
            // SAFETY: the handle is that of a live event; the state releases the reference taken
            // here when it drops its own event.
            && unsafe { retain_event(event.get()) }.is_ok()
        {
            state.record(
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
    /// The clocks at the start of the recording, or the error that ended it; `None` before.
    began: Option<Result<Mark, DeviceError>>,
    /// Handles of the queues, in the order of their first commands.
    queues: Vec<usize>,
    /// The commands whose times are not read yet, oldest first: kind, queue and event.
    unread: VecDeque<(usize, usize, Owned<Event>)>,
    kinds: Vec<CommandTimes>,
    /// The first commands, at most [`SPANS`].
    spans: Vec<TimedCommand>,
    without_span: u64,
    reading: Duration,
}

/// A command with its start and end, by the device's clock in nanoseconds.
struct TimedCommand {
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

    /// Ends the recording and returns it. All queues must be idle.
    ///
    /// # Errors
    /// The reason why there are no times.
    pub fn end(&self, context: &Context, queue: &Queue) -> Result<Profile, DeviceError> {
        let mut state = self.0.take();
        let began = state.began.take();
        let began = began.unwrap_or_else(|| Mark::take(context, queue))?;
        state.read(0)?;
        Ok(state.profile(&began))
    }
}

impl State {
    /// Records a command just enqueued. If the times of older commands cannot be read, recording
    /// ends, and the search goes on.
    fn record(&mut self, queue: usize, command: Command<'_>, event: Owned<Event>) {
        let kind = self.kind(command);
        let known = self.queues.iter().position(|&known| known == queue);
        let queue = known.unwrap_or_else(|| {
            self.queues.push(queue);
            self.queues.len() - 1
        });
        self.unread.push_back((kind, queue, event));
        if self.unread.len() >= MAX_UNREAD
            && let Err(error) = self.read(MAX_UNREAD / 2)
        {
            self.began = Some(Err(error));
            self.unread.clear();
        }
    }

    /// Returns the index of a kind of command in `kinds`.
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

    /// Reads the times of the oldest commands until at most `limit` are unread.
    fn read(&mut self, limit: usize) -> Result<(), DeviceError> {
        while self.unread.len() > limit
            && let Some((kind, queue, event)) = self.unread.pop_front()
        {
            // This also flushes the queue of the event, which may be another one.
            event
                .wait()
                .map_err(DeviceError::call("waiting for a command"))?;
            let before = Instant::now();
            let (start, end) = times(&event)?;
            self.reading += before.elapsed();
            self.add(TimedCommand {
                kind,
                queue,
                start,
                end,
            });
        }
        Ok(())
    }

    fn add(&mut self, command: TimedCommand) {
        let kind = &mut self.kinds[command.kind];
        kind.count += 1;
        kind.seconds += command.end.saturating_sub(command.start) as f64 * 1e-9;
        match self.spans.len() < SPANS {
            true => self.spans.push(command),
            false => self.without_span += 1,
        }
    }

    fn profile(self, began: &Mark) -> Profile {
        let spans = self.spans.iter().map(|timed| CommandSpan {
            command: timed.kind,
            queue: timed.queue,
            start: began.host_time(timed.start),
            end: began.host_time(timed.end),
        });
        Profile {
            spans: spans.collect(),
            commands: self.kinds,
            without_span: self.without_span,
            precision: began.precision.as_secs_f64(),
            reading: self.reading.as_secs_f64(),
        }
    }
}

/// Returns the start and end of a finished command, by the device's clock in nanoseconds.
fn times(event: &Event) -> Result<(u64, u64), DeviceError> {
    let start = event.profiling_command_start();
    start
        .and_then(|start| Ok((start, event.profiling_command_end()?)))
        .map_err(DeviceError::call("querying the times of a command"))
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
    /// Compares the clocks by small writes to an idle queue: the device starts a write after the
    /// host enqueues it, and ends it before the host sees its end.
    fn take(context: &Context, queue: &CommandQueue) -> Result<Mark, DeviceError> {
        static WORD: [u8; 8] = [0; 8];
        // SAFETY: no host pointer is passed.
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
            // `wait` would sleep longer than the command takes.
            while !is_done(&event)? {
                hint::spin_loop();
            }
            let after = Instant::now();
            let (start, end) = times(&event)?;
            let running = Duration::from_nanos(end.saturating_sub(start));
            let precision = (after - before).saturating_sub(running) / 2;
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

    /// Converts a time of the device's clock after this mark to the time axis of the process.
    fn host_time(&self, device: u64) -> Instant {
        self.host + Duration::from_nanos(device.saturating_sub(self.device))
    }
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
    fn sums_are_by_kind_and_spans_are_bounded() {
        let mut state = State::default();
        let short = state.kind(Command::Transfer("read"));
        let long = state.kind(Command::Kernel("k"));
        assert_eq!(state.kind(Command::Kernel("k")), long);
        let rest = 5;
        for i in 0..(SPANS + rest) as u64 {
            state.add(TimedCommand {
                kind: long,
                queue: 0,
                start: 10 * i,
                end: 10 * i + 4,
            });
        }
        state.add(TimedCommand {
            kind: short,
            queue: 1,
            start: 0,
            end: 1,
        });
        let now = Instant::now();
        let profile = state.profile(&mark(now, 0));
        assert_eq!(profile.precision, 3e-6);
        let names: Vec<_> = profile
            .commands
            .iter()
            .map(|c| (&*c.name, c.count))
            .collect();
        assert_eq!(names, [("read", 1), ("k", (SPANS + rest) as u64)]);
        assert!(profile.commands[1].is_kernel && !profile.commands[0].is_kernel);
        let expected = 4e-9 * (SPANS + rest) as f64;
        assert!((profile.commands[1].seconds - expected).abs() < 1e-12);
        assert_eq!((profile.spans.len(), profile.without_span), (SPANS, 6));
        let last = profile.spans.last().unwrap();
        assert_eq!((last.command, last.queue), (1, 0));
        assert_eq!(last.end - last.start, Duration::from_nanos(4));
    }
}
