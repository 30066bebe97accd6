//! What contraction would leave of a graph, without what only searches need.

use super::find;
use crate::graph::Csr;

/// The size of a graph with its chains contracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContractionSummary {
    /// Junctions.
    pub junctions: usize,
    /// Chains between them, single edges included.
    pub chains: usize,
    /// Edges of the longest chain; 0 if there is none.
    pub longest: u32,
}

impl ContractionSummary {
    /// Of an undirected graph.
    pub fn new(graph: &Csr) -> ContractionSummary {
        let chains = find::chains(graph);
        ContractionSummary {
            junctions: chains.len(),
            chains: chains.chains(),
            longest: chains.longest(),
        }
    }
}
