//! Times of kernels and transfers from the device's own clock (`--kernel-times`).
//!
//! A profile has the total time of each kind of command. The profiler keeps only the events of the
//! latest commands: it reads the times of older ones during the search, so its memory does not
//! grow. Without a profiler, events are released at once.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;

use opencl3::command_queue::{CL_QUEUE_PROFILING_ENABLE, CommandQueue};
use opencl3::context::Context;
use opencl3::error_codes::ClError;
use opencl3::event::{Event, retain_event};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{DeviceError, Result};
use super::owned::Owned;

/// When this many events have unread times, the profiler reads those of the older half.
const MAX_UNREAD: usize = 8192;
/// The names of commands that are not kernels: device to host, host to device, and zeros.
const TRANSFERS: [&str; 3] = ["read", "write", "fill"];

/// The times of all commands of a kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandTimes {
    /// The name of the kernel, or `read`, `write` or `fill`.
    pub name: String,
    /// The number of commands.
    pub count: u64,
    /// The sum of their running times. Commands of two queues may run at the same time.
    pub seconds: f64,
}

/// The times of the commands of a device during the search, by its own clock.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Profile {
    /// The kernels, in falling order of their time.
    pub kernels: Vec<CommandTimes>,
    /// Reads, writes and fills, in falling order of their time.
    pub transfers: Vec<CommandTimes>,
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
    pub fn new(context: &Context, profiler: Option<&Rc<Profiler>>) -> Result<Queue> {
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
    ) -> Result<Owned<Event>> {
        let event = Owned::new(DeviceError::check(what, enqueued)?);
        if let Some(profiler) = &self.profiler {
            profiler.record(name, &event);
        }
        Ok(event)
    }
}

/// Records the times of the commands of all queues of a session between [`Profiler::begin`] and
/// [`Profiler::end`]. The cell has `None` before and after, and an error if the recording failed.
#[derive(Default)]
pub struct Profiler(RefCell<Option<Result<Recording>>>);

/// The times read so far, and the commands whose times are not read yet.
#[derive(Default)]
struct Recording {
    /// The kinds and events of the unread commands, oldest first.
    unread: VecDeque<(usize, Owned<Event>)>,
    /// The kinds of commands, in the order of their first commands.
    commands: Vec<CommandTimes>,
}

impl Profiler {
    /// Begins to record.
    pub fn begin(&self) {
        *self.0.borrow_mut() = Some(Ok(Recording::default()));
    }

    /// Records a command just enqueued. If the times of older commands cannot be read, recording
    /// ends, and the search goes on.
    fn record(&self, name: &str, event: &Event) {
        let mut state = self.0.borrow_mut();
        if let Some(Ok(recording)) = &mut *state
            // SAFETY: the handle is that of a live event; the recording releases the reference
            // taken here when it drops its own event.
            && unsafe { retain_event(event.get()) }.is_ok()
            && let Err(error) = recording.push(name, Owned::new(Event::new(event.get())))
        {
            *state = Some(Err(error));
        }
    }

    /// Ends the recording and returns it, if it began. All queues must be idle.
    ///
    /// # Errors
    /// The reason why there are no times.
    pub fn end(&self) -> Option<Result<Profile>> {
        let recording = self.0.take()?;
        Some(recording.and_then(|mut recording| {
            recording.read(0)?;
            let mut commands = recording.commands;
            commands.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
            let is_transfer = |one: &CommandTimes| TRANSFERS.contains(&&*one.name);
            let (transfers, kernels) = commands.into_iter().partition(is_transfer);
            Ok(Profile { kernels, transfers })
        }))
    }
}

impl Recording {
    fn push(&mut self, name: &str, event: Owned<Event>) -> Result<()> {
        let kind = self.kind(name);
        self.unread.push_back((kind, event));
        match self.unread.len() < MAX_UNREAD {
            true => Ok(()),
            false => self.read(MAX_UNREAD / 2),
        }
    }

    /// Returns the index of a kind of command.
    fn kind(&mut self, name: &str) -> usize {
        let kinds = &mut self.commands;
        let known = kinds.iter().position(|kind| kind.name == name);
        known.unwrap_or_else(|| {
            kinds.push(CommandTimes {
                name: name.into(),
                count: 0,
                seconds: 0.0,
            });
            kinds.len() - 1
        })
    }

    /// Reads the times of the oldest commands until at most `limit` are unread.
    fn read(&mut self, limit: usize) -> Result<()> {
        while self.unread.len() > limit
            && let Some((kind, event)) = self.unread.pop_front()
        {
            // This also flushes the queue of the event; without that, the command might not start.
            DeviceError::check("waiting for a command", event.wait())?;
            self.add(kind, times(&event)?);
        }
        Ok(())
    }

    /// Adds a command with its start and end, by the device's clock in nanoseconds.
    fn add(&mut self, kind: usize, (start, end): (u64, u64)) {
        let kind = &mut self.commands[kind];
        kind.count += 1;
        kind.seconds += end.saturating_sub(start) as f64 * 1e-9;
    }
}

/// Returns the start and end of a finished command, by the device's clock in nanoseconds.
fn times(event: &Event) -> Result<(u64, u64)> {
    let start = event.profiling_command_start();
    let times = start.and_then(|start| Ok((start, event.profiling_command_end()?)));
    DeviceError::check("querying the times of a command", times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_by_kind() {
        let mut recording = Recording::default();
        let short = recording.kind("read");
        let long = recording.kind("k");
        assert_eq!(recording.kind("k"), long);
        for i in 0..10 {
            recording.add(long, (10 * i, 10 * i + 4));
        }
        recording.add(short, (0, 1));
        let commands = recording.commands;
        let counts: Vec<_> = commands.iter().map(|c| (&*c.name, c.count)).collect();
        assert_eq!(counts, [("read", 1), ("k", 10)]);
        assert!((commands[1].seconds - 40e-9).abs() < 1e-12);
    }
}
