//! Periodic checkpoints of a run, from which another run can resume.

use std::time::{Duration, Instant};

use super::ledger::Committed;
use super::ranges::total;
use super::sharing::Search;

/// The longest time that a cancelled run waits until all claimed roots are committed.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(3);

/// The checkpoint from which a run resumes, and the options of the checkpoints that it writes.
pub struct Checkpointing<'a> {
    /// The roots that an earlier run on the same prepared graph committed, and their sums; empty if
    /// there was no such run.
    pub before: Committed,
    /// The time between two checkpoints.
    pub every: Duration,
    /// The least expected time of a run that writes checkpoints; shorter runs write none.
    pub least: Duration,
    /// Writes a checkpoint.
    pub write: &'a mut dyn FnMut(&Committed),
}

/// Decides when a run writes checkpoints.
pub(super) struct CheckpointWriter<'a> {
    options: Checkpointing<'a>,
    search: Search,
    began: Instant,
    /// The number of roots that were committed when the run began.
    roots_before: usize,
    /// The number of roots in the last checkpoint.
    roots_written: usize,
    last_write: Instant,
    /// When the run was cancelled.
    cancelled: Option<Instant>,
}

impl<'a> CheckpointWriter<'a> {
    /// Adds the results of the earlier run to the ledger, and removes its roots from the counter.
    pub(super) fn new(mut options: Checkpointing<'a>, search: &Search) -> Self {
        let before = std::mem::take(&mut options.before);
        let (now, roots) = (Instant::now(), total(&before.roots));
        if roots > 0 {
            search.counter.skip(&before.roots);
            search.ledger.resume_from(before);
        }
        CheckpointWriter {
            options,
            search: search.clone(),
            began: now,
            roots_before: roots,
            roots_written: roots,
            last_write: now,
            cancelled: None,
        }
    }

    /// Returns whether the run, at its mean speed so far, takes long enough for a checkpoint.
    fn is_long(&self) -> bool {
        let done = self.search.ledger.roots() - self.roots_before;
        let all = self.search.prepared.roots.len() - self.roots_before;
        let expected = self.began.elapsed().as_secs_f64() * all as f64 / done as f64;
        let shortest = self.options.least.as_secs_f64();
        shortest <= 0.0 || (done > 0 && expected >= shortest)
    }

    /// Writes a checkpoint if one is due.
    pub(super) fn write_if_due(&mut self) {
        if self.last_write.elapsed() >= self.options.every {
            self.write();
        }
    }

    /// Writes a checkpoint if the run is long, and more roots are committed than in the last
    /// checkpoint.
    pub(super) fn write(&mut self) {
        self.last_write = Instant::now();
        let (prepared, ledger) = (&self.search.prepared, &self.search.ledger);
        if ledger.roots() > self.roots_written && self.is_long() {
            let committed = ledger.committed(prepared.zero_sums());
            self.roots_written = total(&committed.roots);
            (self.options.write)(&committed);
        }
    }

    /// Closes the counter of a cancelled run, so that participants commit and end (graceful
    /// shutdown). Returns whether the run may end: all claimed roots are committed, the time limit
    /// is over, or the run is too short for checkpoints.
    pub(super) fn shut_down(&mut self) -> bool {
        if !self.is_long() {
            return true;
        }
        let since = *self.cancelled.get_or_insert_with(Instant::now);
        self.search.counter.close();
        !self.search.ledger.has_uncommitted() || since.elapsed() > SHUTDOWN_LIMIT
    }
}
