//! What contraction would leave of a graph, without what only searches need.

use super::profitability::is_profitable;
use super::walk;
use crate::engine::Root;
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
    /// Whether `ChainsOption::Auto` contracts it if CPU workers search alone.
    pub for_cpu: bool,
    /// Whether it does if devices search too.
    pub for_devices: bool,
}

impl ContractionSummary {
    /// Of an undirected graph to be searched from `roots`.
    pub fn new(graph: &Csr, roots: &[Root]) -> ContractionSummary {
        let chains = walk::contract(graph);
        ContractionSummary {
            junctions: chains.len(),
            chains: chains.chains(),
            longest: chains.longest(),
            for_cpu: is_profitable(graph, roots, false),
            for_devices: is_profitable(graph, roots, true),
        }
    }
}
