//! All weights of an input, in the order of its edges, until it is known what they become.

use super::Weight;

/// Weights as exact as they were read: 8 bytes each for integers, 10 for other decimals.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::graph) enum WeightList {
    /// mantissa * 10^exponent each.
    Decimals {
        /// One per weight.
        mantissas: Vec<u64>,
        /// One per weight, or none at all while they are all zero.
        exponents: Vec<i16>,
    },
    /// The nearest doubles, since some weight has too many digits for anything else.
    Floats(Vec<f64>),
}

impl Default for WeightList {
    fn default() -> Self {
        WeightList::Decimals {
            mantissas: Vec::new(),
            exponents: Vec::new(),
        }
    }
}

impl WeightList {
    /// Adds a weight.
    pub(in crate::graph) fn push(&mut self, weight: Weight) {
        match (&mut *self, weight) {
            (
                WeightList::Decimals {
                    mantissas,
                    exponents,
                },
                Weight::Decimal { mantissa, exponent },
            ) => {
                let (mantissa, exponent) = without_power(mantissa, exponent);
                if exponent != 0 && exponents.is_empty() {
                    exponents.resize(mantissas.len(), 0);
                }
                if exponent != 0 || !exponents.is_empty() {
                    exponents.push(exponent);
                }
                mantissas.push(mantissa);
            }
            (WeightList::Floats(floats), weight) => floats.push(nearest(weight)),
            (WeightList::Decimals { .. }, Weight::Float(_)) => {
                let mut floats = self.floats();
                floats.push(nearest(weight));
                *self = WeightList::Floats(floats);
            }
        }
    }

    /// Keeps the weights for which `keep` holds, of their positions.
    pub(in crate::graph) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        fn retain<T>(list: &mut Vec<T>, keep: impl Fn(usize) -> bool) {
            let mut positions = 0..;
            list.retain(|_| positions.next().is_some_and(&keep));
        }
        match self {
            WeightList::Decimals {
                mantissas,
                exponents,
            } => {
                retain(mantissas, &keep);
                retain(exponents, &keep);
            }
            WeightList::Floats(floats) => retain(floats, keep),
        }
    }

    /// All weights of several lists, one list after the other.
    pub(in crate::graph) fn joined(lists: Vec<WeightList>) -> WeightList {
        let floats = |list: &WeightList| matches!(list, WeightList::Floats(_));
        if lists.iter().any(floats) {
            return WeightList::Floats(lists.iter().flat_map(WeightList::floats).collect());
        }
        let mut all = (Vec::new(), Vec::new());
        for list in lists {
            if let WeightList::Decimals {
                mantissas,
                mut exponents,
            } = list
            {
                if !exponents.is_empty() && all.1.is_empty() {
                    all.1.resize(all.0.len(), 0);
                } else if exponents.is_empty() && !all.1.is_empty() {
                    exponents.resize(mantissas.len(), 0);
                }
                all.0.extend(mantissas);
                all.1.extend(exponents);
            }
        }
        WeightList::Decimals {
            mantissas: all.0,
            exponents: all.1,
        }
    }

    /// Adds the weight at position `i` once more.
    pub(in crate::graph) fn repeat(&mut self, i: usize) {
        match self {
            WeightList::Floats(floats) => floats.push(floats[i]),
            WeightList::Decimals {
                mantissas,
                exponents,
            } => {
                mantissas.push(mantissas[i]);
                if !exponents.is_empty() {
                    exponents.push(exponents[i]);
                }
            }
        }
    }

    /// The nearest double of each weight.
    pub(super) fn floats(&self) -> Vec<f64> {
        match self {
            WeightList::Floats(floats) => floats.clone(),
            WeightList::Decimals {
                mantissas,
                exponents,
            } => {
                let exponent = |i: usize| exponents.get(i).copied().unwrap_or(0);
                let weights = mantissas.iter().enumerate();
                weights
                    .map(|(i, &mantissa)| decimal_to_f64(mantissa, exponent(i).into()))
                    .collect()
            }
        }
    }
}

/// Integers without a power of ten, if they fit.
fn without_power(mantissa: u64, exponent: i16) -> (u64, i16) {
    let integer = u32::try_from(exponent)
        .ok()
        .and_then(|power| 10u64.checked_pow(power))
        .and_then(|power| mantissa.checked_mul(power));
    integer.map_or((mantissa, exponent), |integer| (integer, 0))
}

fn nearest(weight: Weight) -> f64 {
    match weight {
        Weight::Float(value) => value,
        Weight::Decimal { mantissa, exponent } => decimal_to_f64(mantissa, exponent.into()),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn list(texts: &[&str]) -> WeightList {
        let mut list = WeightList::default();
        for text in texts {
            list.push(Weight::parse(text.as_bytes()).unwrap());
        }
        list
    }

    #[test]
    fn integers_need_no_exponents() {
        let decimals = |mantissas: &[u64], exponents: &[i16]| WeightList::Decimals {
            mantissas: mantissas.into(),
            exponents: exponents.into(),
        };
        assert_eq!(list(&["3", "100", "7"]), decimals(&[3, 100, 7], &[]));
        assert_eq!(
            list(&["3", "0.5", "20"]),
            decimals(&[3, 5, 20], &[0, -1, 0])
        );
        assert_eq!(list(&["1e100"]), decimals(&[1], &[100]));
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
        let expected: Vec<f64> = texts.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(list(&texts).floats(), expected);
        assert_eq!(list(&texts[..8]).floats(), expected[..8]);
    }
}
