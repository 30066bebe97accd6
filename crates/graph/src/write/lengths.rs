//! Writes lengths of arcs as short decimals that are read as the same lengths.

use std::fmt::{self, Display, Formatter};

use crate::weights::{Weight, decimal_to_f64};
use crate::{Graph, Lengths, WeightIs};

/// The lengths of a graph's arcs as numbers of its input, in texts that are read as the same
/// lengths, so that equal sums of lengths stay equal.
#[derive(Debug)]
pub struct LengthTexts<'g> {
    lengths: &'g Lengths,
    /// The factor from stored lengths to those of the input.
    unit: f64,
    /// The mantissa and the exponent of the unit, if it is a [`Weight::Decimal`] and all lengths
    /// are integers whose products with the mantissa fit in 64 bits.
    decimal: Option<(u64, i32)>,
}

impl<'g> LengthTexts<'g> {
    /// Returns the lengths of a graph; `None` if all edges have length 1.
    pub fn from_graph(graph: &'g Graph) -> Option<Self> {
        let lengths = graph.lengths()?;
        let unit = graph.weights().and_then(|info| info.unit).unwrap_or(1.0);
        let decimal = match Weight::parse(format!("{unit:e}").as_bytes(), WeightIs::Length) {
            Ok(Weight::Decimal { mantissa, exponent }) => Some((mantissa, exponent.into())),
            _ => None,
        };
        let mut texts = LengthTexts {
            lengths,
            unit,
            decimal,
        };
        if (0..lengths.len()).any(|arc| texts.exact(arc).is_none()) {
            texts.decimal = None;
        }
        Some(texts)
    }

    /// Returns the digits and the exponent of the length of an arc, if it is known exactly.
    fn exact(&self, arc: usize) -> Option<(u64, i32)> {
        let (mantissa, exponent) = self.decimal?;
        let stored = self.lengths.integer(arc)?;
        Some((mantissa.checked_mul(stored)?, exponent))
    }

    /// Returns whether the unit is an integer and 63 bits hold all lengths.
    pub(super) fn are_integers(&self) -> bool {
        (0..self.lengths.len()).all(|arc| self.integer(arc).is_some())
    }

    /// Returns the length of an arc if the unit is an integer and 63 bits hold the length.
    pub(super) fn integer(&self, arc: usize) -> Option<i64> {
        let (digits, exponent) = self.exact(arc)?;
        whole(digits, exponent)?.try_into().ok()
    }

    /// Returns the double nearest to the length of an arc.
    pub(super) fn double(&self, arc: usize) -> f64 {
        match self.exact(arc) {
            Some((digits, exponent)) => decimal_to_f64(digits, exponent.into()),
            None => self.lengths.at(arc) * self.unit,
        }
    }

    /// Returns the text of the length of an arc.
    pub fn text(&self, arc: usize) -> String {
        match self.exact(arc) {
            Some((digits, exponent)) => decimal(digits, exponent),
            None => Shortest(self.double(arc)).to_string(),
        }
    }
}

/// Returns `digits` * 10^`exponent` if it is an integer that 64 bits hold, and the exponent is not
/// negative.
fn whole(digits: u64, exponent: i32) -> Option<u64> {
    digits.checked_mul(10u64.checked_pow(exponent.try_into().ok()?)?)
}

/// Formats `digits` * 10^`exponent`.
fn decimal(digits: u64, exponent: i32) -> String {
    match whole(digits, exponent) {
        Some(integer) => integer.to_string(),
        // A double holds 15 digits.
        None if digits < 10u64.pow(f64::DIGITS) => {
            Shortest(decimal_to_f64(digits, exponent.into())).to_string()
        }
        None => format!("{digits}e{exponent}"),
    }
}

/// A number as the shortest text that reads as the same double, with an exponent if there would be
/// more than 17 digits before the point or zeros after it.
#[derive(Debug, Clone, Copy)]
pub struct Shortest(pub f64);

impl Display for Shortest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 == 0.0 || (1e-17..1e17).contains(&self.0.abs()) {
            true => write!(f, "{}", self.0),
            false => write!(f, "{:e}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_short() {
        for (digits, exponent, text) in [
            (3, 0, "3"),
            (3, 2, "300"),
            (30, -1, "3"),
            (3, -1, "0.3"),
            (305, -2, "3.05"),
            (3, -3, "0.003"),
            (3, 20, "3e20"),
            (31, -40, "3.1e-39"),
            (12_345_678_901_234_567, -3, "12345678901234567e-3"),
        ] {
            assert_eq!(decimal(digits, exponent), text);
        }
    }
}
