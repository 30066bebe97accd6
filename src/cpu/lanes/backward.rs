//! The way back: dependencies of all lanes, last level first.

use super::hits::prefetch;
use super::levels::arcs;
use super::pull_pays;
use super::rows::{Finish, Row};
use super::search::Search;
use super::vectors::Vectors;
use crate::graph::Csr;

impl<const G: usize> Search<G> {
    /// Adds the dependencies to `scores`, and those of arcs to `arc_scores` unless that is empty. `into`: the
    /// arcs turned round.
    #[inline(always)]
    pub(super) fn backward<V: Vectors>(
        &mut self,
        (graph, into): (&Csr, &Csr),
        weight: &[f64],
        finish: &Finish<G>,
        (scores, arc_scores): (&mut [f64], &mut [f64]),
    ) {
        for level in (0..self.levels.count()).rev() {
            if !arc_scores.is_empty() {
                self.count_arcs(graph, level, &finish.sources, arc_scores);
            }
            // A root does not lie on its own paths.
            if level == 0 {
                break;
            }
            // The last level has no successors.
            let mut pushed = false;
            if level + 1 < self.levels.count() {
                let pull = arcs(graph, self.levels.level(level));
                let push = arcs(into, self.levels.level(level + 1));
                if pull_pays(pull, push) {
                    self.pull_coef::<V>(graph, level, weight, finish, scores);
                    continue;
                }
                self.push_coef::<V>(into, level);
                pushed = true;
            }
            for &(v, lanes) in self.levels.level(level) {
                let i = v as usize;
                let sum = match pushed {
                    true => std::mem::replace(&mut self.sums[i], Row::ZERO),
                    false => Row::ZERO,
                };
                scores[i] += finish.vertex(&mut self.numbers[i], &sum, weight[i], lanes);
            }
        }
    }

    /// Sums over the successors, which are on the next level, and what is done with the sums.
    #[inline(always)]
    fn pull_coef<V: Vectors>(
        &mut self,
        graph: &Csr,
        level: usize,
        weight: &[f64],
        finish: &Finish<G>,
        scores: &mut [f64],
    ) {
        self.enter(level + 1);
        for &(v, here) in self.levels.level(level) {
            let mut sum = Row::ZERO;
            let at = &self.at;
            let hits = self
                .hits
                .find(graph.neighbours(v), |u| here & at[u as usize]);
            for (i, &(u, lanes)) in hits.iter().enumerate() {
                prefetch(&self.numbers, hits, i);
                sum.add::<V>(&self.numbers[u as usize], lanes);
            }
            let i = v as usize;
            scores[i] += finish.vertex(&mut self.numbers[i], &sum, weight[i], here);
        }
        self.leave(level + 1);
    }

    /// The sums from the other end.
    #[inline(always)]
    fn push_coef<V: Vectors>(&mut self, into: &Csr, level: usize) {
        self.enter(level);
        for &(u, there) in self.levels.level(level + 1) {
            let coef = self.numbers[u as usize];
            let at = &self.at;
            let hits = self
                .hits
                .find(into.neighbours(u), |v| there & at[v as usize]);
            for (i, &(v, lanes)) in hits.iter().enumerate() {
                prefetch(&self.sums, hits, i);
                self.sums[v as usize].add::<V>(&coef, lanes);
            }
        }
        self.leave(level);
    }

    /// Dependencies of the arcs that lead to the next level, which is finished; this one is not.
    #[inline(always)]
    fn count_arcs(&mut self, graph: &Csr, level: usize, sources: &Row<G>, sums: &mut [f64]) {
        if level + 1 == self.levels.count() {
            return;
        }
        self.enter(level + 1);
        for &(v, here) in self.levels.level(level) {
            let sums = &mut sums[graph.offsets()[v as usize] as usize..];
            for (&u, sum) in graph.neighbours(v).iter().zip(sums) {
                let lanes = here & self.at[u as usize];
                if lanes != 0 {
                    let (sigma, coef) = (&self.numbers[v as usize], &self.numbers[u as usize]);
                    *sum += sources.product_sum(sigma, coef, lanes);
                }
            }
        }
        self.leave(level + 1);
    }

    #[inline(always)]
    fn enter(&mut self, level: usize) {
        for &(v, lanes) in self.levels.level(level) {
            self.at[v as usize] = lanes;
        }
    }

    #[inline(always)]
    fn leave(&mut self, level: usize) {
        for &(v, _) in self.levels.level(level) {
            self.at[v as usize] = 0;
        }
    }
}
