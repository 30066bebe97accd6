//! Numbers of any type in an array.

use std::fmt::{self, Display, Formatter};

use crate::WeightIs;
use crate::error::Problem;
use crate::weights::Weight;

/// A value of a matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Double(f64),
    Single(f32),
    Truth(bool),
}

impl Number {
    /// Returns the nearest double.
    #[inline]
    pub fn double(self) -> f64 {
        match self {
            Number::Integer(number) => number as f64,
            Number::Double(number) => number,
            Number::Single(number) => number.into(),
            Number::Truth(number) => number.into(),
        }
    }

    /// Returns the shortest decimal that reads as this number, so that 0.1 and 0.2 add up to 0.3.
    ///
    /// # Errors
    /// [`Problem`] if the number cannot be a weight: negative, infinite, NaN or a truth value.
    pub fn weight(self, meaning: WeightIs) -> Result<Weight, Problem> {
        let short = match self {
            Number::Integer(value) => u64::try_from(value).ok().map(|mantissa| (mantissa, 0)),
            Number::Double(value) => few_decimals(value),
            Number::Single(_) => None,
            Number::Truth(_) => return Err(Problem::no_weights()),
        };
        match short {
            Some((mantissa @ 1.., exponent)) => Ok(Weight::decimal(mantissa, exponent)),
            _ => Weight::parse(self.to_string().as_bytes(), meaning),
        }
    }
}

/// Returns the mantissa and the exponent of the decimal with the fewest places that reads as this
/// double, such as 2.5. Returns `None` if the double is not positive, or if the decimal would have
/// more than six places or 15 digits. Up to 15 digits, different decimals read as different
/// doubles, so no shorter decimal reads as this one.
fn few_decimals(value: f64) -> Option<(u64, i16)> {
    const MOST: f64 = 1e15;
    const POWERS: [f64; 7] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    let place = |(places, power): (i16, f64)| {
        let digits = (value * power).round();
        // Both numbers are exact, so the quotient is the double nearest to the decimal.
        let reads = digits > 0.0 && digits < MOST && digits / power == value;
        reads.then_some((digits as u64, -places))
    };
    (0..).zip(POWERS).find_map(place)
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(value) => write!(f, "{value}"),
            Number::Double(value) => write!(f, "{value}"),
            Number::Single(value) => write!(f, "{value}"),
            Number::Truth(value) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_decimals_are_those_of_the_shortest_text() {
        let places = (1..400_000u32).map(|n| f64::from(n) / 1000.0);
        let others = (1..1000u32).map(|n| f64::from(n).sqrt() * f64::from(n).powi(3));
        let edges = [
            1e-7,
            2.5e-6,
            123_456_789.125,
            99_999_999.999_999,
            1e15 + 0.5,
            0.1 + 0.2,
        ];
        for value in places.chain(others).chain(edges) {
            let (length, text) = (WeightIs::Length, format!("{value:e}"));
            let expected = Weight::parse(text.as_bytes(), length);
            assert_eq!(Number::Double(value).weight(length), expected, "{value}");
        }
        assert!(Number::Double(-0.5).weight(WeightIs::Length).is_err());
    }
}
