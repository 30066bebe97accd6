//! Numbers with the precision of a double and an exponent of 64 bits.

use std::f64::consts::LOG2_E;
use std::ops::{Add, Div, Mul};

use crate::cpu::weighted::count::Count;

/// A number of zero or more: mantissa * 2^exponent. Sums, products and quotients are rounded like
/// those of doubles, but do not overflow or underflow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::cpu) struct Wide {
    /// At least 1 and less than 2; zero for zero.
    mantissa: f64,
    /// A path count is at most a product of 2^32 numbers of 32 bits, so the exponents of path
    /// counts and their quotients do not overflow.
    exponent: i64,
}

/// The fraction bits of a double.
const FRACTION_BITS: u32 = 52;
const FRACTION: u64 = (1 << FRACTION_BITS) - 1;
/// The exponent bits of the double 1.
const BIAS: i64 = 1023;
/// Adding a number that is smaller by a factor of more than 2^`DIGITS` changes nothing.
const DIGITS: i64 = 60;

/// Powers of e are rounded up to 2^-`MOST_DECAY`, which is so small that its product with any path
/// count is negligible.
const MOST_DECAY: f64 = 1e15;
/// Subnormal doubles times 2^`SCALE` are normal.
const SCALE: i64 = 64;

/// Returns 2^exponent, for the exponents of normal doubles.
fn power(exponent: i64) -> f64 {
    f64::from_bits(((BIAS + exponent) as u64) << FRACTION_BITS)
}

impl Wide {
    /// Returns `value` * 2^`exponent`, for a `value` that is zero or a normal positive double.
    #[inline(always)]
    fn new(value: f64, exponent: i64) -> Wide {
        if value == 0.0 {
            return Wide::ZERO;
        }
        let bits = value.to_bits();
        Wide {
            mantissa: f64::from_bits(bits & FRACTION | 1f64.to_bits()),
            exponent: exponent + (bits >> FRACTION_BITS) as i64 - BIAS,
        }
    }
}

impl Count for Wide {
    /// Zero has an exponent so small that adding it changes nothing.
    const ZERO: Wide = Wide {
        mantissa: 0.0,
        exponent: i64::MIN / 4,
    };

    #[inline(always)]
    fn exp(exponent: f64) -> Wide {
        let exponent = (exponent * LOG2_E).max(-MOST_DECAY);
        let whole = exponent.floor();
        Wide::new((exponent - whole).exp2(), whole as i64)
    }

    /// Returns the nearest normal double: zero for smaller numbers, infinity for larger ones.
    #[inline(always)]
    fn to_f64(self) -> f64 {
        match self.exponent {
            1024.. => f64::INFINITY,
            -1022..1024 => self.mantissa * power(self.exponent),
            _ => 0.0,
        }
    }
}

impl From<f64> for Wide {
    /// Converts a number that is not negative.
    #[inline(always)]
    fn from(value: f64) -> Wide {
        match value < f64::MIN_POSITIVE {
            // Subnormal doubles have no exponent of their own.
            true => Wide::new(value * power(SCALE), -SCALE),
            false => Wide::new(value, 0),
        }
    }
}

impl Add for Wide {
    type Output = Wide;

    #[inline(always)]
    fn add(self, other: Wide) -> Wide {
        let (large, small) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let difference = large.exponent - small.exponent;
        if difference > DIGITS {
            return large;
        }
        let sum = large.mantissa + small.mantissa * power(-difference);
        Wide::new(sum, large.exponent)
    }
}

impl Mul for Wide {
    type Output = Wide;

    #[inline(always)]
    fn mul(self, other: Wide) -> Wide {
        let exponent = self.exponent + other.exponent;
        Wide::new(self.mantissa * other.mantissa, exponent)
    }
}

impl Div for Wide {
    type Output = Wide;

    /// Divides by a number that is not zero.
    #[inline(always)]
    fn div(self, other: Wide) -> Wide {
        let exponent = self.exponent - other.exponent;
        Wide::new(self.mantissa / other.mantissa, exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::LN_2;

    /// Returns 2^exponent.
    fn two_to(exponent: i64) -> Wide {
        Wide::new(1.0, exponent)
    }

    #[test]
    fn powers_of_two_do_not_overflow() {
        let mut large = two_to(0);
        for _ in 0..5000 {
            large = large + large;
        }
        assert_eq!(large, two_to(5000));
        assert_eq!(large.to_f64(), f64::INFINITY);
        assert_eq!((large / two_to(5001)).to_f64(), 0.5);
        let small = two_to(0) / large;
        assert_eq!((small.to_f64(), (small * large).to_f64()), (0.0, 1.0));
        assert_eq!([large + two_to(0), two_to(0) + large], [large; 2]);
        // Zero is neutral.
        let (zero, tiny) = (Wide::ZERO, two_to(-1_000_000));
        assert_eq!(
            [Wide::from(0.0), zero + zero, zero * tiny, zero / tiny],
            [zero; 4]
        );
        assert_eq!([zero + tiny, tiny + zero], [tiny; 2]);
        assert_eq!(zero.to_f64(), 0.0);
    }

    #[test]
    fn extreme_doubles_survive_conversion() {
        for value in [f64::MIN_POSITIVE, f64::MAX, 1.0, 3.0] {
            assert_eq!(Wide::from(value).to_f64(), value);
        }
        // Conversion keeps the value of subnormal doubles.
        for exponent in [-1023, -1050, -1074] {
            // `powi(-1074)` may be computed as 1 / 2^1074, whose divisor overflows.
            let tiny = Wide::from(2f64.powi(-1000) * 2f64.powi(exponent + 1000));
            assert_eq!(tiny, two_to(exponent.into()));
        }
        assert_eq!(
            [-1075, -5000].map(|exponent| two_to(exponent).to_f64()),
            [0.0; 2]
        );
    }

    #[test]
    fn powers_of_e_do_not_underflow() {
        for exponent in [0f64, -0.1, -1.0, -10.5, -700.0] {
            let exact = exponent.exp();
            assert!((Wide::exp(exponent).to_f64() - exact).abs() <= 1e-12 * exact);
        }
        let halves = Wide::exp(-LN_2 * 1e6) * two_to(1_000_000);
        assert!((halves.to_f64() - 1.0).abs() < 1e-9);
        assert_eq!(Wide::exp(f64::NEG_INFINITY).to_f64(), 0.0);
    }
}
