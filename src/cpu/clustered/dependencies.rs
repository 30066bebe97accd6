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

/// The numerators and divisors of coefficients (weight + delta) / sigma.
pub(super) trait Targets {
    /// Returns the weight of a vertex at these distances, divided by its path counts.
    fn share<V: Vectors>(&self, v: usize, distances: V::Distances, paths: V::Numbers)
    -> V::Numbers;

    /// Multiplies coefficients by the multiplicity of a vertex.
    #[inline(always)]
    fn multiply<V: Vectors>(&self, _: usize, coefficients: V::Numbers) -> V::Numbers {
        coefficients
    }
}

/// The weights of betweenness over all pairs.
pub(super) struct AllPairs<'a, const TWINS: bool>(pub(super) Weights<'a>);

impl<const TWINS: bool> Targets for AllPairs<'_, TWINS> {
    #[inline(always)]
    fn share<V: Vectors>(&self, v: usize, _: V::Distances, paths: V::Numbers) -> V::Numbers {
        V::divide(self.0.weight(v), paths)
    }

    #[inline(always)]
    fn multiply<V: Vectors>(&self, v: usize, coefficients: V::Numbers) -> V::Numbers {
        match TWINS {
            true => V::multiply(coefficients, V::numbers(&[self.0.multiplicity(v); LANES])),
            false => coefficients,
        }
    }
}

/// The weights of one backward phase of a query.
pub(super) struct PassTargets<'a> {
    pub(super) weights: &'a [f64],
    pub(super) pass: Pass,
}

impl Targets for PassTargets<'_> {
    #[inline(always)]
    fn share<V: Vectors>(
        &self,
        v: usize,
        distances: V::Distances,
        paths: V::Numbers,
    ) -> V::Numbers {
        let (mut at, mut shares) = ([0; LANES], [self.weights[v]; LANES]);
        V::put_distances(distances, &mut at);
        if !self.pass.stress {
            V::put_numbers(V::divide(self.weights[v], paths), &mut shares);
        }
        if self.pass.decay != 0.0 {
            for lane in 0..LANES {
                shares[lane] *= self.pass.factor(at[lane].into());
            }
        }
        // Masked last, since values beyond the limit are arbitrary.
        let limit = self.pass.limit as u32;
        for lane in 0..LANES {
            let keep = u64::from(at[lane] > limit).wrapping_sub(1);
            shares[lane] = masked(shares[lane], keep);
        }
        V::numbers(&shares)
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
    pub(super) fn add_dependencies<V: Vectors, const COUNT_ARCS: bool>(
        &mut self,
        out: &impl Net,
        targets: &impl Targets,
        to: To<'_>,
    ) {
        let arc_scores = to.arcs;
        let factor = V::numbers(&to.sources);
        let rows = self.rows.lend();
        let n = rows.state.len();
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
            let share = targets.share::<V>(here, distances, paths);
            let coefficient = targets.multiply::<V>(here, V::add(share, sum));
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
        let distances = self.rows.distances();
        let n = distances.len();
        for (number, &DistanceColumn { sum, limit }) in query.distances.iter().enumerate() {
            let column = &mut sums[(query.passes.len() + number) * n..][..n];
            let limit = (limit as u32).min(FAR - 1);
            if sum == DistanceSum::Eccentricity {
                self.add_eccentricities(limit, column);
                continue;
            }
            for &v in &self.order[..self.reached] {
                let at = &distances[v as usize].0;
                let mut amounts = [0.0; LANES];
                for lane in 0..LANES {
                    let keep = u64::from(!(1..=limit).contains(&at[lane])).wrapping_sub(1);
                    let amount = sum.amount(at[lane].into());
                    amounts[lane] = masked(sources[lane] * amount, keep);
                }
                column[v as usize] += amounts.iter().sum::<f64>();
            }
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
