//! Tests of the ledger: which groups are copied, and roots beside copies and in closed accounts.
//! (Simulations check that every root counts once.)

#![expect(
    clippy::single_range_in_vec_init,
    reason = "a claim can be the only one"
)]

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::ledger::{Account, Ledger};
use super::ranges::total;
use crate::engine::{EngineError, OwnSums, Sums};

fn zero() -> OwnSums {
    let (vertices, arcs) = (vec![0.0; 2], None);
    OwnSums { vertices, arcs }
}

/// Opens the account of a worker that has claimed these roots, and is expected to take `seconds`.
fn open(ledger: &Ledger, roots: Range<usize>, seconds: f64) -> Arc<Account> {
    let account = ledger.open(None);
    claim(&account, roots, seconds);
    account
}

fn claim(account: &Account, roots: Range<usize>, seconds: f64) {
    account.claim(roots, 0.0, Some(seconds));
}

/// Lets `me` copy groups at `second` seconds a root. Returns the number of copied roots.
fn copy(ledger: &Ledger, me: &Account, second: f64) -> usize {
    let copied = ledger.copy(me, 0.0, |roots| Some(roots as f64 * second));
    assert_eq!(copied, me.group());
    total(&copied)
}

/// Commits, and returns whether the commit succeeded.
fn commit(ledger: &Ledger, account: &Account, value: f64) -> bool {
    let add = |sums: &mut Sums<'_>| {
        sums.vertices[0] += value;
        Ok::<_, ()>(())
    };
    ledger.commit(account, zero, add).unwrap()
}

#[test]
fn the_first_commit_of_a_group_wins() {
    let ledger = Ledger::default();
    let slow = open(&ledger, 0..4, 9.0);
    let slower = open(&ledger, 4..9, 20.0);
    slower.mark_searched();
    let [me, other] = [0, 1].map(|number| ledger.open(Some(number)));
    assert_eq!(copy(&ledger, &me, 2.1), 0, "more than half the time");
    // Both together would take 9 seconds, and the owner of the first ends it by then.
    assert_eq!(copy(&ledger, &me, 1.0), 5);
    // A participant that is hardly faster copies nothing of that; a much faster one does.
    assert_eq!(copy(&ledger, &other, 0.9), 4);
    assert_eq!(copy(&ledger, &other, 0.01), 9);
    // A copied group still belongs to its owner, which may claim more before the copy is committed.
    claim(&slower, 10..12, 1.0);
    assert_eq!(ledger.searched(), 5);
    me.mark_searched();
    assert!(commit(&ledger, &me, 10.0) && slower.is_superseded());
    assert!(!commit(&ledger, &other, 10.0) && other.discard_group().is_empty());
    slower.mark_searched();
    assert_eq!((ledger.searched(), ledger.roots()), (5, 5));
    assert!(!commit(&ledger, &slower, 1.0));
    assert_eq!(slower.discard_group(), [10..12]);
    claim(&slower, 9..12, 1.0);
    assert!(commit(&ledger, &slower, 1.0));

    // The owner commits first, and the copy is discarded.
    assert_eq!(copy(&ledger, &me, 0.1), 4);
    assert!(commit(&ledger, &slow, 1.0) && !commit(&ledger, &me, 10.0));
    assert!(me.discard_group().is_empty() && !me.has_uncommitted());
    let committed = ledger.committed(zero());
    assert!(committed.roots.len() == 1 && committed.sums.vertices[0] == 12.0);
    assert!(copy(&ledger, &me, 0.0) == 0 && !ledger.has_uncommitted());
}

#[test]
fn roots_that_are_claimed_beside_a_copy_are_not_lost() {
    for is_committed in [true, false] {
        let ledger = Ledger::default();
        let (owner, me) = (open(&ledger, 0..4, 9.0), ledger.open(None));
        assert_eq!(copy(&ledger, &me, 0.1), 4);
        assert!(!is_committed || commit(&ledger, &owner, 1.0));
        // These were supplied meanwhile.
        claim(&me, 4..6, 1.0);
        assert_eq!(commit(&ledger, &me, 2.0), !is_committed);
        if is_committed {
            assert_eq!(me.discard_group(), [4..6]);
        }
        assert_eq!(ledger.roots(), if is_committed { 4 } else { 6 });
    }
}

#[test]
fn an_account_is_closed_when_its_owner_takes_too_long() {
    let ledger = Ledger::default();
    let account = open(&ledger, 0..4, 1.0);
    let in_time = |limit| {
        let mut closed = 0;
        let close = || {
            closed = ledger
                .close_late()
                .iter()
                .map(|(.., group)| total(group))
                .sum();
            Ok::<_, EngineError>(())
        };
        let result = account.with_limit(limit, close);
        assert!(matches!(result, Ok(()) | Err(EngineError::Stopped)));
        (result.is_ok(), closed)
    };
    assert_eq!(in_time(Duration::from_secs(1000)), (true, 0));
    assert!(ledger.close_late().is_empty());
    assert_eq!(in_time(Duration::ZERO), (false, 4));
    assert!(!ledger.any_late());
}

#[test]
fn a_closed_account_keeps_its_commits() {
    let ledger = Ledger::default();
    let account = open(&ledger, 0..4, 1.0);
    assert!(commit(&ledger, &account, 1.0));
    claim(&account, 4..6, 1.0);
    assert_eq!(account.close().unwrap().len(), 1);
    assert!(!commit(&ledger, &account, 5.0));
    // Nothing would give these roots back.
    ledger.withdraw(&account);
    assert_eq!(ledger.roots(), 4);
    assert_eq!(ledger.committed(zero()).sums.vertices, [1.0, 0.0]);
}
