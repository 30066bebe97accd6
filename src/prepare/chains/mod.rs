//! Chains of degree-2 vertices: sources inside a chain are served by the searches from its ends.
//!
//! A shortest path from a source inside a chain to a target outside leaves the chain by the end
//! that makes it shorter, or by both ends if they tie, and dependencies are linear in target
//! weights. So two searches, one from each end, count for all sources between them: in each of the
//! two, a target weighs as many of these sources as reach it by that end; one that leaves by both
//! is divided. `find` has the chains of a graph, `groups` which
//! roots are searched together so that both ends of a chain are among them, `split` which sources
//! reach a target by which end, `inner_pairs` the pairs inside one chain in closed form, `apply`
//! the graph that is searched then, and `undo` how sums of searches become sums of the graph.
//! docs/internals.md derives it ("Chains").

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

/// In [`Chains::chain_of`]: the vertex is in no chain whose sources are served.
pub const NO_CHAIN: u32 = u32::MAX;

/// The chains of a graph whose sources are served by searches from their ends.
#[derive(Debug, Clone, Default)]
pub struct Chains {
    /// Both ends of each chain.
    ends: Vec<[Vertex; 2]>,
    /// The inner vertices of chain c are `inner[first[c]..first[c + 1]]`, from end 0 to end 1.
    first: Vec<u32>,
    inner: Vec<Vertex>,
    /// How far each inner vertex is from end 0 along the chain.
    position: Vec<u32>,
    /// Length of each chain.
    length: Vec<u32>,
    /// Per vertex, the chain that it is inside, or [`NO_CHAIN`].
    chain_of: Vec<u32>,
    splits: Splits,
    /// The roots of all groups, one after another.
    roots: Vec<Root>,
    /// The chains that each group of roots serves.
    served: FxHashMap<Vec<Root>, Vec<Served>>,
    /// Junctions of the graph: vertices inside no chain.
    junctions: usize,
    closed: ClosedForms,
}

/// What no search counts, in ordered pairs. All are empty in parts of a search that leave closed
/// forms to another part.
#[derive(Debug, Clone, Default)]
struct ClosedForms {
    /// Per inner vertex, what pairs inside its chain add to it.
    vertices: Vec<f64>,
    /// Per edge of a chain, one more than inner vertices, what pairs inside the chain add to it.
    edges: Vec<f64>,
    /// What pairs inside a chain whose paths leave it, from end to end, add outside the chain.
    around: OwnSums,
    /// Per inner vertex, the pairs from sources outside its chain to it.
    met: Vec<f64>,
    /// Per end of a chain, the pairs from it to others.
    own: Vec<f64>,
}

impl Chains {
    /// Number of chains.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many searches are left.
    pub fn roots(&self) -> usize {
        self.roots.len()
    }

    /// Number of vertices in no chain.
    pub fn junctions(&self) -> usize {
        self.junctions
    }

    /// Most arcs of a chain.
    pub fn longest(&self) -> usize {
        let inner = self.first.windows(2).map(|ends| ends[1] - ends[0]);
        inner.max().map_or(0, |inner| inner as usize + 1)
    }

    /// Per prepared vertex, the chain that it is inside, or [`NO_CHAIN`].
    pub fn chain_of(&self) -> &[u32] {
        &self.chain_of
    }

    /// Which sources of a chain reach a target by which end.
    pub fn splits(&self) -> &Splits {
        &self.splits
    }

    /// The chains that are served by the searches from these roots together. None, unless the roots
    /// are a whole group.
    pub fn served_by(&self, roots: &[Root]) -> &[Served] {
        self.served.get(roots).map_or(&[], Vec::as_slice)
    }

    fn inner_of(&self, chain: usize) -> std::ops::Range<usize> {
        self.first[chain] as usize..self.first[chain + 1] as usize
    }
}

#[cfg(test)]
mod tests;
