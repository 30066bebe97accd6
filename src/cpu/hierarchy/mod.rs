//! Sweeps over a contraction hierarchy: batches of roots, for road networks and other graphs of
//! small separators; with or without lengths.
//!
//! [`crate::prepare::hierarchy`] says what an overlay is. All roots of a batch go through it in the
//! same order, a lane of vector registers each: down the elimination tree with distances and path
//! counts, and back up with dependencies. Going depth first, both ways are under way at once, and
//! only the rows of the current vertex and its ancestors are kept: a stack that stays in the cache
//! however large the graph is.

mod climb;
mod rows;
mod served;
mod sweep;
mod totals;

use std::sync::Arc;
use std::time::Instant;

use super::batches::in_batches;
use super::halt;
use super::lanes::Simd;
use super::simd::Available;
use crate::engine::{Engine, EngineError, Precision, Root, Sums};
use crate::prepare::Prepared;
use crate::prepare::hierarchy::Hierarchy;
use sweep::Sweep;

pub use rows::LANES;

/// The engine for this graph, with its memory allocated.
///
/// # Panics
/// If this machine does not have `simd`.
pub fn engine<'g>(
    prepared: &'g Prepared,
    hierarchy: Arc<Hierarchy>,
    simd: Simd,
) -> Box<dyn Engine + 'g> {
    Box::new(Sweep::new(prepared, hierarchy, Available::new(simd)))
}

impl Engine for Sweep<'_> {
    fn roots_wanted(&self) -> usize {
        self.claim.wanted * LANES
    }

    fn roots_together(&self) -> usize {
        LANES
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let (simd, serves_chains) = (self.simd, self.prepared.chains.is_some());
        let uncounted = in_batches(roots, LANES, |roots| {
            halt::check()?;
            match simd.batch(self, roots)? {
                // Others could not search some roots of a group alone.
                1.. if serves_chains => Err(EngineError::PathCount {
                    root: None,
                    precision: Precision::F64,
                }),
                beyond => Ok(beyond.into()),
            }
        })?;
        self.claim.adjust(start);
        EngineError::of_uncounted(uncounted)
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        for (&v, sum) in self.hierarchy.vertex.iter().zip(&mut self.totals.vertices) {
            sums.vertices[v as usize] += std::mem::take(sum);
        }
        let (flows, network) = (&mut self.totals.flows, self.prepared.network());
        self.hierarchy.unpack(flows, &network, sums);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
