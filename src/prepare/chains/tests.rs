//! Tests of the chains of small graphs. (The engines' tests compare scores.)

use super::*;
use crate::graph::{EdgeList, Graph, Labels, generate};
use crate::prepare::{Order, PrepareOptions, Prepared, Reductions, prepare};

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

/// Puts up to five vertices on each edge of a graph.
fn subdivided(graph: &Graph) -> Graph {
    let mut list = EdgeList::with_capacity(0);
    let (mut vertices, mut edge) = (graph.vertices() as u32, 0);
    graph.for_each_edge(|tail, head| {
        let mut last = tail;
        for _ in 0..edge * 5 % 6 {
            list.push(last, vertices);
            (last, vertices) = (vertices, vertices + 1);
        }
        list.push(last, head);
        edge += 1;
    });
    let labels = Labels::consecutive(0, vertices as usize);
    list.build(labels, false).unwrap()
}

#[test]
fn every_vertex_is_a_root_or_served_once() {
    let grids = (0..20).map(|seed| generate::grid(30, 40, 0.4, seed).unwrap());
    // Short chains between groups, which the search from the ends of a longer one may serve.
    let subdivided = (0..20).map(|seed| subdivided(&generate::grid(7, 7, 0.2, seed).unwrap()));
    let options = PrepareOptions {
        order: Order::None,
        reduce: Reductions::NONE,
        ..PrepareOptions::default()
    };
    for graph in grids.chain(subdivided) {
        let prepared = prepare(&graph, &options).unwrap();
        let Some(chains) = prepared.find_chains() else {
            continue;
        };
        let mut times = vec![0; prepared.graph.vertices()];
        for root in &chains.roots {
            times[root.vertex as usize] += usize::from(root.sources > 0);
        }
        let mut served = 0;
        for group in chains.roots.chunks(GROUP) {
            for &Served { chain, lanes } in chains.served_by(group) {
                let ends = lanes.map(|lane| group[usize::from(lane)].vertex);
                assert_eq!(ends, chains.found.ends[chain as usize]);
                for &v in chains.found.inner_of(chain as usize) {
                    times[v as usize] += 1;
                }
                served += 1;
            }
        }
        assert_eq!(served, chains.count());
        assert!(times.iter().all(|&times| times == 1));
    }
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
