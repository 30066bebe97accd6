//! Tests that the kernels of `brandes bench --ablation` compute correct scores.

use crate::common::{Setup, any_device, difference};
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
    Session::open(
        &found[0],
        options,
        |options, info| Strategy::Virtual.kernels(options, info),
        &mut Vec::new(),
    )
    .unwrap()
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
    let graphs = [
        generate::rmat(8, 8, 0.57, 0.19, 0.19, 7).unwrap(),
        generate::star(300).unwrap(),
        generate::grid(3, 60, 0.05, 2).unwrap(),
        generate::diamonds(30).unwrap(),
        generate::erdos_renyi(400, 330, 3).unwrap(),
    ];
    let directed = crate::common::graph(
        7,
        &[
            (0, 1),
            (1, 2),
            (2, 3),
            (3, 0),
            (3, 4),
            (5, 1),
            (1, 6),
            (6, 3),
        ],
        true,
    );
    for (precision, searches, tolerance) in [
        (Precision::F64, 1, 1e-10),
        (Precision::F64, 7, 1e-10),
        (Precision::F32, 64, 1e-3),
    ] {
        let session = session(precision, 4, searches);
        // Two of these graphs and the directed one are enough to test sums in f32.
        let some = match precision {
            Precision::F32 => &graphs[..2],
            _ => &graphs[..],
        };
        for graph in some.iter().chain([&directed]) {
            let expected = Setup::cpu(2).scores(graph);
            for off in std::iter::once(None).chain(Switch::ALL.map(Some)) {
                let difference = difference(&scores(&session, graph, off), &expected, 1.0);
                assert!(
                    difference < tolerance,
                    "without {off:?}, {searches} slots, {precision:?}, {} vertices: {difference:e}",
                    graph.vertices()
                );
            }
        }
    }
}
