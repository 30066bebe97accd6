//! Whether chains of degree-2 vertices are contracted: by counted work and, where that leaves it
//! open, by a trial.

use std::time::Instant;

use crate::cpu::{self, CpuOptions, CpuPlan, Staff};
use crate::engine::Engine;
use crate::prepare::{Prepared, SweepWork, Verdict};

/// A trial may take this part of the search, for each of both forms.
const TRIAL: f64 = 0.02;
/// A trial is not made if a batch alone takes this part of the search.
const TOO_LONG: f64 = 0.05;
/// Sweeps are tried from so many junctions.
const JUNCTIONS: usize = 16;

/// Whether to contract a graph that devices, or CPU workers alone, will search.
pub fn contraction(prepared: &Prepared, workers: usize, devices: bool) -> Verdict {
    if !prepared.may_contract() || prepared.roots.is_empty() {
        return Verdict::Keep;
    }
    let work = SweepWork::of(&prepared.graph);
    if devices {
        return work.on_devices(&prepared.graph, prepared.roots.len(), prepared.is_deep());
    }
    work.on_cores(otherwise(prepared, workers).seconds(prepared, prepared.roots.len()))
}

/// Contracts a graph, if that makes the search faster. Estimates that do not tell are followed by a
/// trial of both forms on the calling thread.
pub fn contract(prepared: &mut Prepared, workers: usize, devices: bool) {
    match contraction(prepared, workers, devices) {
        Verdict::Keep => {}
        Verdict::Contract => drop(prepared.contract()),
        Verdict::Open(guess) => {
            let work = SweepWork::of(&prepared.graph);
            let plan = otherwise(prepared, workers);
            let tried = kept_seconds(prepared, &plan, workers);
            let as_it_stood = prepared.contract();
            let better = match tried {
                Some(kept) => swept_seconds(prepared, &work, kept / workers.max(1) as f64) < kept,
                None => guess,
            };
            if !better {
                prepared.restore(as_it_stood);
            }
        }
    }
}

/// How CPU workers search it as it stands.
fn otherwise(prepared: &Prepared, workers: usize) -> CpuPlan {
    let staff = Staff::of(prepared, workers);
    cpu::plan(prepared, &CpuOptions::default(), staff)
}

/// Seconds of a core for all roots of a graph as it stands, by a few batches; `None` if that would
/// take too long.
fn kept_seconds(prepared: &Prepared, plan: &CpuPlan, workers: usize) -> Option<f64> {
    let roots = &prepared.roots;
    let batch = plan.lanes.clamp(1, roots.len());
    let share = plan.seconds(prepared, roots.len()) / workers.max(1) as f64;
    if plan.seconds(prepared, batch) > TOO_LONG * share {
        return None;
    }
    let batches = roots.len() / batch;
    let tried = batches.min(4);
    let mut engine = cpu::engine(prepared, plan);
    let (start, mut searched) = (Instant::now(), 0);
    for i in 0..tried {
        let first = i * batches / tried * batch;
        engine.search(&roots[first..first + batch]).ok()?;
        searched += batch;
        if start.elapsed().as_secs_f64() > TRIAL * share {
            break;
        }
    }
    Some(start.elapsed().as_secs_f64() * roots.len() as f64 / searched as f64)
}

/// Seconds of a core for the sweeps from all junctions, by a few of them, beside a search of so
/// many seconds; infinite where there are too many paths.
fn swept_seconds(prepared: &Prepared, work: &SweepWork, share: f64) -> f64 {
    let roots = &prepared.roots;
    let tried = roots.len().min(JUNCTIONS);
    let plan = otherwise(prepared, 1);
    let mut engine = cpu::engine(prepared, &plan);
    let (start, mut expected) = (Instant::now(), 0.0);
    for i in 0..tried {
        let root = roots[i * roots.len() / tried];
        if engine.search(&[root]).is_err() {
            return f64::INFINITY;
        }
        expected += work.of_junction(&prepared.graph, root.vertex);
        if start.elapsed().as_secs_f64() > TRIAL * share && i > 0 {
            break;
        }
    }
    // Sweeps cost by the long chains of their junctions, so that a few are scaled by expected work.
    start.elapsed().as_secs_f64() * work.seconds() / expected
}
