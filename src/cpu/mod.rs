//! Engines on CPU cores.

mod chains;
mod claim;
mod plain;

pub use chains::ChainSweeps;
pub use plain::Plain;

use crate::engine::Engine;
use crate::prepare::Prepared;

/// The engine that a CPU worker uses for this graph, with all its memory allocated.
pub fn engine(prepared: &Prepared) -> Box<dyn Engine + '_> {
    match &prepared.chains {
        // Where every vertex is a source, sources and weights are the same numbers.
        Some(chains) if chains.uniform => Box::new(ChainSweeps::<1>::new(chains)),
        Some(chains) => Box::new(ChainSweeps::<2>::new(chains)),
        None => Box::new(Plain::new(prepared)),
    }
}
