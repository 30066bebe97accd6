//! What is done at a vertex on the way back, when the coefficients of its successors are summed.

use super::coefficients::Coefficient;
use super::numbers::Number;
use super::pairs::each_lane;
use super::rows::LaneRow;
use crate::cpu::vectors::{GROUP, keep, masked};
use crate::engine::Root;

/// Path counts of all lanes, from the first group of a tile on.
pub(super) struct Counted<'a, const P: usize, T> {
    pub(super) rows: &'a [LaneRow<P, T>],
    pub(super) first: usize,
}

impl<const P: usize, T: Number + Into<f64>> Counted<'_, P, T> {
    /// The count of a lane at vertex `v`.
    #[inline(always)]
    fn lane(&self, v: usize, lane: usize) -> f64 {
        self.rows[v].lane(GROUP * self.first + lane).into()
    }

    /// The counts of a group of lanes.
    #[inline(always)]
    pub(super) fn group(&self, v: usize, g: usize) -> [f64; GROUP] {
        let from = &self.rows[v].0[(self.first + g) % P];
        let mut group = [0.0; GROUP];
        for lane in 0..GROUP {
            group[lane] = from[lane].into();
        }
        group
    }
}

/// What all vertices of a batch are finished with on the way back.
pub(super) struct Finish<const G: usize> {
    /// Factor of each lane's dependencies; zero for lanes without a root.
    pub(super) sources: LaneRow<G>,
}

impl<const G: usize> Finish<G> {
    /// For at most 8 G roots.
    #[inline(always)]
    pub(super) fn of(roots: &[Root]) -> Self {
        let mut finish = Finish {
            sources: LaneRow::ZERO,
        };
        for (lane, root) in roots.iter().enumerate() {
            *finish.sources.lane_mut(lane) = f64::from(root.sources);
        }
        finish
    }

    /// Puts the coefficient (weight + delta) / sigma of vertex `v`, times its multiplicity, into
    /// the lanes of `mask`; `sum` is that of the coefficients of the successors. Returns the
    /// vertex's dependencies over these lanes.
    #[inline(always)]
    pub(super) fn vertex<C: Coefficient, const P: usize>(
        &self,
        paths: &Counted<'_, P, impl Number + Into<f64>>,
        v: usize,
        sum: &LaneRow<G>,
        coefficient: &mut LaneRow<G, C>,
        (weight, multiplicity): (f64, f64),
        mask: u64,
    ) -> f64 {
        if mask.count_ones() <= LaneRow::<G>::FEW {
            return each_lane(mask)
                .map(|lane| {
                    let (sigma, sum) = (paths.lane(v, lane), sum.lane(lane));
                    *coefficient.lane_mut(lane) = C::finish(weight, multiplicity, sigma, sum);
                    self.sources.lane(lane) * (sigma * sum)
                })
                .sum();
        }
        let mut score = [0.0; GROUP];
        for g in 0..G {
            let bits = mask >> (g * GROUP) & 0xff;
            if bits == 0 {
                continue;
            }
            let sigma = paths.group(v, g);
            let (sum, coefficient) = (&sum.0[g], &mut coefficient.0[g]);
            let sources = &self.sources.0[g];
            for lane in 0..GROUP {
                let keep = keep(bits, lane);
                let (sum, paths) = (sum[lane], sigma[lane]);
                // Masked last: in other lanes this may be anything.
                score[lane] += sources[lane] * masked(paths * sum, keep);
                let own = C::finish(weight, multiplicity, paths, sum);
                coefficient[lane] = own.or_else(keep, coefficient[lane]);
            }
        }
        score.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finishing_leaves_other_lanes_alone() {
        for mask in [1u64 << 3, 0x0f0f_0f0f_0f0f_0f0f] {
            let finish = Finish::<8> {
                sources: LaneRow::of(|_| 2.0),
            };
            let mut numbers = LaneRow::of(|lane| match mask >> lane & 1 {
                1 => 4.0,
                _ => f64::INFINITY,
            });
            let paths = Counted {
                rows: &[numbers],
                first: 0,
            };
            let sum = LaneRow::of(|lane| lane as f64);
            let score = finish.vertex(&paths, 0, &sum, &mut numbers, (1.5, 2.0), mask);
            let lanes = |f: &dyn Fn(usize) -> f64| each_lane(mask).map(f).sum::<f64>();
            assert_eq!(score, lanes(&|lane| 2.0 * 4.0 * lane as f64));
            let coefficient = |lane| match mask >> lane & 1 {
                1 => 2.0 * lane as f64 + 0.75,
                _ => f64::INFINITY,
            };
            assert_eq!(numbers, LaneRow::of(coefficient));
        }
    }
}
