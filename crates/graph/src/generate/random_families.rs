//! Random families of graphs.

use std::iter;

use rand::{Rng, RngExt};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::super::{EdgeList, Graph, Vertex};
use super::shapes::{all_pairs, grid_edges};
use super::{GenerateError, built, check, check_size, finish, list_for, random};

/// Generates a random graph of `n` vertices and exactly `m` edges, the G(n, m) model of Erdős and
/// Rényi: every such graph is equally likely.
///
/// # Errors
/// `m` over `n * (n - 1) / 2`, or too large a graph.
pub fn erdos_renyi(n: u32, m: u64, seed: u64) -> Result<Graph, GenerateError> {
    let vertices = u64::from(n);
    let pairs = vertices * vertices.saturating_sub(1) / 2;
    let allowed = format!("0 to n * (n - 1) / 2 = {pairs}");
    check(m <= pairs, "erdos_renyi", "m", m, allowed)?;
    check_size("erdos_renyi", vertices, m, false)?;
    let mut rng = random(seed);
    if m <= pairs / 2 {
        return finish(distinct_pairs(n, m, &mut rng), vertices);
    }
    // If most pairs are edges, it is faster to draw the other pairs.
    let absent = distinct_pairs(n, pairs - m, &mut rng);
    let mut absent = absent.into_iter().peekable();
    let edges = all_pairs(n).filter(|pair| absent.next_if_eq(pair).is_none());
    finish(edges.collect::<Vec<_>>(), vertices)
}

/// Draws `count` distinct pairs `low < high` of the vertices `0..n`, and returns them sorted. Needs
/// `n > 1` when `count` is not 0, and takes long when `count` is close to the number of pairs.
///
/// Each round draws as many pairs as are missing, which gives the same set as drawing one at a time
/// and ignoring repeats. Sorting finds the repeats in less memory than a hash set.
fn distinct_pairs(n: u32, count: u64, rng: &mut impl Rng) -> Vec<[Vertex; 2]> {
    let mut pairs = Vec::with_capacity(count as usize);
    while (pairs.len() as u64) < count {
        for _ in pairs.len() as u64..count {
            let one = rng.random_range(0..n);
            // Skipping `one` makes each of the other vertices equally likely.
            let other = rng.random_range(0..n - 1);
            let other = other + u32::from(other >= one);
            pairs.push([one.min(other), one.max(other)]);
        }
        pairs.par_sort_unstable();
        pairs.dedup();
    }
    pairs
}

/// Grows a graph of `n` vertices from a star of `m_per_vertex + 1` vertices: each later vertex is
/// joined to `m_per_vertex` others, chosen with chances in proportion to their degrees.
///
/// The graph is that of Barabási and Albert; its degrees have a power-law tail. It is connected and
/// has `m_per_vertex * (n - m_per_vertex)` edges. If `n` is 0, it is empty.
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
    // The list has each vertex once per edge, so a uniform choice from it is a choice by degree.
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

/// Generates a ring of `n` vertices, each joined to the `k` nearest, and moves the far end of each
/// edge to a random vertex with chance `p`.
///
/// The graph is that of Watts and Strogatz: clustered, with small distances. It has `n * k / 2`
/// edges and need not be connected. A move never makes a self-loop or a repeat; an edge stays where
/// it is when its first end is joined to all others already.
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

/// The number of edges drawn from one random stream. Another number would give other graphs.
const EDGES_PER_STREAM: usize = 1 << 16;

/// Generates an R-MAT graph of `2^scale` vertices from `edge_factor * 2^scale` random edges. Like
/// social networks, it has skewed degrees and small distances (Chakrabarti, Zhan and Faloutsos,
/// 2004; the Graph500 benchmark has the chances 0.57, 0.19 and 0.19).
///
/// Each edge descends `scale` times into a quadrant of the adjacency matrix, with the chances
/// `a`, `b`, `c` and `1 - a - b - c`. Self-loops and repeats are dropped, so the graph has fewer
/// edges than were drawn ([`Graph::simplified`] tells how many); vertices without edges stay.
/// Hubs have low numbers: vertices are not shuffled.
///
/// # Errors
/// `scale` over 31, more than 2^32 - 1 edges drawn, or chances below 0 or with a sum over 1.
pub fn rmat(
    scale: u32,
    edge_factor: u32,
    a: f64,
    b: f64,
    c: f64,
    seed: u64,
) -> Result<Graph, GenerateError> {
    check(scale <= 31, "rmat", "scale", scale, "0 to 31")?;
    // Rounding may lift a sum of 1 slightly above 1.
    let sum = a + b + c;
    let within = a >= 0.0 && b >= 0.0 && c >= 0.0 && sum <= 1.0 + 1e-9;
    let chances = format!("{a}, {b}, {c}");
    let allowed = "chances from 0 whose sum is at most 1";
    check(within, "rmat", "a, b, c", chances, allowed)?;
    let (vertices, drawn) = (1u64 << scale, u64::from(edge_factor) << scale);
    check_size("rmat", vertices, drawn, true)?;
    let bounds = [a, a + b, sum].map(|share| (share.min(1.0) * (1u64 << 32) as f64) as u64);
    let mut edges = vec![[0; 2]; drawn as usize];
    let chunks = edges.par_chunks_mut(EDGES_PER_STREAM).enumerate();
    chunks.for_each(|(stream, chunk)| {
        let mut rng = random(seed ^ (stream as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        chunk.fill_with(|| draw(scale, bounds, &mut rng));
    });
    finish(edges, vertices)
}

/// Draws one edge. `bounds` cut the 32-bit numbers into the four quadrants.
fn draw(scale: u32, bounds: [u64; 3], rng: &mut impl Rng) -> [u32; 2] {
    let [mut tail, mut head] = [0; 2];
    for _ in 0..scale {
        let number = u64::from(rng.next_u32());
        let (down, last) = (number >= bounds[1], number >= bounds[2]);
        let right = (number >= bounds[0] && !down) || last;
        tail = tail << 1 | u32::from(down);
        head = head << 1 | u32::from(right);
    }
    [tail, head]
}

/// Generates a grid of `rows * cols` vertices, each joined to its neighbours left, right, above and
/// below, with a share `drop` of the edges left out at random. Vertex `r * cols + c` is in row `r`
/// and column `c`; all vertices stay.
///
/// As in street plans, distances are large, and many paths are equally short.
///
/// A full grid has `total = rows * (cols - 1) + cols * (rows - 1)` edges. The graph keeps
/// `total - round(drop * total)` of them, and each choice is equally likely.
///
/// # Errors
/// `drop` not between 0 and 1, or too large a graph.
pub fn grid(rows: u32, cols: u32, drop: f64, seed: u64) -> Result<Graph, GenerateError> {
    check((0.0..=1.0).contains(&drop), "grid", "drop", drop, "0 to 1")?;
    let vertices = u64::from(rows) * u64::from(cols);
    // At most two edges for each vertex: one to the right, one downwards. Saturated numbers are
    // refused below, like all numbers that are too large.
    let total = (2 * u128::from(vertices))
        .saturating_sub(u128::from(rows) + u128::from(cols))
        .min(u128::from(u64::MAX)) as u64;
    let kept = total.saturating_sub((drop * total as f64).round() as u64);
    let mut rng = random(seed);
    // Selection sampling: an edge is kept with chance (still wanted) / (still to come).
    let (mut wanted, mut coming) = (kept, total);
    let mut keep = || {
        let keep = rng.random_range(0..coming) < wanted;
        coming -= 1;
        wanted -= u64::from(keep);
        keep
    };
    let edges = grid_edges(rows, cols).filter(|_| keep());
    built("grid", vertices, kept, edges)
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
    // Each labelled tree corresponds to a sequence of n - 2 vertices (Prüfer 1918), in which a
    // vertex of degree d occurs d - 1 times.
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
