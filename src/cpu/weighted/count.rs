//! What paths and dependencies are counted in.

use std::ops::{Add, Div, Mul};

use crate::engine::SIGMA_LIMIT_F64;

/// What a search knows of a vertex.
#[derive(Debug, Clone, Copy)]
pub(in crate::cpu) struct Node<L, N> {
    /// Distance from the root; [`super::length::Length::FAR`] where it is not known to be reached.
    pub(super) dist: L,
    /// On the way there the path count sigma; from the way back on the coefficient, (weight +
    /// delta) / sigma.
    pub(super) value: N,
}

/// Numbers of zero or more.
pub(in crate::cpu) trait Count:
    Copy + PartialEq + From<f64> + Add<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    const ZERO: Self;

    /// The sum with another one if `so`, and else without.
    fn plus_if(self, so: bool, other: Self) -> Self;

    fn to_f64(self) -> f64;

    /// Whether this is a path count in range.
    fn in_range(self) -> bool;
}

impl Count for f64 {
    const ZERO: f64 = 0.0;

    /// No branch: whether an arc is on a shortest path is hard to guess.
    #[inline(always)]
    fn plus_if(self, so: bool, other: f64) -> f64 {
        self + f64::from_bits(other.to_bits() & u64::from(so).wrapping_neg())
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn in_range(self) -> bool {
        self <= SIGMA_LIMIT_F64
    }
}
