//! Writes lengths of arcs as the shortest decimals that are read as the same lengths.

use crate::weights::{Weight, decimal_to_f64};
use crate::{Graph, Lengths};

/// The lengths of a graph's arcs in the units of its input, as texts that are read as the same
/// lengths, so that equal sums of lengths stay equal.
#[derive(Debug)]
pub struct LengthTexts<'g> {
    lengths: &'g Lengths,
    scale: Scale,
}

/// The factor of all lengths.
#[derive(Debug)]
enum Scale {
    /// mantissa * 10^exponent. Products have at most 64 bits and are exact.
    Decimal { mantissa: u64, exponent: i32 },
    /// A double. Products are rounded to the nearest double.
    Unit(f64),
}

impl<'g> LengthTexts<'g> {
    /// Returns the lengths of a graph; `None` if all edges have length 1.
    pub fn from_graph(graph: &'g Graph) -> Option<Self> {
        let lengths = graph.lengths()?;
        let unit = graph.weights().and_then(|info| info.unit);
        let mut texts = LengthTexts {
            lengths,
            scale: Scale::Unit(unit.unwrap_or(1.0)),
        };
        let largest = (0..lengths.len()).filter_map(|arc| texts.key(arc)).max();
        let unit = unit.map(|unit| Weight::parse(format!("{unit:e}").as_bytes()));
        if let Some(Ok(Weight::Decimal { mantissa, exponent })) = unit
            && largest.is_none_or(|largest| largest.checked_mul(mantissa).is_some())
        {
            let exponent = exponent.into();
            texts.scale = Scale::Decimal { mantissa, exponent };
        }
        Some(texts)
    }

    /// Returns whether all lengths are integers that 63 bits hold.
    pub(super) fn integers(&self) -> bool {
        let arcs = 0..self.lengths.len();
        matches!(self.scale, Scale::Decimal { exponent: 0.., .. })
            && arcs.into_iter().all(|arc| self.integer(arc).is_some())
    }

    /// Returns the length of an arc if it is an integer that 63 bits hold.
    pub(super) fn integer(&self, arc: usize) -> Option<i64> {
        let (Scale::Decimal { mantissa, exponent }, Some(key)) = (&self.scale, self.key(arc))
        else {
            return None;
        };
        let power = 10u64.checked_pow(u32::try_from(*exponent).ok()?)?;
        let length = key.checked_mul(*mantissa)?.checked_mul(power)?;
        i64::try_from(length).ok()
    }

    /// Returns the double nearest to the length of an arc.
    pub(super) fn double(&self, arc: usize) -> f64 {
        match self.scale {
            Scale::Decimal { .. } => self.text(arc).parse().unwrap_or(f64::NAN),
            Scale::Unit(unit) => self.lengths.at(arc) * unit,
        }
    }

    /// Returns the length of an arc before scaling, if it is an integer.
    fn key(&self, arc: usize) -> Option<u64> {
        match self.lengths {
            Lengths::U32(lengths) => Some(lengths[arc].into()),
            Lengths::U64(lengths) => Some(lengths[arc]),
            Lengths::F64(_) => None,
        }
    }

    /// Returns the text of the length of an arc.
    pub fn text(&self, arc: usize) -> String {
        match (&self.scale, self.key(arc)) {
            (Scale::Decimal { mantissa, exponent }, Some(key)) => {
                decimal(key * mantissa, *exponent)
            }
            _ => shortest(self.double(arc)),
        }
    }
}

/// Formats `digits` * 10^`exponent`.
fn decimal(digits: u64, exponent: i32) -> String {
    let power = u32::try_from(exponent).ok();
    let power = power.and_then(|power| 10u64.checked_pow(power));
    match power.and_then(|power| digits.checked_mul(power)) {
        Some(integer) => integer.to_string(),
        // A double holds 15 digits.
        None if digits < 10u64.pow(f64::DIGITS) => {
            shortest(decimal_to_f64(digits, exponent.into()))
        }
        None => format!("{digits}e{exponent}"),
    }
}

/// Formats a double, without an exponent where that is about as short.
fn shortest(number: f64) -> String {
    let (plain, power) = (number.to_string(), format!("{number:e}"));
    match plain.len() <= power.len() + 4 {
        true => plain,
        false => power,
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
