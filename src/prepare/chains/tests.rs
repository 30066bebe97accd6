use super::*;
use crate::graph::{Csr, generate};

fn contracted(graph: &Csr) -> Chains {
    let n = graph.vertices();
    Chains::new(graph, &vec![1; n], &vec![1.0; n])
}

fn csr(n: usize, edges: &[(u32, u32)]) -> Csr {
    let mut rows = vec![Vec::new(); n];
    for &(u, v) in edges {
        rows[u as usize].push(v);
        rows[v as usize].push(u);
    }
    let mut offsets = vec![0];
    let mut targets = Vec::new();
    for mut row in rows {
        row.sort_unstable();
        targets.extend(row);
        offsets.push(targets.len() as u32);
    }
    Csr::new(offsets, targets)
}

#[test]
fn a_cycle_is_one_junction_and_a_loop() {
    let chains = contracted(generate::cycle(6).unwrap().csr());
    assert_eq!(chains.junctions, [0]);
    assert_eq!(chains.interior, [1, 2, 3, 4, 5]);
    assert_eq!(chains.chain_length, [6]);
    assert_eq!(chains.end_offsets, [0, 2]);
    assert_eq!(chains.end_target, [0, 0]);
    assert_eq!(chains.end_side, [0, 1]);
    // Round go 1-5 whole, and half of 1-4 and 2-5; both directions, but halved.
    assert_eq!(chains.end_round, [2.0, 2.0]);
    // Between: 1-3, 2-4, 3-5 and half of 1-4, 2-5. Outside: half of 2-5 at 1, of 1-4 at 5.
    assert_eq!(chains.closed, [0.0, 1.0, 3.0, 4.0, 3.0, 1.0]);
}

#[test]
fn theta_has_parallel_chains_and_a_plain_edge() {
    // 0 and 1 joined by an edge, by 2, and by 3-4-5-6.
    let edges = [
        (0, 1),
        (0, 2),
        (2, 1),
        (0, 3),
        (3, 4),
        (4, 5),
        (5, 6),
        (6, 1),
    ];
    let chains = contracted(&csr(7, &edges));
    assert_eq!(chains.junctions, [0, 1]);
    assert_eq!(chains.chain_from, [0, 0, 0]);
    assert_eq!(chains.chain_to, [1, 1, 1]);
    assert_eq!(chains.chain_length, [1, 2, 5]);
    assert_eq!(chains.chain_first, [0, 0, 1, 5]);
    assert_eq!(chains.interior, [2, 3, 4, 5, 6]);
    assert_eq!(chains.end_offsets, [0, 3, 6]);
    assert_eq!(chains.end_target, [1, 1, 1, 0, 0, 0]);
    assert_eq!(chains.end_length, [1, 2, 5, 1, 2, 5]);
    assert_eq!(chains.end_chain, [0, 1, 2, 0, 1, 2]);
    assert_eq!(chains.end_side, [0, 0, 0, 1, 1, 1]);
    assert_eq!(chains.prefix_weight, [0, 1, 2, 3, 4, 5]);
    // 3 to 6 is three edges either way, one path each: half of two ordered pairs, halved.
    assert_eq!(chains.end_round, [0.0, 0.0, 0.5, 0.0, 0.0, 0.5]);
    // Both ways 3-5 and 4-6 are direct, and half of 3-6.
    assert_eq!(chains.closed[4..6], [3.0, 3.0]);
    assert_eq!(chains.component_chains, [1, 2]);
    assert!(chains.uniform);
}

#[test]
fn walks_cover_every_vertex_once() {
    // A cycle, and a vertex with a loop and two leaves.
    let edges = [
        (0, 1),
        (1, 2),
        (2, 0),
        (3, 4),
        (4, 5),
        (5, 6),
        (6, 3),
        (3, 7),
        (3, 8),
    ];
    let chains = contracted(&csr(9, &edges));
    assert_eq!(chains.junctions, [0, 3, 7, 8]);
    assert_eq!(chains.interior, [1, 2, 4, 5, 6]);
    assert_eq!(chains.chain_from, [0, 1, 1, 1]);
    assert_eq!(chains.chain_to, [0, 1, 2, 3]);
    assert_eq!(chains.component, [0, 1, 1, 1]);
    assert_eq!(chains.component_junctions, [0, 1, 2, 3]);
    assert_eq!(chains.component_chain_offsets, [0, 1, 2]);
    assert_eq!(chains.junction(3), Some(1));
    assert_eq!(chains.junction(4), None);

    let none = contracted(&Csr::empty(0));
    assert!(none.is_empty() && none.roots().is_empty());
    assert_eq!(contracted(&Csr::empty(3)).len(), 3);
}

#[test]
fn components_without_sources_need_no_search() {
    let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
    let graph = csr(6, &edges);
    let chains = Chains::new(&graph, &[0, 0, 0, 0, 2, 0], &[1.0, 1.0, 1.0, 1.0, 2.0, 1.0]);
    assert!(!chains.uniform);
    let roots = chains.roots();
    assert_eq!(roots.len(), 1);
    assert_eq!((roots[0].vertex, roots[0].sources), (3, 0));
}
