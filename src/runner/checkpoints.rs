//! Periodic checkpoints of a run, from which another run can resume.

use std::time::{Duration, Instant};

use super::ledger::Committed;
use super::ranges::total;
use super::sharing::Search;

/// The time that workers have to commit before a checkpoint is written: some are inside a long
/// search when they are asked.
const COMMIT_LIMIT: Duration = Duration::from_secs(2);

/// The time that a cancelled run waits for claimed roots to be committed.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(3);

/// How a run resumes from a checkpoint and writes further ones.
pub struct Checkpointing<'a> {
    /// The roots and sums that an earlier run on the same prepared graph committed.
    pub before: Committed,
    /// The time between two checkpoints.
    pub every: Duration,
    /// A run that is expected to take less than this writes no checkpoint.
    pub least: Duration,
    /// Writes a checkpoint.
    pub write: &'a mut dyn FnMut(&Committed),
}

/// Decides when a run writes checkpoints.
pub(super) struct CheckpointWriter<'a> {
    options: Checkpointing<'a>,
    search: Search,
    began: Instant,
    /// The number of roots that were committed when the run began, and in the last checkpoint.
    roots_before: usize,
    roots_written: usize,
    last_write: Instant,
    /// When workers were asked to commit.
    asked: Option<Instant>,
    /// When the run was cancelled.
    cancelled: Option<Instant>,
}

impl<'a> CheckpointWriter<'a> {
    /// Resumes from the earlier run.
    pub(super) fn new(mut options: Checkpointing<'a>, search: &Search) -> Self {
        let before = std::mem::take(&mut options.before);
        let (now, roots) = (Instant::now(), total(&before.roots));
        if roots > 0 {
            search.counter.skip(&before.roots);
            search.ledger.begin_with(before);
        }
        CheckpointWriter {
            options,
            search: search.clone(),
            began: now,
            roots_before: roots,
            roots_written: roots,
            last_write: now,
            asked: None,
            cancelled: None,
        }
    }

    /// Returns whether the run, at its mean speed so far, takes long enough for a checkpoint.
    fn is_long(&self) -> bool {
        let done = self.search.ledger.roots() - self.roots_before;
        let all = self.search.prepared.roots.len() - self.roots_before;
        let expected = self.began.elapsed().as_secs_f64() * all as f64 / done as f64;
        let least = self.options.least.as_secs_f64();
        least <= 0.0 || (done > 0 && expected >= least)
    }

    /// Writes a checkpoint if one is due. Workers are asked to commit a moment earlier.
    pub(super) fn write_if_due(&mut self) {
        let every = self.options.every;
        match self.asked {
            None if self.last_write.elapsed() >= every => {
                self.search.ledger.ask();
                self.asked = Some(Instant::now());
            }
            Some(asked) if asked.elapsed() >= COMMIT_LIMIT.min(every) => self.write(),
            _ => {}
        }
    }

    /// Writes a checkpoint if more roots are committed than at the last one.
    pub(super) fn write(&mut self) {
        (self.last_write, self.asked) = (Instant::now(), None);
        let Search {
            prepared, ledger, ..
        } = &self.search;
        if ledger.roots() > self.roots_written && self.is_long() {
            let committed = ledger.committed(prepared.zero_sums());
            self.roots_written = total(&committed.roots);
            (self.options.write)(&committed);
        }
    }

    /// Ends all claims of a cancelled run (graceful shutdown). Returns whether everything that was
    /// claimed is committed, or has taken too long.
    pub(super) fn is_shut_down(&mut self) -> bool {
        if !self.is_long() {
            return true;
        }
        let since = *self.cancelled.get_or_insert_with(Instant::now);
        self.search.counter.close();
        !self.search.ledger.is_open() || since.elapsed() > SHUTDOWN_LIMIT
    }
}
