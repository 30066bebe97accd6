//! Sweeps over a contraction hierarchy for batches of roots, for road networks and other graphs
//! with small separators, with or without lengths.
//!
//! [`crate::prepare::hierarchy`] describes the overlay. A batch visits it once for all roots, each
//! in a lane of vector registers: down the elimination tree with distances and path counts, and
//! back up with dependencies. The sweep goes depth first, so that both directions alternate and
//! only the rows of the current vertex and its ancestors are kept, in a stack that fits the cache
//! even if the graph is large.

mod climb;
mod pairs;
mod rows;
mod served;
mod sweep;
mod totals;

use std::sync::Arc;
use std::time::Instant;

use super::batches::in_batches;
use super::halt;
use super::lanes::Simd;
use crate::engine::{Engine, EngineError, Precision, Root, SIGMA_LIMIT_F64, Sums};
use crate::prepare::Prepared;
use crate::prepare::hierarchy::Hierarchy;
use pairs::{AllPairs, Pairs, QueryPairs};
use sweep::Sweep;

pub use rows::LANES;

/// Estimates the bytes that the engine holds for this graph.
pub fn bytes(prepared: &Prepared, hierarchy: &Hierarchy) -> usize {
    let (n, arcs) = (hierarchy.vertices(), hierarchy.arcs());
    let [columns, passes] = prepared.sum_columns();
    let totals = (columns * n + 2 * passes * arcs) * size_of::<f64>();
    // Four numbers of each vertex, and the place of each arc.
    let tables = (4 * n + arcs) * size_of::<u32>();
    totals * (1 + usize::from(hierarchy.most_paths > SIGMA_LIMIT_F64)) + tables
}

/// Makes the engine for this graph, with its memory allocated. Searches panic if this machine does
/// not have `simd`.
pub fn engine<'g>(
    prepared: &'g Prepared,
    hierarchy: Arc<Hierarchy>,
    simd: Simd,
) -> Box<dyn Engine + 'g> {
    match &prepared.query {
        None => {
            let pairs = AllPairs::new(prepared, &hierarchy);
            Box::new(Sweep::new(prepared, hierarchy, simd, pairs))
        }
        Some(query) => {
            let pairs = QueryPairs::new(prepared, &hierarchy, query);
            Box::new(Sweep::new(prepared, hierarchy, simd, pairs))
        }
    }
}

impl<P: Pairs> Engine for Sweep<'_, P> {
    fn roots_wanted(&self) -> usize {
        self.claim.size * LANES
    }

    fn roots_together(&self) -> usize {
        LANES
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let (simd, serves_chains) = (self.simd, self.prepared.chains.is_some());
        let result = in_batches(roots, LANES, |roots| {
            halt::check()?;
            match simd.batch(self, roots)? {
                // The roots of a group serve chains together, so the engine with wide numbers
                // cannot search from some of them alone.
                1.. if serves_chains => Err(EngineError::PathCount {
                    root: None,
                    precision: Precision::F64,
                }),
                overflowed => Ok(overflowed),
            }
        });
        self.claim.adjust(start);
        result
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        let (hierarchy, n) = (&self.hierarchy, self.hierarchy.vertices());
        for (rank, &v) in (0..).zip(&hierarchy.vertex) {
            for (column, sum) in self.totals.sums_of(rank).iter_mut().enumerate() {
                sums.vertices[column * n + v as usize] += std::mem::take(sum);
            }
        }
        for (pass, flows) in self.totals.flows.iter_mut().enumerate() {
            let mut sums = sums.of_pass(pass, &self.prepared.graph);
            hierarchy.unpack(flows, self.prepared, &mut sums);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
