//! One weight, as its decimal digits say.

use std::num::IntErrorKind;

use super::super::error::Problem;
use super::super::tokens::shown;

/// Weights whose powers of ten are beyond this are refused: sums of lengths, and their inverses,
/// shall neither overflow nor vanish as doubles.
const LARGEST_POWER: f64 = 200.0;

/// Mantissas of decimals with up to 15 significant digits are below this. Each of these decimals is
/// the shortest one of its double, so a fraction with more digits was computed and rounded.
const COMPUTED: u64 = 10u64.pow(f64::DIGITS);

/// A positive weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Weight {
    /// mantissa * 10^exponent: an integer, or a fraction of at most 15 significant digits. The
    /// mantissa does not end in a zero.
    Decimal { mantissa: u64, exponent: i16 },
    /// The nearest double of a computed value, such as 0.3333333333333333, or of an integer whose
    /// digits do not fit in 64 bits.
    Float(f64),
}

/// A number as written: digits without zeros at either end, and the power of ten behind them.
struct Digits {
    negative: bool,
    /// `None` if 64 bits cannot hold it.
    mantissa: Option<u64>,
    exponent: i64,
}

impl Weight {
    /// Reads `[+]digits[.digits][e[+-]digits]`.
    ///
    /// # Errors
    /// [`Problem`] for everything that is not a positive number of a magnitude that can be added
    /// up.
    pub(crate) fn parse(token: &[u8]) -> Result<Weight, Problem> {
        let wrong = |what, remedy| malformed!("weight {} is not {what} ({remedy})", shown(token));
        let Some(digits) = digits(token) else {
            return Err(if is_not_finite(token) {
                wrong("finite", "correct it or remove the edge")
            } else {
                wrong(
                    "a number",
                    "write weights as decimals, name another column, or leave --weighted out",
                )
            });
        };
        if digits.negative || digits.mantissa == Some(0) {
            return Err(wrong(
                "above zero",
                "weights are lengths or similarities of edges: correct it or remove the edge",
            ));
        }
        let (weight, log10) = match digits.mantissa {
            Some(mantissa) if mantissa < COMPUTED || digits.exponent >= 0 => {
                // What 16 bits do not hold is refused below.
                let exponent = digits.exponent as i16;
                let log10 = (mantissa as f64).log10() + digits.exponent as f64;
                (Weight::Decimal { mantissa, exponent }, log10)
            }
            _ => {
                // It has the form of a number, so it can be read as one.
                let text = std::str::from_utf8(token).unwrap_or_default();
                let value: f64 = text.parse().unwrap_or(f64::NAN);
                (Weight::Float(value), value.log10())
            }
        };
        if log10.abs() <= LARGEST_POWER {
            return Ok(weight);
        }
        Err(malformed!(
            "weight {} is out of range (scale all weights to lie between 1e-200 and 1e200)",
            shown(token)
        ))
    }

    /// Whether a text is the weight 1, which says nothing.
    pub(crate) fn is_one(text: &[u8]) -> bool {
        let one = Weight::Decimal {
            mantissa: 1,
            exponent: 0,
        };
        text == b"1" || Weight::parse(text) == Ok(one)
    }

    /// The nearest double.
    pub(super) fn nearest(self) -> f64 {
        match self {
            Weight::Float(value) => value,
            Weight::Decimal { mantissa, exponent } => decimal_to_f64(mantissa, exponent.into()),
        }
    }
}

/// The double nearest to mantissa * 10^exponent.
pub(super) fn decimal_to_f64(mantissa: u64, exponent: i64) -> f64 {
    /// Powers of ten up to here are doubles themselves.
    const EXACT_POWER: i64 = 22;
    if mantissa < 1 << 53 && exponent.abs() <= EXACT_POWER {
        let power = 10f64.powi(exponent.abs() as i32);
        // Of two exact numbers, rounded once.
        return if exponent < 0 {
            mantissa as f64 / power
        } else {
            mantissa as f64 * power
        };
    }
    // The standard library rounds text correctly.
    format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// The parts of a decimal; `None` if it is none.
fn digits(token: &[u8]) -> Option<Digits> {
    let (negative, mut rest) = match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, token),
    };
    let mut mantissa = Some(0u64);
    // Zeros that matter only if another digit follows.
    let mut zeros = 0u32;
    let (mut any, mut point, mut behind_point) = (false, false, 0i64);
    while let [byte, tail @ ..] = rest {
        match byte {
            b'0'..=b'9' => {
                any = true;
                behind_point += i64::from(point);
                let digit = u64::from(byte - b'0');
                if digit == 0 {
                    zeros = zeros.saturating_add(u32::from(mantissa != Some(0)));
                } else {
                    mantissa = mantissa.and_then(|m| match m {
                        0 => Some(digit),
                        m => 10u64
                            .checked_pow(zeros + 1)
                            .and_then(|power| m.checked_mul(power))
                            .and_then(|m| m.checked_add(digit)),
                    });
                    zeros = 0;
                }
            }
            b'.' if !point => point = true,
            _ => break,
        }
        rest = tail;
    }
    let written = match rest {
        [] => 0,
        [b'e' | b'E', power @ ..] => exponent(power)?,
        _ => return None,
    };
    any.then_some(Digits {
        negative,
        mantissa,
        exponent: written - behind_point + i64::from(zeros),
    })
}

/// The number behind an `e`, up to a limit that no length comes near.
fn exponent(text: &[u8]) -> Option<i64> {
    const LIMIT: i64 = 1 << 40;
    match str::from_utf8(text).ok()?.parse::<i64>() {
        Ok(power) => Some(power.clamp(-LIMIT, LIMIT)),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(LIMIT),
            IntErrorKind::NegOverflow => Some(-LIMIT),
            _ => None,
        },
    }
}

fn is_not_finite(token: &[u8]) -> bool {
    let text = std::str::from_utf8(token).unwrap_or_default();
    text.parse().is_ok_and(|value: f64| !value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(mantissa: u64, exponent: i16) -> Weight {
        Weight::Decimal { mantissa, exponent }
    }

    #[test]
    fn decimals_keep_their_digits() {
        for (text, expected) in [
            ("1", decimal(1, 0)),
            ("+1", decimal(1, 0)),
            ("100", decimal(1, 2)),
            ("0.30", decimal(3, -1)),
            (".5", decimal(5, -1)),
            ("5.", decimal(5, 0)),
            ("007", decimal(7, 0)),
            ("10203.0400", decimal(1_020_304, -2)),
            ("1e3", decimal(1, 3)),
            ("2.5E-3", decimal(25, -4)),
            ("1000e-3", decimal(1, 0)),
            ("0.123456789012345", decimal(123_456_789_012_345, -15)),
            ("0.10000000000000000", decimal(1, -1)),
            ("0.3333333333333333", Weight::Float(1.0 / 3.0)),
            ("3.333333333333333e-1", Weight::Float(1.0 / 3.0)),
            ("0.30000000000000004", Weight::Float(0.1 + 0.2)),
            ("1234567890123456.7", Weight::Float(1_234_567_890_123_456.7)),
            ("1234567890123456.0", decimal(1_234_567_890_123_456, 0)),
            ("18446744073709551615", decimal(u64::MAX, 0)),
            (
                "18446744073709551616",
                Weight::Float(18_446_744_073_709_551_616.0),
            ),
            ("0.1000000000000000055511151231257827", Weight::Float(0.1)),
        ] {
            assert_eq!(Weight::parse(text.as_bytes()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!("1{}7", "0".repeat(300));
        for (wrong, texts) in [
            (
                "is not above zero",
                &["0", "0.0", "-0", "-1", "-2.5e3", "0e5"][..],
            ),
            ("is not finite", &["nan", "NaN", "inf", "-Infinity", "+inf"]),
            (
                "is not a number",
                &[
                    "x", ".", "+", "-", "1,5", "1.2.3", "1e", "1e+", "e5", "0x10", "1_0",
                ],
            ),
            (
                "is out of range",
                &["1e201", "1e-201", "1e99999999999999999999", &long],
            ),
        ] {
            for text in texts {
                let problem = Weight::parse(text.as_bytes()).unwrap_err().to_string();
                let token = shown(text.as_bytes());
                let start = format!("weight {token} {wrong} (");
                assert!(problem.starts_with(&start), "{problem}");
            }
        }
    }

    #[test]
    fn the_nearest_doubles_are_those_of_the_standard_library() {
        let texts = [
            "0.1",
            "0.3",
            "123456789.987654321",
            "1e22",
            "1e23",
            "7e-199",
            "3.3e150",
            "9007199254740993",
            "0.1000000000000000055511151231257827",
            "2",
        ];
        let nearest = |texts: &[&str]| -> Vec<f64> {
            let weights = texts
                .iter()
                .map(|text| Weight::parse(text.as_bytes()).unwrap());
            weights.map(Weight::nearest).collect()
        };
        let expected: Vec<f64> = texts.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(nearest(&texts), expected);
    }
}
