//! Keeping what a run has committed, so that another run can go on from it.

use std::time::{Duration, Instant};

use super::ledger::Committed;
use super::ranges::total;
use super::sharing::Search;

/// Workers that were asked to commit have this time before what is committed is kept: some are
/// inside a long search then.
const COMMITTING: Duration = Duration::from_secs(2);

/// So long what is claimed is waited for when a run that keeps what it has is cancelled.
const STOPPING_LIMIT: Duration = Duration::from_secs(3);

/// What a run keeps of what it has done, for another one to go on from.
pub struct Keeping<'a> {
    /// What was kept by another run on the same prepared graph.
    pub before: Committed,
    /// How often something is kept.
    pub every: Duration,
    /// Nothing is kept of a run that is expected to take less than this.
    pub least: Duration,
    /// Keeps this.
    pub keep: &'a mut dyn FnMut(&Committed),
}

/// When something is kept.
pub(super) struct Keeper<'a> {
    keeping: Keeping<'a>,
    search: Search,
    /// When the run began, and how many roots were committed then.
    began: (Instant, usize),
    /// When something was kept last.
    kept: Instant,
    /// How many roots were committed then.
    roots: usize,
    /// Since when workers are asked to commit.
    asked: Option<Instant>,
    /// Since when the run is about to end before everything is searched.
    stopping: Option<Instant>,
}

impl<'a> Keeper<'a> {
    /// Begins with what was kept before.
    pub(super) fn begin(mut keeping: Keeping<'a>, search: &Search) -> Self {
        let ledger = &search.ledger;
        let before = std::mem::take(&mut keeping.before);
        if !before.roots.is_empty() {
            search.counter.skip(&before.roots);
            ledger.begin_with(before);
        }
        let (now, roots) = (Instant::now(), ledger.roots());
        Keeper {
            keeping,
            search: search.clone(),
            began: (now, roots),
            kept: now,
            roots,
            asked: None,
            stopping: None,
        }
    }

    /// Whether the run takes so long that something is kept: as long as it was, for each root.
    fn is_long(&self) -> bool {
        let (began, before) = self.began;
        let done = self.search.ledger.roots() - before;
        let all = (self.search.prepared.roots.len() - before) as f64;
        let expected = began.elapsed().as_secs_f64() * all / done as f64;
        let least = self.keeping.least;
        least.is_zero() || (done > 0 && expected >= least.as_secs_f64())
    }

    /// Keeps what is committed if it is time to.
    pub(super) fn look(&mut self) {
        match self.asked {
            None if self.kept.elapsed() >= self.keeping.every => {
                self.search.ledger.ask();
                self.asked = Some(Instant::now());
            }
            Some(asked) if asked.elapsed() >= COMMITTING.min(self.keeping.every) => {
                self.keep();
            }
            _ => {}
        }
    }

    /// Keeps what is committed, if that is more than was kept last.
    pub(super) fn keep(&mut self) {
        let Search {
            prepared, ledger, ..
        } = &self.search;
        (self.kept, self.asked) = (Instant::now(), None);
        if ledger.roots() > self.roots && self.is_long() {
            let committed = ledger.committed(prepared.zero_sums());
            self.roots = total(&committed.roots);
            (self.keeping.keep)(&committed);
        }
    }

    /// Ends all claims of a run that is cancelled. Returns whether all that was claimed is
    /// committed by now, or has taken too long.
    pub(super) fn stops(&mut self) -> bool {
        if !self.is_long() {
            return true;
        }
        let since = *self.stopping.get_or_insert_with(Instant::now);
        self.search.counter.close();
        !self.search.ledger.is_open() || since.elapsed() > STOPPING_LIMIT
    }
}
