//! Runs on a made-up clock: that CPU workers beside a device make it faster where they can, and
//! nowhere slower.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::claim::Claim;
use super::counter::{Participant, SourceCounter};
use super::measured::{Ask, Kind};

/// A participant, and what its searches cost.
#[derive(Debug, Clone, Copy)]
struct Simulated {
    kind: Kind,
    /// Roots that take as long as one.
    together: usize,
    /// The most roots of a claim.
    most: usize,
    /// Claims that may be under way when the next one is made.
    ahead: usize,
    /// Roots a second, of full batches.
    rate: f64,
    /// Seconds from when it is first ready to claim.
    ready: f64,
    /// After so many claims it fails, and what it has searched is lost.
    fails_after: Option<usize>,
}

impl Simulated {
    fn device(rate: f64, together: usize, ready: f64) -> Self {
        Simulated {
            kind: Kind::Driver,
            together,
            most: 16 * together,
            ahead: 1,
            rate,
            ready,
            fails_after: None,
        }
    }

    fn worker(rate: f64, together: usize) -> Self {
        Simulated {
            kind: Kind::Worker,
            together,
            // Of those who search a root at a time, claims take 5 ms.
            most: together.max((0.005 * rate) as usize).max(1),
            ahead: 0,
            rate,
            ready: 0.0,
            fails_after: None,
        }
    }

    /// What a claim takes, with `noise` about 1.
    fn seconds(&self, roots: usize, noise: f64) -> f64 {
        let batches = roots.div_ceil(self.together);
        // That of many batches evens out, or luck would decide between runs with workers and
        // without.
        let noise = 1.0 + (noise - 1.0) / (batches as f64).sqrt();
        (batches * self.together) as f64 / self.rate * noise
    }
}

/// The state of a searcher in a simulation.
struct Actor<'c> {
    searcher: Simulated,
    participant: Option<Participant<'c>>,
    /// When it asks next; never again where it is infinite.
    asks: f64,
    /// Roots and end of what is under way, and all that it has claimed.
    under_way: Vec<(usize, f64)>,
    claims: Vec<std::ops::Range<usize>>,
}

/// Seconds until all roots are searched.
fn simulate(total: usize, searchers: &[Simulated], seed: u64) -> f64 {
    let counter = SourceCounter::new(total, 1, searchers.len());
    let mut random = seed | 1;
    let mut noise = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        0.9 + 0.2 * (random % 1000) as f64 / 1000.0
    };
    let mut actors: Vec<_> = searchers
        .iter()
        .map(|&searcher| Actor {
            searcher,
            participant: None,
            asks: searcher.ready,
            under_way: Vec::new(),
            claims: Vec::new(),
        })
        .collect();
    let mut searched = vec![0u8; total];
    let mut end = 0.0f64;
    for _ in 0..10_000_000 {
        let next = actors
            .iter_mut()
            .min_by(|a, b| a.asks.total_cmp(&b.asks))
            .filter(|actor| actor.asks.is_finite());
        let Some(actor) = next else { break };
        let (now, searcher) = (actor.asks, actor.searcher);
        let join = || counter.join(searcher.kind);
        let participant = actor.participant.get_or_insert_with(join);
        actor.under_way.retain(|&(_, end)| end > now);
        let ask = Ask {
            wanted: searcher.most,
            in_flight: actor.under_way.iter().map(|&(roots, _)| roots).sum(),
            together: searcher.together,
            guess: (searcher.kind == Kind::Worker).then(|| 1.0 / searcher.rate),
        };
        let free = actor.under_way.last().map_or(now, |&(_, end)| end);
        match participant.ask(&ask, now) {
            Claim::Roots(range) => {
                let ended = free + searcher.seconds(range.len(), noise());
                actor.under_way.push((range.len(), ended));
                actor.claims.push(range);
                let wait_for = actor.under_way.len().checked_sub(searcher.ahead + 1);
                actor.asks = wait_for.map_or(now + 1e-6, |i| actor.under_way[i].1);
                if searcher.fails_after == Some(actor.claims.len()) {
                    actor.participant = None;
                    for range in actor.claims.drain(..) {
                        counter.give_back(range);
                    }
                    actor.asks = f64::INFINITY;
                } else {
                    end = end.max(ended);
                }
            }
            Claim::Later => actor.asks = free + 0.001,
            Claim::Nothing => {
                actor.participant = None;
                actor.asks = f64::INFINITY;
            }
        }
    }
    for root in actors.into_iter().flat_map(|actor| actor.claims).flatten() {
        searched[root] += 1;
    }
    assert!(searched.iter().all(|&times| times == 1), "{searchers:?}");
    end
}

/// The device alone, and with so many workers.
fn both(total: usize, device: Simulated, workers: &[Simulated], seed: u64) -> (f64, f64) {
    let all = [&[device], workers].concat();
    (
        simulate(total, &[device], seed),
        simulate(total, &all, seed),
    )
}

#[test]
fn workers_as_fast_as_the_device_halve_the_time() {
    for (together, least) in [(1, 1.8), (64, 1.5)] {
        let worker = Simulated::worker(1000.0, together);
        let device = Simulated::device(15_000.0, 64, 0.0);
        let (alone, with) = both(60_000, device, &[worker; 15], 1);
        assert!(
            alone / with > least,
            "{together}: {alone} s alone, {with} s with workers"
        );
    }
}

#[test]
fn batches_that_take_as_long_as_the_device_needs_for_all_do_not_hold_it_up() {
    // A batch of 64 takes 73 ms, all of the graph 90 ms on the device, which is ready after 0.2 s.
    let device = Simulated::device(400_000.0, 1000, 0.2);
    for seed in 1..50 {
        // Two batches of the device more: small ones, as long as it is not known how fast it is.
        let (alone, with) = both(36_000, device, &[Simulated::worker(880.0, 64); 15], seed);
        assert!(
            with < alone + 0.006,
            "{alone} s alone, {with} s with workers"
        );
    }
}

#[test]
fn workers_that_declined_are_there_when_the_device_fails() {
    let mut device = Simulated::device(100_000.0, 100, 0.0);
    device.fails_after = Some(20);
    let workers = [Simulated::worker(50.0, 64); 3];
    let all = [&[device], &workers[..]].concat();
    let with = simulate(20_000, &all, 1);
    let without = simulate(20_000, &workers, 1);
    assert!(with < 1.2 * without, "{with} {without}");
}

#[test]
fn a_slow_device_does_not_hold_workers_up() {
    let workers = [Simulated::worker(1000.0, 1); 16];
    // As one of OpenCL on the cores.
    let device = Simulated::device(1000.0, 50, 0.0);
    for seed in 1..20 {
        let without = simulate(20_000, &workers, seed);
        let with = simulate(20_000, &[&[device], &workers[..]].concat(), seed);
        assert!(with < 1.05 * without, "{with} {without}");
    }
}

/// The same cases each time: some rare one may be a little worse than allowed.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 60,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn workers_never_make_it_slower(
        seconds in 0.05f64..3.0,
        total in 20_000usize..100_000,
        device_batch in prop::sample::select(vec![1usize, 30, 500]),
        batch in prop::sample::select(vec![1usize, 8, 64]),
        count in 1usize..64,
        // Of all workers over the device.
        ratio in -3.0f64..0.5,
        ready in prop::sample::select(vec![0.0f64, 0.2]),
        seed in any::<u64>(),
    ) {
        let rate = total as f64 / seconds;
        let device = Simulated::device(rate, device_batch, ready);
        let worker = Simulated::worker(rate * 10f64.powf(ratio) / count as f64, batch);
        let (alone, with) = both(total, device, &vec![worker; count], seed);
        // What no participant could know: how long a first batch of a worker takes, and how fast
        // the device is before it has searched two.
        let first = ready + 1.1 * worker.together as f64 / worker.rate;
        let twice = 2.2 * device_batch as f64 / rate;
        let allowed = (1.03 * alone + 0.01 + twice).max(first);
        prop_assert!(with <= allowed, "{alone} s alone, {with} s with {worker:?}, {device:?}");
    }
}
