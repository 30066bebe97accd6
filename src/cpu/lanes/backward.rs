//! The way back: dependencies of all lanes, last level first.

use super::coefficients::Coefficient;
use super::finish::{Counted, Finish};
use super::levels::arcs;
use super::levels::pull_pays;
use super::numbers::Number;
use super::rows::{LaneRow, prefetch};
use super::state::LaneState;
use crate::cpu::halt::{self, Stopped};
use crate::cpu::vectors::{GROUP, Vectors};
use crate::graph::{Csr, Vertex};
use crate::prepare::Weights;

/// So many groups of a batch at most are taken together on the way back, the others after them:
/// rows of more would leave the caches sooner, and their sums the registers.
pub(super) const TILE: usize = 4;

/// Some of the lanes of a batch on the way back: H of its G groups.
pub(super) struct Tile<'a, const G: usize, const H: usize, T, C> {
    pub(super) paths: Counted<'a, G, T>,
    /// Coefs = (weight + delta) / sigma; anything where they are not needed.
    pub(super) coefficients: &'a mut [LaneRow<H, C>],
    /// Sums of the coefficients of successors, where those add them: for one level at a time, and
    /// else zero.
    pub(super) sums: &'a mut [LaneRow<H>],
    pub(super) finish: Finish<H>,
}

impl<const G: usize, const H: usize, T: Number + Into<f64>, C: Coefficient> Tile<'_, G, H, T, C> {
    /// Those of the lanes that are in the tile, numbered from its first.
    #[inline(always)]
    fn of(&self, lanes: u64) -> u64 {
        lanes >> (GROUP * self.paths.first) & (u64::MAX >> (u64::BITS as usize - GROUP * H))
    }

    /// [`Finish::vertex`].
    #[inline(always)]
    fn finish(&mut self, v: usize, sum: &LaneRow<H>, weights: Weights<'_>, lanes: u64) -> f64 {
        let row = &mut self.coefficients[v];
        let of = (weights.weight(v), weights.multiplicity(v));
        self.finish.vertex(&self.paths, v, sum, row, of, lanes)
    }
}

impl LaneState {
    /// Adds the dependencies to `scores`, and those of arcs to `arc_scores` unless that is empty.
    /// `into`: the arcs turned round.
    #[inline(always)]
    pub(super) fn backward<
        V: Vectors,
        T: Number + Into<f64>,
        C: Coefficient,
        const G: usize,
        const H: usize,
    >(
        &mut self,
        (graph, into): (&Csr, &Csr),
        weights: Weights<'_>,
        mut tile: Tile<'_, G, H, T, C>,
        (scores, arc_scores): (&mut [f64], &mut [f64]),
    ) -> Result<(), Stopped> {
        for level in (0..self.levels.count()).rev() {
            halt::check()?;
            if !arc_scores.is_empty() {
                self.count_arcs(graph, level, &tile, arc_scores);
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
                    self.pull_coefficients::<V, T, C, G, H>(
                        graph, level, weights, &mut tile, scores,
                    );
                    continue;
                }
                self.push_coefficients::<V, T, C, G, H>(into, level, &mut tile);
                pushed = true;
            }
            for &(v, lanes) in self.levels.level(level) {
                let (i, lanes) = (v as usize, tile.of(lanes));
                if lanes == 0 {
                    continue;
                }
                let sum = match pushed {
                    true => std::mem::replace(&mut tile.sums[i], LaneRow::ZERO),
                    false => LaneRow::ZERO,
                };
                scores[i] += tile.finish(i, &sum, weights, lanes);
            }
        }
        Ok(())
    }

    /// Sums over the successors, which are on the next level, and what is done with the sums.
    #[inline(always)]
    fn pull_coefficients<
        V: Vectors,
        T: Number + Into<f64>,
        C: Coefficient,
        const G: usize,
        const H: usize,
    >(
        &mut self,
        graph: &Csr,
        level: usize,
        weights: Weights<'_>,
        tile: &mut Tile<'_, G, H, T, C>,
        scores: &mut [f64],
    ) {
        self.enter(level + 1, |lanes| tile.of(lanes));
        for &(v, here) in self.levels.level(level) {
            let (i, here) = (v as usize, tile.of(here));
            if here == 0 {
                continue;
            }
            let at = &self.at[..];
            let look = |u: Vertex| here & at[u as usize];
            let hits = self.hits.find(graph.neighbours(v), look);
            let sum = C::sum::<V, H>(tile.coefficients, hits);
            scores[i] += tile.finish(i, &sum, weights, here);
        }
        self.leave(level + 1);
    }

    /// The sums from the other end.
    #[inline(always)]
    fn push_coefficients<
        V: Vectors,
        T: Number + Into<f64>,
        C: Coefficient,
        const G: usize,
        const H: usize,
    >(
        &mut self,
        into: &Csr,
        level: usize,
        tile: &mut Tile<'_, G, H, T, C>,
    ) {
        self.enter(level, |lanes| tile.of(lanes));
        for &(u, there) in self.levels.level(level + 1) {
            let there = tile.of(there);
            if there == 0 {
                continue;
            }
            let coefficient = tile.coefficients[u as usize].widened();
            let at = &self.at[..];
            let look = |v: Vertex| there & at[v as usize];
            let hits = self.hits.find(into.neighbours(u), look);
            for (i, &(v, lanes)) in hits.iter().enumerate() {
                prefetch(tile.sums, hits, i);
                tile.sums[v as usize].add::<V>(&coefficient, lanes);
            }
        }
        self.leave(level);
    }

    /// Dependencies of the arcs that lead to the next level, which is finished; this one is not.
    #[inline(always)]
    fn count_arcs<T: Number + Into<f64>, C: Coefficient, const G: usize, const H: usize>(
        &mut self,
        graph: &Csr,
        level: usize,
        tile: &Tile<'_, G, H, T, C>,
        sums: &mut [f64],
    ) {
        if level + 1 == self.levels.count() {
            return;
        }
        self.enter(level + 1, |lanes| tile.of(lanes));
        for &(v, here) in self.levels.level(level) {
            let (i, here) = (v as usize, tile.of(here));
            if here == 0 {
                continue;
            }
            let mut sigma = LaneRow::ZERO;
            for g in 0..H {
                sigma.0[g] = tile.paths.group(i, g);
            }
            let sums = &mut sums[graph.offsets()[i] as usize..];
            for (&u, sum) in graph.neighbours(v).iter().zip(sums) {
                let lanes = here & self.at[u as usize];
                if lanes != 0 {
                    let (sources, coefficient) = (
                        &tile.finish.sources,
                        tile.coefficients[u as usize].widened(),
                    );
                    *sum += sources.product_sum(&sigma, &coefficient, lanes);
                }
            }
        }
        self.leave(level + 1);
    }
}
