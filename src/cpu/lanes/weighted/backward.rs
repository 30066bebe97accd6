//! The way back: dependencies of all lanes, the vertex settled last first.

use super::WeightedState;
use crate::cpu::lanes::finish::{Finish, InPlace};
use crate::cpu::lanes::rows::prefetch;
use crate::cpu::lanes::vectors::LaneVectors;
use crate::graph::Csr;

impl<const G: usize> WeightedState<G> {
    /// Adds the dependencies to `scores`, and those of arcs to `arc_scores` unless that is empty.
    #[inline(always)]
    pub(super) fn backward<V: LaneVectors>(
        &mut self,
        graph: &Csr,
        weight: &[f64],
        finish: &Finish<G>,
        scores: &mut [f64],
        arc_scores: &mut [f64],
    ) {
        let mut end = self.predecessors.len();
        let settled = self
            .levels
            .below_roots()
            .iter()
            .zip(&self.first_predecessor);
        for (&(u, lanes), &first) in settled.rev() {
            let i = u as usize;
            // All its successors have been here.
            let row = &mut self.numbers[i];
            scores[i] += finish.vertex(&InPlace, i, &self.sums[i], row, (weight[i], 1.0), lanes);
            let coefficient = *row;
            let hits = &self.predecessors[first..end];
            for (k, &(v, lanes)) in hits.iter().enumerate() {
                prefetch(&self.sums, hits, k);
                self.sums[v as usize].add::<V>(&coefficient, lanes);
            }
            if !arc_scores.is_empty() {
                for &(v, lanes) in hits {
                    let sigma = &self.numbers[v as usize];
                    let sum = finish.sources.product_sum(sigma, &coefficient, lanes);
                    arc_scores[graph.arc(v, u)] += sum;
                }
            }
            end = first;
        }
    }
}
