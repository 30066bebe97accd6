//! Lengths and multiplicities of overlay arcs.

use super::fill::Fill;
use super::overlay::{ABSENT, Direction, Hierarchy, arc_length};
use crate::graph::{Csr, Lengths, Vertex};
use crate::prepare::Prepared;

/// Makes the overlay of a graph: the arcs of the `fill` with lengths and multiplicities. Arcs
/// longer than the distance of their ends are removed, since they are on no shortest path.
pub(super) fn customized(
    prepared: &Prepared,
    fill: Fill,
    vertex: Vec<Vertex>,
    rank: Vec<u32>,
) -> Hierarchy {
    let mut up = input_arcs(&fill, &rank, &prepared.graph, prepared.lengths.as_ref());
    let reverse_lengths = prepared.reverse_lengths.as_ref();
    let reverse = prepared.reverse.as_ref();
    let mut down = reverse.map(|reverse| input_arcs(&fill, &rank, reverse, reverse_lengths));
    for v in 0..vertex.len() as u32 {
        each_triangle(&fill, v, |low, high, across| match &mut down {
            None => {
                let (length, paths) = through(&up, low, &up, high);
                relax(&mut up, across, length, paths);
            }
            Some(down) => {
                // Over v from its lower neighbour to its higher one, and back.
                let (length, paths) = through(down, low, &up, high);
                relax(&mut up, across, length, paths);
                let (length, paths) = through(down, high, &up, low);
                relax(down, across, length, paths);
            }
        });
    }
    let [rising, falling] = distances(&fill, &up, down.as_ref());
    let mut hierarchy = Hierarchy {
        vertex,
        rank,
        parent: Vec::new(),
        offsets: vec![0],
        heads: Vec::new(),
        up: Direction::default(),
        down: down.as_ref().map(|_| Direction::default()),
        filled: fill.heads.len(),
        most_paths: f64::INFINITY,
        spans: Vec::new(),
    };
    let is_tight = |arcs: &Direction, distances: &[u32], arc: usize| {
        arcs.lengths[arc] < ABSENT && arcs.lengths[arc] == distances[arc]
    };
    for v in 0..fill.parent.len() as u32 {
        for arc in fill.arcs_of(v) {
            let rises = is_tight(&up, &rising, arc);
            let falls = down
                .as_ref()
                .is_some_and(|down| is_tight(down, &falling, arc));
            if rises || falls {
                hierarchy.heads.push(fill.heads[arc]);
                push(&mut hierarchy.up, rises, &up, arc);
                if let Some((kept, down)) = hierarchy.down.as_mut().zip(down.as_ref()) {
                    push(kept, falls, down, arc);
                }
            }
        }
        hierarchy.offsets.push(hierarchy.heads.len() as u32);
    }
    hierarchy.parent = fill.parent;
    hierarchy
}

/// Adds an arc; its length is [`ABSENT`] unless it `exists` in this direction.
fn push(to: &mut Direction, exists: bool, from: &Direction, arc: usize) {
    to.lengths
        .push(if exists { from.lengths[arc] } else { ABSENT });
    to.paths.push(if exists { from.paths[arc] } else { 0.0 });
}

/// Returns the overlay arcs that the graph itself has, from lower to higher ranks.
fn input_arcs(fill: &Fill, rank: &[u32], graph: &Csr, lengths: Option<&Lengths>) -> Direction {
    let mut arcs = Direction {
        lengths: vec![ABSENT; fill.heads.len()],
        paths: vec![0.0; fill.heads.len()],
    };
    for v in 0..graph.vertices() as Vertex {
        let low = rank[v as usize];
        let row = fill.arcs_of(low);
        let first = graph.offsets()[v as usize] as usize;
        for (at, &u) in graph.neighbours(v).iter().enumerate() {
            let high = rank[u as usize];
            if high < low {
                continue;
            }
            let place = fill.heads[row.clone()].partition_point(|&head| head < high);
            arcs.lengths[row.start + place] = arc_length(lengths, first + at);
            arcs.paths[row.start + place] = 1.0;
        }
    }
    arcs
}

/// Calls `visit` with each pair of arcs of `v`, the one with the lower head first, and the arc
/// between their heads.
#[inline(always)]
fn each_triangle(fill: &Fill, v: u32, mut visit: impl FnMut(usize, usize, usize)) {
    let arcs = fill.arcs_of(v);
    for low in arcs.clone() {
        let mut across = fill.arcs_of(fill.heads[low]).start;
        for high in low + 1..arcs.end {
            while fill.heads[across] < fill.heads[high] {
                across += 1;
            }
            visit(low, high, across);
        }
    }
}

/// Returns the length and the multiplicity of the path over two arcs with the same lower end.
#[inline(always)]
fn through(first: &Direction, a: usize, second: &Direction, b: usize) -> (u32, f64) {
    let length = first.lengths[a].saturating_add(second.lengths[b]);
    (length.min(ABSENT), first.paths[a] * second.paths[b])
}

/// Relaxes an arc: a shorter path replaces its paths, and one of equal length adds its
/// multiplicity.
#[inline(always)]
fn relax(to: &mut Direction, arc: usize, length: u32, paths: f64) {
    let known = to.lengths[arc];
    if length > known || length == ABSENT {
        return;
    }
    let kept = if length == known { to.paths[arc] } else { 0.0 };
    to.lengths[arc] = length;
    to.paths[arc] = kept + paths;
}

/// Returns the distances between the ends of all arcs, from lower to higher ranks and, in a
/// directed graph, back. Vertices are visited from the top down, with the triangles whose third
/// vertex is higher than the arc's lower end.
fn distances(fill: &Fill, up: &Direction, down: Option<&Direction>) -> [Vec<u32>; 2] {
    let mut rising = up.lengths.clone();
    let mut falling = down.map_or(Vec::new(), |down| down.lengths.clone());
    let shorten = |to: &mut [u32], arc: usize, one: u32, other: u32| {
        to[arc] = to[arc].min(one.saturating_add(other));
    };
    for v in (0..fill.parent.len() as u32).rev() {
        each_triangle(fill, v, |low, high, across| match down {
            None => {
                let (a, b, c) = (rising[low], rising[high], rising[across]);
                shorten(&mut rising, low, b, c);
                shorten(&mut rising, high, a, c);
            }
            Some(_) => {
                let (over, back) = (rising[across], falling[across]);
                let [a, b] = [low, high].map(|arc| (rising[arc], falling[arc]));
                shorten(&mut rising, low, b.0, back);
                shorten(&mut rising, high, a.0, over);
                shorten(&mut falling, low, over, b.1);
                shorten(&mut falling, high, back, a.1);
            }
        });
    }
    [rising, falling]
}
