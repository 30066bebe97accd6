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
        let text = integer.map_or_else(|| self.to_string(), |value| value.to_string());
        Weight::parse(text.as_bytes())
    }
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
