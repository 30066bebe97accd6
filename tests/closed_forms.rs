//! Tests CPU workers on graphs whose scores have a closed form, and on small grids and trees against
//! brute force.

use crate::common::{Convention, Setup, assert_close, brute_force, diamonds, difference};
use brandes::graph::{Graph, generate};

/// Compares the scores of searches with and without folding with the expected ones.
fn check(graph: &Graph, expected: &[f64]) {
    for fold in [true, false] {
        assert_close(&Setup::cpu(2).fold(fold).scores(graph), expected, 1e-12);
    }
}

#[test]
fn path() {
    for n in [1u32, 2, 3, 4, 17, 100] {
        let expected: Vec<f64> = (0..n)
            .map(|i| f64::from(i) * f64::from(n - 1 - i))
            .collect();
        check(&generate::path(n).unwrap(), &expected);
    }
}

#[test]
fn star() {
    for n in [3u32, 4, 50] {
        let leaves = f64::from(n - 1);
        let mut expected = vec![0.0; n as usize];
        expected[0] = leaves * (leaves - 1.0) / 2.0;
        check(&generate::star(n).unwrap(), &expected);
    }
}

#[test]
fn cycle() {
    for n in [3u32, 4, 5, 6, 31, 32] {
        let size = f64::from(n);
        let each = if n % 2 == 1 {
            (size - 1.0) * (size - 3.0) / 8.0
        } else {
            (size - 2.0) * (size - 2.0) / 8.0
        };
        check(&generate::cycle(n).unwrap(), &vec![each; n as usize]);
    }
}

#[test]
fn complete() {
    check(&generate::complete(12).unwrap(), &[0.0; 12]);
}

#[test]
fn complete_bipartite() {
    let (a, b) = (4.0, 7.0);
    let mut expected = vec![b * (b - 1.0) / 2.0 / a; 4];
    expected.extend([a * (a - 1.0) / 2.0 / b; 7]);
    check(&generate::complete_bipartite(4, 7).unwrap(), &expected);
}

#[test]
fn small_grids_against_all_pairs() {
    for (rows, cols, drop) in [(1, 9, 0.0), (4, 5, 0.0), (6, 6, 0.0), (7, 7, 0.3)] {
        let grid = generate::grid(rows, cols, drop, 5).unwrap();
        check(&grid, &brute_force(&grid, Convention::default(), |_| true));
    }
}

#[test]
fn a_tree_needs_no_search() {
    let tree = generate::random_tree(300, 9).unwrap();
    let (scores, outcome) = Setup::cpu(1).outcome(&tree);
    assert!(outcome.workers.is_empty());
    assert_close(
        &scores,
        &brute_force(&tree, Convention::default(), |_| true),
        1e-12,
    );
}

#[test]
fn empty_graphs_have_empty_scores() {
    let none = crate::common::graph(0, &[], false);
    assert!(Setup::cpu(1).scores(&none).is_empty());
    let isolated = crate::common::graph(5, &[], false);
    assert_eq!(Setup::cpu(1).scores(&isolated), [0.0; 5]);
}

#[test]
fn chains_of_diamonds() {
    // 2^1100 shortest paths from end to end exceed the range of doubles.
    for count in [1, 2, 1000, 1100] {
        let (scores, outcome) = Setup::cpu(2).outcome(&diamonds::chain(count));
        assert!(difference(&scores, &diamonds::scores(count), 1e-3) <= 1e-9);
        assert_eq!(outcome.wide_roots() > 0, count == 1100);
    }
}
