//! Numbers of any type in an array.

use std::fmt::{self, Display, Formatter};

use crate::error::Problem;
use crate::weights::Weight;

/// A value of a matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Double(f64),
    Single(f32),
}

macro_rules! from {
    ($($type:ty => $variant:ident),*) => {
        $(impl From<$type> for Number {
            fn from(value: $type) -> Number {
                Number::$variant(value.into())
            }
        })*
    };
}

from!(bool => Integer, i8 => Integer, i16 => Integer, i32 => Integer, i64 => Integer);
from!(u8 => Integer, u16 => Integer, u32 => Integer, u64 => Integer, f32 => Single, f64 => Double);

impl Number {
    /// Returns whether this number equals `value`.
    #[inline]
    pub fn equals(self, value: i8) -> bool {
        match self {
            Number::Integer(number) => number == value.into(),
            Number::Double(number) => number == f64::from(value),
            Number::Single(number) => number == f32::from(value),
        }
    }

    /// Returns the value if its type is an integer; a float has none, even if it is whole.
    pub fn integer(self) -> Option<i128> {
        match self {
            Number::Integer(number) => Some(number),
            Number::Double(_) | Number::Single(_) => None,
        }
    }

    /// Returns whether this is neither infinite nor NaN.
    pub fn is_finite(self) -> bool {
        match self {
            Number::Integer(_) => true,
            Number::Double(number) => number.is_finite(),
            Number::Single(number) => number.is_finite(),
        }
    }

    /// Returns the shortest decimal that reads as this number, so that 0.1 and 0.2 add up to 0.3.
    ///
    /// # Errors
    /// [`Problem`] if the number cannot be a weight: negative, infinite or NaN.
    pub fn weight(self) -> Result<Weight, Problem> {
        // Doubles represent all integers up to 2^53, which is 9.007e15.
        const EXACT_BELOW: f64 = 9.0e15;
        let integer = match self {
            Number::Integer(value) => Some(value),
            Number::Double(value) if value.fract() == 0.0 && value.abs() < EXACT_BELOW => {
                Some(value as i128)
            }
            Number::Double(_) | Number::Single(_) => None,
        };
        // An integer that does not end in a zero is its own mantissa.
        if let Some(mantissa) = integer.and_then(|value| u64::try_from(value).ok())
            && mantissa % 10 != 0
        {
            let exponent = 0;
            return Ok(Weight::Decimal { mantissa, exponent });
        }
        if let Number::Double(value) = self
            && let Some(weight) = few_decimals(value)
        {
            return Ok(weight);
        }
        let text = integer.map_or_else(|| self.to_string(), |value| value.to_string());
        Weight::parse(text.as_bytes())
    }
}

/// Returns the decimal with the fewest places that reads as this double, such as 2.5. Returns
/// `None` if the double is a whole number or negative, or if the decimal would have more than six
/// places or 15 digits. Up to 15 digits, different decimals read as different doubles, so there is
/// no shorter one.
fn few_decimals(value: f64) -> Option<Weight> {
    const MOST: f64 = 1e15;
    const POWERS: [f64; 6] = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    let place = |(exponent, power): (i16, f64)| {
        let digits = (value * power).round();
        // Both are exact, so the quotient is the double nearest to the decimal.
        let reads = digits > 0.0 && digits < MOST && digits / power == value;
        reads.then_some(Weight::Decimal {
            mantissa: digits as u64,
            exponent: -exponent,
        })
    };
    (value.fract() != 0.0).then(|| (1..).zip(POWERS).find_map(place))?
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(value) => write!(f, "{value}"),
            Number::Double(value) => write!(f, "{value:e}"),
            Number::Single(value) => write!(f, "{value:e}"),
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
            let text = Weight::parse(format!("{value:e}").as_bytes());
            assert_eq!(Number::Double(value).weight(), text, "{value}");
        }
        assert!(Number::Double(-0.5).weight().is_err());
    }
}
