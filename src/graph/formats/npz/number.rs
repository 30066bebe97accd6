//! Values of arrays as numbers.

use std::fmt::{self, Display, Formatter};

use npyz::TypeChar;

use super::member::Array;
use crate::graph::error::Problem;
use crate::graph::weights::Weight;

/// Up to eight bytes, the lowest first, as eight.
fn eight(bytes: &[u8]) -> [u8; 8] {
    let mut all = [0; 8];
    for (slot, byte) in all.iter_mut().zip(bytes) {
        *slot = *byte;
    }
    all
}

/// A value of a matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::graph) enum Number {
    Integer(i128),
    Float(f64),
    Single(f32),
}

/// What the bytes of a value are.
pub(super) type ToNumber = fn(&[u8]) -> Number;

/// How the values of an array are numbers, if they are.
pub(super) fn number(array: &Array<'_>) -> Option<ToNumber> {
    match (array.kind?, array.width) {
        (TypeChar::Int, _) => Some(|bytes| {
            let unused = 64 - 8 * bytes.len();
            Number::Integer((i64::from_le_bytes(eight(bytes)) << unused >> unused).into())
        }),
        (TypeChar::Uint | TypeChar::Bool, _) => {
            Some(|bytes| Number::Integer(u64::from_le_bytes(eight(bytes)).into()))
        }
        (TypeChar::Float, 4) => {
            Some(|bytes| Number::Single(f32::from_bits(u64::from_le_bytes(eight(bytes)) as u32)))
        }
        (TypeChar::Float, 8) => Some(|bytes| Number::Float(f64::from_le_bytes(eight(bytes)))),
        _ => None,
    }
}

impl Number {
    /// As the shortest decimal that is this number, so that 0.1 + 0.2 is 0.3.
    pub fn weight(self) -> Result<Weight, Problem> {
        const EXACT: f64 = 9.0e15;
        let integer = match self {
            Number::Integer(value) => Some(value),
            Number::Float(value) if value.fract() == 0.0 && value.abs() < EXACT => {
                Some(value as i128)
            }
            Number::Float(_) | Number::Single(_) => None,
        };
        // What does not end in a zero needs no text.
        if let Some(mantissa) = integer.and_then(|value| u64::try_from(value).ok())
            && mantissa % 10 != 0
        {
            let exponent = 0;
            return Ok(Weight::Decimal { mantissa, exponent });
        }
        if let Number::Float(value) = self
            && let Some(weight) = few_decimals(value)
        {
            return Ok(weight);
        }
        let text = integer.map_or_else(|| self.to_string(), |value| value.to_string());
        Weight::parse(text.as_bytes())
    }
}

/// A positive number of a few decimal places, such as 2.5: the decimal with the fewest of them that
/// reads as this double. Those of up to 15 digits differ as doubles, so no shorter one does.
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
            Number::Float(value) => write!(f, "{value:e}"),
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
            assert_eq!(Number::Float(value).weight(), text, "{value}");
        }
        assert!(Number::Float(-0.5).weight().is_err());
    }
}
