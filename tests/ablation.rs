//! Tests that the kernels of `brandes bench --ablation` compute correct scores.

use crate::common::{any_device, cores, difference, graph};
use brandes::device::{DeviceOptions, Numbers, Session, find};
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::{PrepareOptions, Scale, prepare};
use brandes::strategy::{Strategy, Switch, engine_without};

fn session(precision: Precision, degree: u32, searches: u32) -> Session {
    let found = find::survey().unwrap().select(&any_device()).unwrap();
    let options = DeviceOptions {
        precision,
        numbers: Numbers {
            work_group: Some(64),
            degree: Some(degree),
            searches: Some(searches),
            ..Numbers::default()
        },
        ..DeviceOptions::default()
    };
    let kernels = |options: &_, info: &_| Strategy::Virtual.kernels(options, info);
    Session::open(&found[0], options, kernels, &mut Vec::new()).unwrap()
}

fn scores(session: &Session, graph: &Graph, off: Option<Switch>) -> Vec<f64> {
    let options = PrepareOptions::default();
    let options = off.map_or(options, |off| off.prepare_without(options));
    let prepared = prepare(graph, &options).unwrap();
    let device = match off {
        Some(off) => engine_without(session, &prepared, off),
        None => Strategy::Virtual.engine(session, &prepared),
    };
    let mut device = device.unwrap();
    let mut sums = prepared.zero_sums();
    for roots in prepared.roots.chunks(100) {
        device.engine.search(roots).unwrap();
    }
    device.engine.collect(&mut sums.lend()).unwrap();
    prepared.scores(&sums.vertices, Scale::Pairs)
}

#[test]
fn scores_do_not_depend_on_switches() {
    let arcs = [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 0),
        (3, 4),
        (5, 1),
        (1, 6),
        (6, 3),
    ];
    let graphs = [
        graph(7, &arcs, true),
        generate::rmat(8, 8, 0.57, 0.19, 0.19, 7).unwrap(),
        generate::star(300).unwrap(),
        generate::grid(3, 60, 0.05, 2).unwrap(),
        generate::diamonds(30).unwrap(),
        generate::erdos_renyi(400, 330, 3).unwrap(),
    ];
    for (precision, searches, tolerance) in [
        (Precision::F64, 1, 1e-10),
        (Precision::F64, 7, 1e-10),
        (Precision::F32, 64, 1e-3),
    ] {
        let session = session(precision, 4, searches);
        // Three graphs are enough to test sums in f32.
        let count = if precision == Precision::F32 { 3 } else { 6 };
        for graph in &graphs[..count] {
            let expected = cores(2).run(graph).unwrap();
            for off in std::iter::once(None).chain(Switch::ALL.map(Some)) {
                let off_by = difference(&scores(&session, graph, off), expected.vertices(), 1.0);
                let n = graph.vertices();
                assert!(
                    off_by < tolerance,
                    "without {off:?}, {searches} slots, {precision:?}, {n} vertices: {off_by:e}"
                );
            }
        }
    }
}
