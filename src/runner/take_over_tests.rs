//! Runs on a made-up clock whose participants stall, fail and are stopped: that every root counts
//! exactly once, and that no participant waits long for the slow.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::claim::Claim;
use super::counter::{Participant, SourceCounter};
use super::ledger::{Account, Committed, Ledger, Owner};
use super::measured::{Ask, Kind};
use crate::engine::{OwnSums, Sums};

/// A participant.
#[derive(Debug, Clone, Copy)]
struct Searcher {
    kind: Kind,
    /// Roots that take as long as one, and those of a claim.
    together: usize,
    wanted: usize,
    /// Roots a second, of full batches.
    rate: f64,
    /// To itself it seems so many times as fast.
    seems: f64,
    /// This claim takes so many times as long.
    stalls: Option<(usize, f64)>,
    /// In this claim it fails, and what it has not committed is lost.
    fails: Option<usize>,
}

impl Searcher {
    fn seconds(&self, roots: usize) -> f64 {
        (roots.div_ceil(self.together) * self.together) as f64 / self.rate
    }
}

struct Actor<'c> {
    searcher: Searcher,
    account: Arc<Account>,
    participant: Option<Participant<'c>>,
    /// When it does something next.
    next: f64,
    /// When it claimed what it searches now, and how many roots those are.
    claimed: (f64, usize),
    claims: usize,
    /// Searched and not collected.
    summed: Vec<usize>,
}

/// How a run went.
struct Run {
    /// When the first participant found nothing to claim, and when everything was committed.
    idle: f64,
    end: f64,
    /// Roots that were not committed at the first of these times.
    open: usize,
}

struct Simulation<'c> {
    total: usize,
    counter: &'c SourceCounter,
    ledger: &'c Ledger,
}

impl Simulation<'_> {
    fn zero(&self) -> OwnSums {
        OwnSums {
            vertices: vec![0.0; self.total],
            arcs: None,
        }
    }

    fn commit(&self, actor: &mut Actor<'_>, now: f64) {
        if !actor.account.is_open() {
            return;
        }
        let late = |number| self.counter.is_late(number, now);
        self.ledger.take_back(&actor.account, late);
        let summed = std::mem::take(&mut actor.summed);
        let add = |sums: &mut Sums<'_>| {
            summed.iter().for_each(|&root| sums.vertices[root] += 1.0);
            Ok::<_, ()>(())
        };
        if self.ledger.commit(&actor.account, || self.zero(), add) == Ok(false) {
            self.counter.give_all_back(actor.account.discarded());
        }
    }

    /// What is claimed is searched now: it ends so much later.
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

    /// Stopped: nothing is claimed any more, and what ends soon is committed.
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
            actor.account.searched();
            self.commit(actor, now);
        }
    }

    /// Until all is committed, or `None` if it is stopped at this time.
    fn run(&self, searchers: &[Searcher], stop: f64) -> Option<Run> {
        let (counter, ledger) = (self.counter, self.ledger);
        let mut actors: Vec<_> = (searchers.iter().enumerate())
            .map(|(number, &searcher)| {
                let account = ledger.open(Owner::Worker(number));
                let participant = counter.join(searcher.kind);
                account.joined_as(participant.number());
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
            let since: Vec<f64> = actors.iter().map(|actor| actor.claimed.0).collect();
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
                counter.give_all_back(group);
                (actor.participant, actor.next) = (None, f64::INFINITY);
                continue;
            }
            if searched > 0 && !actor.account.searched() {
                self.commit(actor, now);
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
                self.commit(actor, now);
            }
            let Some(participant) = &actor.participant else {
                continue;
            };
            let ask = Ask {
                wanted: searcher.wanted,
                in_flight: 0,
                together: searcher.together,
                guess: None,
            };
            match participant.ask(&ask, now) {
                Claim::Roots(range) => {
                    actor.account.claim(range.clone());
                    self.search(actor, range.collect(), now);
                }
                Claim::Later => {
                    self.commit(actor, now);
                    actor.next = now + 0.001;
                }
                Claim::Nothing => {
                    self.commit(actor, now);
                    if idle.is_infinite() {
                        (idle, open) = (now, self.total - ledger.roots());
                    }
                    let left = |number: usize| {
                        let known = counter.seconds_left(number, now);
                        Some(known.unwrap_or(now - since[number]))
                    };
                    let seconds = |roots| Some(searcher.seconds(roots) / searcher.seems);
                    let taken = ledger.take_over(&actor.account, left, seconds);
                    let roots: Vec<_> = taken.into_iter().flat_map(|c| c.roots).collect();
                    match &actor.participant {
                        Some(participant) if !roots.is_empty() => {
                            participant.takes_at(roots.len(), now);
                            self.search(actor, roots, now);
                        }
                        _ => actor.next = now + 0.001,
                    }
                }
            }
        }
        panic!("not all is committed: {searchers:?}");
    }
}

/// Runs, is stopped at each of these times, goes on, and looks at what counts.
fn simulate(total: usize, searchers: &[Searcher], stops: &[f64]) -> Run {
    let mut before = None;
    for &stop in stops.iter().chain(&[f64::INFINITY]) {
        let counter = SourceCounter::new(total, 1, searchers.len());
        let ledger = Ledger::default();
        let simulation = Simulation {
            total,
            counter: &counter,
            ledger: &ledger,
        };
        if let Some(before) = before {
            let Committed { roots, .. } = &before;
            counter.skip(roots);
            ledger.begin_with(before);
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
    panic!("it was stopped for ever")
}

fn searcher() -> impl Strategy<Value = Searcher> {
    let batch = prop::sample::select(vec![1usize, 8, 64]);
    // Roots that it has searched may have been easy.
    let seems = prop_oneof![3 => Just(0.0), 1 => -3.0f64..5.0];
    let stalls = prop::option::weighted(0.3, (1usize..8, 2.0f64..1000.0));
    let fails = prop::option::weighted(0.2, 1usize..8);
    let all = (batch, 2.0f64..5.0, seems, stalls, fails);
    all.prop_map(|(together, rate, seems, stalls, fails)| Searcher {
        kind: Kind::Worker,
        together,
        wanted: 4 * together,
        rate: 10f64.powf(rate),
        seems: 10f64.powf(seems),
        stalls,
        fails,
    })
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
        // One that neither stalls nor fails.
        let (rate, together) = (10f64.powf(device.0), device.1);
        let device = Searcher {
            kind: Kind::Driver,
            together,
            wanted: 16 * together,
            rate,
            seems: 1.0,
            stalls: None,
            fails: None,
        };
        let run = simulate(total, &[&[device], &others[..]].concat(), &stops);
        let alone = device.seconds(run.open);
        let waited = run.end - run.idle;
        prop_assert!(
            waited <= 3.0 * alone + 2.0 * device.seconds(1) + 0.1,
            "{waited} s for {} roots, which the device searches in {alone} s", run.open
        );
    }
}
