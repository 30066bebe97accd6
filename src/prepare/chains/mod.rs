//! Chains of degree-2 vertices: sources inside a chain are served by the searches from its ends.
//!
//! A shortest path from a source inside a chain to a target outside leaves the chain by the end
//! that makes it shorter, or by both ends if they tie, and dependencies are linear in target
//! weights. So two searches, one from each end, count all sources inside the chain: in each search,
//! the weight of a target is the number of these sources that reach it by that end; a source that
//! leaves by both ends is divided. `find` finds the chains of a graph, `groups` groups the roots so
//! that both ends of a chain are searched together, `split` says which sources reach a target by
//! which end, `inner_pairs` counts the pairs inside one chain in closed form, `apply` replaces the
//! roots, and `undo` turns sums of searches into sums of the graph. docs/internals.md has the
//! derivation ("Chains").

mod apply;
pub(super) mod find;
mod groups;
mod inner_pairs;
mod split;
mod undo;

use rustc_hash::FxHashMap;

use crate::engine::{OwnSums, Root};
use crate::graph::Vertex;

pub use groups::{GROUP, Served};
pub use split::{Split, Splits};

/// The entry in [`Chains::chain_of`] of a vertex that is inside no served chain.
pub const NO_CHAIN: u32 = u32::MAX;

/// The chains of a graph whose inner sources are served by searches from their ends.
#[derive(Debug, Clone, Default)]
pub struct Chains {
    /// Both ends of each chain.
    ends: Vec<[Vertex; 2]>,
    /// The inner vertices of chain c are `inner[first[c]..first[c + 1]]`, from end 0 to end 1.
    first: Vec<u32>,
    inner: Vec<Vertex>,
    /// The distance of each inner vertex from end 0 along the chain.
    position: Vec<u32>,
    /// The length of each chain.
    length: Vec<u32>,
    /// Per prepared vertex, the chain that it is inside, or [`NO_CHAIN`].
    pub chain_of: Vec<u32>,
    /// The tables of which sources of a chain reach a target by which end.
    pub splits: Splits,
    /// The roots of all groups, one after another.
    roots: Vec<Root>,
    /// The chains that each group of roots serves.
    served: FxHashMap<Vec<Root>, Vec<Served>>,
    /// The number of junctions: vertices inside no chain.
    pub junctions: usize,
    closed: ClosedForms,
}

/// Ordered pairs that no search counts.
#[derive(Debug, Clone, Default)]
struct ClosedForms {
    /// Per inner vertex, the pairs inside its chain that pass it.
    vertices: Vec<f64>,
    /// Per edge of a chain, the pairs inside the chain that pass it; a chain has one edge more than
    /// inner vertices.
    edges: Vec<f64>,
    /// The sums outside a chain of pairs inside it whose paths go around.
    around: OwnSums,
    /// Per inner vertex, the pairs from sources outside its chain to it.
    from_outside: Vec<f64>,
    /// Per end of a chain (two for each chain), the pairs from it to others.
    from_ends: Vec<f64>,
}

impl Chains {
    /// Returns the number of chains.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of searches to make.
    pub fn roots(&self) -> usize {
        self.roots.len()
    }

    /// Returns the number of edges of the longest chain.
    pub fn longest(&self) -> usize {
        let inner = self.first.windows(2).map(|ends| ends[1] - ends[0]);
        inner.max().map_or(0, |inner| inner as usize + 1)
    }

    /// Returns the chains that these roots serve together; none unless they are a whole group.
    pub fn served_by(&self, roots: &[Root]) -> &[Served] {
        self.served.get(roots).map_or(&[], Vec::as_slice)
    }

    fn inner_of(&self, chain: usize) -> std::ops::Range<usize> {
        self.first[chain] as usize..self.first[chain + 1] as usize
    }
}

#[cfg(test)]
mod tests;
