//! The loop of every participant, a worker or the driver of a device: it claims roots, searches,
//! commits, and at the end re-executes ranges that others have not committed.

use std::sync::Arc;
use std::time::Duration;

use super::counter::{Participant, SourceCounter};
use super::ledger::{Account, Ledger};
use super::pace::Ask;
use crate::engine::{EngineError, Root};
use crate::prepare::Prepared;

/// The first and the longest pause of an idle participant before it looks for work again.
const SHORT: Duration = Duration::from_millis(1);
const LONG: Duration = Duration::from_millis(16);

/// The state that all participants of a run share.
#[derive(Clone)]
pub(super) struct Search {
    pub(super) prepared: Arc<Prepared>,
    pub(super) counter: Arc<SourceCounter>,
    pub(super) ledger: Arc<Ledger>,
}

/// The steps of [`take_part`] that differ between workers and drivers.
pub(super) trait Searcher {
    /// Returns the batch sizes of the engine.
    fn ask(&self) -> Ask;

    /// Searches from claimed roots.
    fn search(
        &mut self,
        roots: &[Root],
        participant: &mut Participant<'_>,
    ) -> Result<(), EngineError>;

    /// Returns whether it is time to commit.
    fn is_due(&mut self) -> bool;

    /// Commits the group, or discards its sums if another participant has committed it. `last` says
    /// that nothing is left to claim.
    fn commit(&mut self, last: bool) -> Result<(), EngineError>;

    /// Returns whether the participant has to stop although roots are left.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Searches until everything is committed, or the searcher is stopped.
pub(super) fn take_part(
    searcher: &mut impl Searcher,
    search: &Search,
    account: &Account,
    mut participant: Participant<'_>,
) -> Result<(), EngineError> {
    let (counter, ledger) = (&search.counter, &search.ledger);
    let roots = &search.prepared.roots;
    let in_order = ledger.is_in_order();
    let mut pause = SHORT;
    while !searcher.is_stopped() {
        if in_order && ledger.is_full() && !counter.has_returned() && !counter.is_closed() {
            counter.wait(SHORT);
            continue;
        }
        if let Some(range) = participant.claim(&searcher.ask(), counter.now()) {
            account.claim(
                range.clone(),
                counter.now(),
                participant.pace.open_seconds(),
            );
            searcher.search(&roots[range], &mut participant)?;
            account.searched();
            if in_order || account.is_lost() || searcher.is_due() {
                searcher.commit(false)?;
            }
            pause = SHORT;
            continue;
        }
        if account.is_open() {
            searcher.commit(true)?;
        }
        if !counter.has_work() && !ledger.is_open() || counter.is_closed() {
            break;
        }
        let seconds = |roots| participant.pace.seconds(roots);
        let copied = match counter.unclaimed() {
            0 => ledger.copy(account, counter.now(), seconds),
            _ => Vec::new(),
        };
        if copied.is_empty() {
            counter.wait(pause);
            pause = (2 * pause).min(LONG);
        } else {
            let copied: Vec<_> = copied.into_iter().map(|range| &roots[range]).collect();
            let copied = copied.concat();
            participant.pace.claim(copied.len());
            searcher.search(&copied, &mut participant)?;
            pause = SHORT;
        }
    }
    // Without the rate of this participant, others claim larger shares.
    drop(participant);
    match account.is_open() {
        true => searcher.commit(true),
        false => Ok(()),
    }
}
