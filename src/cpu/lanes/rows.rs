//! Rows of one number per lane, and what is done to whole rows under a mask.
//!
//! Loops over fixed arrays, which the compiler turns into the vector instructions of the function
//! that they are inlined into (hence `inline(always)`); adding is in [`super::vectors`]. A lane is
//! masked by an AND with all ones or zeros: `if bit { x } else { 0.0 }` can become branches, which
//! are some twenty times slower.

use super::pairs::{Pair, each_lane};
use super::vectors::{GROUP, LaneVectors, keep, masked};
use crate::cpu::prefetch::prefetch_slice;
use crate::engine::Root;

/// Rows asked for ahead.
const AHEAD: usize = 3;

/// What rows are made of.
pub(super) trait Number: Copy + PartialOrd + 'static {
    const ZERO: Self;
    const ONE: Self;
    /// Masks of at most so many lanes for each group are gone through lane by lane.
    const FEW: u32;
    /// What stands for all numbers that are too large, if there are any.
    const TOO_LARGE: Option<Self>;

    /// The sum, or as much of it as can be told.
    fn plus(self, other: Self) -> Self;

    /// Multiplies the lanes whose bits are set by a whole number from 1 on, without branches; the
    /// others stay as they are.
    fn scale(group: &mut [Self; GROUP], factor: f64, bits: u64);

    /// Adds the lanes whose bits are set; the others stay as they are.
    fn add<V: LaneVectors, const G: usize>(
        to: &mut [[Self; GROUP]; G],
        from: &[[Self; GROUP]; G],
        mask: u64,
    );
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const FEW: u32 = 1;
    const TOO_LARGE: Option<Self> = None;

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn scale(group: &mut [Self; GROUP], factor: f64, bits: u64) {
        for (lane, number) in group.iter_mut().enumerate() {
            *number *= select(keep(bits, lane), factor, 1.0);
        }
    }

    #[inline(always)]
    fn add<V: LaneVectors, const G: usize>(
        to: &mut [[Self; GROUP]; G],
        from: &[[Self; GROUP]; G],
        mask: u64,
    ) {
        V::add(to, from, mask);
    }
}

/// Half the memory; for coefficients, which are added to sums of f64.
impl Number for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const FEW: u32 = 0;
    const TOO_LARGE: Option<Self> = None;

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn scale(group: &mut [Self; GROUP], factor: f64, bits: u64) {
        for (lane, number) in group.iter_mut().enumerate() {
            *number *= select(keep(bits, lane), factor, 1.0) as f32;
        }
    }

    #[inline(always)]
    fn add<V: LaneVectors, const G: usize>(
        to: &mut [[Self; GROUP]; G],
        from: &[[Self; GROUP]; G],
        mask: u64,
    ) {
        V::add_floats(to, from, mask);
    }
}

/// What the coefficients of the way back are stored as.
pub(super) trait Coefficient: Number + Into<f64> {
    /// This one, or the other if `keep` is zero and not all ones.
    fn or_else(self, keep: u64, other: Self) -> Self;

    /// weight / paths + sum, times the multiplicity.
    fn finish(weight: f64, multiplicity: f64, paths: f64, sum: f64) -> Self;

    /// The sum of the rows of these hits, each in its lanes.
    fn sum<V: LaneVectors, const H: usize>(rows: &[LaneRow<H, Self>], hits: &[Pair]) -> LaneRow<H>;
}

impl Coefficient for f64 {
    #[inline(always)]
    fn or_else(self, keep: u64, other: Self) -> Self {
        select(keep, self, other)
    }

    #[inline(always)]
    fn finish(weight: f64, multiplicity: f64, paths: f64, sum: f64) -> Self {
        multiplicity * (weight / paths + sum)
    }

    #[inline(always)]
    fn sum<V: LaneVectors, const H: usize>(rows: &[LaneRow<H>], hits: &[Pair]) -> LaneRow<H> {
        LaneRow::sum::<V>(rows, hits)
    }
}

/// So many coefficients are added as they are before they are added to a sum.
const TOGETHER: usize = 4;

impl Coefficient for f32 {
    #[inline(always)]
    fn or_else(self, keep: u64, other: Self) -> Self {
        let keep = keep as u32;
        f32::from_bits((self.to_bits() & keep) | (other.to_bits() & !keep))
    }

    #[inline(always)]
    fn finish(weight: f64, multiplicity: f64, paths: f64, sum: f64) -> Self {
        multiplicity as f32 * (weight as f32 / paths as f32 + sum as f32)
    }

    #[inline(always)]
    fn sum<V: LaneVectors, const H: usize>(rows: &[LaneRow<H, f32>], hits: &[Pair]) -> LaneRow<H> {
        let mut sum = LaneRow::ZERO;
        let mut start = 0;
        while start < hits.len() {
            let end = hits.len().min(start + TOGETHER);
            let mut few = LaneRow::<H, f32>::ZERO;
            for i in start..end {
                let (v, lanes) = hits[i];
                prefetch(rows, hits, i);
                V::add_floats(&mut few.0, &rows[v as usize].0, lanes);
            }
            V::add_widened(&mut sum.0, &few.0);
            start = end;
        }
        sum
    }
}

/// A quarter of the memory (of 32 lanes and more) and of the instructions, as long as numbers are
/// small: the largest one stands for all that are too large.
impl Number for u16 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const FEW: u32 = 0;
    const TOO_LARGE: Option<Self> = Some(u16::MAX);

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    #[inline(always)]
    fn scale(group: &mut [Self; GROUP], factor: f64, bits: u64) {
        let more = u32::from(factor as u16) - 1;
        for (lane, number) in group.iter_mut().enumerate() {
            let factor = 1 + more * (bits >> lane & 1) as u32;
            *number = (u32::from(*number) * factor).min(u16::MAX.into()) as u16;
        }
    }

    #[inline(always)]
    fn add<V: LaneVectors, const G: usize>(
        to: &mut [[Self; GROUP]; G],
        from: &[[Self; GROUP]; G],
        mask: u64,
    ) {
        V::add_short(to, from, mask);
    }
}

/// One number per lane, in G groups.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(super) struct LaneRow<const G: usize, T = f64>(pub(super) [[T; GROUP]; G]);

#[inline(always)]
fn select(keep: u64, x: f64, y: f64) -> f64 {
    f64::from_bits((x.to_bits() & keep) | (y.to_bits() & !keep))
}

impl<const G: usize, T: Number> LaneRow<G, T> {
    pub(super) const ZERO: Self = LaneRow([[T::ZERO; GROUP]; G]);

    /// Masks of at most so many lanes are gone through lane by lane.
    const FEW: u32 = G as u32 * T::FEW;

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> T {
        self.0[lane / GROUP % G][lane % GROUP]
    }

    #[inline(always)]
    pub(super) fn lane_mut(&mut self, lane: usize) -> &mut T {
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
    pub(super) fn add<V: LaneVectors>(&mut self, from: &Self, mut mask: u64) {
        if mask.count_ones() <= Self::FEW {
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let to = self.lane_mut(lane);
                *to = to.plus(from.lane(lane));
            }
            return;
        }
        T::add::<V, G>(&mut self.0, &from.0, mask);
    }

    /// Puts a sum, which is zero in all other lanes, beside the lanes that are here already; no
    /// others count.
    #[inline(always)]
    pub(super) fn put(&mut self, sum: Self, already: u64) -> &Self {
        match already {
            0 => *self = sum,
            _ => self.add_all(&sum),
        }
        self
    }

    /// Multiplies the lanes in `mask` by a multiplicity.
    #[inline(always)]
    pub(super) fn scale(&mut self, factor: f64, mask: u64) {
        if factor != 1.0 {
            for (g, group) in self.0.iter_mut().enumerate() {
                T::scale(group, factor, mask >> (g * GROUP));
            }
        }
    }

    /// Takes the larger one in each lane, if numbers can be too large.
    #[inline(always)]
    pub(super) fn raise(&mut self, other: &Self) {
        if T::TOO_LARGE.is_none() {
            return;
        }
        for g in 0..G {
            for lane in 0..GROUP {
                let (to, from) = (&mut self.0[g][lane], other.0[g][lane]);
                *to = if from > *to { from } else { *to };
            }
        }
    }

    /// Whether any number is too large.
    pub(super) fn any_too_large(&self) -> bool {
        let mut numbers = self.0.iter().flatten();
        T::TOO_LARGE.is_some_and(|too_large| numbers.any(|&number| number == too_large))
    }

    /// The sum of the rows of these hits, each in its lanes.
    #[inline(always)]
    pub(super) fn sum<V: LaneVectors>(rows: &[Self], hits: &[Pair]) -> Self {
        let mut sum = Self::ZERO;
        for (i, &(v, lanes)) in hits.iter().enumerate() {
            prefetch(rows, hits, i);
            T::add::<V, G>(&mut sum.0, &rows[v as usize].0, lanes);
        }
        sum
    }

    /// Adds all lanes.
    #[inline(always)]
    pub(super) fn add_all(&mut self, from: &Self) {
        for (to, from) in self.0.iter_mut().zip(&from.0) {
            for lane in 0..GROUP {
                to[lane] = to[lane].plus(from[lane]);
            }
        }
    }
}

impl<const G: usize, T: Number + Into<f64>> LaneRow<G, T> {
    /// The same numbers in f64.
    #[inline(always)]
    pub(super) fn widened(&self) -> LaneRow<G> {
        let mut row = LaneRow::ZERO;
        for g in 0..G {
            for lane in 0..GROUP {
                row.0[g][lane] = self.0[g][lane].into();
            }
        }
        row
    }
}

impl<const G: usize> LaneRow<G> {
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
}

/// Asks for the row of the hit that will be due a little after hit `i`.
#[inline(always)]
pub(super) fn prefetch<const G: usize, T: Number>(rows: &[LaneRow<G, T>], hits: &[Pair], i: usize) {
    if let Some(&(v, _)) = hits.get(i + AHEAD) {
        rows[v as usize].prefetch();
    }
}

/// Where path counts are read on the way back.
pub(super) trait Paths<const G: usize, C> {
    /// That of a lane at vertex `v`, whose coefficients are in `row` or will be.
    fn lane(&self, v: usize, lane: usize, row: &LaneRow<G, C>) -> f64;

    /// Those of a group of lanes.
    fn group(&self, v: usize, g: usize, row: &LaneRow<G, C>) -> [f64; GROUP];
}

/// In the place of coefficients, until these are put there.
pub(super) struct InPlace;

impl<const G: usize> Paths<G, f64> for InPlace {
    #[inline(always)]
    fn lane(&self, _: usize, lane: usize, row: &LaneRow<G>) -> f64 {
        row.lane(lane)
    }

    #[inline(always)]
    fn group(&self, _: usize, g: usize, row: &LaneRow<G>) -> [f64; GROUP] {
        row.0[g]
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
    pub(super) fn vertex<C: Coefficient>(
        &self,
        paths: &impl Paths<G, C>,
        v: usize,
        sum: &LaneRow<G>,
        coefficient: &mut LaneRow<G, C>,
        (weight, multiplicity): (f64, f64),
        mask: u64,
    ) -> f64 {
        if mask.count_ones() <= LaneRow::<G>::FEW {
            return each_lane(mask)
                .map(|lane| {
                    let (sigma, sum) = (paths.lane(v, lane, coefficient), sum.lane(lane));
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
            let sigma = paths.group(v, g, coefficient);
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
    use crate::cpu::instructions::Portable;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::instructions::{Avx2, Avx512};
    use crate::cpu::lanes::Simd;

    fn row<const G: usize>(value: impl Fn(usize) -> f64) -> LaneRow<G> {
        let mut row = LaneRow::ZERO;
        for lane in 0..G * GROUP {
            *row.lane_mut(lane) = value(lane);
        }
        row
    }

    fn row16<const G: usize>(value: impl Fn(usize) -> u16) -> LaneRow<G, u16> {
        let mut row = LaneRow::ZERO;
        for lane in 0..G * GROUP {
            *row.lane_mut(lane) = value(lane);
        }
        row
    }

    fn adds_under_masks<V: LaneVectors, const G: usize>() {
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

    fn adds_floats<V: LaneVectors, const G: usize>() {
        for mask in [0, 1 << 7, 0b1010_0110, 0x8421_1248_ff00_ff01, u64::MAX] {
            let mask = mask & (u64::MAX >> (64 - G * GROUP));
            let set = |lane: usize| mask >> lane & 1 == 1;
            let mut from = LaneRow::<G, f32>::ZERO;
            for lane in 0..G * GROUP {
                *from.lane_mut(lane) = if set(lane) { lane as f32 } else { f32::NAN };
            }
            // Five rows: some are added as they are, and one more.
            let hits = [(0, mask); 5];
            let sum = <f32 as Coefficient>::sum::<V, G>(&[from], &hits);
            let expected = row::<G>(|lane| if set(lane) { 5.0 * lane as f64 } else { 0.0 });
            assert_eq!(sum, expected, "{mask:x}");
        }
    }

    fn adds_short_numbers<V: LaneVectors, const G: usize>() {
        let mut sum = row16::<G>(|lane| 65_000 + lane as u16);
        let from = row16::<G>(|lane| 10 * lane as u16);
        let mask = 0x0ff0_8421_1248_ff06 & (u64::MAX >> (64 - G * GROUP));
        sum.add::<V>(&from, mask);
        let expected = row16(|lane| match mask >> lane & 1 {
            1 => (65_000 + 11 * lane as u32).min(65_535) as u16,
            _ => 65_000 + lane as u16,
        });
        assert_eq!(sum, expected);
        assert_eq!(sum.any_too_large(), G == 8, "11 * 49 is too much");
    }

    fn adds_under_masks_in_rows_of_any_width<V: LaneVectors>() {
        adds_under_masks::<V, 1>();
        adds_under_masks::<V, 2>();
        adds_under_masks::<V, 4>();
        adds_under_masks::<V, 8>();
        adds_floats::<V, 1>();
        adds_floats::<V, 2>();
        adds_floats::<V, 4>();
        adds_floats::<V, 8>();
        adds_short_numbers::<V, 1>();
        adds_short_numbers::<V, 4>();
        adds_short_numbers::<V, 8>();
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
            let score = finish.vertex(&InPlace, 0, &sum, &mut numbers, (1.5, 2.0), mask);
            let lanes = |f: &dyn Fn(usize) -> f64| each_lane(mask).map(f).sum::<f64>();
            assert_eq!(score, lanes(&|lane| 2.0 * 4.0 * lane as f64));
            let coefficient = |lane| match mask >> lane & 1 {
                1 => 2.0 * lane as f64 + 0.75,
                _ => f64::INFINITY,
            };
            assert_eq!(numbers, row(coefficient));
        }
    }
}
