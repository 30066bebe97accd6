//! Whether chains of degree-2 vertices are contracted or twins merged: by counted work and, where
//! that leaves it open, by a trial.

use std::sync::Arc;

use crate::cpu::{self, CpuOptions, Staff, Trial};
use crate::cpu_time::thread_seconds;
use crate::engine::{Engine, Root};
use crate::prepare::{Prepared, SweepWork, Twins, Verdict, When};

/// A trial may take this part of the search, for each of both forms.
const TRIAL: f64 = 0.01;
/// A trial is not made if a batch alone takes this part of the search.
const TOO_LONG: f64 = 0.05;
/// Between this factor and its inverse, the estimate for the search decides nothing.
const CLOSE: f64 = 3.0;
/// Sweeps are tried from so many junctions.
const JUNCTIONS: usize = 16;

/// Whether to contract a graph that devices, or CPU workers alone, will search.
pub fn contraction(prepared: &Prepared, workers: usize, devices: bool) -> Verdict {
    counted(prepared, CpuOptions::default(), (workers, devices), 1.0)
        .map_or(Verdict::Keep, |(verdict, _)| verdict)
}

/// The verdict, and the work that it goes by; `None` for what cannot be contracted. Without
/// contraction this share of the work is left.
fn counted(
    prepared: &Prepared,
    options: CpuOptions,
    (workers, devices): (usize, bool),
    share: f64,
) -> Option<(Verdict, SweepWork)> {
    if !prepared.may_contract() || prepared.roots.is_empty() {
        return None;
    }
    let work = SweepWork::of(&prepared.graph, &prepared.ranges);
    let roots = prepared.roots.len();
    let arcs = share * roots as f64 * prepared.arcs_per_root;
    let verdict = if devices {
        work.on_devices(&prepared.graph, arcs, prepared.is_deep())
    } else {
        let plan = cpu::plan(prepared, &options, Staff::of(prepared, workers));
        work.on_cores(arcs, share * plan.seconds(prepared, roots))
    };
    Some((verdict, work))
}

/// Contracts a graph whose chains may be contracted, or else merges its twins, if they may be, as
/// far as that makes the search faster. Estimates that do not tell are followed by a trial on the
/// calling thread, unless `options` ask for what is reproducible.
pub fn reduce(
    prepared: &mut Prepared,
    twins: When,
    options: CpuOptions,
    (workers, devices): (usize, bool),
) {
    let find = || prepared.twins(false);
    let twins = (twins == When::Auto).then(find).flatten();
    let share = twins.as_ref().map_or(1.0, Twins::share);
    match counted(prepared, options, (workers, devices), share) {
        None | Some((Verdict::Keep, _)) => {}
        Some((Verdict::Contract, _)) => drop(prepared.contract()),
        Some((Verdict::Open(guess), _)) if options.reproducible => {
            if guess {
                prepared.contract();
            }
        }
        Some((Verdict::Open(guess), work)) => try_chains(prepared, &work, (workers, share), guess),
    }
    if let Some(twins) = twins.filter(|_| prepared.chains.is_none()) {
        prepared.merge(twins);
    }
}

/// Contracts the chains if a few sweeps say so, or else, where these take about as long as the
/// search is expected to take, a few batches of that; if both cannot be tried, by this guess.
/// `share` of the work is left without contraction.
fn try_chains(
    prepared: &mut Prepared,
    work: &SweepWork,
    (workers, share): (usize, f64),
    guess: bool,
) {
    let plan = cpu::plan(
        prepared,
        &CpuOptions::default(),
        Staff::of(prepared, workers),
    );
    let expected = share * plan.seconds(prepared, prepared.roots.len());
    let as_it_stood = prepared.contract();
    let swept = swept_seconds(prepared, work, expected / workers.max(1) as f64);
    let contracts = match swept {
        None => guess,
        Some(swept) if swept > CLOSE * expected => false,
        Some(swept) if expected > CLOSE * swept => true,
        Some(swept) => {
            prepared.restore(as_it_stood);
            if kept_seconds(prepared, workers).map_or(guess, |kept| swept < share * kept) {
                prepared.contract();
            }
            return;
        }
    };
    if !contracts {
        prepared.restore(as_it_stood);
    }
}

/// Seconds of a core for all roots of a graph as it stands, by a few batches of each engine that
/// may be the best; `None` if that would take too long.
fn kept_seconds(prepared: &Prepared, workers: usize) -> Option<f64> {
    let roots = &prepared.roots;
    let staff = Staff::of(prepared, workers);
    let plans = cpu::candidates(prepared, &CpuOptions::default(), staff);
    let (likeliest, count) = (plans[0], plans.len());
    let batch = likeliest.lanes.clamp(1, roots.len());
    let share = likeliest.seconds(prepared, roots.len()) / workers.max(1) as f64;
    if likeliest.seconds(prepared, batch) > TOO_LONG * share {
        return None;
    }
    let batches = roots.len() / batch;
    let tried = batches.min(4 * count);
    let trial = Arc::new(Trial::new(plans, 0));
    let mut engine = cpu::tried_engine(prepared, &trial);
    let (start, mut searched) = (thread_seconds(), 0);
    for i in 0..tried {
        let first = i * batches / tried * batch;
        engine.search(&roots[first..first + batch]).ok()?;
        searched += batch;
        if thread_seconds() - start > TRIAL * share {
            break;
        }
    }
    let mean = (thread_seconds() - start) / searched as f64;
    Some(trial.seconds_for_root().unwrap_or(mean) * roots.len() as f64)
}

/// Seconds of a core for the sweeps from all junctions, by a few of them, beside a search of so
/// many seconds; infinite where there are too many paths, `None` if a few take too long.
fn swept_seconds(prepared: &Prepared, work: &SweepWork, share: f64) -> Option<f64> {
    let roots = &prepared.roots;
    let tried = roots.len().min(JUNCTIONS);
    let (graph, component) = (&prepared.graph, |v| prepared.ranges.component(v));
    // A sweep from a hub may take as long as thousands of others.
    let is_short = |root: &Root| {
        let seconds = work.of_junction_alone(graph, component(root.vertex), root.vertex);
        seconds <= TRIAL * share
    };
    let tried = (0..tried).map(|i| roots[i * roots.len() / tried]);
    let tried: Vec<Root> = tried.filter(is_short).collect();
    if tried.len() < 2 {
        return None;
    }
    let plan = cpu::plan(prepared, &CpuOptions::default(), Staff::of(prepared, 1));
    let mut engine = cpu::engine(prepared, &plan);
    let begin = thread_seconds();
    let (mut start, mut expected) = (begin, 0.0);
    for (i, &root) in tried.iter().enumerate() {
        if engine.search(&[root]).is_err() {
            return Some(f64::INFINITY);
        }
        let now = thread_seconds();
        if i == 0 {
            // Its memory was new.
            start = now;
            continue;
        }
        expected += work.of_junction(graph, component(root.vertex), root.vertex);
        if now - begin > TRIAL * share {
            break;
        }
    }
    // Sweeps cost by the long chains of their junctions, so that a few are scaled by expected work.
    Some((thread_seconds() - start) * work.seconds() / expected)
}
