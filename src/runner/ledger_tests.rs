//! Accounts: what counts, what goes back, and what is taken over.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::ledger::{Account, Ledger, Owner};
use crate::engine::{EngineError, OwnSums, Sums};

fn zero() -> OwnSums {
    OwnSums {
        vertices: vec![0.0; 2],
        arcs: None,
    }
}

fn add(account: &Account, value: f64) -> bool {
    let add = |sums: &mut Sums<'_>| {
        sums.vertices[0] += value;
        Ok::<_, ()>(())
    };
    Ledger::default().commit(account, zero, add).unwrap()
}

/// An account of a worker that has claimed these roots.
fn open(ledger: &Ledger, participant: usize, roots: Range<usize>) -> Arc<Account> {
    let account = ledger.open(Owner::Worker(participant));
    account.joined_as(participant);
    account.claim(roots);
    account
}

#[test]
fn groups_count_as_a_whole_or_go_back_as_a_whole() {
    let ledger = Ledger::default();
    let (one, two) = (ledger.open(Owner::Device(0)), ledger.open(Owner::Worker(0)));
    one.claim(0..4);
    two.claim(4..6);
    one.claim(6..8);
    assert!(add(&one, 1.0) && ledger.is_open());
    one.claim(8..9);
    one.searched();
    one.claim(9..10);
    let back = one.close().unwrap();
    let back: Vec<_> = back.into_iter().map(|c| (c.roots, c.searched)).collect();
    assert_eq!(back, [(8..9, true), (9..10, false)]);
    assert!(one.close().is_none() && !add(&one, 5.0));
    assert!(add(&two, 2.0) && !ledger.is_open());
    let committed = ledger.committed(zero());
    assert!(committed.roots.len() == 1 && committed.roots[0] == (0..8));
    assert_eq!(committed.sums.vertices, [3.0, 0.0]);
    assert_eq!(ledger.roots(), 8);
}

#[test]
fn what_is_discarded_belongs_to_the_group_again() {
    let ledger = Ledger::default();
    let account = ledger.open(Owner::Device(0));
    account.claim(0..4);
    assert!(add(&account, 1.0));
    ledger.discard(&account);
    assert_eq!(ledger.roots(), 0);
    assert_eq!(account.close().unwrap().len(), 1);
    assert!(
        ledger
            .committed(zero())
            .sums
            .vertices
            .iter()
            .all(|&x| x == 0.0)
    );
}

#[test]
fn groups_that_end_sooner_elsewhere_are_taken_over() {
    let ledger = Ledger::default();
    let open = |participant, roots| open(&ledger, participant, roots);
    let (slow, slower) = (open(0, 0..4), open(1, 4..9));
    slow.searched();
    let me = ledger.open(Owner::Device(0));
    let left = |participant| [Some(9.0), Some(20.0)][participant];
    let take = |second: f64| ledger.take_over(&me, left, |roots| Some(roots as f64 * second));
    assert!(take(2.1).is_empty(), "it would not end in half the time");
    // Both together would take 9 seconds, and the first one ends by itself then.
    let taken: Vec<_> = take(1.0).into_iter().map(|claimed| claimed.roots).collect();
    assert!(taken == me.group() && taken.len() == 1 && taken[0] == (4..9));
    assert!(slow.searched() && add(&slow, 1.0));

    // What the owner claims before it knows goes back.
    slower.claim(10..12);
    assert!(!slower.searched() && !add(&slower, 1.0) && slower.is_taken());
    let back = slower.discarded();
    assert!(back.len() == 1 && back[0].roots == (10..12) && !back[0].searched);
    slower.claim(9..10);
    assert!(slower.searched() && add(&slower, 1.0) && add(&me, 10.0));
    let committed = ledger.committed(zero());
    assert_eq!(
        (committed.roots.len(), committed.sums.vertices[0]),
        (1, 12.0)
    );
    assert!(take(0.0).is_empty());
}

#[test]
fn who_ends_a_group_first_has_it() {
    let ledger = Ledger::default();
    let open = |participant, roots| open(&ledger, participant, roots);
    let take = |me: &Account| {
        let taken = ledger.take_over(me, |_| Some(9.0), |_| Some(0.0));
        taken
            .iter()
            .map(|claimed| claimed.roots.len())
            .sum::<usize>()
    };
    let (first, second, third) = (open(0, 0..4), open(1, 4..9), open(2, 9..10));
    first.searched();
    first.claim(10..13);
    let hasty = ledger.open(Owner::Device(0));
    hasty.joined_as(3);
    // How many roots more are searched by that.
    let back = |account: &Account, late| {
        let before = ledger.searched();
        ledger.take_back(account, |_| late);
        ledger.searched() - before
    };
    assert_eq!(back(&first, true), 0, "nothing is lost");
    assert_eq!(take(&hasty), 13);
    // What it has noted as searched was taken off again; what it claims meanwhile counts too.
    first.claim(13..15);
    assert_eq!(back(&first, true), 9);
    assert!(hasty.is_taken() && first.searched() && add(&first, 1.0));
    // The others have their groups no longer, since those are given back to all.
    let rest = hasty.discarded();
    assert_eq!(
        rest.iter()
            .map(|claimed| claimed.roots.len())
            .sum::<usize>(),
        6
    );
    assert_eq!(back(&second, true), 0);
    assert!(!add(&second, 1.0) && second.discarded().is_empty());

    // Who has searched it, or has lost it again, does not give it back.
    third.discarded();
    third.claim(9..10);
    assert_eq!(take(&hasty), 1);
    hasty.searched();
    assert_eq!(back(&third, true), 0);
    assert!(!add(&third, 1.0) && add(&hasty, 1.0));
    third.discarded();
    third.claim(4..9);
    assert_eq!((take(&hasty), take(&second)), (5, 5));
    assert_eq!((back(&third, true), back(&hasty, false)), (0, 5));
    assert!(add(&hasty, 1.0) && !add(&second, 1.0));

    // Who has taken two over, and is not late, would have to begin again with the other one.
    second.discarded();
    third.discarded();
    second.claim(0..2);
    third.claim(2..4);
    assert_eq!(take(&hasty), 4);
    assert_eq!(back(&second, false), 0);
    assert!(!add(&second, 1.0));
    assert_eq!(back(&third, true), 2);
}

#[test]
fn an_account_is_closed_when_its_owner_takes_too_long() {
    let ledger = Ledger::default();
    let account = ledger.open(Owner::Device(0));
    account.claim(0..4);
    let close = || {
        let groups = ledger.close_late().into_iter().map(|(.., group)| group);
        Ok::<_, EngineError>(groups.flatten().map(|claimed| claimed.roots).collect())
    };
    let closed: Vec<Range<usize>> = account.timed(Duration::from_secs(1000), close).unwrap();
    assert!(closed.is_empty() && close().unwrap().is_empty());
    let mut closed = Vec::new();
    let work = || close().map(|ranges| closed = ranges);
    let result = account.timed(Duration::ZERO, work);
    assert!(matches!(result, Err(EngineError::Stopped)));
    assert!(closed.len() == 1 && closed[0] == (0..4) && !ledger.any_late());
}

#[test]
fn a_closed_account_keeps_what_it_has_committed() {
    let ledger = Ledger::default();
    let account = ledger.open(Owner::Device(0));
    account.claim(0..4);
    assert!(add(&account, 1.0));
    account.claim(4..6);
    assert_eq!(account.close().unwrap().len(), 1);
    // Nothing would give these roots back.
    ledger.discard(&account);
    assert_eq!(ledger.roots(), 4);
    assert_eq!(ledger.committed(zero()).sums.vertices, [1.0, 0.0]);
}

#[test]
fn searched_roots_are_counted_before_their_owner_goes_on() {
    let ledger = Ledger::default();
    let owner = open(&ledger, 0, 0..4);
    let other = ledger.open(Owner::Device(0));
    assert_eq!(ledger.searched(), 0);
    // Another participant takes the group over as soon as it is marked as searched. (A counter
    // from which these roots were subtracted before the owner added them was below zero here.)
    assert!(owner.searched());
    assert_eq!(ledger.searched(), 4);
    let taken = ledger.take_over(&other, |_| Some(9.0), |_| Some(0.0));
    assert!(taken.len() == 1 && taken[0].searched);
    assert_eq!(ledger.searched(), 0);
    assert!(other.searched() && add(&other, 1.0));
    assert_eq!(ledger.searched(), 4);
}

#[test]
fn roots_that_go_from_account_to_account_are_committed_once() {
    const LENGTH: usize = 1 << 16;
    let zero = || OwnSums {
        vertices: vec![0.0; LENGTH],
        arcs: None,
    };
    let ledger = Ledger::default();
    let accounts = [0, 1, 2].map(|number| ledger.open(Owner::Worker(number)));
    let commit = |account: &Account, roots| {
        account.claim(roots);
        let add = |sums: &mut Sums<'_>| {
            sums.vertices[0] += 1.0;
            Ok::<_, ()>(())
        };
        assert!(ledger.commit(account, zero, add).unwrap());
    };
    // Adding up the sums in the middle takes its time.
    commit(&accounts[1], 1..2);
    let end = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !end.load(Ordering::Relaxed) {
                for account in [&accounts[0], &accounts[2]] {
                    commit(account, 0..1);
                    ledger.discard(account);
                    assert_eq!(account.discarded().len(), 1);
                }
            }
        });
        let most = (0..2000).map(|_| ledger.committed(zero()).sums.vertices[0]);
        let most = most.fold(0.0, f64::max);
        end.store(true, Ordering::Relaxed);
        assert_eq!(most, 2.0);
    });
}
