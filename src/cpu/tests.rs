//! Helpers of the tests of engines, and a test of all engines.

use super::search::fast_engine;
use super::{CpuEngine, CpuOptions, WorkerBudget, plan};
use super::{clustered, lanes, root_by_root};
use crate::engine::{Engine, OwnSums};
use crate::graph::generate;
use crate::prepare::{PrepareOptions, Prepared, prepare_query};
use crate::query::{Measure, Query};

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

#[test]
fn estimates_of_memory_count_all_sums() {
    let grid = generate::grid(30, 30, 0.0, 1).unwrap();
    let bytes = |query: &Query, edges| {
        let options = PrepareOptions {
            edges,
            ..PrepareOptions::default()
        };
        let prepared = prepare_query(&grid, &options, query).unwrap();
        [
            lanes::bytes(&prepared, (64, false), 30),
            clustered::bytes(&prepared),
            root_by_root::bytes(&prepared),
        ]
    };
    let query = |radii: &[f64], measures: &[Measure]| Query {
        measures: measures.to_vec(),
        radii: radii.to_vec(),
        ..Query::default()
    };
    let three = [2.0, 3.0, 4.0];
    let few = query(&[2.0, 3.0], &[Measure::Betweenness]);
    let more = query(&three, &[Measure::Betweenness, Measure::Harmonic]);
    // One column for each radius of each measure.
    let (few, more) = (bytes(&few, false), bytes(&more, false));
    assert_eq!(more[0] - few[0], 4 * 900 * 8);
    assert!(more[1] - few[1] >= 4 * 900 * 8 && more[2] - few[2] >= 4 * 900 * 8);
    let all = query(&three, &[Measure::Betweenness]);
    // Two arcs for each of 2 * 30 * 29 edges, and a column for each radius.
    for (with, without) in bytes(&all, true).into_iter().zip(bytes(&all, false)) {
        assert!(with - without >= 3 * 4 * 30 * 29 * 8);
    }
}
