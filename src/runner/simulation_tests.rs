//! Simulated runs whose participants stall, fail, err and are stopped. The tests check that every
//! root counts exactly once, that all participants end together, and that none waits for slow ones.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::counter::{Participant, RootCounter};
use super::ledger::{Account, Ledger};
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
    /// The number of the claim in which it fails and loses its uncommitted sums, and whether it
    /// loses its commits too.
    fails: Option<(usize, bool)>,
}

struct Actor<'c> {
    searcher: Searcher,
    account: Arc<Account>,
    participant: Option<Participant<'c>>,
    /// The time of its next action.
    next: f64,
    claims: usize,
    /// The roots that are searched and not committed.
    summed: Vec<usize>,
}

impl Actor<'_> {
    /// Returns whether it fails, and loses its commits too, in the current claim.
    fn fails(&self) -> Option<bool> {
        let fails = self
            .searcher
            .fails
            .filter(|&(claim, _)| claim <= self.claims);
        fails.map(|(_, errs)| errs)
    }

    /// Searches from claimed roots.
    fn search(&mut self, roots: Vec<usize>, now: f64) {
        self.claims += 1;
        let Searcher {
            batch,
            rate,
            stalls,
            ..
        } = self.searcher;
        let slower = stalls.filter(|&(claim, _)| claim == self.claims);
        let seconds = (roots.len().div_ceil(batch) * batch) as f64 / rate;
        self.next = now + seconds * slower.map_or(1.0, |(_, factor)| factor);
        self.summed.extend(roots);
    }
}

/// The result of a simulated run.
struct Run {
    /// When the first participant found nothing to claim, and when everything was committed.
    idle: f64,
    end: f64,
    /// The number of roots that were not committed at the time `idle`.
    open: usize,
}

struct Simulation {
    total: usize,
    counter: RootCounter,
    ledger: Ledger,
}

impl Simulation {
    fn zero(&self) -> OwnSums {
        let (vertices, arcs) = (vec![0.0; self.total], None);
        OwnSums { vertices, arcs }
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

    /// Runs until all is committed. Returns `None` if the run is stopped at this time: then nothing
    /// is claimed any more, and claims that end soon are committed.
    fn run(&self, searchers: &[Searcher], stop: f64) -> Option<Run> {
        let (counter, ledger) = (&self.counter, &self.ledger);
        let actor = |&searcher: &Searcher| Actor {
            searcher,
            account: ledger.open(None),
            participant: Some(counter.join(searcher.kind, None)),
            next: 0.0,
            claims: 0,
            summed: Vec::new(),
        };
        let mut actors: Vec<_> = searchers.iter().map(actor).collect();
        let (mut idle, mut open) = (f64::INFINITY, 0);
        for _ in 0..2_000_000 {
            if actors.iter().all(|actor| actor.next >= stop) {
                counter.close();
                for actor in actors.iter_mut().filter(|actor| actor.fails().is_none()) {
                    if actor.next <= stop + 0.1 {
                        actor.account.mark_searched();
                        self.commit(actor);
                    }
                }
                return None;
            }
            let earliest = actors.iter_mut().min_by(|a, b| a.next.total_cmp(&b.next));
            let actor = earliest.filter(|actor| actor.next.is_finite())?;
            let now = actor.next;
            if let Some(errs) = actor.fails() {
                if errs {
                    ledger.withdraw(&actor.account);
                }
                counter.give_back(actor.account.close().unwrap());
                (actor.participant, actor.next) = (None, f64::INFINITY);
                continue;
            }
            if !actor.summed.is_empty() {
                actor.account.mark_searched();
            }
            if actor.account.is_superseded() || actor.claims.is_multiple_of(3) {
                self.commit(actor);
            }
            assert!(ledger.searched() <= self.total);
            if ledger.roots() == self.total {
                let (idle, end) = (idle.min(now), now);
                return Some(Run { idle, end, open });
            }
            let participant = actor.participant.as_mut()?;
            let Searcher { wanted, batch, .. } = actor.searcher;
            let engine_roots = EngineRoots {
                wanted,
                in_flight: 0,
                batch,
            };
            if let Some(range) = participant.claim(&engine_roots, now) {
                let seconds = participant.pace.unfinished_seconds();
                actor.account.claim(range.clone(), now, seconds);
                actor.search(range.collect(), now);
                continue;
            }
            // When nothing is left to claim, the participant commits first.
            let seconds = |roots| participant.pace.seconds(roots);
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
                false => actor.search(copied.into_iter().flatten().collect(), now),
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
        if let Some(before) = before {
            let super::ledger::Committed { roots, .. } = &before;
            counter.skip(roots);
            ledger.resume_from(before);
        }
        let simulation = Simulation {
            total,
            counter,
            ledger,
        };
        let run = simulation.run(searchers, stop);
        let committed = simulation.ledger.committed(simulation.zero());
        let mut times = vec![0.0; total];
        let roots = committed.roots.iter().cloned().flatten();
        roots.for_each(|root| times[root] += 1.0);
        assert_eq!(committed.sums.vertices, times);
        if let Some(run) = run {
            assert!(times.iter().all(|&times| times == 1.0));
            assert_eq!(simulation.ledger.searched(), total);
            return run;
        }
        before = Some(committed);
    }
    panic!("the last run was stopped")
}

fn searcher() -> impl Strategy<Value = Searcher> {
    let batch = prop::sample::select(vec![1usize, 8, 64]);
    let stalls = prop::option::weighted(0.3, (1usize..8, 2.0f64..1000.0));
    let fails = prop::option::weighted(0.2, (1usize..8, any::<bool>()));
    let all = (batch, 2.0f64..5.0, stalls, fails);
    all.prop_map(|(batch, rate, stalls, fails)| Searcher {
        wanted: 4 * batch,
        stalls,
        fails,
        ..sound(Kind::Worker, (10f64.powf(rate), batch))
    })
}

/// Returns a participant that neither stalls nor fails.
fn sound(kind: Kind, (rate, batch): (f64, usize)) -> Searcher {
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

/// Compares the time of a device and workers, each with its rate and batch, with that of the faster
/// side alone.
#[test]
fn no_participant_holds_others_up() {
    for (device, worker, count, roots, most) in [
        // Workers as fast as the device halve the time.
        ((15e3, 64), (1e3, 1), 15, 20_000, 1.0 / 1.8),
        ((15e3, 64), (1e3, 64), 15, 20_000, 1.0 / 1.5),
        // A slow device, such as the host CPU.
        ((1000.0, 50), (1e3, 1), 16, 20_000, 1.05),
        ((400.0, 50), (1e3, 1), 16, 20_000, 1.05),
        ((400.0, 1), (1e3, 1), 16, 20_000, 1.05),
        // Workers with large batches.
        ((1e5, 500), (10.0, 64), 15, 100_000, 1.05),
        ((1e5, 500), (100.0, 64), 15, 100_000, 1.05),
        ((1e5, 500), (300.0, 64), 15, 100_000, 1.05),
    ] {
        let workers = vec![sound(Kind::Worker, worker); count];
        let devices = [sound(Kind::Driver, device)];
        let seconds = |searchers: &[Searcher]| simulate(roots, searchers, &[]).end;
        let alone = seconds(&workers).min(seconds(&devices));
        let together = seconds(&[&devices, &workers[..]].concat());
        assert!(
            together < most * alone,
            "{device:?} {worker:?}: {together} {alone}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_root_counts_once_and_no_participant_waits_for_the_slow(
        total in 100usize..4000,
        others in prop::collection::vec(searcher(), 0..12),
        rate in 3.0f64..5.0,
        batch in prop::sample::select(vec![1usize, 30, 500]),
        stops in prop::collection::vec(0.0f64..0.3, 0..4),
    ) {
        let device = sound(Kind::Driver, (10f64.powf(rate), batch));
        let run = simulate(total, &[&[device], &others[..]].concat(), &stops);
        let seconds = |roots: usize| (roots.div_ceil(batch) * batch) as f64 / device.rate;
        // Roots of withdrawn commits have to be searched again after the others are idle.
        let errs = others.iter().any(|one| one.fails.is_some_and(|(_, errs)| errs));
        let alone = seconds(if errs { total } else { run.open });
        let waited = run.end - run.idle;
        prop_assert!(
            waited <= 3.0 * alone + 2.0 * seconds(1) + 0.1,
            "{waited} s for {} roots, which the device searches in {alone} s", run.open
        );
    }
}
