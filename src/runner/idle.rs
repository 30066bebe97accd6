//! What a participant does when nothing is left to claim.

use std::thread;
use std::time::Duration;

use super::counter::{Participant, SourceCounter};
use super::ledger::{Account, Ledger};
use crate::engine::Root;

/// The time between two looks: at first, and at most.
const SHORT: Duration = Duration::from_millis(1);
const LONG: Duration = Duration::from_millis(16);

/// What it does next.
pub(super) enum Next {
    /// It searches these roots, which it has taken over from others.
    Search(Vec<Root>),
    /// Roots were given back: it claims again.
    Claim,
    /// It ends.
    End,
}

/// So many blocks of roots may wait for others before them.
const MOST_WAITING: usize = 64;

/// Waits while too many blocks wait for one that another participant searches, whose sums have to
/// be added up first, or until it `ends`.
pub(super) fn until_in_order(
    (counter, ledger): (&SourceCounter, &Ledger),
    ends: impl Fn() -> bool,
) {
    while ledger.waiting() > MOST_WAITING
        && !ends()
        && !counter.is_closed()
        && !counter.has_returned()
    {
        thread::sleep(SHORT);
    }
}

/// Takes the group back that another participant has taken over, if that one has not searched it
/// yet. To be called by who has.
pub(super) fn take_back((counter, ledger): (&SourceCounter, &Ledger), account: &Account) {
    let late = |number| counter.is_late(number, counter.now());
    ledger.take_back(account, late);
}

/// Waits until there is something to do, or `ends` says that there will be nothing. All that the
/// participant has searched is committed.
pub(super) fn next(
    (counter, ledger, roots): (&SourceCounter, &Ledger, &[Root]),
    (participant, account): (&Participant<'_>, &Account),
    ends: impl Fn() -> bool,
) -> Next {
    let mut pause = SHORT;
    while !ends() && !counter.is_closed() && ledger.is_open() {
        if counter.has_work() {
            return Next::Claim;
        }
        let left = |number| counter.seconds_left(number, counter.now());
        let taken = ledger.take_over(account, left, |roots| participant.seconds(roots));
        if !taken.is_empty() {
            let ranges = taken.into_iter().map(|claimed| &roots[claimed.roots]);
            let roots = ranges.collect::<Vec<_>>().concat();
            participant.takes(roots.len());
            return Next::Search(roots);
        }
        thread::sleep(pause);
        pause = (2 * pause).min(LONG);
    }
    // A device may have given its roots back at the last moment.
    match !ends() && counter.has_work() {
        true => Next::Claim,
        false => Next::End,
    }
}
