//! The way back: dependencies of all lanes, last level first.

use super::hits::prefetch;
use super::levels::arcs;
use super::pull_pays;
use super::rows::{Finish, Row};
use super::search::Search;
use super::vectors::Vectors;
use crate::graph::Csr;

impl<const G: usize> Search<G> {
    /// Adds the dependencies to `scores`. `into`: the arcs turned round.
    #[inline(always)]
    pub(super) fn backward<V: Vectors>(
        &mut self,
        (graph, into): (&Csr, &Csr),
        weight: &[f64],
        finish: &Finish<G>,
        scores: &mut [f64],
    ) {
        let count = self.levels.count();
        for level in (1..count).rev() {
            // The last level has no successors.
            if level + 1 < count {
                let pull = arcs(graph, self.levels.level(level));
                let push = arcs(into, self.levels.level(level + 1));
                if pull_pays(pull, push) {
                    self.pull_coef::<V>(graph, level);
                } else {
                    self.push_coef::<V>(into, level);
                }
            }
            for &(v, lanes) in self.levels.level(level) {
                let i = v as usize;
                scores[i] += finish.vertex(&mut self.coef[i], &self.sigma[i], weight[i], lanes);
            }
        }
    }

    /// Sums over the successors, which are on the next level.
    #[inline(always)]
    fn pull_coef<V: Vectors>(&mut self, graph: &Csr, level: usize) {
        for &(u, lanes) in self.levels.level(level + 1) {
            self.at[u as usize] = lanes;
        }
        for &(v, here) in self.levels.level(level) {
            let mut sum = Row::ZERO;
            let at = &self.at;
            let hits = self
                .hits
                .find(graph.neighbours(v), |u| here & at[u as usize]);
            for (i, &(u, lanes)) in hits.iter().enumerate() {
                prefetch(&self.coef, hits, i);
                sum.add::<V>(&self.coef[u as usize], lanes);
            }
            self.coef[v as usize].add_all(&sum);
        }
        self.leave(level + 1);
    }

    /// The same from the other end.
    #[inline(always)]
    fn push_coef<V: Vectors>(&mut self, into: &Csr, level: usize) {
        for &(v, lanes) in self.levels.level(level) {
            self.at[v as usize] = lanes;
        }
        for &(u, there) in self.levels.level(level + 1) {
            let coef = self.coef[u as usize];
            let at = &self.at;
            let hits = self
                .hits
                .find(into.neighbours(u), |v| there & at[v as usize]);
            for (i, &(v, lanes)) in hits.iter().enumerate() {
                prefetch(&self.coef, hits, i);
                self.coef[v as usize].add::<V>(&coef, lanes);
            }
        }
        self.leave(level);
    }

    /// Dependencies of the arcs that lead from one level to the next, after the way back.
    #[inline(always)]
    pub(super) fn count_arcs(&mut self, graph: &Csr, sources: &Row<G>, sums: &mut [f64]) {
        for level in 0..self.levels.count().saturating_sub(1) {
            for &(u, lanes) in self.levels.level(level + 1) {
                self.at[u as usize] = lanes;
            }
            for &(v, here) in self.levels.level(level) {
                let sums = &mut sums[graph.offsets()[v as usize] as usize..];
                for (&u, sum) in graph.neighbours(v).iter().zip(sums) {
                    let lanes = here & self.at[u as usize];
                    if lanes != 0 {
                        let (sigma, coef) = (&self.sigma[v as usize], &self.coef[u as usize]);
                        *sum += sources.product_sum(sigma, coef, lanes);
                    }
                }
            }
            self.leave(level + 1);
        }
    }

    #[inline(always)]
    fn leave(&mut self, level: usize) {
        for &(v, _) in self.levels.level(level) {
            self.at[v as usize] = 0;
        }
    }
}
