//! Computes closed forms for chains of diamonds, whose path counts double with each diamond. Joint
//! i of `count` + 1 is vertex 3 i. Vertices 3 i + 1 and 3 i + 2 are adjacent to joints i and i + 1.

use brandes::graph::{Graph, generate};

use super::weighted::Weighted;

/// Returns the scores of all vertices. Of the pairs that a diamond separates, half pass through
/// each vertex between its joints; the pair of these two vertices passes half through each joint.
pub fn scores(count: usize) -> Vec<f64> {
    let score = |v: usize| {
        let i = v / 3;
        if v.is_multiple_of(3) {
            let diamonds = usize::from(i > 0) + usize::from(i < count);
            (3 * i * 3 * (count - i)) as f64 + diamonds as f64 / 2.0
        } else {
            let [before, after] = sides(count, i);
            before * after / 2.0
        }
    };
    (0..=3 * count).map(score).collect()
}

/// Returns the scores of all vertices if the joint at one end is the only source, so that
/// each pair counts half.
pub fn scores_from_end(count: usize) -> Vec<f64> {
    let score = |v: usize| match v / 3 {
        0 if v == 0 => 0.0,
        i if v.is_multiple_of(3) => (3 * (count - i)) as f64 / 2.0,
        i => sides(count, i)[1] / 4.0,
    };
    (0..=3 * count).map(score).collect()
}

/// Returns the scores of all edges, in the order of [`Graph::for_each_edge`].
pub fn edge_scores(count: usize) -> Vec<f64> {
    let mut scores = Vec::new();
    chain(count).for_each_edge(|tail, head| {
        // The inner vertex reaches all vertices on the side of the joint through this edge, and the
        // other inner vertex by one of two paths.
        let [before, after] = sides(count, tail.min(head) as usize / 3);
        let here = if tail.min(head).is_multiple_of(3) {
            before
        } else {
            after
        };
        scores.push(before * after / 2.0 + here + 0.5);
    });
    scores
}

/// Returns the numbers of vertices before and after the two between joints `i` and `i` + 1.
fn sides(count: usize, i: usize) -> [f64; 2] {
    [(3 * i + 1) as f64, (3 * (count - i - 1) + 1) as f64]
}

/// Returns a row of joints with `widths[i]` vertices between joints i and i + 1. The number of paths
/// from end to end is the product of the widths. The first joint is vertex 0.
pub fn stages(widths: &[u32]) -> Graph {
    let (mut joint, mut next) = (0, 1);
    let mut edges = Vec::new();
    for &width in widths {
        let end = next + width;
        edges.extend((next..end).flat_map(|v| [(joint, v), (v, end)]));
        (joint, next) = (end, end + 1);
    }
    super::graph(next as usize, &edges, false)
}

pub fn chain(count: usize) -> Graph {
    generate::diamonds(count as u32).unwrap()
}

/// Returns the chain with lengths from 1 to 7 that are equal within each diamond, so that the
/// shortest paths are the same.
pub fn weighted(count: usize) -> Weighted {
    let mut edges = Vec::new();
    for i in 0..count {
        let (joint, next, length) = (3 * i, 3 * i + 3, 1 + (i % 7) as u32);
        for between in [joint + 1, joint + 2] {
            edges.push((joint, between, length));
            edges.push((between, next, length));
        }
    }
    Weighted {
        vertices: 3 * count + 1,
        edges,
        directed: false,
    }
}
