//! Times of kernels and transfers from the device's own clock (`--kernel-times`).
//!
//! A queue made for it keeps the events of its last commands, reads when older ones started and
//! ended, and lets those go. What is kept is a sum per kernel and the first
//! [`SPANS`] spans, however long the search. Without profiling a [`Queue`] is the bare queue, and
//! events are dropped at once.

use std::cell::{Cell, RefCell};
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
use super::wait::{finish, flush, is_done, wait};

/// Spans kept of a device: about 4 MB here, 15 MB in a trace.
pub const SPANS: usize = 100_000;
/// Events of a queue that may wait to be read; at this many the oldest half is read.
const WAITING: usize = 8192;
/// Commands made to compare clocks, the best of which counts.
const COMPARISONS: usize = 16;

/// A kind of command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A kernel, by name.
    Kernel(Rc<str>),
    /// Anything else: `read` (device to host), `write` (host to device) or `fill`.
    Other(&'static str),
}

/// All commands of a kind.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandTimes {
    /// Name of the kernel, or `read`, `write` or `fill`.
    pub name: String,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// How many.
    pub count: u64,
    /// Seconds that they ran, added up. Those of two queues may have run at the same time.
    pub seconds: f64,
}

/// A command on the time axis of the process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommandSpan {
    /// Position in [`Profile::commands`].
    pub command: usize,
    /// The queue, from 0 in the order of their first commands.
    pub queue: usize,
    /// When it started.
    pub start: Instant,
    /// When it ended.
    pub end: Instant,
}

/// What a device did while it searched.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Kinds of commands, by time, longest first.
    pub commands: Vec<CommandTimes>,
    /// The first commands, at most [`SPANS`], in the order in which they were looked at.
    pub spans: Vec<CommandSpan>,
    /// Commands without a span.
    pub left_out: u64,
    /// By so many seconds spans may lie too early or too late: how well the clocks could be
    /// compared.
    pub precision: f64,
    /// Seconds that the driver's thread spent reading events.
    pub reading: f64,
}

/// An in-order queue whose commands may be timed.
pub struct Queue {
    queue: Owned<CommandQueue>,
    number: usize,
    profiler: Option<Rc<Profiler>>,
}

impl Deref for Queue {
    type Target = CommandQueue;

    fn deref(&self) -> &CommandQueue {
        &self.queue
    }
}

impl Queue {
    /// A queue of the context's device; timed if there is a profiler.
    pub fn new(context: &Context, profiler: Option<&Rc<Profiler>>) -> Result<Queue, DeviceError> {
        let properties = profiler.map_or(0, |_| CL_QUEUE_PROFILING_ENABLE);
        // The form that OpenCL 1.2 devices have.
        let queue = CommandQueue::create_default(context, properties)
            .map_err(DeviceError::call("making a queue"))?;
        Ok(Queue {
            queue: Owned::new(queue),
            number: profiler.map_or(0, |of| of.queues.replace(of.queues.get() + 1)),
            profiler: profiler.cloned(),
        })
    }

    /// Takes the event of a command just enqueued, and gives it back for those who wait for it.
    pub fn note(&self, command: &Command, event: Event) -> Owned<Event> {
        let event = Owned::new(event);
        if let Some(profiler) = &self.profiler
            && profiler.recording.get()
            // SAFETY: the handle is that of a live event; the count taken here is given back when
            // the profiler drops its own.
            && unsafe { retain_event(event.get()) }.is_ok()
        {
            profiler.note(self, command, Owned::new(Event::new(event.get())));
        }
        event
    }
}

/// Times the commands of all queues of a session while it is told to.
#[derive(Default)]
pub struct Profiler {
    recording: Cell<bool>,
    /// How many queues there have been.
    queues: Cell<usize>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// Per queue, the kinds of the commands whose events are still to be read, oldest first.
    waiting: Vec<VecDeque<(usize, Owned<Event>)>>,
    kinds: Vec<CommandTimes>,
    spans: Vec<Ran>,
    left_out: u64,
    reading: Duration,
    began: Option<Mark>,
    failed: Option<DeviceError>,
}

/// When a command ran, by the device's clock in nanoseconds.
struct Ran {
    kind: usize,
    queue: usize,
    start: u64,
    end: u64,
}

impl Profiler {
    /// Begins to take times. `queue` should have nothing to do.
    pub fn begin(&self, context: &Context, queue: &Queue) {
        let mark = Mark::take(context, queue);
        self.recording.set(mark.is_ok());
        let mut state = self.state.borrow_mut();
        match mark {
            Ok(mark) => state.began = Some(mark),
            Err(error) => state.failed = Some(error),
        }
    }

    /// Ends it, when all queues are done. The error is why there are no times.
    pub fn end(&self, context: &Context, queue: &Queue) -> Result<Profile, DeviceError> {
        self.recording.set(false);
        let mut state = self.state.take();
        if let Some(error) = state.failed {
            return Err(error);
        }
        for number in 0..state.waiting.len() {
            state.read(number, 0)?;
        }
        let ended = Mark::take(context, queue)?;
        let began = state.began.unwrap_or(ended);
        Ok(state.profile(&Axis { began, ended }))
    }

    /// Takes note of a command just enqueued. Where that fails, the search goes on without times.
    fn note(&self, queue: &Queue, command: &Command, event: Owned<Event>) {
        let mut state = self.state.borrow_mut();
        let kind = state.kind(command);
        if state.waiting.len() <= queue.number {
            state.waiting.resize_with(queue.number + 1, VecDeque::new);
        }
        state.waiting[queue.number].push_back((kind, event));
        if state.waiting[queue.number].len() < WAITING {
            return;
        }
        if let Err(error) = flush(queue).and_then(|()| state.read(queue.number, WAITING / 2)) {
            self.recording.set(false);
            state.waiting.iter_mut().for_each(VecDeque::clear);
            state.failed = Some(error);
        }
    }
}

impl State {
    fn kind(&mut self, command: &Command) -> usize {
        let (name, is_kernel) = match command {
            Command::Kernel(name) => (&**name, true),
            Command::Other(name) => (*name, false),
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

    /// Reads the oldest events of a queue until no more than `most` are left.
    fn read(&mut self, queue: usize, most: usize) -> Result<(), DeviceError> {
        while self.waiting[queue].len() > most
            && let Some((kind, event)) = self.waiting[queue].pop_front()
        {
            wait(&event)?;
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

    fn profile(self, axis: &Axis) -> Profile {
        let mut order: Vec<usize> = (0..self.kinds.len()).collect();
        order.sort_by(|&a, &b| self.kinds[b].seconds.total_cmp(&self.kinds[a].seconds));
        let mut queues: Vec<usize> = Vec::new();
        let spans = self.spans.iter().map(|ran| {
            if !queues.contains(&ran.queue) {
                queues.push(ran.queue);
            }
            let place = |all: &[usize], of| all.iter().position(|&one| one == of).unwrap_or(0);
            CommandSpan {
                command: place(&order, ran.kind),
                queue: place(&queues, ran.queue),
                start: axis.host(ran.start),
                end: axis.host(ran.end),
            }
        });
        Profile {
            spans: spans.collect(),
            commands: order.iter().map(|&kind| self.kinds[kind].clone()).collect(),
            left_out: self.left_out,
            precision: axis.precision(),
            reading: self.reading.as_secs_f64(),
        }
    }
}

/// Start and end of a command that is done, by the device's clock.
fn times(event: &Event) -> Result<(u64, u64), DeviceError> {
    let start = event.profiling_command_start();
    start
        .and_then(|start| Ok((start, event.profiling_command_end()?)))
        .map_err(DeviceError::call("asking how long a command took"))
}

/// A moment by both clocks.
#[derive(Debug, Clone, Copy)]
struct Mark {
    host: Instant,
    device: u64,
    /// How far `host` may be off.
    precision: Duration,
}

impl Mark {
    /// A small write is made when the queue is idle. That the host knows it to run no earlier than
    /// it was enqueued, and to have ended when it was seen to have, says how the clocks stand to
    /// each other.
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
            // SAFETY: what is written from is static.
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

/// The device's clock on the time axis of the process: straight from one mark to the other.
struct Axis {
    began: Mark,
    ended: Mark,
}

impl Axis {
    fn host(&self, device: u64) -> Instant {
        let (began, ended) = (&self.began, &self.ended);
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

    fn precision(&self) -> f64 {
        self.began.precision.max(self.ended.precision).as_secs_f64()
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
    fn the_device_clock_may_run_at_another_rate() {
        let now = Instant::now() + Duration::from_secs(100);
        let axis = Axis {
            began: mark(now, 5_000),
            ended: mark(now + Duration::from_micros(20), 15_000),
        };
        assert_eq!(axis.host(5_000), now);
        assert_eq!(axis.host(10_000), now + Duration::from_micros(10));
        assert_eq!(axis.host(4_000), now - Duration::from_micros(2));
        assert_eq!(axis.precision(), 3e-6);
    }

    #[test]
    fn sums_are_by_kind_and_spans_are_bounded() {
        let mut state = State::default();
        let short = state.kind(&Command::Other("read"));
        let long = state.kind(&Command::Kernel("k".into()));
        assert_eq!(state.kind(&Command::Kernel("k".into())), long);
        let rest = 5;
        for i in 0..(SPANS + rest) as u64 {
            state.add(Ran {
                kind: long,
                queue: 3,
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
        let axis = Axis {
            began: mark(now, 0),
            ended: mark(now, 0),
        };
        let profile = state.profile(&axis);
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
