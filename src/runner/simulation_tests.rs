//! Simulated runs whose participants stall, fail and are stopped. The tests check that every root
//! counts exactly once, that all participants end together, and that none waits long for slow ones.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::counter::{Participant, RootCounter};
use super::ledger::{Account, Committed, Ledger, Owner};
use super::pace::{EngineRoots, Kind};
use super::ranges::total;
use crate::engine::{OwnSums, Sums};

/// The behaviour of a participant.
#[derive(Debug, Clone, Copy)]
struct Searcher {
    kind: Kind,
    /// The number of roots that take as long as one, and the largest size of a claim.
    batch: usize,
    wanted: usize,
    /// The rate of full batches, in roots a second.
    rate: f64,
    /// The number of a claim, and the factor by which it takes longer.
    stalls: Option<(usize, f64)>,
    /// The number of the claim in which it fails and loses its uncommitted sums.
    fails: Option<usize>,
}

impl Searcher {
    fn seconds(&self, roots: usize) -> f64 {
        (roots.div_ceil(self.batch) * self.batch) as f64 / self.rate
    }
}

struct Actor<'c> {
    searcher: Searcher,
    account: Arc<Account>,
    participant: Option<Participant<'c>>,
    /// The time of its next action.
    next: f64,
    /// The time and the size of the current claim.
    claimed: (f64, usize),
    claims: usize,
    /// The roots that are searched and not committed.
    summed: Vec<usize>,
}

/// The result of a simulated run.
struct Run {
    /// When the first participant found nothing to claim, and when everything was committed.
    idle: f64,
    end: f64,
    /// The number of roots that were not committed at the time `idle`.
    open: usize,
}

struct Simulation<'c> {
    total: usize,
    counter: &'c RootCounter,
    ledger: &'c Ledger,
}

impl Simulation<'_> {
    fn zero(&self) -> OwnSums {
        OwnSums {
            vertices: vec![0.0; self.total],
            arcs: None,
        }
    }

    fn commit(&self, actor: &mut Actor<'_>) {
        if !actor.account.has_uncommitted() {
            return;
        }
        let summed = std::mem::take(&mut actor.summed);
        let add = |sums: &mut Sums<'_>| {
            summed.iter().for_each(|&root| sums.vertices[root] += 1.0);
            Ok::<_, ()>(())
        };
        if self.ledger.commit(&actor.account, || self.zero(), add) == Ok(false) {
            self.counter.give_back(actor.account.discard_group());
        }
    }

    /// Searches from claimed roots.
    fn search(&self, actor: &mut Actor<'_>, roots: Vec<usize>, now: f64) {
        actor.claims += 1;
        let seconds = actor.searcher.seconds(roots.len());
        let slower = match actor.searcher.stalls {
            Some((claim, slower)) if claim == actor.claims => slower,
            _ => 1.0,
        };
        actor.claimed = (now, roots.len());
        actor.next = now + seconds * slower;
        actor.summed.extend(roots);
    }

    /// Stops the run: nothing is claimed any more, and claims that end soon are committed.
    fn stop(&self, actors: &mut [Actor<'_>], now: f64) {
        const SOON: f64 = 0.1;
        self.counter.close();
        let in_time = |actor: &&mut Actor<'_>| {
            let fails = actor
                .searcher
                .fails
                .is_some_and(|claim| claim <= actor.claims);
            actor.next <= now + SOON && actor.participant.is_some() && !fails
        };
        for actor in actors.iter_mut().filter(in_time) {
            actor.account.mark_searched();
            self.commit(actor);
        }
    }

    /// Runs until all is committed. Returns `None` if the run is stopped at this time.
    fn run(&self, searchers: &[Searcher], stop: f64) -> Option<Run> {
        let (counter, ledger) = (self.counter, self.ledger);
        let mut actors: Vec<_> = (searchers.iter().enumerate())
            .map(|(number, &searcher)| {
                let account = ledger.open(Owner::Worker(number));
                let participant = counter.join(searcher.kind, None);
                Actor {
                    searcher,
                    account,
                    participant: Some(participant),
                    next: 0.0,
                    claimed: (0.0, 0),
                    claims: 0,
                    summed: Vec::new(),
                }
            })
            .collect();
        let (mut idle, mut open) = (f64::INFINITY, 0);
        for _ in 0..2_000_000 {
            if actors.iter().all(|actor| actor.next >= stop) {
                self.stop(&mut actors, stop);
                return None;
            }
            let earliest = actors.iter_mut().min_by(|a, b| a.next.total_cmp(&b.next));
            let Some(actor) = earliest.filter(|actor| actor.next.is_finite()) else {
                break;
            };
            let (now, searcher) = (actor.next, actor.searcher);
            let (_, searched) = std::mem::take(&mut actor.claimed);
            if searcher.fails.is_some_and(|claim| claim <= actor.claims) {
                let group = actor.account.close().unwrap();
                counter.give_back(group);
                (actor.participant, actor.next) = (None, f64::INFINITY);
                continue;
            }
            if searched > 0 {
                actor.account.mark_searched();
            }
            if actor.account.is_superseded() {
                self.commit(actor);
            }
            assert!(ledger.searched() <= self.total);
            if ledger.roots() == self.total {
                return Some(Run {
                    idle: idle.min(now),
                    end: now,
                    open,
                });
            }
            if actor.claims.is_multiple_of(3) {
                self.commit(actor);
            }
            let Some(participant) = &mut actor.participant else {
                continue;
            };
            let engine_roots = EngineRoots {
                wanted: searcher.wanted,
                in_flight: 0,
                batch: searcher.batch,
            };
            if let Some(range) = participant.claim(&engine_roots, now) {
                let seconds = participant.pace.unfinished_seconds();
                actor.account.claim(range.clone(), now, seconds);
                self.search(actor, range.collect(), now);
                continue;
            }
            let seconds = |roots| participant.pace.seconds(roots);
            // When nothing is left to claim, the participant commits first.
            let copied = match actor.account.has_uncommitted() {
                true => Vec::new(),
                false => ledger.copy(&actor.account, now, seconds),
            };
            participant.pace.add_claimed(total(&copied));
            if copied.is_empty() {
                self.commit(actor);
            }
            if idle.is_infinite() {
                (idle, open) = (now, self.total - ledger.roots());
            }
            match copied.is_empty() {
                true => actor.next = now + 0.001,
                false => self.search(actor, copied.into_iter().flatten().collect(), now),
            }
        }
        panic!("not all is committed: {searchers:?}");
    }
}

/// Runs, stops at each of these times, resumes, and checks the sums.
fn simulate(total: usize, searchers: &[Searcher], stops: &[f64]) -> Run {
    let mut before = None;
    for &stop in stops.iter().chain(&[f64::INFINITY]) {
        let counter = RootCounter::new(total, 1, searchers.len());
        let ledger = Ledger::default();
        let simulation = Simulation {
            total,
            counter: &counter,
            ledger: &ledger,
        };
        if let Some(before) = before {
            let Committed { roots, .. } = &before;
            counter.skip(roots);
            ledger.resume_from(before);
        }
        let run = simulation.run(searchers, stop);
        let committed = ledger.committed(simulation.zero());
        let mut times = vec![0.0; total];
        for root in committed.roots.iter().cloned().flatten() {
            times[root] += 1.0;
        }
        assert_eq!(committed.sums.vertices, times);
        if let Some(run) = run {
            assert!(times.iter().all(|&times| times == 1.0));
            assert_eq!(ledger.searched(), total);
            return run;
        }
        before = Some(committed);
    }
    panic!("the last run was stopped")
}

fn searcher() -> impl Strategy<Value = Searcher> {
    let batch = prop::sample::select(vec![1usize, 8, 64]);
    let stalls = prop::option::weighted(0.3, (1usize..8, 2.0f64..1000.0));
    let fails = prop::option::weighted(0.2, 1usize..8);
    let all = (batch, 2.0f64..5.0, stalls, fails);
    all.prop_map(|(batch, rate, stalls, fails)| Searcher {
        kind: Kind::Worker,
        batch,
        wanted: 4 * batch,
        rate: 10f64.powf(rate),
        stalls,
        fails,
    })
}

/// A participant that neither stalls nor fails.
fn sound(kind: Kind, rate: f64, batch: usize) -> Searcher {
    Searcher {
        kind,
        batch,
        wanted: match kind {
            Kind::Driver => 16 * batch,
            // A participant that searches one root at a time claims 5 ms of work.
            Kind::Worker => batch.max((0.005 * rate) as usize).max(1),
        },
        rate,
        stalls: None,
        fails: None,
    }
}

/// Returns the seconds that these participants need for `total` roots.
fn seconds(total: usize, searchers: &[Searcher]) -> f64 {
    simulate(total, searchers, &[]).end
}

#[test]
fn workers_as_fast_as_the_device_halve_the_time() {
    for (batch, least) in [(1, 1.8), (64, 1.5)] {
        let worker = sound(Kind::Worker, 1000.0, batch);
        let device = sound(Kind::Driver, 15_000.0, 64);
        let alone = seconds(20_000, &[device]);
        let with = seconds(20_000, &[&[device], &[worker; 15][..]].concat());
        assert!(
            alone / with > least,
            "{batch}: {alone} s alone, {with} s with workers"
        );
    }
}

#[test]
fn a_slow_device_does_not_hold_workers_up() {
    let workers = [sound(Kind::Worker, 1000.0, 1); 16];
    let without = seconds(20_000, &workers);
    // A device such as the host CPU.
    for (rate, batch) in [(1000.0, 50), (400.0, 50), (400.0, 1)] {
        let device = sound(Kind::Driver, rate, batch);
        let with = seconds(20_000, &[&[device], &workers[..]].concat());
        assert!(with < 1.05 * without, "{with} {without}");
    }
}

#[test]
fn workers_with_large_batches_do_not_hold_a_device_up() {
    let device = sound(Kind::Driver, 100_000.0, 500);
    let alone = seconds(100_000, &[device]);
    for rate in [10.0, 100.0, 300.0] {
        let workers = [sound(Kind::Worker, rate, 64); 15];
        let with = seconds(100_000, &[&[device], &workers[..]].concat());
        assert!(with < 1.05 * alone, "{rate}: {with} {alone}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_root_counts_once_and_no_participant_waits_for_the_slow(
        total in 100usize..4000,
        others in prop::collection::vec(searcher(), 0..12),
        device in (3.0f64..5.0, prop::sample::select(vec![1usize, 30, 500])),
        stops in prop::collection::vec(0.0f64..0.3, 0..4),
    ) {
        let device = sound(Kind::Driver, 10f64.powf(device.0), device.1);
        let run = simulate(total, &[&[device], &others[..]].concat(), &stops);
        let alone = device.seconds(run.open);
        let waited = run.end - run.idle;
        prop_assert!(
            waited <= 3.0 * alone + 2.0 * device.seconds(1) + 0.1,
            "{waited} s for {} roots, which the device searches in {alone} s", run.open
        );
    }
}
