//! Scores of the edges of trees.
//!
//! The edge by which a branch of b vertices was folded is on every path between the branch and the
//! rest of its component, and on no other.

use super::find::{KEPT, Trees};
use crate::graph::Vertex;
use crate::graph::components::Components;

/// The edges that were folded away.
#[derive(Debug, Clone)]
pub struct FoldedEdges {
    /// Per input vertex, the vertex that it was folded into, or [`KEPT`].
    parent: Vec<Vertex>,
    /// Per input vertex, the ordered pairs that the edge to that vertex separates; 0 if it was
    /// kept.
    pairs: Vec<f64>,
}

impl FoldedEdges {
    /// Counts the pairs of the edges of trees. `chosen` says which vertices are sources.
    pub fn new(trees: &Trees, components: &Components, chosen: &[bool]) -> FoldedEdges {
        let all_sources = components.sources(chosen);
        let pairs = |v: usize| {
            if trees.parent[v] == KEPT {
                return 0.0;
            }
            let component = components.of[v] as usize;
            let inside = u128::from(trees.sources[v]);
            let outside = u128::from(all_sources[component]) - inside;
            let size = u128::from(trees.size[v]);
            let others = u128::from(components.sizes[component]) - size;
            (inside * others + outside * size) as f64
        };
        FoldedEdges {
            parent: trees.parent.clone(),
            pairs: (0..chosen.len()).map(pairs).collect(),
        }
    }

    /// Returns the ordered pairs whose paths use this edge, if it was folded away.
    pub fn pairs(&self, tail: Vertex, head: Vertex) -> Option<f64> {
        let below = |v: Vertex, above| {
            let v = v as usize;
            (self.parent[v] == above).then(|| self.pairs[v])
        };
        below(tail, head).or_else(|| below(head, tail))
    }
}
