//! Rows with one number per lane, and operations on whole rows under a mask.
//!
//! The compiler turns loops over fixed arrays into the vector instructions of the function that
//! they are inlined into (hence `inline(always)`); additions are in [`crate::cpu::vectors`]. A lane
//! is masked by an AND with all ones or zeros, since `if bit { x } else { 0.0 }` can become a
//! branch, which is about twenty times slower.

use super::numbers::Number;
use crate::cpu::prefetch::prefetch_slice;
use crate::cpu::vectors::{GROUP, Row, Vectors, lane_mask, masked};
use crate::engine::Root;
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// A vertex, and the lanes that reach it on a level, a bit for each.
pub(super) type VertexLanes = (Vertex, u64);

/// The number of hits ahead whose rows are prefetched.
const AHEAD: usize = 3;

/// One number per lane, in G groups.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(super) struct LaneRow<const G: usize, T = f64>(pub(super) Row<T, G>);

impl<const G: usize, T: Default + Copy> LaneRow<G, T> {
    #[inline(always)]
    pub(super) fn zero() -> Self {
        LaneRow([[T::default(); GROUP]; G])
    }

    #[inline(always)]
    pub(super) fn lane_mut(&mut self, lane: usize) -> &mut T {
        // Lanes are always in range; the remainder removes the check.
        &mut self.0[lane / GROUP % G][lane % GROUP]
    }
}

impl<const G: usize, T: Number> LaneRow<G, T> {
    /// Adds the lanes in `mask`.
    #[inline(always)]
    pub(super) fn add<V: Vectors>(&mut self, from: &Self, mask: u64) {
        T::add::<V, G>(&mut self.0, &from.0, mask);
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

    /// Raises the number in each lane to that of `other` if it is larger.
    #[inline(always)]
    pub(super) fn raise(&mut self, other: &Self) {
        for g in 0..G {
            for lane in 0..GROUP {
                let (to, from) = (&mut self.0[g][lane], other.0[g][lane]);
                *to = if from > *to { from } else { *to };
            }
        }
    }

    /// Returns the lanes whose numbers are out of range, a bit for each.
    pub(super) fn overflowed(&self) -> u64 {
        let numbers = (0..).zip(self.0.iter().flatten());
        numbers
            .map(|(lane, &number)| u64::from(number > T::LARGEST) << lane)
            .sum()
    }

    /// Returns the sum of the rows of these hits, each in its lanes.
    #[inline(always)]
    pub(super) fn sum<V: Vectors>(rows: &[Self], hits: &[VertexLanes]) -> Self {
        let mut sum = Self::zero();
        for (i, &(v, lanes)) in hits.iter().enumerate() {
            prefetch(rows, hits, i);
            sum.add::<V>(&rows[v as usize], lanes);
        }
        sum
    }
}

impl<const G: usize, T: Default + Copy + Into<f64>> LaneRow<G, T> {
    /// Returns the numbers as f64.
    #[inline(always)]
    pub(super) fn widened(&self) -> LaneRow<G> {
        let mut row = LaneRow::zero();
        for g in 0..G {
            for lane in 0..GROUP {
                row.0[g][lane] = self.0[g][lane].into();
            }
        }
        row
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
    pub(super) fn total<V: Vectors>(&self, mask: u64) -> f64 {
        let mut sum = [[0.0; GROUP]];
        for (g, &group) in self.0.iter().enumerate() {
            V::add_masked(&mut sum, &[group], mask >> (g * GROUP));
        }
        sum[0].iter().sum()
    }

    /// Returns the sum over the lanes in `mask` of the products of three rows.
    #[inline(always)]
    pub(super) fn product_sum(&self, second: &Self, third: &Self, mask: u64) -> f64 {
        let mut sums = [0.0; GROUP];
        for g in 0..G {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let product = self.0[g][lane] * second.0[g][lane] * third.0[g][lane];
                // The mask comes last, since the values in other lanes are arbitrary.
                *sum += masked(product, lane_mask(mask, g * GROUP + lane));
            }
        }
        sums.iter().sum()
    }
}

/// Prefetches the row of the hit that comes [`AHEAD`] hits after hit `i`.
#[inline(always)]
pub(super) fn prefetch<const G: usize, T>(rows: &[LaneRow<G, T>], hits: &[VertexLanes], i: usize) {
    if let Some(&(v, _)) = hits.get(i + AHEAD) {
        prefetch_slice(&rows[v as usize].0, G);
    }
}

/// A type in which coefficients of the backward phase are stored: f64, or f32 with
/// [`crate::engine::Precision::Mixed`], which takes half the memory.
pub(super) trait Coefficient: Default + Copy + Into<f64> {
    /// Returns `self` if `keep` is all ones, `other` if `keep` is zero.
    fn or_else(self, keep: u64, other: Self) -> Self;

    /// Returns weight / divisor + sum, times the multiplicity.
    fn finish(weight: f64, multiplicity: f64, divisor: f64, sum: f64) -> Self;

    /// Returns the sum of the rows of these hits, each in its lanes.
    fn sum<V: Vectors, const H: usize>(
        rows: &[LaneRow<H, Self>],
        hits: &[VertexLanes],
    ) -> LaneRow<H>;
}

impl Coefficient for f64 {
    #[inline(always)]
    fn or_else(self, keep: u64, other: Self) -> Self {
        f64::from_bits((self.to_bits() & keep) | (other.to_bits() & !keep))
    }

    #[inline(always)]
    fn finish(weight: f64, multiplicity: f64, divisor: f64, sum: f64) -> Self {
        multiplicity * (weight / divisor + sum)
    }

    #[inline(always)]
    fn sum<V: Vectors, const H: usize>(rows: &[LaneRow<H>], hits: &[VertexLanes]) -> LaneRow<H> {
        LaneRow::sum::<V>(rows, hits)
    }
}

impl Coefficient for f32 {
    #[inline(always)]
    fn or_else(self, keep: u64, other: Self) -> Self {
        let keep = keep as u32;
        f32::from_bits((self.to_bits() & keep) | (other.to_bits() & !keep))
    }

    #[inline(always)]
    fn finish(weight: f64, multiplicity: f64, divisor: f64, sum: f64) -> Self {
        multiplicity as f32 * (weight as f32 / divisor as f32 + sum as f32)
    }

    /// Adds four rows in f32 before they are added to a sum in f64.
    #[inline(always)]
    fn sum<V: Vectors, const H: usize>(
        rows: &[LaneRow<H, f32>],
        hits: &[VertexLanes],
    ) -> LaneRow<H> {
        const TOGETHER: usize = 4;
        let mut sum = LaneRow::zero();
        let mut start = 0;
        while start < hits.len() {
            let end = hits.len().min(start + TOGETHER);
            let mut few = LaneRow::<H, f32>::zero();
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
