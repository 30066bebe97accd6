//! Tests of the source counter: who gets which roots.

use std::sync::Mutex;

use super::claim::Claim;
use super::counter::{Participant, SourceCounter};
use super::measured::{Ask, Kind};

const ONE: Ask = Ask {
    wanted: 1,
    in_flight: 0,
    together: 1,
    guess: None,
};

fn wanting(wanted: usize) -> Ask {
    Ask { wanted, ..ONE }
}

fn workers<const N: usize>(counter: &SourceCounter) -> [Participant<'_>; N] {
    [(); N].map(|()| counter.join(Kind::Worker))
}

/// How many roots a claim is of, if of any.
fn roots(claim: Claim) -> usize {
    match claim {
        Claim::Roots(range) => range.len(),
        Claim::Later | Claim::Nothing => 0,
    }
}

#[test]
fn every_root_is_handed_out_once_even_if_some_come_back() {
    let counter = SourceCounter::new(10_000, 8, 4);
    let seen = Mutex::new(vec![0u32; 10_000]);
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (counter, seen) = (&counter, &seen);
            scope.spawn(move || {
                let participant = counter.join(Kind::Worker);
                let mut claims = 0;
                let start = std::time::Instant::now();
                loop {
                    let now = start.elapsed().as_secs_f64();
                    let range = match participant.ask(&wanting(1 + 37 * worker), now) {
                        Claim::Roots(range) => range,
                        Claim::Later => {
                            participant.wait();
                            continue;
                        }
                        Claim::Nothing => break,
                    };
                    claims += 1;
                    if worker == 3 && claims % 5 == 0 && claims < 50 {
                        counter.give_back(range);
                        continue;
                    }
                    for root in range {
                        seen.lock().unwrap()[root] += 1;
                    }
                }
            });
        }
    });
    assert!(seen.into_inner().unwrap().iter().all(|&times| times == 1));
}

#[test]
fn a_closed_counter_gives_nothing() {
    let counter = SourceCounter::new(5, 1, 1);
    counter.give_back(0..1);
    assert!(counter.has_work());
    counter.close();
    assert_eq!(counter.join(Kind::Worker).ask(&ONE, 0.0), Claim::Nothing);
    assert!(!counter.has_work());
}

#[test]
fn claims_end_with_groups() {
    let counter = SourceCounter::new(100, 8, 1);
    let [worker] = workers(&counter);
    let mut sizes = [20, 3, 3, 7, 50, 40].into_iter();
    let mut next = || worker.ask(&wanting(sizes.next().unwrap()), 0.0);
    assert_eq!(next(), Claim::Roots(0..16));
    // Smaller than a group; then up to its end at most.
    assert_eq!(next(), Claim::Roots(16..19));
    assert_eq!(next(), Claim::Roots(19..22));
    assert_eq!(next(), Claim::Roots(22..24));
    assert_eq!(next(), Claim::Roots(24..72));
    assert_eq!(next(), Claim::Roots(72..100));
    counter.give_back(24..72);
    assert_eq!(worker.ask(&wanting(20), 0.0), Claim::Roots(24..40));
}

#[test]
fn first_claims_are_small() {
    let counter = SourceCounter::new(1000, 1, 5);
    let [worker, driver] = [Kind::Worker, Kind::Driver].map(|kind| counter.join(kind));
    assert_eq!(worker.ask(&wanting(80), 0.0), Claim::Roots(0..25));
    assert_eq!(worker.ask(&ONE, 0.0), Claim::Roots(25..26));
    // A device that searches a hundred at a time may have them.
    let ask = Ask {
        together: 100,
        ..wanting(800)
    };
    assert_eq!(driver.ask(&ask, 0.0), Claim::Roots(26..126));
}

#[test]
fn one_alone_gets_what_it_wants() {
    let counter = SourceCounter::new(100, 1, 1);
    let driver = counter.join(Kind::Driver);
    assert_eq!(driver.ask(&wanting(80), 0.0), Claim::Roots(0..80));
    assert_eq!(driver.ask(&wanting(80), 1.0), Claim::Roots(80..100));
    assert_eq!(driver.ask(&wanting(80), 2.0), Claim::Nothing);
}

#[test]
fn a_lease_ends_when_half_of_what_was_left_is_claimed_or_anything_changes() {
    let counter = SourceCounter::new(100_000, 1, 2);
    let [a, b] = workers(&counter);
    let leased = |of: &Participant| of.leased(&wanting(10), 0.0).is_some();
    for now in [0.0, 0.01] {
        assert!(roots(a.ask(&wanting(10), now)) > 0 && roots(b.ask(&wanting(10), now)) > 0);
    }
    assert!(leased(&a) && leased(&b));
    assert!(
        a.leased(&wanting(90_000), 0.0).is_none(),
        "too many at once"
    );
    assert!((0..10_000).take_while(|_| leased(&a)).count() < 5000);
    assert!(!leased(&a) && counter.left(0) == 100_000);
    assert!(roots(a.ask(&wanting(10), 0.02)) > 0 && leased(&a));
    counter.give_back(0..10);
    assert!(!leased(&a) && !leased(&b));
    assert_eq!(b.ask(&wanting(10), 0.02), Claim::Roots(0..10));
    assert!(leased(&b));
    counter.set_participants(2);
    assert!(leased(&b));
    counter.set_participants(3);
    assert!(!leased(&b));
}

/// 256 workers that search 1,000 roots a second each, 5 at a time.
#[test]
fn hundreds_of_participants_ask_the_scheduler_seldom() {
    const WORKERS: usize = 256;
    let counter = SourceCounter::new(2_000_000, 1, WORKERS);
    let workers: [_; WORKERS] = workers(&counter);
    let (mut claims, mut asked, mut now) = (0, 0, 0.0);
    while counter.has_work() {
        for (i, worker) in workers.iter().enumerate() {
            let at = now + i as f64 * 1e-6;
            if worker.leased(&wanting(5), at).is_none() {
                worker.ask(&wanting(5), at);
                asked += 1;
            }
            claims += 1;
        }
        now += 0.005;
    }
    assert!(
        claims >= 400_000 && asked < 40 * WORKERS,
        "{asked} of {claims}"
    );
}

#[test]
fn a_worker_is_judged_by_the_others_before_it_has_a_rate() {
    let counter = SourceCounter::new(10_000, 1, 3);
    let ask = Ask {
        together: 10,
        ..wanting(10)
    };
    let device = counter.join(Kind::Driver);
    let [old, new] = workers(&counter);
    assert_eq!(old.ask(&ask, 0.0), Claim::Roots(0..10));
    assert_eq!(device.ask(&wanting(4000), 0.0), Claim::Roots(10..427));
    // A batch takes a worker a second. The rest takes the device two, most of which it claims at
    // once.
    assert!(roots(old.ask(&ask, 1.0)) > 0);
    let left = 10_000 - 427 - 10 - roots(device.ask(&wanting(9500), 0.1));
    assert!(left > 0 && left < 100, "{left}");
    assert_eq!(new.ask(&ask, 2.3), Claim::Later);
    // Without the device, the two of them have to.
    drop(device);
    assert!(roots(new.ask(&ask, 2.3)) > 0);
}

#[test]
fn a_worker_waits_for_the_first_result_of_a_device_no_longer_than_its_own_takes() {
    let counter = SourceCounter::new(10_000, 1, 2);
    let device = counter.join(Kind::Driver);
    let [worker] = workers(&counter);
    // A batch of a tenth of a second, which may be two.
    let ask = Ask {
        together: 50,
        guess: Some(0.002),
        ..wanting(50)
    };
    assert!(roots(device.ask(&wanting(1000), 0.0)) > 0);
    assert_eq!(worker.ask(&ask, 0.1), Claim::Later);
    assert!(roots(worker.ask(&ask, 0.21)) > 0);
    // A device so fast that it will have searched the rest before.
    drop(worker);
    let [worker] = workers(&counter);
    assert!(roots(device.ask(&wanting(1000), 0.01)) > 0);
    assert_eq!(worker.ask(&ask, 0.02), Claim::Later);
}

#[test]
fn roots_given_back_are_handed_out_first_and_in_pieces() {
    let counter = SourceCounter::new(100, 1, 1);
    let [worker] = workers(&counter);
    assert_eq!(worker.ask(&wanting(50), 0.0), Claim::Roots(0..50));
    counter.give_back(0..50);
    assert_eq!(worker.ask(&wanting(30), 1.0), Claim::Roots(0..30));
    assert_eq!(worker.ask(&wanting(30), 2.0), Claim::Roots(30..50));
    assert_eq!(worker.ask(&wanting(30), 3.0), Claim::Roots(50..80));
}
