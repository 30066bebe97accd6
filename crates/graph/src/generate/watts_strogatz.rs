//! Watts–Strogatz: a ring with shortcuts, clustered and yet with small distances.

use rand::RngExt;
use rustc_hash::FxHashSet;

use super::super::{Graph, Vertex};
use super::{GenerateError, check, finish, list_for, random};

/// Generates a ring of `n` vertices, each joined to the `k` nearest, and moves the far end of each
/// edge to a random vertex with chance `p`.
///
/// It has `n * k / 2` edges and need not be connected. A move never makes a self-loop or a
/// repeat; an edge stays where it is when its first end is joined to all others already.
///
/// # Errors
/// `k` odd or not below `n`, `p` not between 0 and 1, or too large a graph.
pub fn watts_strogatz(n: u32, k: u32, p: f64, seed: u64) -> Result<Graph, GenerateError> {
    const NAME: &str = "watts_strogatz";
    check((0.0..=1.0).contains(&p), NAME, "p", p, "0 to 1")?;
    let allowed = format!("an even number below n = {n}");
    check(k.is_multiple_of(2) && k < n.max(1), NAME, "k", k, allowed)?;
    let (vertices, half) = (u64::from(n), k / 2);
    let count = vertices * u64::from(half);
    let mut edges = list_for(NAME, vertices, count)?;
    let ring = |v: Vertex, step: u32| ((u64::from(v) + u64::from(step)) % vertices) as Vertex;
    let key = |a: Vertex, b: Vertex| u64::from(a.min(b)) << 32 | u64::from(a.max(b));

    let mut present = FxHashSet::default();
    present.reserve(count as usize);
    for step in 1..=half {
        present.extend((0..n).map(|v| key(v, ring(v, step))));
    }
    let mut degrees = vec![k; n as usize];
    let mut rng = random(seed);
    for step in 1..=half {
        for near in 0..n {
            let far = ring(near, step);
            if !rng.random_bool(p) || degrees[near as usize] == n - 1 {
                edges.push(near, far);
                continue;
            }
            let moved = loop {
                let candidate = rng.random_range(0..n);
                if candidate != near && present.insert(key(near, candidate)) {
                    break candidate;
                }
            };
            present.remove(&key(near, far));
            degrees[far as usize] -= 1;
            degrees[moved as usize] += 1;
            edges.push(near, moved);
        }
    }
    finish(edges, vertices)
}
