//! Trees, which have exactly one path between any two vertices.

use rand::RngExt;

use super::super::{Graph, Vertex};
use super::{GenerateError, built, check, finish, list_for, random};

/// Generates a complete binary tree of `2^(depth + 1) - 1` vertices and one edge fewer. Vertex 0 is
/// the root, and the children of `v` are `2v + 1` and `2v + 2`.
///
/// # Errors
/// `depth` over 29, or too large a graph.
pub fn binary_tree(depth: u32) -> Result<Graph, GenerateError> {
    check(depth <= 29, "binary_tree", "depth", depth, "0 to 29")?;
    let vertices = (1u32 << (depth + 1)) - 1;
    let edges = (1..vertices).map(|child| ((child - 1) / 2, child));
    built("binary_tree", vertices, vertices - 1, edges)
}

/// Generates a random tree of `n` vertices and `n - 1` edges; each of the `n^(n - 2)` labelled
/// trees is equally likely. No edges for `n = 0`.
///
/// # Errors
/// Too large a graph.
pub fn random_tree(n: u32, seed: u64) -> Result<Graph, GenerateError> {
    let mut edges = list_for("random_tree", n.into(), n.saturating_sub(1).into())?;
    if n < 2 {
        return finish(edges, n.into());
    }
    // Trees are one to one with the sequences of n - 2 vertices (Prüfer 1918): a vertex is in the
    // sequence once less than its degree.
    let mut rng = random(seed);
    let sequence: Vec<Vertex> = (2..n).map(|_| rng.random_range(0..n)).collect();
    let mut degrees = vec![1u32; n as usize];
    for &v in &sequence {
        degrees[v as usize] += 1;
    }
    // Each step of decoding removes the smallest leaf. The scan for leaves only moves up: a vertex
    // below `unseen` that becomes a leaf is the smallest one, and is removed in the next step.
    let mut unseen = 0..n;
    let mut new_leaf = None;
    // The last vertex is never the smallest leaf, so it is the other end of the last edge.
    for &v in sequence.iter().chain(&[n - 1]) {
        let next = || unseen.find(|&leaf| degrees[leaf as usize] == 1);
        let Some(leaf) = new_leaf.or_else(next) else {
            break;
        };
        edges.push(leaf, v);
        degrees[v as usize] -= 1;
        new_leaf = (v < unseen.start && degrees[v as usize] == 1).then_some(v);
    }
    finish(edges, n.into())
}
