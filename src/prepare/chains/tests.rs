//! Tests of the chains of small graphs. (The engines' tests compare scores.)

use crate::graph::{EdgeList, Graph, Labels, generate};
use crate::prepare::{PrepareOptions, Prepared, prepare};

fn prepared(graph: &Graph) -> Prepared {
    prepare(graph, &PrepareOptions::default()).unwrap()
}

#[test]
fn a_cycle_is_two_chains_and_their_ends_are_searched_from() {
    let cycle = generate::cycle(10).unwrap();
    let chains = prepared(&cycle).find_chains().unwrap();
    assert_eq!(
        (chains.count(), chains.junctions, chains.roots.len()),
        (2, 2, 2)
    );
    assert_eq!(chains.served_by(&chains.roots).len(), 2);
    assert!(chains.served_by(&chains.roots[..1]).is_empty());
    // Only whole searches serve chains.
    let few = PrepareOptions {
        roots: crate::prepare::RootSelection::Range { first: 0, last: 5 },
        ..PrepareOptions::default()
    };
    assert!(prepare(&cycle, &few).unwrap().find_chains().is_none());
}

#[test]
fn chains_with_another_way_around_are_cut() {
    // Vertices 0 and 1 are joined by an edge, and by two chains with `inner` vertices.
    // A chain that is cut beside its end has only one part with inner vertices.
    for (inner, chains, junctions) in [(1, 2, 2), (3, 2, 2), (4, 2, 4), (5, 2, 4), (9, 4, 4)] {
        let mut list = EdgeList::with_capacity(0);
        list.push(0, 1);
        for first in [2, 2 + inner] {
            list.push(0, first);
            (first + 1..first + inner).for_each(|v| list.push(v - 1, v));
            list.push(first + inner - 1, 1);
        }
        let labels = Labels::consecutive(0, 2 * inner as usize + 2);
        let graph = list.build(labels, false).unwrap();
        let found = prepared(&graph).find_chains().unwrap();
        assert_eq!(
            (found.count(), found.junctions),
            (chains, junctions),
            "{inner}"
        );
    }
}
