//! The loop of all participants, which are CPU workers and drivers of devices: a participant claims
//! roots, searches, commits, and at the end re-executes ranges that others have not committed.

use std::sync::Arc;
use std::time::Duration;

use super::counter::{Participant, RootCounter};
use super::ledger::{Account, Ledger};
use super::pace::EngineRoots;
use crate::engine::{EngineError, Root};
use crate::prepare::Prepared;

/// The first and the longest pause of an idle participant before it looks for work again
/// (exponential back-off).
const MIN_PAUSE: Duration = Duration::from_millis(1);
const MAX_PAUSE: Duration = Duration::from_millis(16);

/// The state that all participants of a run share.
#[derive(Clone)]
pub(super) struct Search {
    pub(super) prepared: Arc<Prepared>,
    pub(super) counter: Arc<RootCounter>,
    pub(super) ledger: Arc<Ledger>,
}

/// The steps of [`take_part`] that differ between workers and drivers.
pub(super) trait Searcher {
    /// Returns the numbers of roots that the engine wants, works on, and searches at a time.
    fn engine_roots(&self) -> EngineRoots;

    /// Searches from claimed roots.
    fn search(
        &mut self,
        roots: &[Root],
        participant: &mut Participant<'_>,
    ) -> Result<(), EngineError>;

    /// Returns whether it is time to commit.
    fn is_due(&mut self) -> bool;

    /// Commits the group, or discards its sums if another participant has committed a part of it.
    /// `last` is true if there is no root to claim, or the participant stops.
    fn commit(&mut self, last: bool) -> Result<(), EngineError>;

    /// Returns whether the participant has to stop although roots are left.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Searches until all roots are committed, the counter is closed, or the searcher is stopped.
pub(super) fn take_part(
    searcher: &mut impl Searcher,
    search: &Search,
    account: &Account,
    mut participant: Participant<'_>,
) -> Result<(), EngineError> {
    let (counter, ledger) = (&search.counter, &search.ledger);
    let roots = &search.prepared.roots;
    let in_order = ledger.is_in_order();
    let mut pause = MIN_PAUSE;
    while !searcher.is_stopped() {
        // Listed roots may be the earlier block for which others wait.
        if in_order && ledger.is_full() && !counter.has_listed() && !counter.is_closed() {
            counter.wait(MIN_PAUSE);
            continue;
        }
        if let Some(range) = participant.claim(&searcher.engine_roots(), counter.now()) {
            let seconds = participant.pace.unfinished_seconds();
            account.claim(range.clone(), counter.now(), seconds);
            searcher.search(&roots[range], &mut participant)?;
            account.mark_searched();
            if in_order || account.is_superseded() || searcher.is_due() {
                searcher.commit(false)?;
            }
            pause = MIN_PAUSE;
            continue;
        }
        if account.has_uncommitted() {
            searcher.commit(true)?;
        }
        if !counter.has_work() && !ledger.has_uncommitted() || counter.is_closed() {
            break;
        }
        let seconds = |roots| participant.pace.seconds(roots);
        let copied = match counter.unclaimed() {
            0 => ledger.copy(account, counter.now(), seconds),
            _ => Vec::new(),
        };
        if copied.is_empty() {
            counter.wait(pause);
            pause = (2 * pause).min(MAX_PAUSE);
        } else {
            let copied: Vec<_> = copied.into_iter().map(|range| &roots[range]).collect();
            let copied = copied.concat();
            participant.pace.add_claimed(copied.len());
            searcher.search(&copied, &mut participant)?;
            pause = MIN_PAUSE;
        }
    }
    // This removes the rate of the participant, so that others claim larger shares.
    drop(participant);
    match account.has_uncommitted() {
        true => searcher.commit(true),
        false => Ok(()),
    }
}
