//! Coefficients of the backward phase: in f64, or with [`crate::engine::Precision::Mixed`] in f32,
//! which takes half the memory.

use super::levels::VertexLanes;
use super::numbers::select;
use super::rows::{LaneRow, prefetch};
use crate::cpu::vectors::Vectors;

/// A type in which coefficients of the backward phase are stored.
pub(super) trait Coefficient: Default + Copy + Into<f64> {
    /// Returns this one if `keep` is all ones, the other one if it is zero.
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
        select(keep, self, other)
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

/// The number of coefficients that are added in f32 before they are added to a sum in f64.
const TOGETHER: usize = 4;

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

    #[inline(always)]
    fn sum<V: Vectors, const H: usize>(
        rows: &[LaneRow<H, f32>],
        hits: &[VertexLanes],
    ) -> LaneRow<H> {
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
