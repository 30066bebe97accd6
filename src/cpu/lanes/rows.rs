//! Rows of one number per lane, and what is done to whole rows under a mask.
//!
//! Loops over fixed arrays, which the compiler turns into the vector instructions of the function that
//! they are inlined into (hence `inline(always)`); adding is in [`super::vectors`]. A lane is masked by an AND
//! with all ones or zeros: `if bit { x } else { 0.0 }` can become branches, which are some twenty times slower.

use super::vectors::{GROUP, Vectors, keep, masked};
use crate::cpu::prefetch::prefetch_slice;

/// One number per lane, in G groups.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(super) struct Row<const G: usize>(pub(super) [[f64; GROUP]; G]);

#[inline(always)]
fn select(keep: u64, x: f64, y: f64) -> f64 {
    f64::from_bits((x.to_bits() & keep) | (y.to_bits() & !keep))
}

/// The lanes of a mask, one after the other.
pub(super) fn each_lane(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lane
        })
    })
}

impl<const G: usize> Row<G> {
    pub(super) const ZERO: Self = Row([[0.0; GROUP]; G]);

    /// Masks of at most so many lanes are gone through lane by lane.
    const FEW: u32 = G as u32;

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> f64 {
        self.0[lane / GROUP % G][lane % GROUP]
    }

    #[inline(always)]
    pub(super) fn lane_mut(&mut self, lane: usize) -> &mut f64 {
        // Lanes are always in range; the remainder tells the compiler so.
        &mut self.0[lane / GROUP % G][lane % GROUP]
    }

    /// Asks the processor to fetch the row.
    #[inline(always)]
    pub(super) fn prefetch(&self) {
        prefetch_slice(&self.0, G);
    }

    /// Adds the lanes in `mask`.
    #[inline(always)]
    pub(super) fn add<V: Vectors>(&mut self, from: &Self, mut mask: u64) {
        if mask.count_ones() <= Self::FEW {
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                *self.lane_mut(lane) += from.lane(lane);
            }
            return;
        }
        for (g, (to, from)) in self.0.iter_mut().zip(&from.0).enumerate() {
            V::add(to, from, (mask >> (g * GROUP)) as u8);
        }
    }

    /// The sum over the lanes in `mask` of the products of three rows.
    #[inline(always)]
    pub(super) fn product_sum(&self, second: &Self, third: &Self, mask: u64) -> f64 {
        if mask.count_ones() <= Self::FEW {
            return each_lane(mask)
                .map(|lane| self.lane(lane) * second.lane(lane) * third.lane(lane))
                .sum();
        }
        let mut sums = [0.0; GROUP];
        for g in 0..G {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let product = self.0[g][lane] * second.0[g][lane] * third.0[g][lane];
                // Masked last: in other lanes this may be anything.
                *sum += masked(product, keep(mask, g * GROUP + lane));
            }
        }
        sums.iter().sum()
    }

    /// Adds all lanes.
    #[inline(always)]
    pub(super) fn add_all(&mut self, from: &Self) {
        for (to, from) in self.0.iter_mut().zip(&from.0) {
            for lane in 0..GROUP {
                to[lane] += from[lane];
            }
        }
    }
}

/// What all vertices of a batch are finished with on the way back.
pub(super) struct Finish<const G: usize> {
    /// Factor of each lane's dependencies; zero for lanes without a root.
    pub(super) sources: Row<G>,
}

impl<const G: usize> Finish<G> {
    /// Puts coef = (weight + delta) / sigma in the place of sigma, in the lanes of `mask`; `sum` is that of the
    /// coefs of the successors. Returns the vertex's dependencies over these lanes.
    #[inline(always)]
    pub(super) fn vertex(&self, sigma: &mut Row<G>, sum: &Row<G>, weight: f64, mask: u64) -> f64 {
        if mask.count_ones() <= Row::<G>::FEW {
            let mut score = 0.0;
            let mut rest = mask;
            while rest != 0 {
                let lane = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let sum = sum.lane(lane);
                let number = sigma.lane_mut(lane);
                score += self.sources.lane(lane) * (*number * sum);
                *number = weight / *number + sum;
            }
            return score;
        }
        let mut score = [0.0; GROUP];
        for g in 0..G {
            let bits = mask >> (g * GROUP);
            let (sigma, sum) = (&mut sigma.0[g], &sum.0[g]);
            let sources = &self.sources.0[g];
            for lane in 0..GROUP {
                let keep = keep(bits, lane);
                let (sum, paths) = (sum[lane], sigma[lane]);
                // Masked last: in other lanes this may be anything.
                score[lane] += sources[lane] * masked(paths * sum, keep);
                sigma[lane] = select(keep, weight / paths + sum, paths);
            }
        }
        score.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::lanes::Simd;
    use crate::cpu::lanes::vectors::Portable;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::lanes::vectors::{Avx2, Avx512};

    fn row<const G: usize>(value: impl Fn(usize) -> f64) -> Row<G> {
        let mut row = Row::ZERO;
        for lane in 0..G * GROUP {
            *row.lane_mut(lane) = value(lane);
        }
        row
    }

    fn adds_under_masks<V: Vectors, const G: usize>() {
        for mask in [0, 1, 1 << 7, 0b1010_0110, 0x8421_1248_ff00_ff01, u64::MAX] {
            let mask = mask & (u64::MAX >> (64 - G * GROUP));
            let mut sum = row::<G>(|lane| lane as f64);
            // What is masked away must not matter, whatever it is.
            let garbage = |lane| [f64::NAN, f64::INFINITY][lane % 2];
            let from = row::<G>(|lane| match mask >> lane & 1 {
                1 => 100.0,
                _ => garbage(lane),
            });
            sum.add::<V>(&from, mask);
            let expected = row::<G>(|lane| lane as f64 + 100.0 * (mask >> lane & 1) as f64);
            assert_eq!(sum, expected, "{mask:x}");
        }
    }

    fn adds_under_masks_in_rows_of_any_width<V: Vectors>() {
        adds_under_masks::<V, 1>();
        adds_under_masks::<V, 2>();
        adds_under_masks::<V, 4>();
        adds_under_masks::<V, 8>();
    }

    #[test]
    fn rows_are_added_under_masks() {
        adds_under_masks_in_rows_of_any_width::<Portable>();
        #[cfg(target_arch = "x86_64")]
        if Simd::Avx2.is_available() {
            adds_under_masks_in_rows_of_any_width::<Avx2>();
        }
        #[cfg(target_arch = "x86_64")]
        if Simd::Avx512.is_available() {
            adds_under_masks_in_rows_of_any_width::<Avx512>();
        }
    }

    #[test]
    fn finishing_leaves_other_lanes_alone() {
        for mask in [1u64 << 3, 0x0f0f_0f0f_0f0f_0f0f] {
            let finish = Finish::<8> {
                sources: row(|_| 2.0),
            };
            let mut numbers = row(|lane| match mask >> lane & 1 {
                1 => 4.0,
                _ => f64::INFINITY,
            });
            let sum = row(|lane| lane as f64);
            let score = finish.vertex(&mut numbers, &sum, 3.0, mask);
            let lanes = |f: &dyn Fn(usize) -> f64| each_lane(mask).map(f).sum::<f64>();
            assert_eq!(score, lanes(&|lane| 2.0 * 4.0 * lane as f64));
            let coef = |lane| match mask >> lane & 1 {
                1 => lane as f64 + 0.75,
                _ => f64::INFINITY,
            };
            assert_eq!(numbers, row(coef));
        }
    }
}
