//! The number types of path counts and dependencies.

use std::ops::{Add, Div, Mul};

use crate::cpu::vectors::only;
use crate::engine::SIGMA_LIMIT_F64;

/// A type of non-negative numbers.
pub(in crate::cpu) trait Count:
    Copy + PartialEq + From<f64> + Add<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    const ZERO: Self;

    /// Returns the sum with `other` if `condition`, else this number.
    #[inline(always)]
    fn plus_if(self, condition: bool, other: Self) -> Self {
        if condition { self + other } else { self }
    }

    /// Returns e^`exponent`, for an exponent that is not positive.
    fn exp(exponent: f64) -> Self;

    fn to_f64(self) -> f64;

    /// Returns whether this path count is in range; always true for a type without a limit.
    fn in_range(self) -> bool {
        true
    }
}

impl Count for f64 {
    const ZERO: f64 = 0.0;

    /// Adds without a branch, which would be hard to predict.
    #[inline(always)]
    fn plus_if(self, condition: bool, other: f64) -> f64 {
        self + only(other, condition)
    }

    #[inline(always)]
    fn exp(exponent: f64) -> f64 {
        exponent.exp()
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
