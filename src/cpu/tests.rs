//! Helpers of the tests of engines, and tests of all engines.

use super::search::fast_engine;
use super::{CpuEngine, CpuOptions, clustered, lanes, plan, root_by_root};
use crate::engine::{Engine, OwnSums};
use crate::graph::{Graph, Lengths, generate};
use crate::prepare::{PrepareOptions, Prepared, prepare_query};
use crate::query::{Measure, Query};

/// Makes an engine that counts paths in f64.
pub(crate) fn fast(prepared: &Prepared, engine: CpuEngine) -> Box<dyn Engine + '_> {
    let options = CpuOptions {
        engine,
        ..CpuOptions::default()
    };
    fast_engine(prepared, &plan(prepared, &options, 1))
}

/// Returns the sums of an engine.
pub(crate) fn collected(mut engine: Box<dyn Engine + '_>, prepared: &Prepared) -> OwnSums {
    let mut sums = prepared.zero_sums();
    engine.collect(&mut sums.lend()).unwrap();
    sums
}

/// Returns whether sums differ by rounding errors only.
pub(super) fn close(a: &[f64], b: &[f64]) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-10 * b.abs().max(1.0);
    a.len() == b.len() && a.iter().zip(b).all(near)
}

/// Gives edges lengths from 1 to `longest`.
pub(super) fn set_lengths(prepared: &mut Prepared, longest: u32) {
    let length = |(&v, &w): (&u32, &u32)| 1 + (v.min(w) * 79 + v.max(w) * 47) % longest;
    let tails = prepared.graph.tails();
    let lengths = tails.iter().zip(prepared.graph.targets()).map(length);
    let lengths = Lengths::U32(lengths.collect());
    let reverse = prepared.reverse.as_ref();
    let reversed = reverse.map(|reverse| lengths.reversed(&prepared.graph, reverse));
    (prepared.lengths, prepared.reverse_lengths) = (Some(lengths), reversed);
}

fn prepared(graph: &Graph, measures: Vec<Measure>, radii: Vec<f64>, edges: bool) -> Prepared {
    let options = PrepareOptions {
        edges,
        ..PrepareOptions::default()
    };
    let query = Query {
        decay: measures.contains(&Measure::Reach).then_some(0.1),
        measures,
        radii,
        ..Query::default()
    };
    prepare_query(graph, &options, &query).unwrap()
}

#[test]
fn estimates_of_memory_count_all_sums() {
    use Measure::{Betweenness, Harmonic};
    let grid = generate::grid(30, 30, 0.0, 1).unwrap();
    let bytes = |radii: &[f64], measures: &[Measure], edges| {
        let (measures, radii) = (measures.to_vec(), radii.to_vec());
        let prepared = prepared(&grid, measures, radii, edges);
        [
            lanes::bytes(&prepared, (64, false), 30),
            clustered::bytes(&prepared),
            root_by_root::bytes(&prepared),
        ]
    };
    let three = [2.0, 3.0, 4.0];
    // One column for each radius of each measure.
    let few = bytes(&[2.0, 3.0], &[Betweenness], false);
    let more = bytes(&three, &[Betweenness, Harmonic], false);
    assert_eq!(more[0] - few[0], 4 * 900 * 8);
    assert!(more[1] - few[1] >= 4 * 900 * 8 && more[2] - few[2] >= 4 * 900 * 8);
    // Two arcs for each of 2 * 30 * 29 edges, and a column for each radius.
    let [with, without] = [true, false].map(|edges| bytes(&three, &[Betweenness], edges));
    assert!((0..3).all(|engine| with[engine] - without[engine] >= 3 * 4 * 30 * 29 * 8));
}
