//! Accounts: what counts, what goes back, and what is taken over.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::ledger::{Account, Ledger, Owner};
use crate::engine::{OwnSums, Sums};

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
    account.discard();
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
    let back = |account: &Account, late| ledger.take_back(account, |_| late);
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
fn who_takes_too_long_is_late() {
    let ledger = Ledger::default();
    let account = ledger.open(Owner::Device(0));
    let late = || ledger.late().len();
    assert_eq!(account.timed(Duration::from_secs(1000), late), 0);
    assert_eq!(account.timed(Duration::ZERO, late), 1);
    assert_eq!(late(), 0);
}
