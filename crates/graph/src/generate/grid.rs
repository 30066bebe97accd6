//! Grids with gaps: large distances and many equally short paths, as in street plans.

use rand::RngExt;

use super::super::Graph;
use super::{GenerateError, check, finish, list_for, random};

/// Generates a grid of `rows * cols` vertices, each joined to its neighbours left, right, above and
/// below, with a share `drop` of the edges left out at random. Vertex `r * cols + c` is in row `r`
/// and column `c`; all vertices stay.
///
/// A full grid has `total = rows * (cols - 1) + cols * (rows - 1)` edges. The graph keeps
/// `total - round(drop * total)` of them, and each choice is equally likely.
///
/// # Errors
/// `drop` not between 0 and 1, or too large a graph.
pub fn grid(rows: u32, cols: u32, drop: f64, seed: u64) -> Result<Graph, GenerateError> {
    check((0.0..=1.0).contains(&drop), "grid", "drop", drop, "0 to 1")?;
    let vertices = u64::from(rows) * u64::from(cols);
    // At most two edges for each vertex: one to the right, one downwards. Saturation is refused
    // below like any other number that is too large.
    let total = (2 * u128::from(vertices))
        .saturating_sub(u128::from(rows) + u128::from(cols))
        .min(u128::from(u64::MAX)) as u64;
    let kept = total.saturating_sub((drop * total as f64).round() as u64);
    let mut edges = list_for("grid", vertices, kept)?;
    let mut rng = random(seed);
    // Selection sampling: an edge is kept with chance (still wanted) / (still to come).
    let (mut wanted, mut coming) = (kept, total);
    let mut keep = || {
        let keep = rng.random_range(0..coming) < wanted;
        coming -= 1;
        wanted -= u64::from(keep);
        keep
    };
    for row in 0..rows {
        for col in 0..cols {
            let vertex = row * cols + col;
            if col + 1 < cols && keep() {
                edges.push(vertex, vertex + 1);
            }
            if row + 1 < rows && keep() {
                edges.push(vertex, vertex + cols);
            }
        }
    }
    finish(edges, vertices)
}
