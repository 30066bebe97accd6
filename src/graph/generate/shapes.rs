//! Fixed shapes, for which scores can be worked out by hand.

use super::super::Graph;
use super::{GenerateError, finish, list_for, not_allowed};

/// Path 0 - 1 - ... of `n` vertices and `n - 1` edges; none of either for `n = 0`.
///
/// # Errors
/// Too large a graph.
pub fn path(n: u32) -> Result<Graph, GenerateError> {
    let count = n.saturating_sub(1);
    let mut edges = list_for("path", n.into(), count.into())?;
    for v in 0..count {
        edges.push(v, v + 1);
    }
    finish(edges, n.into())
}

/// Cycle of `n` vertices and `n` edges; none of either for `n = 0`.
///
/// # Errors
/// `n` is 1 or 2, or too large a graph.
pub fn cycle(n: u32) -> Result<Graph, GenerateError> {
    if matches!(n, 1 | 2) {
        return Err(not_allowed("cycle", "n", n, "0, or at least 3"));
    }
    let mut edges = list_for("cycle", n.into(), n.into())?;
    for v in 0..n {
        edges.push(v, (v + 1) % n);
    }
    finish(edges, n.into())
}

/// Star of `n` vertices: vertex 0 is joined to the `n - 1` others; no edges for `n = 0`.
///
/// # Errors
/// Too large a graph.
pub fn star(n: u32) -> Result<Graph, GenerateError> {
    let mut edges = list_for("star", n.into(), n.saturating_sub(1).into())?;
    for leaf in 1..n {
        edges.push(0, leaf);
    }
    finish(edges, n.into())
}

/// Complete graph of `n` vertices and `n * (n - 1) / 2` edges.
///
/// # Errors
/// Too large a graph.
pub fn complete(n: u32) -> Result<Graph, GenerateError> {
    let vertices = u64::from(n);
    let count = vertices * vertices.saturating_sub(1) / 2;
    let mut edges = list_for("complete", vertices, count)?;
    for low in 0..n {
        for high in low + 1..n {
            edges.push(low, high);
        }
    }
    finish(edges, vertices)
}

/// Complete bipartite graph: each of the vertices `0..a` is joined to each of `a..a + b`, which
/// makes `a * b` edges.
///
/// # Errors
/// Too large a graph.
pub fn complete_bipartite(a: u32, b: u32) -> Result<Graph, GenerateError> {
    let (left, right) = (u64::from(a), u64::from(b));
    let mut edges = list_for("complete_bipartite", left + right, left * right)?;
    for v in 0..a {
        for u in a..a + b {
            edges.push(v, u);
        }
    }
    finish(edges, left + right)
}

/// Chain of `k` diamonds: `3k + 1` vertices, `4k` edges and `2^k` shortest paths from end to end.
///
/// Diamond `i` goes from vertex `3i` over `3i + 1` or `3i + 2` to `3i + 3`.
///
/// # Errors
/// Too large a graph.
pub fn diamonds(k: u32) -> Result<Graph, GenerateError> {
    let (vertices, count) = (3 * u64::from(k) + 1, 4 * u64::from(k));
    let mut edges = list_for("diamonds", vertices, count)?;
    for i in 0..k {
        let start = 3 * i;
        for middle in [start + 1, start + 2] {
            edges.push(start, middle);
            edges.push(middle, start + 3);
        }
    }
    finish(edges, vertices)
}
