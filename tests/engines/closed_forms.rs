//! Tests CPU workers on graphs whose scores have a closed form.

use crate::common::{Setup, assert_close};
use brandes::graph::generate;

#[test]
fn graphs_of_every_size_have_their_closed_form() {
    let mut cases = vec![(generate::complete(12), vec![0.0; 12])];
    for n in [1u32, 2, 3, 4, 17, 100] {
        let through = |i| f64::from(i) * f64::from(n - 1 - i);
        cases.push((generate::path(n), (0..n).map(through).collect()));
    }
    for n in [3u32, 4, 50] {
        let leaves = f64::from(n - 1);
        let mut scores = vec![0.0; n as usize];
        scores[0] = leaves * (leaves - 1.0) / 2.0;
        cases.push((generate::star(n), scores));
    }
    for n in [3u32, 4, 5, 6, 31, 32] {
        let size = f64::from(n);
        let odd = f64::from(n % 2);
        let each = (size - 2.0 + odd) * (size - 2.0 - odd) / 8.0;
        cases.push((generate::cycle(n), vec![each; n as usize]));
    }
    let (a, b) = (4.0, 7.0);
    let mut scores = vec![b * (b - 1.0) / 2.0 / a; 4];
    scores.extend([a * (a - 1.0) / 2.0 / b; 7]);
    cases.push((generate::complete_bipartite(4, 7), scores));
    for (graph, expected) in cases {
        let graph = graph.unwrap();
        for fold in [true, false] {
            let scores = Setup::cpu(2).fold(fold).scores(&graph);
            assert_close(&scores, &expected, 1e-12);
        }
    }
}

#[test]
fn a_tree_needs_no_search() {
    let tree = generate::random_tree(300, 9).unwrap();
    let (scores, outcome) = Setup::cpu(1).outcome(&tree);
    assert!(outcome.workers.is_empty());
    assert_close(&scores, &Setup::cpu(1).fold(false).scores(&tree), 1e-12);
}
