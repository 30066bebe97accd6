//! Tests of the root counter: the order and the size of claims.

#![expect(
    clippy::single_range_in_vec_init,
    reason = "a claim can be the only one"
)]

use std::ops::Range;

use super::counter::{Participant, RootCounter};
use super::pace::{EngineRoots, Kind};

fn wanting(wanted: usize) -> EngineRoots {
    EngineRoots {
        wanted,
        in_flight: 0,
        batch: 1,
    }
}

fn worker(counter: &RootCounter) -> Participant<'_> {
    counter.join(Kind::Worker, None)
}

/// Returns the claims of a single participant that wants these numbers of roots.
fn claims<const N: usize>(counter: &RootCounter, sizes: [usize; N]) -> [Range<usize>; N] {
    let mut participant = worker(counter);
    sizes.map(|size| participant.claim(&wanting(size), 0.0).unwrap())
}

#[test]
fn claims_end_with_groups() {
    let counter = RootCounter::new(100, 8, 1);
    // A claim ends with a group, unless no group ends in it (16..19) or no root is left (72..100).
    assert_eq!(
        claims(&counter, [20, 3, 3, 7, 50, 40]),
        [0..16, 16..19, 19..22, 22..24, 24..72, 72..100]
    );
    counter.give_back(vec![24..72]);
    assert_eq!(claims(&counter, [20]), [24..40]);
    let mut counter = RootCounter::new(20, 8, 1);
    counter.whole_groups = true;
    assert_eq!(claims(&counter, [1, 9, 1]), [0..8, 8..16, 16..20]);
}

#[test]
fn roots_given_back_are_handed_out_first_and_in_pieces() {
    let counter = RootCounter::new(100, 1, 1);
    assert_eq!(claims(&counter, [50]), [0..50]);
    assert_eq!(counter.give_back(vec![0..20, 20..50]), 50);
    assert_eq!((counter.unclaimed(), counter.left(30)), (100, 70));
    assert_eq!(claims(&counter, [30, 30, 30]), [20..50, 0..20, 50..80]);
    assert_eq!(counter.unclaimed(), 20);
    counter.give_back(vec![0..1]);
    assert!(counter.has_work());
    counter.close();
    assert_eq!(worker(&counter).claim(&wanting(1), 0.0), None);
    assert!(!counter.has_work());
}

#[test]
fn claims_shrink_towards_the_end() {
    let counter = RootCounter::new(10_000, 1, 2);
    let [mut device, mut other] = [(); 2].map(|()| counter.join(Kind::Driver, None));
    let (mut sizes, mut now) = (Vec::new(), 0.0);
    // Each of them needs a hundredth of a second per root.
    while let Some(range) = device.claim(&wanting(9000), now) {
        let same = other.claim(&wanting(range.len()), now);
        assert!(same.is_none_or(|same| same.len() <= range.len()));
        now += 0.01 * range.len() as f64;
        sizes.push(range.len());
    }
    let shrink = sizes[1..].is_sorted_by(|a, b| a >= b);
    assert!(shrink && sizes[0] == 625 && sizes[1] > 2000 && sizes.len() < 20);
}

#[test]
fn rates_are_known_while_their_participants_take_part() {
    let counter = RootCounter::new(10_000, 1, 2);
    let known = || (counter.drivers_rate(), counter.roots_at_a_time());
    assert_eq!(known().0, None);
    let mut device = counter.join(Kind::Driver, None);
    let mut engine_roots = wanting(8);
    engine_roots.batch = 8;
    assert_eq!(device.claim(&engine_roots, 0.0), Some(0..8));
    assert_eq!(known(), (None, 8));
    assert!(device.claim(&engine_roots, 0.5).is_some());
    assert_eq!(known().0, Some(16.0));
    let slow = counter.join(Kind::Driver, Some(2.0));
    assert_eq!(known().0, Some(18.0));
    let unknown = counter.join(Kind::Driver, None);
    assert_eq!(known().0, None);
    drop((device, unknown));
    assert_eq!(known().0, Some(2.0));
    drop(slow);
    assert_eq!(known(), (None, 0));
}

#[test]
fn supplied_roots_are_all_that_there_are() {
    let counter = RootCounter::new(100, 1, 1).awaiting_supply();
    let mut participant = worker(&counter);
    assert!(participant.claim(&wanting(5), 0.0).is_none() && counter.has_work());
    counter.supply(20..30, 70);
    assert_eq!(counter.left(0), 80);
    assert_eq!(participant.claim(&wanting(50), 0.0), Some(20..30));
    assert!(!counter.is_final_count(10));
    counter.end_supply();
    assert!(counter.is_final_count(10) && !counter.has_work());
}
