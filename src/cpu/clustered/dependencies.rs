//! The backward phase of a batch.

use super::arrays::{Arrays, VertexRowsMut, Visit, own_lanes, state};
use super::counts::{AHEAD, NEIGHBOURS_AHEAD};
use super::net::Net;
use super::row::FAR;
use super::row::LANES;
use crate::cpu::vectors::{Vectors, masked};
use crate::engine::Root;
use crate::prepare::{DistanceColumn, DistanceSum, Pass, PreparedQuery, Weights};

/// The part of [`Arrays`] that dependencies are added up in.
struct Adding<'a> {
    roots: &'a [Root],
    rows: VertexRowsMut<'a>,
    scores: &'a mut [f64],
}

impl Adding<'_> {
    /// Stores coefficients and adds dependencies in the lanes of the visit, without the dependency
    /// of a root on itself.
    #[inline(always)]
    fn finish_some<V: Vectors>(
        &mut self,
        visit: Visit,
        delta: V::Numbers,
        coefficient: V::Numbers,
    ) {
        let Visit { v, lanes } = visit;
        let own = match self.rows.state[v as usize] & state::ROOT {
            0 => 0,
            _ => own_lanes(self.roots, v),
        };
        let numbers = &mut self.rows.numbers[v as usize].0;
        let others = V::only(V::numbers(numbers), !lanes);
        V::put_numbers(V::add(V::only(coefficient, lanes), others), numbers);
        self.scores[v as usize] += V::total(V::only(delta, lanes & !own));
    }
}

/// The pairs that count.
pub(super) trait Pairs {
    /// Returns the weight of a vertex at these distances, divided by its path counts.
    fn share<V: Vectors>(
        &self,
        weight: f64,
        distances: V::Distances,
        paths: V::Numbers,
    ) -> V::Numbers;

    /// Returns whether squares of dependencies are summed.
    fn squares(&self) -> bool;
}

/// All pairs, for betweenness.
pub(super) struct AllPairs;

impl Pairs for AllPairs {
    #[inline(always)]
    fn share<V: Vectors>(&self, weight: f64, _: V::Distances, paths: V::Numbers) -> V::Numbers {
        V::divide(weight, paths)
    }

    #[inline(always)]
    fn squares(&self) -> bool {
        false
    }
}

/// The pairs of one backward phase of a query.
impl Pairs for Pass {
    #[inline(always)]
    fn share<V: Vectors>(
        &self,
        weight: f64,
        distances: V::Distances,
        paths: V::Numbers,
    ) -> V::Numbers {
        let (mut at, mut shares) = ([0; LANES], [weight; LANES]);
        V::put_distances(distances, &mut at);
        if !self.stress {
            V::put_numbers(V::divide(weight, paths), &mut shares);
        }
        if self.decay != 0.0 {
            for lane in 0..LANES {
                shares[lane] *= self.factor(at[lane].into());
            }
        }
        // Masked last, since values beyond the limit are arbitrary.
        let limit = self.limit as u32;
        for lane in 0..LANES {
            let keep = u64::from(at[lane] > limit).wrapping_sub(1);
            shares[lane] = masked(shares[lane], keep);
        }
        V::numbers(&shares)
    }

    #[inline(always)]
    fn squares(&self) -> bool {
        self.squares
    }
}

/// The sums that a backward phase adds to.
pub(super) struct To<'a> {
    /// The factor of the dependencies of each root.
    pub(super) sources: [f64; LANES],
    /// Sums of dependencies of vertices.
    pub(super) scores: &'a mut [f64],
    /// Sums of dependencies of arcs; only used with `COUNT_ARCS`.
    pub(super) arcs: &'a mut [f64],
}

impl Arrays {
    /// Adds dependencies to the scores, with `COUNT_ARCS` also those of arcs.
    #[inline(always)]
    pub(super) fn add_dependencies<V: Vectors, const COUNT_ARCS: bool, const TWINS: bool>(
        &mut self,
        out: &impl Net,
        (weights, pairs): (Weights<'_>, &impl Pairs),
        to: To<'_>,
    ) {
        let arc_scores = to.arcs;
        let factor = V::numbers(&to.sources);
        let rows = self.rows.lend();
        let n = rows.state.len();
        let weight = &weights.all()[..n];
        let mut adding = Adding {
            roots: &self.roots,
            rows,
            scores: &mut to.scores[..n],
        };
        for (at, &Visit { v, lanes }) in self.visits.iter().enumerate().rev() {
            if let Some(at) = at.checked_sub(AHEAD) {
                let earlier = self.visits[at].v;
                out.prefetch(earlier);
                adding.rows.prefetch(earlier);
            }
            if self.far
                && let Some(at) = at.checked_sub(NEIGHBOURS_AHEAD)
            {
                for arc in out.arcs(self.visits[at].v) {
                    adding.rows.prefetch(arc.target);
                }
            }
            let here = v as usize;
            let distances = V::distances(&adding.rows.distances[here].0);
            let paths = V::numbers(&adding.rows.numbers[here].0);
            // Lanes that are not visited now have arbitrary values, but not NaN.
            let all = V::multiply(factor, paths);
            let counted = match COUNT_ARCS && lanes != Visit::WHOLE {
                true => V::only(all, lanes),
                false => all,
            };
            let mut sum = V::numbers(&[0.0; LANES]);
            let mut arc_number = out.first(v);
            for arc in out.arcs(v) {
                let to = arc.target as usize;
                let after = V::plus(distances, arc.length);
                let reached = V::distances(&adding.rows.distances[to].0);
                let coefficient = V::where_equal(after, reached, &adding.rows.numbers[to].0);
                sum = V::add(sum, coefficient);
                if COUNT_ARCS {
                    arc_scores[arc_number] += V::total(V::multiply(counted, coefficient));
                    arc_number += 1;
                }
            }
            let delta = V::multiply(all, sum);
            let delta = match pairs.squares() {
                true => V::multiply(delta, V::multiply(paths, sum)),
                false => delta,
            };
            let share = pairs.share::<V>(weight[here], distances, paths);
            let mut coefficient = V::add(share, sum);
            if TWINS {
                coefficient = V::multiply(
                    coefficient,
                    V::numbers(&[weights.multiplicity(here); LANES]),
                );
            }
            if lanes == Visit::WHOLE {
                adding.scores[here] += V::total(delta);
                V::put_numbers(coefficient, &mut adding.rows.numbers[here].0);
            } else {
                adding.finish_some::<V>(Visit { v, lanes }, delta, coefficient);
            }
        }
    }

    /// Adds the distances of all vertices from the roots to the columns of a query.
    #[inline(always)]
    pub(super) fn add_distances(
        &self,
        query: &PreparedQuery,
        sources: &[f64; LANES],
        sums: &mut [f64],
    ) {
        let n = self.rows.distances().len();
        for (number, &DistanceColumn { sum, limit }) in query.distances.iter().enumerate() {
            let column = &mut sums[(query.passes.len() + number) * n..][..n];
            let limit = (limit as u32).min(FAR - 1);
            match sum {
                DistanceSum::Eccentricity => self.add_eccentricities(limit, column),
                DistanceSum::Count => self.add_amounts((sources, limit), column, |_| 1.0),
                DistanceSum::Distance => self.add_amounts((sources, limit), column, |d| d),
                _ => self.add_amounts((sources, limit), column, |d| sum.amount(d)),
            }
        }
    }

    /// Adds an amount for each distance up to the limit, times the factor of the root.
    #[inline(always)]
    fn add_amounts(
        &self,
        (sources, limit): (&[f64; LANES], u32),
        column: &mut [f64],
        amount: impl Fn(f64) -> f64,
    ) {
        let distances = self.rows.distances();
        for &v in &self.order[..self.reached] {
            let at = &distances[v as usize].0;
            let mut amounts = [0.0; LANES];
            for lane in 0..LANES {
                let keep = u64::from(at[lane].wrapping_sub(1) >= limit).wrapping_sub(1);
                amounts[lane] = masked(sources[lane] * amount(at[lane].into()), keep);
            }
            column[v as usize] += amounts.iter().sum::<f64>();
        }
    }

    /// Adds the largest distance from each root, up to the limit.
    fn add_eccentricities(&self, limit: u32, column: &mut [f64]) {
        let distances = self.rows.distances();
        let mut farthest = [0; LANES];
        for &v in &self.order[..self.reached] {
            for (farthest, &distance) in farthest.iter_mut().zip(&distances[v as usize].0) {
                *farthest = u32::max(*farthest, if distance > limit { 0 } else { distance });
            }
        }
        for (root, farthest) in self.roots.iter().zip(farthest) {
            column[root.vertex as usize] += f64::from(farthest);
        }
    }

    /// Counts path ends, for `--endpoints` of a directed graph: one pair for each vertex reached,
    /// at the root and at the vertex.
    pub(super) fn count_endpoints(&mut self, scores: &mut [f64]) {
        let distances = self.rows.lend().distances;
        for &v in &self.order[..self.reached] {
            for (lane, root) in self.roots.iter().enumerate() {
                let distance = distances[v as usize].0[lane];
                if (1..FAR).contains(&distance) {
                    scores[root.vertex as usize] += f64::from(root.sources);
                    scores[v as usize] += f64::from(root.sources);
                }
            }
        }
    }
}
