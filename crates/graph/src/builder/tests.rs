//! Lists of edges that become graphs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::tests::built;

fn arcs(graph: &Graph) -> Vec<(u32, u32)> {
    (0..graph.vertices() as u32)
        .flat_map(|v| graph.csr().neighbours(v).iter().map(move |&u| (v, u)))
        .collect()
}

#[test]
fn entries_for_both_ways_stay_symmetric_in_a_directed_graph() {
    let mut list = EdgeList {
        both_ways: true,
        ..EdgeList::default()
    };
    list.push(0, 1);
    list.push(1, 0);
    let graph = list
        .build(Labels::consecutive(0, 2), true)
        .expect("small graphs fit");
    assert_eq!(arcs(&graph), [(0, 1), (1, 0)]);
    assert_eq!((graph.simplified().merged, graph.edges()), (1, 2));
}

#[test]
fn undirected_edges_of_any_piece_are_two_arcs_of_a_directed_graph() {
    let piece = |edges: &[[Vertex; 2]], weights: &[&str], undirected: &[bool]| {
        let weights = weights
            .iter()
            .map(|text| Weight::parse(text.as_bytes(), WeightIs::Length));
        let mut piece = Piece {
            edges: edges.to_vec(),
            weights: weights.collect::<Result<_, _>>().expect("weights"),
            undirected: undirected.to_vec(),
            ..Piece::default()
        };
        piece.drop_loops();
        piece
    };
    let undirected = [false, false, true];
    let pieces = vec![
        piece(&[[0, 1], [1, 1], [1, 2]], &["1", "9", "2"], &undirected),
        piece(&[[3, 2], [3, 0]], &["3", "4"], &[true, false]),
    ];
    let list = EdgeList::of_pieces(pieces, Some(&WeightOptions::default()), true);
    let built = list.build(Labels::consecutive(0, 4), true);
    let graph = built.expect("small graphs fit");
    let expected = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 0), (3, 2)];
    assert_eq!(arcs(&graph), expected);
    assert_eq!(graph.lengths(), Some(&Lengths::U32(vec![1, 2, 2, 3, 4, 3])));
    assert_eq!(graph.simplified().loops, 1);
}

/// Enough arcs for several buckets and parts, with a hub, and vertices without edges.
#[test]
fn many_buckets_hold_the_shortest_of_repeated_edges() {
    const VERTICES: u32 = 150_000;
    let mut random = 1u64;
    let mut next = |limit: u32| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
        (random >> 33) as u32 % limit
    };
    let edges: Vec<([Vertex; 2], u64)> = (0..300_000)
        .map(|_| {
            let tail = next(2) * next(VERTICES - 2);
            ([tail, tail + 1 + next(3)], 1 + u64::from(next(9)))
        })
        .collect();
    // With the larger factor, lengths of paths do not fit in 32 bits.
    for factor in [1, 1 << 31] {
        for directed in [false, true] {
            let mut expected = BTreeMap::new();
            let mut list = EdgeList {
                meaning: Some(WeightIs::Length),
                ..EdgeList::default()
            };
            for &([tail, head], length) in &edges {
                // The added 1 prevents a common divisor, which would become the unit of lengths.
                let length = length * factor + 1;
                let text = length.to_string();
                let weight = Weight::parse(text.as_bytes(), WeightIs::Length).expect("a number");
                list.push_weighted(tail, head, Some(weight));
                let ends = [(tail, head), (head, tail)];
                for arc in &ends[..2 - usize::from(directed)] {
                    let shortest = expected.entry(*arc).or_insert(length);
                    *shortest = length.min(*shortest);
                }
            }
            let plain = EdgeList::from(edges.iter().map(|&(ends, _)| ends).collect::<Vec<_>>());
            let labels = || Labels::consecutive(0, VERTICES as usize + 2);
            let plain = plain.build(labels(), directed).expect("fits");
            let graph = list.build(labels(), directed).expect("fits");
            assert!(arcs(&graph).iter().eq(expected.keys()));
            assert_eq!(plain.csr(), graph.csr());
            let lengths = graph.lengths().expect("they were given");
            assert_eq!(matches!(lengths, Lengths::U32(_)), factor == 1);
            let lengths = (0..graph.csr().arcs()).map(|arc| match lengths {
                Lengths::U32(lengths) => lengths[arc].into(),
                Lengths::U64(lengths) => lengths[arc],
                Lengths::F64(_) => 0,
            });
            assert!(lengths.eq(expected.into_values()));
        }
    }
}

/// A bucket has at most 2^16 rows, however few arcs there are.
#[test]
fn few_arcs_of_many_rows_fall_into_several_buckets() {
    let far = 3 << 17;
    let mut edges = vec![(0, far), (1 << 16, 1), (far, 1 << 16)];
    let graph = built(far as usize + 1, &edges, false);
    edges.extend(edges.clone().iter().map(|&(tail, head)| (head, tail)));
    edges.sort_unstable();
    assert_eq!(arcs(&graph), edges);
}

proptest! {
    #[test]
    fn rows_hold_exactly_the_distinct_arcs(
        edges in prop::collection::vec((0u32..40, 0u32..40), 0..300),
        directed: bool,
        threads in prop::sample::select(&[1, 3, 8, 40]),
    ) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let graph = pool.expect("a few threads").install(|| built(42, &edges, directed));
        let mut expected = BTreeSet::new();
        for &(tail, head) in edges.iter().filter(|(tail, head)| tail != head) {
            expected.insert((tail, head));
            if !directed {
                expected.insert((head, tail));
            }
        }
        prop_assert_eq!(arcs(&graph), expected.into_iter().collect::<Vec<_>>());
        let counts = graph.simplified();
        prop_assert_eq!(counts.entries, edges.len() as u64);
        let loops = edges.iter().filter(|(tail, head)| tail == head).count();
        prop_assert_eq!(counts.loops, loops as u64);
        prop_assert_eq!(counts.entries, counts.loops + counts.merged + graph.edges() as u64);
    }
}
