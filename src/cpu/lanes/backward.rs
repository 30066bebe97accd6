//! The backward phase: dependencies of all lanes, from the last level to the first.

use super::numbers::Number;
use super::rows::{Coefficient, LaneRow, prefetch};
use super::state::{LaneState, arcs_at, pull_is_cheaper};
use crate::cpu::halt;
use crate::cpu::vectors::{GROUP, Vectors, lane_mask, masked};
use crate::engine::{EngineError, OwnSums, Root, Sums};
use crate::graph::Vertex;
use crate::pages::filled;
use crate::prepare::{Pass, Prepared};

/// The most groups of lanes that the backward phase handles together, with coefficients in f64.
/// Larger rows would leave the caches sooner, and their sums would not fit the registers.
pub(super) const TILE: usize = 4;

/// The rows of the backward phase, with H groups of lanes; empty until they are needed.
#[derive(Default)]
pub(super) struct Backward<const H: usize, C> {
    coefficients: Vec<LaneRow<H, C>>,
    /// Sums of the coefficients of successors, for levels that are pushed.
    successors: Vec<LaneRow<H>>,
}

impl<const H: usize, C: Coefficient> Backward<H, C> {
    /// Adds the dependencies of all lanes to `sums`: tile by tile, and with a query pass by pass.
    #[inline(always)]
    pub(super) fn add<V: Vectors, T: Number, const G: usize>(
        &mut self,
        prepared: &Prepared,
        state: &mut LaneState,
        (roots, paths): (&[Root], &[LaneRow<G, T>]),
        sums: &mut OwnSums,
    ) -> Result<(), EngineError> {
        let graph = &prepared.graph;
        if self.coefficients.is_empty() {
            self.coefficients = filled(graph.vertices(), LaneRow::zero());
            self.successors = filled(graph.vertices(), LaneRow::zero());
        }
        for (tile, roots) in roots.chunks(H * GROUP).enumerate() {
            let root_factors = LaneRow::factors(prepared, roots);
            for (number, &pass) in prepared.passes().iter().enumerate() {
                let mut sums = sums.lend();
                let mut tile = Tile {
                    prepared,
                    pass,
                    level_factor: 1.0,
                    paths,
                    first_group: tile * H,
                    root_factors,
                    rows: self,
                    sums: sums.of_pass(number, graph),
                };
                tile.backward::<V>(state)?;
            }
        }
        Ok(())
    }
}

/// A tile in the backward phase: H of the G groups of lanes of a batch.
struct Tile<'a, const G: usize, const H: usize, T, C> {
    prepared: &'a Prepared,
    pass: Pass,
    /// The factor of the weights of targets on the present level.
    level_factor: f64,
    /// Path counts in all lanes.
    paths: &'a [LaneRow<G, T>],
    /// The first group of the tile.
    first_group: usize,
    /// The factor of each lane's dependencies; zero in lanes without a root.
    root_factors: LaneRow<H>,
    rows: &'a mut Backward<H, C>,
    sums: Sums<'a>,
}

impl<const G: usize, const H: usize, T: Number, C: Coefficient> Tile<'_, G, H, T, C> {
    /// Adds the dependencies of the tile's lanes to the scores.
    #[inline(always)]
    fn backward<V: Vectors>(&mut self, state: &mut LaneState) -> Result<(), EngineError> {
        let [graph, into] = self.prepared.ways();
        let last = (state.levels.count() - 1).min(self.pass.limit as usize);
        for level in (0..=last).rev() {
            halt::check()?;
            let is_last = level == last;
            self.level_factor = self.pass.factor(level as f64);
            if self.sums.arcs.is_some() && !is_last {
                self.count_arcs(state, level);
            }
            // A root has no dependency on itself.
            if level == 0 {
                break;
            }
            if !is_last {
                let pull = arcs_at(graph, state.levels.level(level));
                let push = arcs_at(into, state.levels.level(level + 1));
                if pull_is_cheaper(pull, push) {
                    self.pull::<V>(state, level);
                    continue;
                }
                self.push::<V>(state, level);
            }
            for &(v, lanes) in state.levels.level(level) {
                let lanes = self.in_tile(lanes);
                if lanes != 0 {
                    let sum = &mut self.rows.successors[v as usize];
                    let sum = std::mem::replace(sum, LaneRow::zero());
                    self.finish(v as usize, &sum, lanes);
                }
            }
        }
        Ok(())
    }

    /// Returns the lanes that are in the tile, numbered from its first lane.
    #[inline(always)]
    fn in_tile(&self, lanes: u64) -> u64 {
        lanes >> (GROUP * self.first_group) & (u64::MAX >> (u64::BITS as usize - GROUP * H))
    }

    /// Finishes a level: each vertex adds up the coefficients of its successors on the next level.
    #[inline(always)]
    fn pull<V: Vectors>(&mut self, state: &mut LaneState, level: usize) {
        state.enter(level + 1, |lanes| self.in_tile(lanes));
        for &(v, here) in state.levels.level(level) {
            let here = self.in_tile(here);
            if here == 0 {
                continue;
            }
            let level_lanes = &state.level_lanes[..];
            let lanes_of = |u: Vertex| here & level_lanes[u as usize];
            let hits = state.hits.find(self.prepared.graph.neighbours(v), lanes_of);
            let sum = C::sum::<V, H>(&self.rows.coefficients, hits);
            self.finish(v as usize, &sum, here);
        }
        state.leave(level + 1);
    }

    /// Adds the coefficients of the next level to the sums of their predecessors.
    #[inline(always)]
    fn push<V: Vectors>(&mut self, state: &mut LaneState, level: usize) {
        let [_, into] = self.prepared.ways();
        state.enter(level, |lanes| self.in_tile(lanes));
        for &(u, there) in state.levels.level(level + 1) {
            let there = self.in_tile(there);
            if there == 0 {
                continue;
            }
            let coefficient = self.rows.coefficients[u as usize].widened();
            let level_lanes = &state.level_lanes[..];
            let lanes_of = |v: Vertex| there & level_lanes[v as usize];
            let hits = state.hits.find(into.neighbours(u), lanes_of);
            for (i, &(v, lanes)) in hits.iter().enumerate() {
                prefetch(&self.rows.successors, hits, i);
                self.rows.successors[v as usize].add::<V>(&coefficient, lanes);
            }
        }
        state.leave(level);
    }

    /// Adds the dependencies of the arcs from a level to the next, before the level is finished.
    #[inline(always)]
    fn count_arcs(&mut self, state: &mut LaneState, level: usize) {
        state.enter(level + 1, |lanes| self.in_tile(lanes));
        let graph = &self.prepared.graph;
        let arc_scores = self.sums.arcs.take().unwrap_or_default();
        for &(v, here) in state.levels.level(level) {
            let (i, here) = (v as usize, self.in_tile(here));
            if here == 0 {
                continue;
            }
            let mut sigma = LaneRow::zero();
            for g in 0..H {
                sigma.0[g] = self.group(i, g);
            }
            let sums = &mut arc_scores[graph.offsets()[i] as usize..];
            for (&u, sum) in graph.neighbours(v).iter().zip(sums) {
                let lanes = here & state.level_lanes[u as usize];
                if lanes != 0 {
                    let coefficient = self.rows.coefficients[u as usize].widened();
                    *sum += self.root_factors.product_sum(&sigma, &coefficient, lanes);
                }
            }
        }
        self.sums.arcs = Some(arc_scores);
        state.leave(level + 1);
    }

    /// Returns the path counts of a group of lanes at vertex `v`.
    #[inline(always)]
    fn group(&self, v: usize, g: usize) -> [f64; GROUP] {
        let from = &self.paths[v].0[(self.first_group + g) % G];
        let mut group = [0.0; GROUP];
        for lane in 0..GROUP {
            group[lane] = from[lane].into();
        }
        group
    }

    /// Stores the coefficient (weight + delta) / sigma of vertex `v`, times its multiplicity, in
    /// the lanes of `mask`, and adds the vertex's dependencies in these lanes to its score. `sum`
    /// is the sum of the coefficients of the successors.
    #[inline(always)]
    fn finish(&mut self, v: usize, sum: &LaneRow<H>, mask: u64) {
        let weight = self.level_factor * self.prepared.weight[v];
        let multiplicity = self.prepared.multiplicity_of(v);
        let Pass {
            stress, squares, ..
        } = self.pass;
        let (mut score, mut square) = ([0.0; GROUP], [0.0; GROUP]);
        for g in 0..H {
            let bits = mask >> (g * GROUP) & 0xff;
            if bits == 0 {
                continue;
            }
            let sigma = self.group(v, g);
            let (sum, coefficient) = (&sum.0[g], &mut self.rows.coefficients[v].0[g]);
            let factors = &self.root_factors.0[g];
            for lane in 0..GROUP {
                let keep = lane_mask(bits, lane);
                let (sum, paths) = (sum[lane], sigma[lane]);
                // The mask comes last, since the values in other lanes are arbitrary.
                let dependency = masked(paths * sum, keep);
                score[lane] += factors[lane] * dependency;
                if squares {
                    square[lane] += factors[lane] * dependency * dependency;
                }
                let divisor = if stress { 1.0 } else { paths };
                let own = C::finish(weight, multiplicity, divisor, sum);
                coefficient[lane] = own.or_else(keep, coefficient[lane]);
            }
        }
        self.sums.vertices[v] += score.iter().sum::<f64>();
        if squares {
            self.sums.vertices[self.prepared.graph.vertices() + v] += square.iter().sum::<f64>();
        }
    }
}
