//! Pairs with both ends inside the same chain.
//!
//! Positions p and q > p of a chain of length l are q - p apart *along* the chain, and
//! p + D + l - q *around*, through the ends of the chain, whose distance is D. So the way along is
//! the shorter one if 2 (q - p) < D + l. If both are equally long, the way along is one path,
//! beside the shortest paths from end to end. (If D = l, no pair goes around.)

use rustc_hash::FxHashMap;

use crate::engine::OwnSums;
use crate::graph::Vertex;
use crate::prepare::WeightedGraph;

/// The ordered pairs inside a chain, by the vertices and edges that their paths pass.
#[derive(Debug, Clone)]
pub(super) struct InnerPairs {
    /// The pairs per inner vertex.
    pub(super) vertices: Vec<f64>,
    /// The pairs per edge, from end 0 on; one more than inner vertices.
    pub(super) edges: Vec<f64>,
    /// Pairs that go around, from one end of the chain to the other.
    pub(super) around: f64,
}

impl InnerPairs {
    /// Counts the pairs inside a chain. The positions of the inner vertices are their distances from
    /// end 0, ascending; `before` has the sources before each of them, and all sources. `circle` is
    /// D + l, and a `share` of the pairs whose ways are equally long goes around.
    pub(super) fn new(positions: &[u32], before: &[f64], (circle, share): (u32, f64)) -> Self {
        let all = before[positions.len()];
        let own = |i: usize| before[i + 1] - before[i];
        let twice = |i: usize, other: u32| 2 * positions[i].abs_diff(other);
        // The pairs that go around between a position and those after it, or before it.
        let after = |i: usize| {
            let later = &positions[i..];
            let tied = i + later.partition_point(|&other| twice(i, other) < circle);
            let around = i + later.partition_point(|&other| twice(i, other) <= circle);
            own(i) * (all - before[around] + share * (before[around] - before[tied]))
        };
        let earlier = |i: usize| {
            let around = positions[..i].partition_point(|&other| twice(i, other) > circle);
            let tied = positions[..i].partition_point(|&other| twice(i, other) >= circle);
            own(i) * (before[around] + share * (before[tied] - before[around]))
        };
        let around: f64 = (0..positions.len()).map(after).sum();
        let (mut vertices, mut edges) = (Vec::new(), vec![2.0 * around]);
        // The pairs that go around, of positions before and after the present one.
        let mut across = 0.0;
        for i in 0..positions.len() {
            let (with_later, with_earlier) = (after(i), earlier(i));
            across -= with_earlier;
            let along = before[i] * (all - before[i + 1]) - across;
            vertices.push(2.0 * (along + around - across - with_later - with_earlier));
            across += with_later;
            let along = before[i + 1] * (all - before[i + 1]) - across;
            edges.push(2.0 * (along + around - across));
        }
        InnerPairs {
            vertices,
            edges,
            around: 2.0 * around,
        }
    }
}

/// The shortest paths between two vertices of an undirected graph.
pub(super) struct ShortestPaths {
    /// The number of paths.
    pub(super) count: f64,
    /// The arcs of the paths with their heads, and the fraction of the paths that have the arc.
    arcs: Vec<(usize, Vertex, f64)>,
}

impl ShortestPaths {
    /// Finds the paths between two vertices at this distance; `None` if f64 cannot count them.
    pub(super) fn find(graph: &WeightedGraph, ends: [Vertex; 2], distance: u32) -> Option<Self> {
        let near = graph.within(ends[0], distance.into(), usize::MAX)?;
        let places = near.iter().enumerate();
        let places: FxHashMap<Vertex, usize> = places.map(|(i, &(v, _))| (v, i)).collect();
        // The arcs by which shortest paths enter a vertex, each with the place of its tail.
        let into = |i: usize| {
            let (v, far) = near[i];
            let arc = |&u: &Vertex| Some((*places.get(&u)?, graph.graph.arc(u, v)));
            let arcs: Vec<_> = graph.graph.neighbours(v).iter().filter_map(arc).collect();
            let is_last = |&(u, arc): &(usize, usize)| near[u].1 + graph.length(arc) == far;
            arcs.into_iter().filter(is_last).collect::<Vec<_>>()
        };
        let (mut paths, mut flow) = (vec![1.0; near.len()], vec![0.0; near.len()]);
        for i in 1..near.len() {
            paths[i] = into(i).iter().map(|&(u, _)| paths[u]).sum();
        }
        let last = places[&ends[1]];
        flow[last] = 1.0;
        let mut arcs = Vec::new();
        for i in (1..=last).rev() {
            for (u, arc) in into(i) {
                let part = flow[i] * (paths[u] / paths[i]);
                flow[u] += part;
                arcs.push((arc, near[i].0, part));
            }
        }
        let count: f64 = paths[last];
        count.is_finite().then_some(ShortestPaths { count, arcs })
    }

    /// Adds the flow of pairs to the arcs of the paths and to the vertices after the first one.
    pub(super) fn send(&self, pairs: f64, sums: &mut OwnSums) {
        let sums = sums.lend();
        let Some(arcs) = sums.arcs else { return };
        for &(arc, head, part) in &self.arcs {
            arcs[arc] += pairs * part;
            sums.vertices[head as usize] += pairs * part;
        }
    }
}
