//! What contraction would leave of a graph, without what only searches need.

use super::{pays, walk};
use crate::engine::Root;
use crate::graph::Csr;

/// The size of a graph with its chains contracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
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

impl Outline {
    /// Of an undirected graph to be searched from `roots`.
    pub fn new(graph: &Csr, roots: &[Root]) -> Outline {
        let chains = walk::contract(graph);
        Outline {
            junctions: chains.len(),
            chains: chains.chains(),
            longest: chains.longest(),
            for_cpu: pays(graph, roots, false),
            for_devices: pays(graph, roots, true),
        }
    }
}
