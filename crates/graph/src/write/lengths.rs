//! Writes lengths of arcs as the shortest decimals that are read as the same lengths.

use crate::weights::Weight;
use crate::{Graph, Lengths};

/// The lengths of a graph's arcs in the units of its input, as texts that are read as the same
/// lengths, so that sums of them that are equal stay so.
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
            _ => {
                let length = self.double(arc);
                // Without an exponent where that is as short.
                let (plain, power) = (length.to_string(), format!("{length:e}"));
                if plain.len() <= power.len() + 4 {
                    plain
                } else {
                    power
                }
            }
        }
    }
}

/// Formats `digits` * 10^`exponent`.
fn decimal(mut digits: u64, mut exponent: i32) -> String {
    /// More zeros than this are written as an exponent.
    const ZEROS: i32 = 12;
    while exponent < 0 && digits > 0 && digits.is_multiple_of(10) {
        digits /= 10;
        exponent += 1;
    }
    let text = digits.to_string();
    let places = text.len() as i32 + exponent;
    if exponent > ZEROS || places < -ZEROS {
        format!("{text}e{exponent}")
    } else if exponent >= 0 {
        format!("{text}{}", "0".repeat(exponent as usize))
    } else if places > 0 {
        let (whole, fraction) = text.split_at(places as usize);
        format!("{whole}.{fraction}")
    } else {
        format!("0.{}{text}", "0".repeat(-places as usize))
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
            (31, -40, "31e-40"),
        ] {
            assert_eq!(decimal(digits, exponent), text);
        }
    }
}
