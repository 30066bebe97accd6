//! Sums of distances, for measures of a query that count no paths.

use super::levels::{Levels, each_lane};
use super::rows::LaneRow;
use crate::cpu::vectors::{GROUP, Vectors};
use crate::engine::Root;
use crate::prepare::{Prepared, PreparedQuery};

impl Levels {
    /// Adds the distances of all vertices below the roots to the columns of a query.
    #[inline(always)]
    pub(super) fn add_distances<V: Vectors, const G: usize>(
        &self,
        (prepared, query): (&Prepared, &PreparedQuery),
        roots: &[Root],
        sums: &mut [f64],
    ) {
        if query.columns() == query.passes.len() {
            return;
        }
        let n = prepared.graph.vertices();
        let factor = |&root: &Root| prepared.factor(root);
        let factors = LaneRow::<G>::factors(prepared, roots);
        let first = roots.first().map_or(0.0, factor);
        let all_equal = roots.iter().all(|root| factor(root) == first);
        // The last level of each lane, which has vertices on all levels before it.
        let mut last = [0; u64::BITS as usize];
        let mut amounts = Vec::new();
        for level in 1..self.count() {
            query.amounts(level as f64, &mut amounts);
            let mut found = 0;
            for &(v, lanes) in self.level(level) {
                found |= lanes;
                let sources = match all_equal {
                    true => first * f64::from(lanes.count_ones()),
                    false => factors.total::<V>(lanes),
                };
                for &(column, amount) in &amounts {
                    sums[column * n + v as usize] += sources * amount;
                }
            }
            for lane in each_lane(found) {
                last[lane] = level;
            }
        }
        for (column, limit) in query.eccentricity_columns() {
            for (root, &last) in roots.iter().zip(&last) {
                sums[column * n + root.vertex as usize] += (last as f64).min(limit.floor());
            }
        }
    }
}

impl<const G: usize> LaneRow<G> {
    /// Returns the factors of the dependencies of roots; zero in lanes without a root.
    #[inline(always)]
    pub(super) fn factors(prepared: &Prepared, roots: &[Root]) -> Self {
        let mut factors = LaneRow::zero();
        for (lane, &root) in roots.iter().enumerate() {
            *factors.lane_mut(lane) = prepared.factor(root);
        }
        factors
    }

    /// Returns the sum of the lanes in `mask`.
    #[inline(always)]
    fn total<V: Vectors>(&self, mask: u64) -> f64 {
        let mut sum = [[0.0; GROUP]];
        for (g, &group) in self.0.iter().enumerate() {
            V::add_masked(&mut sum, &[group], mask >> (g * GROUP));
        }
        sum[0].iter().sum()
    }
}
