//! The way back: dependencies of all lanes, the farthest distance first.

use super::Search;
use crate::cpu::lanes::hits::prefetch;
use crate::cpu::lanes::rows::{Finish, Row};
use crate::cpu::weighted::arcs::Arcs;
use crate::graph::Vertex;

impl<const G: usize> Search<G> {
    /// Adds the dependencies to `scores`, and those of arcs to `arc_scores` unless that is empty.
    #[inline(always)]
    pub(super) fn backward(
        &mut self,
        arcs: &Arcs<u32>,
        weight: &[f64],
        finish: &mut Finish<G>,
        scores: &mut [f64],
        arc_scores: &mut [f64],
    ) {
        let reach = self.window.slots() / 2;
        let count = self.levels.count();
        for dist in (0..count).rev() {
            if dist + reach + 1 < count {
                self.leave(dist + reach + 1);
            }
            let slot = self.window.slot(dist);
            for i in 0..self.levels.level(dist).len() {
                let (v, lanes) = self.levels.level(dist)[i];
                if dist > 0 {
                    self.add_coef(arcs, v, lanes, slot);
                    let (coef, sigma) = (&mut self.coef[v as usize], &self.sigma[v as usize]);
                    let score = finish.vertex(coef, sigma, weight[v as usize], lanes);
                    scores[v as usize] += score;
                }
                if !arc_scores.is_empty() {
                    let first = arcs.first(v);
                    self.count_arcs(
                        arcs,
                        v,
                        lanes,
                        slot,
                        &finish.sources,
                        &mut arc_scores[first..],
                    );
                }
            }
            // Only now: no vertex of a distance leads to another one of it.
            for &(v, lanes) in self.levels.level(dist) {
                *self.window.at_mut(v, slot) = lanes;
            }
        }
    }

    /// Sums over the successors of `v`, which are as far behind it as their arcs are long.
    #[inline(always)]
    fn add_coef(&mut self, arcs: &Arcs<u32>, v: Vertex, lanes: u64, slot: usize) {
        let window = &self.window;
        let hits = self.hits.find_with(arcs.of(v), |arc| {
            let after = window.after(slot, arc.length);
            (arc.target, lanes & window.at(arc.target, after))
        });
        let mut sum = Row::ZERO;
        for (i, &(u, lanes)) in hits.iter().enumerate() {
            prefetch(&self.coef, hits, i);
            sum.add(&self.coef[u as usize], lanes);
        }
        self.coef[v as usize].add_all(&sum);
    }

    /// Adds the dependencies of the arcs out of `v`.
    #[inline(always)]
    fn count_arcs(
        &mut self,
        arcs: &Arcs<u32>,
        v: Vertex,
        lanes: u64,
        slot: usize,
        sources: &Row<G>,
        sums: &mut [f64],
    ) {
        for (arc, sum) in arcs.of(v).iter().zip(sums) {
            let after = self.window.after(slot, arc.length);
            let lanes = lanes & self.window.at(arc.target, after);
            if lanes != 0 {
                let (sigma, coef) = (&self.sigma[v as usize], &self.coef[arc.target as usize]);
                *sum += sources.product_sum(sigma, coef, lanes);
            }
        }
    }
}
