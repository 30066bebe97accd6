//! Helpers of the tests of engines.

use super::search::fast_engine;
use super::{CpuEngine, CpuOptions, WorkerBudget, plan};
use crate::engine::{Engine, OwnSums};
use crate::prepare::Prepared;

/// Makes an engine that counts paths in f64.
pub(super) fn fast(prepared: &Prepared, engine: CpuEngine) -> Box<dyn Engine + '_> {
    let options = CpuOptions {
        engine,
        ..CpuOptions::default()
    };
    let budget = WorkerBudget::for_all_roots(prepared, 1);
    fast_engine(prepared, &plan(prepared, &options, budget))
}

/// Returns the sums of an engine.
pub(super) fn collected(mut engine: Box<dyn Engine + '_>, prepared: &Prepared) -> OwnSums {
    let mut sums = prepared.zero_sums();
    engine.collect(&mut sums.lend()).unwrap();
    sums
}

/// Returns whether sums differ by rounding errors only.
pub(super) fn close(a: &[f64], b: &[f64]) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-10 * b.abs().max(1.0);
    a.len() == b.len() && a.iter().zip(b).all(near)
}
