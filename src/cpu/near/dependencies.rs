//! The way back of a batch.

use super::NearSums;
use super::arrays::{Arrays, FAR, Visit, state};
use super::counts::{AHEAD, NEIGHBOURS_AHEAD};
use super::net::Net;
use super::vectors::{LANES, Vectors};

impl Arrays {
    /// Adds dependencies to the scores, with `COUNT_ARCS` those of arcs too.
    #[inline(always)]
    pub(super) fn add_dependencies<V: Vectors, const COUNT_ARCS: bool>(
        &mut self,
        out: &impl Net,
        sums: &mut NearSums<'_>,
    ) {
        let NearSums {
            weight,
            far,
            ref mut arc_scores,
            ..
        } = *sums;
        let mut sources = [0.0; LANES];
        for (factor, root) in sources.iter_mut().zip(&self.roots) {
            *factor = f64::from(root.sources);
        }
        let factor = V::numbers(&sources);
        for at in (0..self.visits.len()).rev() {
            if let Some(at) = at.checked_sub(AHEAD) {
                self.prefetch(out, self.visits[at].v);
            }
            if far && let Some(at) = at.checked_sub(NEIGHBOURS_AHEAD) {
                self.prefetch_neighbours(out, self.visits[at].v);
            }
            let Visit { v, lanes } = self.visits[at];
            let here = v as usize;
            let distances = V::distances(&self.distances[here].0);
            let paths = V::numbers(&self.numbers[here].0);
            // In other lanes than those visited this may be anything, but it is a number.
            let all = V::multiply(factor, paths);
            let counted = match COUNT_ARCS && lanes != Visit::WHOLE {
                true => V::numbers(&only::<V>(all, lanes)),
                false => all,
            };
            let mut sum = V::numbers(&[0.0; LANES]);
            let mut arc_number = out.first(v);
            for arc in out.arcs(v) {
                let to = arc.target as usize;
                let after = V::plus(distances, arc.length);
                let reached = V::distances(&self.distances[to].0);
                let coef = V::where_equal(after, reached, &self.numbers[to].0);
                sum = V::add(sum, coef);
                if COUNT_ARCS {
                    arc_scores[arc_number] += V::total(V::multiply(counted, coef));
                    arc_number += 1;
                }
            }
            let delta = V::multiply(all, sum);
            let coef = V::add(V::divide(weight[here], paths), sum);
            if lanes == Visit::WHOLE {
                self.scores[here] += V::total(delta);
                V::put_numbers(coef, &mut self.numbers[here].0);
            } else {
                self.finish_some::<V>(Visit { v, lanes }, delta, coef);
            }
        }
    }

    /// Keeps what is in the lanes of the visit; a root does not lie on its own paths.
    #[inline(always)]
    fn finish_some<V: Vectors>(&mut self, visit: Visit, delta: V::Numbers, coef: V::Numbers) {
        let Visit { v, lanes } = visit;
        let own = match self.state[v as usize] & state::ROOT {
            0 => 0,
            _ => self.own_lanes(v),
        };
        let (mut deltas, mut coefs) = ([0.0; LANES], [0.0; LANES]);
        V::put_numbers(delta, &mut deltas);
        V::put_numbers(coef, &mut coefs);
        let numbers = &mut self.numbers[v as usize].0;
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
            numbers[lane] = coefs[lane];
            if own >> lane & 1 == 0 {
                self.scores[v as usize] += deltas[lane];
            }
        }
    }

    /// `--endpoints` of a directed graph: each root meets all it reaches, and they meet the root.
    pub(super) fn count_endpoints(&mut self) {
        for &v in &self.order[..self.reached] {
            for (lane, root) in self.roots.iter().enumerate() {
                let distance = self.distances[v as usize].0[lane];
                if (1..FAR).contains(&distance) {
                    self.scores[root.vertex as usize] += f64::from(root.sources);
                    self.scores[v as usize] += f64::from(root.sources);
                }
            }
        }
    }
}

/// The numbers in these lanes, and zero in the others.
#[inline(always)]
fn only<V: Vectors>(numbers: V::Numbers, lanes: u32) -> [f64; LANES] {
    let mut kept = [0.0; LANES];
    V::put_numbers(numbers, &mut kept);
    for (lane, number) in kept.iter_mut().enumerate() {
        if lanes >> lane & 1 == 0 {
            *number = 0.0;
        }
    }
    kept
}
