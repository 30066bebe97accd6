//! R-MAT: skewed degrees and small distances, as in social networks (Chakrabarti, Zhan and
//! Faloutsos 2004; the parameters are those of the Graph500 benchmark).

use rand::Rng;
use rayon::prelude::*;

use super::super::{EdgeList, Graph};
use super::{GenerateError, check, finish, random};

/// Default chance that both ends fall in the lower half.
pub const RMAT_A: f64 = 0.57;
/// Default chance that the tail falls in the lower half and the head in the upper half.
pub const RMAT_B: f64 = 0.19;
/// Default chance that the tail falls in the upper half and the head in the lower half.
pub const RMAT_C: f64 = 0.19;

/// The number of edges drawn from one random stream. Another number would give other graphs.
const EDGES_PER_STREAM: usize = 1 << 16;

/// Generates an R-MAT graph of `2^scale` vertices from `edge_factor * 2^scale` random edges.
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
    // Rounding may push a sum of one slightly over it.
    let sum = a + b + c;
    let within = a >= 0.0 && b >= 0.0 && c >= 0.0 && sum <= 1.0 + 1e-9;
    let chances = format!("{a}, {b}, {c}");
    let allowed = "chances from 0 whose sum is at most 1";
    check(within, "rmat", "a, b, c", chances, allowed)?;
    let (vertices, drawn) = (1u64 << scale, u64::from(edge_factor) << scale);
    if drawn > u64::from(u32::MAX) {
        return Err(GenerateError::TooLarge {
            generator: "rmat",
            vertices,
            edges: drawn,
        });
    }
    let bounds = [a, a + b, sum].map(|share| (share.min(1.0) * TWO_POW_32) as u64);
    let mut edges = vec![[0; 2]; drawn as usize];
    edges
        .par_chunks_mut(EDGES_PER_STREAM)
        .enumerate()
        .for_each(|(stream, chunk)| {
            let mut rng = random(seed ^ (stream as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            for edge in chunk {
                *edge = draw(scale, bounds, &mut rng);
            }
        });
    finish(EdgeList::from(edges), vertices)
}

const TWO_POW_32: f64 = 4_294_967_296.0;

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
