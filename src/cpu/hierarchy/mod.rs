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

use super::claim_size::ClaimSize;
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
    Box::new(HierarchyEngine {
        prepared,
        simd: Available::new(simd),
        sweep: Sweep::new(prepared, hierarchy),
        claim: ClaimSize::default(),
    })
}

struct HierarchyEngine<'g> {
    prepared: &'g Prepared,
    simd: Available,
    sweep: Sweep,
    claim: ClaimSize,
}

impl Engine for HierarchyEngine<'_> {
    fn roots_wanted(&self) -> usize {
        self.claim.wanted * LANES
    }

    fn roots_together(&self) -> usize {
        LANES
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut uncounted = Vec::new();
        for roots in roots.chunks(LANES) {
            halt::check()?;
            let beyond = self.simd.batch(&mut self.sweep, roots)?;
            if beyond == 0 {
                continue;
            }
            if self.prepared.chains.is_some() {
                // Others could not search some roots of a group alone.
                return Err(EngineError::PathCount {
                    root: None,
                    precision: Precision::F64,
                });
            }
            let mut others = Vec::with_capacity(LANES);
            for (lane, &root) in roots.iter().enumerate() {
                match beyond >> lane & 1 {
                    0 => others.push(root),
                    _ => uncounted.push(root),
                }
            }
            self.simd.batch(&mut self.sweep, &others)?;
        }
        self.claim.adjust(start);
        EngineError::of_uncounted(uncounted)
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.sweep.collect(self.prepared, sums);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
