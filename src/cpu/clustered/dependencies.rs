//! The backward phase of a batch.

use super::arrays::{Arrays, VertexRowsMut, Visit, own_lanes, state};
use super::counts::{AHEAD, NEIGHBOURS_AHEAD};
use super::net::Net;
use super::row::FAR;
use super::row::LANES;
use crate::cpu::vectors::Vectors;
use crate::engine::{OwnSums, Root};
use crate::prepare::Weights;

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

impl Arrays {
    /// Adds dependencies to the scores, with `COUNT_ARCS` also those of arcs.
    #[inline(always)]
    pub(super) fn add_dependencies<V: Vectors, const COUNT_ARCS: bool, const TWINS: bool>(
        &mut self,
        out: &impl Net,
        weights: Weights<'_>,
        sums: &mut OwnSums,
    ) {
        let arc_scores = sums.arcs.as_deref_mut().unwrap_or_default();
        let mut sources = [0.0; LANES];
        for (factor, root) in sources.iter_mut().zip(&self.roots) {
            *factor = f64::from(root.sources);
        }
        let factor = V::numbers(&sources);
        let rows = self.rows.lend();
        let n = rows.state.len();
        let weight = &weights.all()[..n];
        let mut adding = Adding {
            roots: &self.roots,
            rows,
            scores: &mut sums.vertices[..n],
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
            let mut coefficient = V::add(V::divide(weight[here], paths), sum);
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
