//! Fixed shapes, for which scores can be computed by hand.

use super::super::{Graph, Vertex};
use super::{GenerateError, built, check};

/// Generates the path 0 - 1 - ... of `n` vertices and `n - 1` edges; no edges for `n = 0`.
///
/// # Errors
/// Too large a graph.
pub fn path(n: u32) -> Result<Graph, GenerateError> {
    let count = n.saturating_sub(1);
    built("path", n, count, (0..count).map(|v| [v, v + 1]))
}

/// Generates a cycle of `n` vertices and `n` edges.
///
/// # Errors
/// `n` is 1 or 2, or too large a graph.
pub fn cycle(n: u32) -> Result<Graph, GenerateError> {
    check(!matches!(n, 1 | 2), "cycle", "n", n, "0, or at least 3")?;
    built("cycle", n, n, (0..n).map(|v| [v, (v + 1) % n]))
}

/// Generates a star of `n` vertices: vertex 0 is joined to the others.
///
/// # Errors
/// Too large a graph.
pub fn star(n: u32) -> Result<Graph, GenerateError> {
    let count = n.saturating_sub(1);
    built("star", n, count, (1..n).map(|leaf| [0, leaf]))
}

/// Generates the complete graph of `n` vertices and `n * (n - 1) / 2` edges.
///
/// # Errors
/// Too large a graph.
pub fn complete(n: u32) -> Result<Graph, GenerateError> {
    let vertices = u64::from(n);
    let count = vertices * vertices.saturating_sub(1) / 2;
    built("complete", vertices, count, all_pairs(n))
}

/// Returns all pairs of the vertices `0..n`, the smaller one first, in ascending order.
pub(super) fn all_pairs(n: u32) -> impl Iterator<Item = [Vertex; 2]> {
    (0..n).flat_map(move |low| (low + 1..n).map(move |high| [low, high]))
}

/// Returns the edges of a grid: each vertex is joined to the next one in its row and to the one
/// below it. Vertex `r * columns + c` is in row `r` and column `c`.
pub(super) fn grid_edges(rows: u32, columns: u32) -> impl Iterator<Item = [Vertex; 2]> {
    let places = (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
    places.flat_map(move |(row, column)| {
        let v = row * columns + column;
        let right = (column + 1 < columns).then(|| [v, v + 1]);
        let below = (row + 1 < rows).then(|| [v, v + columns]);
        right.into_iter().chain(below)
    })
}

/// Generates a complete bipartite graph: each of the vertices `0..a` is joined to each of
/// `a..a + b`, which makes `a * b` edges.
///
/// # Errors
/// Too large a graph.
pub fn complete_bipartite(a: u32, b: u32) -> Result<Graph, GenerateError> {
    let (left, right) = (u64::from(a), u64::from(b));
    let edges = (0..a).flat_map(|v| (a..a + b).map(move |u| [v, u]));
    built("complete_bipartite", left + right, left * right, edges)
}

/// Generates a chain of `k` diamonds: `3k + 1` vertices, `4k` edges and `2^k` shortest paths from
/// end to end.
///
/// Diamond `i` goes from vertex `3i` over `3i + 1` or `3i + 2` to `3i + 3`.
///
/// # Errors
/// Too large a graph.
pub fn diamonds(k: u32) -> Result<Graph, GenerateError> {
    let (vertices, count) = (3 * u64::from(k) + 1, 4 * u64::from(k));
    let edges = (0..k).map(|i| 3 * i).flat_map(|start| {
        let by = |middle| [[start, middle], [middle, start + 3]];
        by(start + 1).into_iter().chain(by(start + 2))
    });
    built("diamonds", vertices, count, edges)
}
