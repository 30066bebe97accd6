//! The types of the overlay: the graph of all arcs that exist while vertices are eliminated. An
//! overlay arc stands for the shortest paths between its ends over vertices eliminated before.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::graph::{Lengths, Vertex};
use crate::span::Span;

/// The distance of a vertex that a search has not reached. Sums of two distances fit 32 bits.
pub const FAR: u32 = i32::MAX as u32;
/// The length of an overlay arc that exists in the other direction only. Added to any distance,
/// even zero, it exceeds [`FAR`].
pub const ABSENT: u32 = FAR + 1;

/// The reason why a graph has no hierarchy, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HierarchyError(pub String);

/// Lengths and multiplicities of the overlay arcs in one direction.
#[derive(Debug, Clone, Default)]
pub struct Direction {
    /// The length per overlay arc; [`ABSENT`] if the arc exists in the other direction only.
    pub lengths: Vec<u32>,
    /// Per overlay arc, the number of shortest paths that it stands for.
    pub paths: Vec<f64>,
}

/// The overlay of a graph. Vertices are numbered by rank: the first one eliminated is 0. Ranks are
/// a postorder of the elimination tree, so that the vertices of a subtree follow each other.
///
/// The overlay arcs of vertex v to higher vertices have the numbers `offsets[v]..offsets[v + 1]`,
/// in the order of their heads.
#[derive(Debug, Clone, Default)]
pub struct Hierarchy {
    /// The prepared vertex of each rank.
    pub vertex: Vec<Vertex>,
    /// The rank of each prepared vertex.
    pub rank: Vec<u32>,
    /// Per rank, the parent in the elimination tree; the vertex itself at a root. All heads of a
    /// vertex's arcs are its ancestors, and ranks of parents are higher.
    pub parent: Vec<u32>,
    /// The first arc of each rank, and the number of all arcs: shape (n + 1).
    pub offsets: Vec<u32>,
    /// The higher end of each overlay arc.
    pub heads: Vec<u32>,
    /// Arcs from the lower to the higher end.
    pub up: Direction,
    /// Arcs from the higher to the lower end, of directed graphs; in others they equal `up`.
    pub down: Option<Direction>,
    /// The number of arcs after elimination, before arcs on no shortest path were removed.
    pub filled: usize,
    /// An upper bound on the number of shortest paths between two vertices.
    pub most_paths: f64,
    /// The times of the steps of construction.
    pub spans: Vec<Span>,
}

/// Returns the length of an arc of the graph, at most [`ABSENT`].
pub fn arc_length(lengths: Option<&Lengths>, arc: usize) -> u32 {
    match lengths {
        None => 1,
        Some(Lengths::U32(lengths)) => lengths[arc].min(ABSENT),
        // Graphs with such lengths have no hierarchy.
        Some(Lengths::U64(_) | Lengths::F64(_)) => ABSENT,
    }
}

impl Hierarchy {
    /// Returns the number of ancestors of each vertex in the elimination tree.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.vertices()];
        for v in (0..self.vertices()).rev() {
            let parent = self.parent[v] as usize;
            if parent != v {
                depths[v] = depths[parent] + 1;
            }
        }
        depths
    }

    /// Returns for each vertex the lowest rank in its subtree, which has all ranks from there to
    /// that of the vertex.
    pub fn subtrees(&self) -> Vec<u32> {
        let mut lowest: Vec<u32> = (0..self.vertices() as u32).collect();
        for v in 0..self.vertices() {
            let parent = self.parent[v] as usize;
            lowest[parent] = lowest[parent].min(lowest[v]);
        }
        lowest
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertex.len()
    }

    /// Returns the number of overlay arcs.
    pub fn arcs(&self) -> usize {
        self.heads.len()
    }

    /// Returns the numbers of the arcs from a vertex to higher ones.
    pub fn arcs_of(&self, v: u32) -> Range<usize> {
        self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize
    }

    /// Returns the overlay arc from a rank to a higher one; `None` if it does not exist, or if the
    /// second rank is lower.
    pub(super) fn arc_between(&self, [low, high]: [u32; 2]) -> Option<usize> {
        let arcs = self.arcs_of(low);
        let place = self.heads[arcs.clone()].binary_search(&high).ok()?;
        Some(arcs.start + place)
    }

    /// Returns the arcs from the higher to the lower end.
    pub fn down(&self) -> &Direction {
        self.down.as_ref().unwrap_or(&self.up)
    }

    /// Calls `visit(low, high, across)` for each triangle of `v`: `low`, one of `lows`, and `high`
    /// are arcs of `v`, `low` has the lower head, and `across` is the arc between their heads.
    #[inline(always)]
    pub(super) fn each_triangle(
        &self,
        v: u32,
        lows: Range<usize>,
        mut visit: impl FnMut(usize, usize, usize),
    ) {
        for low in lows {
            let highs = low + 1..self.arcs_of(v).end;
            self.each_common(highs, self.arcs_of(self.heads[low]), |high, across| {
                visit(low, high, across);
            });
        }
    }

    /// Calls `visit` with each arc of `ones` and the arc of `others` with the same head, if any.
    /// Both ranges are ordered by heads.
    #[inline(always)]
    pub(super) fn each_common(
        &self,
        ones: Range<usize>,
        mut others: Range<usize>,
        mut visit: impl FnMut(usize, usize),
    ) {
        for one in ones {
            let head = self.heads[one];
            while !others.is_empty() && self.heads[others.start] < head {
                others.start += 1;
            }
            if !others.is_empty() && self.heads[others.start] == head {
                visit(one, others.start);
            }
        }
    }

    /// Returns the distance of two vertices of an undirected graph, if it is at most `limit`.
    pub fn distance_within(&self, ends: [Vertex; 2], limit: u32) -> Option<u32> {
        let [one, other] = ends.map(|v| self.risen(self.rank[v as usize], limit));
        let met = one.iter().filter_map(|(v, up)| Some(up + other.get(v)?));
        met.min().filter(|&distance| distance <= limit)
    }

    /// Returns the ranks that rising paths from `v` reach, with the lengths of the shortest of
    /// these paths; those longer than `limit` are left out.
    fn risen(&self, v: u32, limit: u32) -> BTreeMap<u32, u32> {
        let (mut reached, mut next) = (BTreeMap::from([(v, 0)]), v);
        while let Some((&v, &here)) = reached.range(next..).next() {
            for arc in self.arcs_of(v) {
                let length = here + self.up.lengths[arc];
                if length <= limit {
                    let known = reached.entry(self.heads[arc]).or_insert(length);
                    *known = length.min(*known);
                }
            }
            next = v + 1;
        }
        reached
    }

    /// Returns an upper bound on the number of shortest paths between two vertices: the most rising
    /// paths from a vertex times the most falling paths to a vertex.
    pub(super) fn path_bound(&self) -> f64 {
        let most = |direction: &Direction| {
            let mut rising = vec![1.0; self.vertices()];
            for v in (0..self.vertices() as u32).rev() {
                let arcs = self.arcs_of(v);
                let more = arcs.map(|arc| direction.paths[arc] * rising[self.heads[arc] as usize]);
                rising[v as usize] = 1.0 + more.sum::<f64>();
            }
            rising.into_iter().fold(1.0, f64::max)
        };
        most(&self.up) * most(self.down())
    }
}
