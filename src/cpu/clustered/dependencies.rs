//! The backward phase of a batch.

use super::arrays::{Arrays, FAR, LANES, VertexRowsMut, Visit, own_lanes, state};
use super::counts::{AHEAD, NEIGHBOURS_AHEAD};
use super::net::Net;
use crate::cpu::vectors::{Vectors, masked};
use crate::engine::{Root, Sums};
use crate::prepare::{Amount, Pass, Prepared, PreparedQuery};

/// Stores the coefficients of some lanes. Returns these lanes without those whose root is the
/// vertex, since a root has no dependency on itself.
#[inline(always)]
fn store_some<V: Vectors>(
    rows: &mut VertexRowsMut<'_>,
    roots: &[Root],
    Visit { v, lanes }: Visit,
    coefficient: V::Numbers,
) -> u32 {
    let numbers = &mut rows.numbers[v as usize].0;
    let others = V::only(V::numbers(numbers), !lanes);
    V::put_numbers(V::add(V::only(coefficient, lanes), others), numbers);
    match rows.state[v as usize] & state::ROOT {
        0 => lanes,
        _ => lanes & !own_lanes(roots, v),
    }
}

/// Returns the part of coefficients that is due to pairs that end at a vertex of this weight, in
/// lanes at these distances with these path counts. If `IS_ALL_PAIRS`, the pass is
/// [`Pass::ALL_PAIRS`].
#[inline(always)]
fn ends<V: Vectors, const IS_ALL_PAIRS: bool>(
    pass: &Pass,
    weight: f64,
    distances: V::Distances,
    paths: V::Numbers,
) -> V::Numbers {
    if IS_ALL_PAIRS {
        return V::divide(weight, paths);
    }
    let (mut at, mut ends) = ([0; LANES], [weight; LANES]);
    V::put_distances(distances, &mut at);
    if !pass.stress {
        V::put_numbers(V::divide(weight, paths), &mut ends);
    }
    if pass.decay != 0.0 {
        for lane in 0..LANES {
            ends[lane] *= pass.factor(at[lane].into());
        }
    }
    // The mask comes last, since values beyond the limit are arbitrary.
    let limit = pass.limit as u32;
    for lane in 0..LANES {
        let keep = u64::from(at[lane] > limit).wrapping_sub(1);
        ends[lane] = masked(ends[lane], keep);
    }
    V::numbers(&ends)
}

impl Arrays {
    /// Adds dependencies to the scores, with `COUNT_ARCS` also those of arcs.
    #[inline(always)]
    pub(super) fn add<
        V: Vectors,
        const IS_ALL_PAIRS: bool,
        const COUNT_ARCS: bool,
        const TWINS: bool,
    >(
        &mut self,
        out: &impl Net,
        (prepared, pass): (&Prepared, &Pass),
        sums: Sums<'_>,
    ) {
        let arc_scores = sums.arcs.unwrap_or_default();
        let factors = V::numbers(&prepared.factors(&self.roots));
        let multiplicities = prepared.multiplicities();
        let mut rows = self.rows.lend();
        let n = rows.state.len();
        let weight = &prepared.weight[..n];
        let (scores, squares) = sums.vertices.split_at_mut(n);
        for (at, &Visit { v, lanes }) in self.visits.iter().enumerate().rev() {
            if let Some(at) = at.checked_sub(AHEAD) {
                let earlier = self.visits[at].v;
                out.prefetch(earlier);
                rows.prefetch(earlier);
            }
            if self.exceeds_cache
                && let Some(at) = at.checked_sub(NEIGHBOURS_AHEAD)
            {
                for arc in out.arcs(self.visits[at].v) {
                    rows.prefetch(arc.target);
                }
            }
            let here = v as usize;
            let distances = V::distances(&rows.distances[here].0);
            let paths = V::numbers(&rows.numbers[here].0);
            // Lanes that are not visited now have arbitrary values, and are masked below.
            let all = V::multiply(factors, paths);
            let counted = match COUNT_ARCS && lanes != Visit::WHOLE {
                true => V::only(all, lanes),
                false => all,
            };
            let mut sum = V::numbers(&[0.0; LANES]);
            let mut arc_number = prepared.graph.offsets()[here] as usize;
            for arc in out.arcs(v) {
                let to = arc.target as usize;
                let after = V::plus(distances, arc.length);
                let reached = V::distances(&rows.distances[to].0);
                let coefficient = V::where_equal(after, reached, &rows.numbers[to].0);
                sum = V::add(sum, coefficient);
                if COUNT_ARCS {
                    arc_scores[arc_number] += V::total(V::multiply(counted, coefficient));
                    arc_number += 1;
                }
            }
            let ends = ends::<V, IS_ALL_PAIRS>(pass, weight[here], distances, paths);
            let mut coefficient = V::add(ends, sum);
            if TWINS {
                let multiplicity = V::numbers(&[multiplicities[here]; LANES]);
                coefficient = V::multiply(coefficient, multiplicity);
            }
            let counted = match lanes == Visit::WHOLE {
                true => {
                    V::put_numbers(coefficient, &mut rows.numbers[here].0);
                    lanes
                }
                false => store_some::<V>(&mut rows, &self.roots, Visit { v, lanes }, coefficient),
            };
            let total = |numbers| match lanes == Visit::WHOLE {
                true => V::total(numbers),
                false => V::total(V::only(numbers, counted)),
            };
            let dependency = V::multiply(all, sum);
            scores[here] += total(dependency);
            if !IS_ALL_PAIRS && pass.squares {
                squares[here] += total(V::multiply(dependency, V::multiply(paths, sum)));
            }
        }
    }

    /// Adds the distances of all vertices from the roots, and the eccentricities of the roots, to
    /// the columns of a query.
    #[inline(always)]
    pub(super) fn add_distances(
        &self,
        query: &PreparedQuery,
        factors: &[f64; LANES],
        sums: &mut [f64],
    ) {
        let n = self.rows.distances.len();
        for (number, sum) in query.distances.iter().enumerate() {
            let column = &mut sums[(query.passes.len() + number) * n..][..n];
            let limit = (sum.limit as u32).min(FAR - 1);
            let counted = (factors, limit, query.zero_bits);
            match sum.amount {
                Amount::Decayed(0.0) => self.add_amounts(counted, column, |_| 1.0),
                Amount::Distance => self.add_amounts(counted, column, |d| d),
                amount => self.add_amounts(counted, column, |d| amount.at(d)),
            }
        }
        for (column, limit) in query.eccentricity_columns() {
            let limit = (limit as u32).min(FAR - 1);
            self.add_eccentricities(limit, &mut sums[column * n..][..n]);
        }
    }

    /// Adds an amount for each distance up to the limit, times the factor of the root.
    #[inline(always)]
    fn add_amounts(
        &self,
        (factors, limit, zero_bits): (&[f64; LANES], u32, u32),
        column: &mut [f64],
        amount: impl Fn(f64) -> f64,
    ) {
        let distances = &self.rows.distances;
        for &v in &self.order[..self.reached] {
            let at = &distances[v as usize].0;
            let mut amounts = [0.0; LANES];
            for lane in 0..LANES {
                let keep = u64::from(at[lane].wrapping_sub(1) >= limit).wrapping_sub(1);
                amounts[lane] =
                    masked(factors[lane] * amount((at[lane] >> zero_bits).into()), keep);
            }
            column[v as usize] += amounts.iter().sum::<f64>();
        }
    }

    /// Adds the largest distance from each root, up to the limit.
    fn add_eccentricities(&self, limit: u32, column: &mut [f64]) {
        let distances = &self.rows.distances;
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

    /// Counts path ends, for `--endpoints` of a directed graph: each pair of a root and a vertex
    /// that it reaches counts at both.
    pub(super) fn count_endpoints(&self, scores: &mut [f64]) {
        let distances = &self.rows.distances;
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
