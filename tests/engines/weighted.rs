//! Tests ties of lengths, on cores and devices, and lengths that distances lose. (The matrix compares
//! scores of weighted graphs with the definition.)

use crate::common::families;
use crate::common::queries::graphs;
use crate::common::weighted::{EXTRA_LENGTH, length_type};
use crate::common::{assert_close, config, cores, on_device, searched, without_devices};
use brandes::graph::{Graph, ReadOptions, WeightIs, WeightOptions, read_stream};
use brandes::{Betweenness, RootSelection, Strategy};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const STRATEGIES: [Strategy; 3] = [Strategy::Vertex, Strategy::WorkEfficient, Strategy::Warp];

fn read(text: &str, meaning: WeightIs, directed: bool) -> Graph {
    let options = ReadOptions {
        directed,
        weights: Some(WeightOptions {
            meaning,
            ..WeightOptions::default()
        }),
        ..ReadOptions::default()
    };
    let read = read_stream(Box::new(text.as_bytes()), "text", &options);
    read.unwrap().0
}

/// Two paths join 1 and 3: by 2 with lengths of 0.1 and the first one given, by 4 with 0.15 and the
/// second one. Their shares are half a pair each if they tie.
#[test]
fn paths_tie_as_their_decimals_do_or_within_the_tolerance() {
    let (both, lower) = ((0.5, 0.5), (0.0, 1.0));
    let long = "0.1500000000000000000000000000001";
    let (none, exact, wide) = (None, Some(0.0), Some(0.1));
    for (lengths, kind, rows) in [
        // As doubles, 0.1 + 0.2 is greater than 0.15 + 0.15.
        (["0.2", "0.15"], "u32", &[(exact, both)][..]),
        (
            ["0.2000000001", "0.15"],
            "u64",
            &[(none, lower), (wide, both), (exact, lower)],
        ),
        (
            ["0.200000000000001", "0.15"],
            "u64",
            &[(wide, both), (exact, lower)],
        ),
        // The last length has too many digits for an integer.
        (["0.2", long], "f64", &[(Some(1e-12), both), (exact, lower)]),
        (
            ["0.2001", long],
            "f64",
            &[(Some(1e-12), lower), (Some(1e-3), both)],
        ),
    ] {
        let [second, fourth] = lengths;
        let text = format!("1 2 0.1\n2 3 {second}\n1 4 0.15\n4 3 {fourth}\n");
        let graph = read(&text, WeightIs::Length, false);
        assert_eq!(length_type(&graph), kind);
        for &(tolerance, shares) in rows {
            let mut options = without_devices();
            options.prepare.tie_tolerance = tolerance;
            options.prepare.roots = RootSelection::Range { first: 0, last: 1 };
            let scores = searched(&graph, &options);
            let [_, upper, _, lower] = scores.vertices() else {
                panic!("not four vertices");
            };
            assert_eq!(
                (2.0 * upper, 2.0 * lower),
                shares,
                "{lengths:?}, {tolerance:?}"
            );
        }
    }
}

#[test]
fn computed_lengths_tie_as_doubles() {
    // Three edges together are as long as the fourth one.
    let third = 1.0 / 3.0;
    let text = format!("0 1 {third}\n1 2 {third}\n2 3 {third}\n0 3 1\n");
    let edges = vec![[0, 1], [1, 2], [2, 3], [0, 3]];
    let array = |weights: [f64; 4], meaning| {
        let weights = Some((weights.to_vec(), meaning));
        Graph::from_arrays(4, edges.clone(), weights, false).unwrap()
    };
    let similar = "0 1 3\n1 2 3\n2 3 3\n0 3 1\n";
    for graph in [
        read(&text, WeightIs::Length, false),
        read(similar, WeightIs::Similarity, false),
        array([third, third, third, 1.0], WeightIs::Length),
        array([3.0, 3.0, 3.0, 1.0], WeightIs::Similarity),
        array([1.0, 1.0, 1.0, third], WeightIs::Similarity),
    ] {
        let scores = cores(1).run(&graph).unwrap();
        assert_close(scores.vertices(), &[0.0, 1.5, 1.5, 0.0], 1e-12);
    }
}

/// Lengths are doubles of all kinds, and the tolerance ties whole neighbourhoods, so the device has
/// to follow the CPU's rules to the last bit.
#[test]
fn doubles_within_any_tolerance_are_searched_as_on_the_cpu() {
    let choices = (
        graphs(families::all()),
        prop::sample::select(&STRATEGIES[..]),
        prop::sample::select(vec![0.0, 1e-15, 1e-3, 0.1, 0.4, 0.9]),
        prop::sample::select(vec![1.0, 0.1, 1.0 / 3.0, 1e-20, 1e150]),
    );
    TestRunner::new(config(90))
        .run(&choices, |(weighted, strategy, tolerance, scale)| {
            let weighted = weighted.beside(1).beside(EXTRA_LENGTH);
            let graph = weighted.read(WeightOptions::default(), |length| match length {
                EXTRA_LENGTH => "1e-200".into(),
                _ => format!("{:e}", f64::from(length.max(1)) * scale),
            });
            prop_assert!(length_type(&graph) == "f64");
            let mut device = on_device(strategy);
            device.prepare.tie_tolerance = Some(tolerance);
            device.device.numbers.work_group = Some(32);
            let mut cores = without_devices();
            cores.prepare.tie_tolerance = Some(tolerance);
            let expected = searched(&graph, &cores);
            let scores = searched(&graph, &device);
            assert_close(scores.vertices(), expected.vertices(), 1e-12);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_length_too_small_to_change_a_distance_is_an_error() {
    // A shortest path uses the short edge, which does not change the distance.
    let ring = read("0 1 2\n1 2 1e-30\n2 3 2\n3 0 9\n", WeightIs::Length, false);
    let text = "1 2 1e100\n2 3 1.000000000000000000000000001\n3 1 3e100\n";
    let arcs = read(text, WeightIs::Length, true);
    for graph in [ring, arcs] {
        assert_eq!(length_type(&graph), "f64");
        let devices = STRATEGIES.map(|strategy| on_device(strategy).into());
        for search in devices.into_iter().chain([cores(1)]) {
            let search: Betweenness = search;
            let error = search.run(&graph).err().unwrap().to_string();
            let expected = "adding it changes nothing in 64-bit floats";
            assert!(error.contains(expected), "{error}");
        }
    }
}
