//! Barabási–Albert: new vertices prefer well-connected vertices, which gives a power-law tail.

use std::iter;

use rand::RngExt;

use super::super::{EdgeList, Graph, Vertex};
use super::{GenerateError, check, finish, list_for, random};

/// Grows a graph of `n` vertices from a star of `m_per_vertex + 1` vertices: each later vertex is
/// joined to `m_per_vertex` others, chosen with chances in proportion to their degrees.
///
/// It is connected and has `m_per_vertex * (n - m_per_vertex)` edges. If `n` is 0, it is empty.
///
/// # Errors
/// `m_per_vertex` not in `1..n`, or too large a graph.
pub fn barabasi_albert(n: u32, m_per_vertex: u32, seed: u64) -> Result<Graph, GenerateError> {
    let m = m_per_vertex;
    let vertices = u64::from(n);
    if n == 0 {
        return finish(EdgeList::default(), vertices);
    }
    let (within, allowed) = ((1..n).contains(&m), format!("1 to n - 1, with n = {n}"));
    check(within, "barabasi_albert", "m_per_vertex", m, allowed)?;
    let count = u64::from(m) * (vertices - u64::from(m));
    let mut edges = list_for("barabasi_albert", vertices, count)?;
    let mut rng = random(seed);
    // Every vertex is in here once per edge, so a uniform pick is a pick by degree.
    let mut ends: Vec<Vertex> = Vec::with_capacity(2 * count as usize);
    let mut chosen: Vec<Vertex> = (1..=m).collect();
    // The first round makes the star around vertex 0.
    for new in iter::once(0).chain(m + 1..n) {
        while chosen.len() < m as usize {
            let other = ends[rng.random_range(0..ends.len() as u64) as usize];
            if !chosen.contains(&other) {
                chosen.push(other);
            }
        }
        for other in chosen.drain(..) {
            edges.push(new, other);
            ends.extend([new, other]);
        }
    }
    finish(edges, vertices)
}
