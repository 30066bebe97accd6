//! Erdős–Rényi: every graph with n vertices and m edges is equally likely.

use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::super::{Graph, Vertex};
use super::{GenerateError, check, finish, list_for, random};

/// Generates a random graph of `n` vertices and exactly `m` edges, the G(n, m) model.
///
/// # Errors
/// `m` over `n * (n - 1) / 2`, or too large a graph.
pub fn erdos_renyi(n: u32, m: u64, seed: u64) -> Result<Graph, GenerateError> {
    let vertices = u64::from(n);
    let pairs = vertices * vertices.saturating_sub(1) / 2;
    let allowed = format!("0 to n * (n - 1) / 2 = {pairs}");
    check(m <= pairs, "erdos_renyi", "m", m, allowed)?;
    let mut edges = list_for("erdos_renyi", vertices, m)?;
    let mut rng = random(seed);
    if m <= pairs / 2 {
        for (low, high) in distinct_pairs(n, m, &mut rng) {
            edges.push(low, high);
        }
    } else {
        // If most pairs are edges, it is faster to draw the other pairs.
        let absent = distinct_pairs(n, pairs - m, &mut rng);
        let mut absent = absent.into_iter().peekable();
        for low in 0..n {
            for high in low + 1..n {
                if absent.next_if_eq(&(low, high)).is_none() {
                    edges.push(low, high);
                }
            }
        }
    }
    finish(edges, vertices)
}

/// Draws `count` distinct pairs `low < high` of the vertices `0..n`, and returns them sorted. Needs
/// `n > 1` when `count` is not 0, and takes long when `count` is close to the number of pairs.
///
/// Each round draws as many pairs as are missing, which gives the same set as drawing one at a time
/// and ignoring repeats. Sorting finds the repeats in less memory than a hash set.
fn distinct_pairs(n: u32, count: u64, rng: &mut impl Rng) -> Vec<(Vertex, Vertex)> {
    let mut pairs = Vec::with_capacity(count as usize);
    while (pairs.len() as u64) < count {
        for _ in pairs.len() as u64..count {
            let one = rng.random_range(0..n);
            // Skipping `one` makes each of the other vertices equally likely.
            let other = rng.random_range(0..n - 1);
            let other = other + u32::from(other >= one);
            pairs.push((one.min(other), one.max(other)));
        }
        pairs.par_sort_unstable();
        pairs.dedup();
    }
    pairs
}
