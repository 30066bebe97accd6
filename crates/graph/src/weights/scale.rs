//! Turns weights into lengths: integers on a common scale where possible, otherwise doubles.

use num_integer::gcd;

use super::decimal::decimal_to_f64;
use super::{Weight, WeightIs};
use crate::lengths::zero_bits;
use crate::{BuildError, Vertex};

/// The lengths of all entries as keys of 64 bits that compare as the lengths do: integers, and the
/// length of one unit, or the bits of doubles.
pub(crate) type Scaled = (Vec<u64>, Option<f64>);

/// Turns weights into lengths. `longest` returns an upper bound of the lengths of all paths, from
/// the lengths of the edges.
///
/// # Errors
/// [`BuildError::ZeroLengths`] if some lengths are zero, and the others have no common scale on
/// which integers leave room for the fractions that stand for zeros.
pub(crate) fn scaled<'w>(
    weights: impl Iterator<Item = &'w Weight> + Clone,
    meaning: WeightIs,
    longest: impl Fn(&[u64]) -> u128,
) -> Result<Scaled, BuildError> {
    let zeros = weights.clone().filter(|weight| weight.is_zero()).count();
    // An undirected edge is two arcs.
    let most = 1 << (63 - zero_bits(2 * zeros));
    match exact(weights.clone(), meaning).filter(|(keys, _)| longest(keys) < most) {
        Some(exact) => return Ok(exact),
        None if zeros > 0 => return Err(BuildError::ZeroLengths(zeros)),
        None => {}
    }
    let length = |weight: f64| match meaning {
        WeightIs::Length => weight,
        WeightIs::Similarity => 1.0 / weight,
    };
    let lengths = weights.map(|weight| length(weight.nearest()));
    // The bits of positive doubles sort as the numbers do.
    Ok((lengths.map(f64::to_bits).collect(), None))
}

/// Returns an upper bound of the length of a path, which leaves each vertex at most once.
pub(crate) fn longest_path(
    edges: impl Iterator<Item = [Vertex; 2]>,
    lengths: &[u64],
    vertices: usize,
    symmetric: bool,
) -> u128 {
    let mut longest = vec![0u64; vertices];
    for ([tail, head], &length) in edges.zip(lengths) {
        let head = if symmetric { head } else { tail };
        for v in [tail, head] {
            let most = &mut longest[v as usize];
            *most = length.max(*most);
        }
    }
    longest.into_iter().map(u128::from).sum()
}

/// Returns integers with the ratios of the lengths, if they fit in 64 bits.
fn exact<'w>(
    weights: impl Iterator<Item = &'w Weight> + Clone,
    meaning: WeightIs,
) -> Option<Scaled> {
    let exponent = |weight: &Weight| match weight {
        Weight::Decimal { exponent, .. } => *exponent,
        Weight::Float(_) => 0,
    };
    let above_zero = weights.clone().filter(|weight| !weight.is_zero());
    let smallest = above_zero.map(exponent).min().unwrap_or(0);
    let mut keys = Vec::with_capacity(weights.clone().count());
    for &weight in weights {
        let Weight::Decimal { mantissa, exponent } = weight else {
            return None;
        };
        let places = match mantissa {
            0 => 0,
            _ => i32::from(exponent) - i32::from(smallest),
        };
        let power = 10u64.checked_pow(places as u32)?;
        keys.push(mantissa.checked_mul(power)?);
    }
    let divisor = keys.iter().copied().fold(0, gcd).max(1);
    keys.iter_mut().for_each(|key| *key /= divisor);
    let mut unit = decimal_to_f64(divisor, smallest.into());
    if meaning == WeightIs::Similarity {
        // With the least common multiple L of all w, 1/w is (L/w) times 1/L.
        let common = |multiple: u64, &key: &u64| multiple.checked_mul(key / gcd(multiple, key));
        let multiple = keys.iter().try_fold(1, common)?;
        keys.iter_mut().for_each(|key| *key = multiple / *key);
        unit = 1.0 / (multiple as f64 * unit);
    }
    Some((keys, Some(unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the keys of the edges of a path with these weights, and their unit.
    fn try_path(texts: &[&str], meaning: WeightIs) -> Result<Scaled, BuildError> {
        let parse = |text: &&str| Weight::parse(text.as_bytes(), meaning).unwrap();
        let list: Vec<Weight> = texts.iter().map(parse).collect();
        let edges: Vec<[Vertex; 2]> = (0..texts.len() as Vertex).map(|v| [v, v + 1]).collect();
        scaled(list.iter(), meaning, |keys| {
            longest_path(edges.iter().copied(), keys, texts.len() + 1, true)
        })
    }

    fn integers(keys: &[u64], unit: f64) -> Result<Scaled, BuildError> {
        Ok((keys.into(), Some(unit)))
    }

    #[test]
    fn weights_become_integers_on_a_common_scale() {
        let (length, similarity) = (WeightIs::Length, WeightIs::Similarity);
        for (texts, meaning, keys, unit) in [
            (&["0.1", "0.2", "0.3"][..], length, &[1, 2, 3][..], 0.1),
            (&["1", "2.5"], length, &[2, 5], 0.5),
            (&["300", "450"], length, &[2, 3], 150.0),
            (&["1e100", "2e100"], length, &[1, 2], 1e100),
            (&[], length, &[], 1.0),
            (&["0", "30", "45"], length, &[0, 2, 3], 15.0),
            (&["0", "1e100"], length, &[0, 1], 1e100),
            (&["0.5", "0.0"], length, &[1, 0], 0.5),
            (&["0", "0"], length, &[0, 0], 1.0),
            (&["1", "2", "3"], similarity, &[6, 3, 2], 1.0 / 6.0),
            (&["0.5", "0.25"], similarity, &[1, 2], 2.0),
        ] {
            assert_eq!(try_path(texts, meaning), integers(keys, unit), "{texts:?}");
        }
    }

    #[test]
    fn zeros_need_room_on_the_common_scale() {
        let length = |texts: &[&str]| try_path(texts, WeightIs::Length);
        // With one zero, lengths are multiplied by 8.
        let beside_zero = |long: u64| length(&["1", &long.to_string(), "0"]);
        assert!(beside_zero((1 << 59) - 2).is_ok());
        assert_eq!(beside_zero(1 << 59), Err(BuildError::ZeroLengths(1)));
        let computed = length(&["0", "0.3333333333333333"]);
        assert_eq!(computed, Err(BuildError::ZeroLengths(1)));
    }

    #[test]
    fn lengths_that_do_not_fit_become_doubles() {
        let floats = |values: &[f64]| -> Result<Scaled, BuildError> {
            Ok((values.iter().map(|value| value.to_bits()).collect(), None))
        };
        let length = |texts: &[&str]| try_path(texts, WeightIs::Length);
        assert_eq!(length(&["1", "1e-30"]), floats(&[1.0, 1e-30]));
        // In the bound, 2^62 counts for two vertices, and 1 for the third.
        let long = 1u64 << 62;
        let texts = ["1", &long.to_string()];
        assert_eq!(length(&texts), floats(&[1.0, long as f64]));
        let fits = length(&["1", &(long - 1).to_string()]);
        assert_eq!(fits, integers(&[1, long - 1], 1.0));
        let primes = ["4294967291", "4294967279", "4294967231"];
        let inverses = primes.map(|text| 1.0 / text.parse::<f64>().unwrap());
        assert_eq!(try_path(&primes, WeightIs::Similarity), floats(&inverses));
    }
}
