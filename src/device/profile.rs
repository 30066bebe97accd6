//! Times of kernels and transfers from the device's own clock (`--kernel-times`).
//!
//! A profile has the total time of each kind of command, and the times of the first [`MAX_SPANS`]
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
use opencl3::error_codes::ClError;
use opencl3::event::{Event, retain_event};
use opencl3::types::CL_NON_BLOCKING;

use super::error::DeviceError;
use super::owned::{Owned, allocate};
use super::wait::{finish, flush, is_done};

/// The largest number of spans of a profile: about 4 MB in memory, 15 MB in a trace file.
pub const MAX_SPANS: usize = 100_000;
/// When this many events have unread times, the profiler reads those of the older half.
const MAX_UNREAD: usize = 8192;
/// The number of measurements for a comparison of the clocks, which uses the most precise one.
const MEASUREMENTS: usize = 16;
/// The names of commands that are not kernels: device to host, host to device, and zeros.
const TRANSFERS: [&str; 3] = ["read", "write", "fill"];

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
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// The kinds of commands, in the order of their first commands.
    pub commands: Vec<CommandTimes>,
    /// The times of the first commands, at most [`MAX_SPANS`].
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
        let queue = CommandQueue::create_default(context, properties);
        let queue = DeviceError::check("making a queue", queue)?;
        Ok(Queue {
            queue: Owned::new(queue),
            profiler: profiler.cloned(),
        })
    }

    /// Passes the event of a command just enqueued to the profiler, and returns it for waiting.
    /// `name` is that of the kernel, or `read`, `write` or `fill`.
    ///
    /// # Errors
    /// If the command was not enqueued; `what` is the action.
    pub fn record(
        &self,
        name: &str,
        what: &'static str,
        enqueued: Result<Event, ClError>,
    ) -> Result<Owned<Event>, DeviceError> {
        let event = Owned::new(DeviceError::check(what, enqueued)?);
        if let Some(profiler) = &self.profiler {
            profiler.record(self.get() as usize, name, &event);
        }
        Ok(event)
    }
}

/// Records the times of the commands of all queues of a session between [`Profiler::begin`] and
/// [`Profiler::end`]. The cell has `None` before and after, and an error if the recording failed.
#[derive(Default)]
pub struct Profiler(RefCell<Option<Result<Recording, DeviceError>>>);

/// The times read so far, and the commands whose times are not read yet.
struct Recording {
    /// The clocks at the start.
    began: Mark,
    /// Handles of the queues, in the order of their first commands.
    queues: Vec<usize>,
    /// The unread commands, oldest first: kind, queue and event.
    unread: VecDeque<(usize, usize, Owned<Event>)>,
    profile: Profile,
}

impl Profiler {
    /// Begins to record. `queue` should be idle.
    pub fn begin(&self, context: &Context, queue: &Queue) {
        *self.0.borrow_mut() = Some(Mark::take(context, queue).map(Recording::new));
    }

    /// Records a command just enqueued. If the times of older commands cannot be read, recording
    /// ends, and the search goes on.
    fn record(&self, queue: usize, name: &str, event: &Event) {
        let mut state = self.0.borrow_mut();
        if let Some(Ok(recording)) = &mut *state
            // SAFETY: the handle is that of a live event; the recording releases the reference
            // taken here when it drops its own event.
            && unsafe { retain_event(event.get()) }.is_ok()
            && let Err(error) = recording.push(queue, name, Owned::new(Event::new(event.get())))
        {
            *state = Some(Err(error));
        }
    }

    /// Ends the recording and returns it, if it began. All queues must be idle.
    ///
    /// # Errors
    /// The reason why there are no times.
    pub fn end(&self) -> Option<Result<Profile, DeviceError>> {
        let recording = self.0.take()?;
        Some(recording.and_then(|mut recording| {
            recording.read(0)?;
            Ok(recording.profile)
        }))
    }
}

impl Recording {
    fn new(began: Mark) -> Recording {
        Recording {
            began,
            queues: Vec::new(),
            unread: VecDeque::new(),
            profile: Profile {
                precision: began.precision.as_secs_f64(),
                ..Profile::default()
            },
        }
    }

    fn push(&mut self, queue: usize, name: &str, event: Owned<Event>) -> Result<(), DeviceError> {
        let kind = self.kind(name);
        let known = self.queues.iter().position(|&known| known == queue);
        let queue = known.unwrap_or_else(|| {
            self.queues.push(queue);
            self.queues.len() - 1
        });
        self.unread.push_back((kind, queue, event));
        match self.unread.len() < MAX_UNREAD {
            true => Ok(()),
            false => self.read(MAX_UNREAD / 2),
        }
    }

    /// Returns the index of a kind of command in [`Profile::commands`].
    fn kind(&mut self, name: &str) -> usize {
        let kinds = &mut self.profile.commands;
        let known = kinds.iter().position(|kind| kind.name == name);
        known.unwrap_or_else(|| {
            kinds.push(CommandTimes {
                name: name.into(),
                is_kernel: !TRANSFERS.contains(&name),
                count: 0,
                seconds: 0.0,
            });
            kinds.len() - 1
        })
    }

    /// Reads the times of the oldest commands until at most `limit` are unread.
    fn read(&mut self, limit: usize) -> Result<(), DeviceError> {
        while self.unread.len() > limit
            && let Some((kind, queue, event)) = self.unread.pop_front()
        {
            // This also flushes the queue of the event; without that, the command might not start.
            DeviceError::check("waiting for a command", event.wait())?;
            let before = Instant::now();
            let times = times(&event)?;
            self.profile.reading += before.elapsed().as_secs_f64();
            self.add(kind, queue, times);
        }
        Ok(())
    }

    /// Adds a command with its start and end, by the device's clock in nanoseconds.
    fn add(&mut self, command: usize, queue: usize, (start, end): (u64, u64)) {
        let profile = &mut self.profile;
        let kind = &mut profile.commands[command];
        kind.count += 1;
        kind.seconds += end.saturating_sub(start) as f64 * 1e-9;
        if profile.spans.len() == MAX_SPANS {
            profile.without_span += 1;
            return;
        }
        profile.spans.push(CommandSpan {
            command,
            queue,
            start: self.began.host_time(start),
            end: self.began.host_time(end),
        });
    }
}

/// Returns the start and end of a finished command, by the device's clock in nanoseconds.
fn times(event: &Event) -> Result<(u64, u64), DeviceError> {
    let start = event.profiling_command_start();
    let times = start.and_then(|start| Ok((start, event.profiling_command_end()?)));
    DeviceError::check("querying the times of a command", times)
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
        let mut buffer = allocate(context, WORD.len())?;
        finish(queue)?;
        let mut best: Option<Mark> = None;
        for _ in 0..MEASUREMENTS {
            let before = Instant::now();
            // SAFETY: the source is static.
            let event =
                unsafe { queue.enqueue_write_buffer(&mut buffer, CL_NON_BLOCKING, 0, &WORD, &[]) };
            let event = Owned::new(DeviceError::check("filling a buffer", event)?);
            flush(queue)?;
            // `wait` would sleep longer than the command takes.
            while !is_done(&event)? {
                hint::spin_loop();
            }
            let after = Instant::now();
            let (device, end) = times(&event)?;
            let running = Duration::from_nanos(end.saturating_sub(device));
            let precision = (after - before).saturating_sub(running) / 2;
            let host = before + precision;
            if best.is_none_or(|best| precision < best.precision) {
                best = Some(Mark {
                    host,
                    device,
                    precision,
                });
            }
        }
        // There is at least one measurement.
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

    #[test]
    fn sums_are_by_kind_and_spans_are_bounded() {
        let mut recording = Recording::new(Mark {
            host: Instant::now(),
            device: 0,
            precision: Duration::from_micros(3),
        });
        let short = recording.kind("read");
        let long = recording.kind("k");
        assert_eq!(recording.kind("k"), long);
        let rest = 5;
        for i in 0..(MAX_SPANS + rest) as u64 {
            recording.add(long, 0, (10 * i, 10 * i + 4));
        }
        recording.add(short, 1, (0, 1));
        let profile = recording.profile;
        assert_eq!(profile.precision, 3e-6);
        let names: Vec<_> = profile
            .commands
            .iter()
            .map(|c| (&*c.name, c.count))
            .collect();
        assert_eq!(names, [("read", 1), ("k", (MAX_SPANS + rest) as u64)]);
        assert!(profile.commands[1].is_kernel && !profile.commands[0].is_kernel);
        let expected = 4e-9 * (MAX_SPANS + rest) as f64;
        assert!((profile.commands[1].seconds - expected).abs() < 1e-12);
        assert_eq!((profile.spans.len(), profile.without_span), (MAX_SPANS, 6));
        let last = profile.spans.last().unwrap();
        assert_eq!((last.command, last.queue), (1, 0));
        assert_eq!(last.end - last.start, Duration::from_nanos(4));
    }
}
