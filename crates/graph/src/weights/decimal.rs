//! Reads weights as decimals.

use super::{WeightIs, WeightOptions};
use crate::error::Problem;
use crate::tokens::{shown, whole_number};

/// Weights outside this range are refused, so that sums of lengths and of their inverses neither
/// overflow nor vanish as doubles.
const RANGE: std::ops::RangeInclusive<f64> = 1e-200..=1e200;

/// Mantissas of decimals with up to 15 significant digits are below this. Such a decimal is the
/// shortest text of its double, so a fraction with more digits is taken for a computed value.
const MANTISSA_LIMIT: u64 = 10u64.pow(f64::DIGITS);

/// A weight: a positive number, or a length of zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Weight {
    /// mantissa * 10^exponent: an integer, or a fraction of at most 15 significant digits. The
    /// mantissa does not end in a zero, unless it is zero.
    Decimal { mantissa: u64, exponent: i16 },
    /// The nearest double of a computed value, such as 0.3333333333333333, or of a number with too
    /// many digits for 64 bits.
    Float(f64),
}

impl Weight {
    /// Reads `[+]digits[.digits][e[+-]digits]`.
    ///
    /// # Errors
    /// [`Problem`] if `token` is neither a number between 1e-200 and 1e200 nor a length of zero.
    pub(crate) fn parse(token: &[u8], meaning: WeightIs) -> Result<Weight, Problem> {
        if let Some(mantissa @ 1..) = whole_number(token) {
            return Ok(Weight::decimal(mantissa, 0));
        }
        let text = str::from_utf8(token).unwrap_or_default();
        // A positive number that is too small for a double is parsed as zero.
        let is_zero = || {
            let mut digits = text.bytes().take_while(|byte| !matches!(byte, b'e' | b'E'));
            !digits.any(|byte| matches!(byte, b'1'..=b'9'))
        };
        // Texts such as `inf` and `NaN` are parsed, but have no digits.
        let is_number = token.iter().any(u8::is_ascii_digit);
        let (what, remedy) = match text.parse::<f64>() {
            Ok(value) if RANGE.contains(&value) => {
                return Ok(match decimal(text) {
                    Some((mantissa, exponent)) if mantissa < MANTISSA_LIMIT || exponent >= 0 => {
                        Weight::decimal(mantissa, exponent)
                    }
                    _ => Weight::Float(value),
                });
            }
            Ok(0.0) if is_number && is_zero() && meaning == WeightIs::Length => {
                return Ok(Weight::decimal(0, 0));
            }
            Ok(value) if is_number && (value.is_sign_negative() || value == 0.0 && is_zero()) => (
                "not above zero",
                "weights are lengths or similarities of edges: correct it or remove the edge",
            ),
            Ok(_) if is_number => (
                "out of range",
                "scale all weights to lie between 1e-200 and 1e200",
            ),
            _ => (
                "not a number",
                "write weights as decimals, name another column, or leave --weighted out",
            ),
        };
        Err(malformed!("weight {} is {what} ({remedy})", shown(token)))
    }

    /// Returns mantissa * 10^exponent without zeros at the end of the mantissa.
    pub(crate) fn decimal(mut mantissa: u64, mut exponent: i16) -> Weight {
        while mantissa > 0 && mantissa.is_multiple_of(10) {
            mantissa /= 10;
            exponent += 1;
        }
        Weight::Decimal { mantissa, exponent }
    }

    /// Returns whether a text is the weight 1, which every edge without a weight has.
    pub(crate) fn is_one(text: &[u8]) -> bool {
        text == b"1" || Weight::parse(text, WeightIs::Length) == Ok(Weight::decimal(1, 0))
    }

    /// Returns whether this is a length of zero.
    pub(super) fn is_zero(self) -> bool {
        self == Weight::decimal(0, 0)
    }

    /// Returns the nearest double.
    pub(super) fn nearest(self) -> f64 {
        match self {
            Weight::Float(value) => value,
            Weight::Decimal { mantissa, exponent } => decimal_to_f64(mantissa, exponent.into()),
        }
    }
}

/// Returns the default weight in `options`, if it is set.
///
/// # Errors
/// [`Problem`] if it is not a weight.
pub(crate) fn default_weight(options: Option<&WeightOptions>) -> Result<Option<Weight>, Problem> {
    let Some((options, given)) = options.and_then(|all| Some((all, all.default?))) else {
        return Ok(None);
    };
    let weight = Weight::parse(given.to_string().as_bytes(), options.meaning);
    let wrong = |_| unfit!("the default weight is {given} (give a number above zero)");
    weight.map(Some).map_err(wrong)
}

/// Splits the text of a positive number into a mantissa that does not end in a zero, and a power of
/// ten. Returns `None` if the mantissa does not fit in 64 bits.
fn decimal(text: &str) -> Option<(u64, i16)> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (mut mantissa, mut zeros) = (0u64, 0);
    for digit in whole.bytes().chain(fraction.bytes()) {
        zeros += 1;
        if digit != b'0' {
            let scaled = (0..zeros).try_fold(mantissa, |number, _| number.checked_mul(10))?;
            mantissa = scaled.checked_add(u64::from(digit - b'0'))?;
            zeros = 0;
        }
    }
    let exponent = power.parse::<i64>().ok()? + zeros - fraction.len() as i64;
    Some((mantissa, exponent.try_into().ok()?))
}

/// Returns the double nearest to mantissa * 10^exponent.
pub(crate) fn decimal_to_f64(mantissa: u64, exponent: i64) -> f64 {
    /// The exponent of the largest power of ten that is a double itself.
    const EXACT_POWER: i64 = 22;
    if mantissa < 1 << 53 && exponent.abs() <= EXACT_POWER {
        let power = 10f64.powi(exponent.abs() as i32);
        // Both numbers are exact, and their product or quotient is rounded once.
        return match exponent < 0 {
            true => mantissa as f64 / power,
            false => mantissa as f64 * power,
        };
    }
    // The standard library rounds text correctly.
    format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::rows;

    #[test]
    fn decimals_keep_their_digits() {
        for (text, expected) in rows(
            "
            1 => 1e0
            +1 => 1e0
            100 => 1e2
            0.30 => 3e-1
            .5 => 5e-1
            5. => 5e0
            007 => 7e0
            10203.0400 => 1020304e-2
            1e3 => 1e3
            2.5E-3 => 25e-4
            1000e-3 => 1e0
            0.123456789012345 => 123456789012345e-15
            0.10000000000000000 => 1e-1
            0.3333333333333333 => double 0.3333333333333333
            3.333333333333333e-1 => double 0.3333333333333333
            0.30000000000000004 => double 0.30000000000000004
            1234567890123456.7 => double 1234567890123456.8
            1234567890123456.0 => 1234567890123456e0
            18446744073709551615 => 18446744073709551615e0
            18446744073709551616 => double 18446744073709552000
            0.1000000000000000055511151231257827 => double 0.1
            0.00000000000000000003 => 3e-20
            100000000000000000000 => 1e20
            1234567890123450e-1 => 123456789012345e0
            0 => 0e0
            0.00 => 0e0
            -0 => 0e0
            0e5 => 0e0
            ",
        ) {
            let found = match Weight::parse(text.as_bytes(), WeightIs::Length) {
                Ok(Weight::Decimal { mantissa, exponent }) => format!("{mantissa}e{exponent}"),
                Ok(Weight::Float(value)) => format!("double {value}"),
                Err(problem) => problem.to_string(),
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_number_in_range_are_refused() {
        let long = format!("1{}7", "0".repeat(300));
        let no_numbers = "nan NaN inf -Infinity +inf x . + - 1,5 1.2.3 1e 1e+ e5 0x10 1_0";
        for (wrong, texts) in [
            ("is not above zero", "-1 -2.5e3 -1e-999"),
            ("is not a number", no_numbers),
            (
                "is out of range",
                "1e201 1e-201 1e-999 1e99999999999999999999",
            ),
            ("is out of range", &long),
        ] {
            for text in texts.split(' ') {
                let problem = Weight::parse(text.as_bytes(), WeightIs::Length).unwrap_err();
                let start = format!("weight {} {wrong} (", shown(text.as_bytes()));
                assert!(problem.to_string().starts_with(&start), "{problem}");
            }
        }
        let similarity = Weight::parse(b"0", WeightIs::Similarity).unwrap_err();
        assert!(
            similarity.to_string().contains("above zero"),
            "{similarity}"
        );
    }

    #[test]
    fn the_nearest_doubles_are_those_of_the_standard_library() {
        let texts = "0.1 0.3 123456789.987654321 1e22 1e23 7e-199 3.3e150 9007199254740993 \
                     0.1000000000000000055511151231257827 2";
        for text in texts.split(' ') {
            let weight = Weight::parse(text.as_bytes(), WeightIs::Length).unwrap();
            assert_eq!(Ok(weight.nearest()), text.parse::<f64>(), "{text}");
        }
    }
}
