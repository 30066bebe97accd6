//! Road networks: planar graphs of streets with bends, with lengths that fit the positions.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::super::weights::{Weight, WeightIs};
use super::super::{EdgeList, Graph, Vertex};
use super::shapes::grid_edges;
use super::{GenerateError, check, finish, list_for, random};

/// Default share of the streets that are left out. With [`ROAD_BENDS`] the mean degree is 2.5.
pub const ROAD_DROP: f64 = 0.25;
/// Default mean number of bends in a street.
pub const ROAD_BENDS: f64 = 0.7;

/// The distance of neighbouring crossings before they are shifted.
const BLOCK: u32 = 100;
/// The largest shift of a crossing in each direction. Streets do not cross as long as this is less
/// than half a block: each then keeps to the strip between its own crossings.
const SHIFT: u32 = 40;

/// A road network and the positions of its vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Road {
    /// The graph. The length of an edge is the distance of its ends, rounded, and at least 1.
    pub graph: Graph,
    /// The position `[x, y]` of each vertex. Straight lines between the ends of streets do not
    /// cross, and bends are on these lines, up to rounding.
    pub positions: Vec<[u32; 2]>,
    /// The number of crossings, which are the first vertices. The other vertices are bends.
    pub crossings: u32,
}

/// Generates a connected, planar graph of `n` vertices: crossings near the points of a square grid,
/// joined by straight streets, and `bends` vertices of degree 2 in each street on average.
///
/// A share `drop` of the streets is left out at random, as far as the graph stays connected. The
/// numbers of bends are distributed geometrically: each way to distribute them over the streets is
/// equally likely. Crossings come first, row by row, then the bends, street by street.
///
/// # Errors
/// `drop` not between 0 and 1, `bends` negative or infinite, or too large a graph.
pub fn road(n: u32, drop: f64, bends: f64, seed: u64) -> Result<Road, GenerateError> {
    const NAME: &str = "road";
    check((0.0..=1.0).contains(&drop), NAME, "drop", drop, "0 to 1")?;
    let within = (0.0..f64::INFINITY).contains(&bends);
    check(within, NAME, "bends", bends, "a number from 0")?;

    // There are about two streets for each crossing, or one where only a tree is left.
    let streets_each = (2.0 * (1.0 - drop)).max(1.0);
    let crossings = (f64::from(n) / (1.0 + bends * streets_each)) as u32;
    let crossings = crossings.max(n.min(2));
    let rows = crossings.isqrt();
    let columns = crossings.checked_div(rows).unwrap_or(0);
    let crossings = rows * columns;

    let total = 2 * u64::from(crossings) - u64::from(rows) - u64::from(columns);
    let kept = total - (drop * total as f64).round() as u64;
    let kept = kept.max(u64::from(crossings).saturating_sub(1));
    let mut bends_left = n - crossings;
    let mut edges = list_for(NAME, n.into(), kept + u64::from(bends_left))?;
    edges.meaning = Some(WeightIs::Length);

    let mut rng = random(seed);
    let streets = streets((rows, columns), kept as usize, &mut rng);
    let mut positions = Vec::with_capacity(n as usize);
    let mut shifted = |at: u32| at * BLOCK + rng.random_range(0..=2 * SHIFT);
    for row in 0..rows {
        positions.extend((0..columns).map(|column| [shifted(column), shifted(row)]));
    }
    for (later, &street) in (0..streets.len() as u64).rev().zip(&streets) {
        let bends = draw_bends(&mut bends_left, later, &mut rng);
        add_street(street, bends, &mut positions, &mut edges);
    }
    let graph = finish(edges, n.into())?;
    Ok(Road {
        graph,
        positions,
        crossings,
    })
}

/// Returns `kept` streets of a grid of `rows` and `columns`, sorted: a random tree that connects
/// all crossings, and other random streets.
fn streets((rows, columns): (u32, u32), kept: usize, rng: &mut impl Rng) -> Vec<[Vertex; 2]> {
    let crossings = rows * columns;
    let mut streets: Vec<[Vertex; 2]> = grid_edges(rows, columns).collect();
    streets.shuffle(rng);
    let mut spare = kept - crossings.saturating_sub(1) as usize;
    let mut parents: Vec<Vertex> = (0..crossings).collect();
    streets.retain(|street| {
        let [one, other] = street.map(|v| root(&mut parents, v));
        parents[one as usize] = other;
        let keeps = one != other || spare > 0;
        spare -= usize::from(keeps && one == other);
        keeps
    });
    streets.sort_unstable();
    streets
}

/// Returns the root of the tree of `v` and halves the path to it.
fn root(parents: &mut [Vertex], mut v: Vertex) -> Vertex {
    while parents[v as usize] != v {
        let above = parents[parents[v as usize] as usize];
        parents[v as usize] = above;
        v = above;
    }
    v
}

/// Draws the number of bends of a street from those left for it and the `later` streets.
fn draw_bends(left: &mut u32, later: u64, rng: &mut impl Rng) -> u32 {
    let before = *left;
    while *left > 0 && rng.random_range(0..u64::from(*left) + later) >= later {
        *left -= 1;
    }
    before - *left
}

/// Adds the edges of a street, and positions for its bends, which get the next free numbers.
fn add_street(
    [start, end]: [Vertex; 2],
    bends: u32,
    positions: &mut Vec<[u32; 2]>,
    edges: &mut EdgeList,
) {
    let [from, to] = [start, end].map(|v| positions[v as usize].map(f64::from));
    let first = positions.len() as Vertex;
    positions.extend((1..=bends).map(|bend| {
        let part = f64::from(bend) / f64::from(bends + 1);
        let between = [0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis]));
        between.map(|place| place.round() as u32)
    }));
    let mut tail = start;
    for head in (first..first + bends).chain([end]) {
        let [from, to] = [tail, head].map(|v| positions[v as usize].map(f64::from));
        let length = (to[0] - from[0]).hypot(to[1] - from[1]).round();
        let length = Weight::decimal((length as u64).max(1), 0);
        edges.push_weighted(tail, head, Some(length));
        tail = head;
    }
}
