//! The attributes that networkx writes after an edge: `{}` or `{'weight': 3, 'color': 'red'}`.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::cells::Value;
use crate::WeightIs;
use crate::error::Problem;
use crate::tokens::shown;
use crate::weights::Weight;

/// Matches a key and a plain value of a dictionary: a string, a number, a name (also with
/// arguments, such as `f(1)`), or a number as NumPy 2 writes it, such as `np.float64(3.0)`. Exactly
/// one group matches the key, and one the value.
const PAIR: &str = r#"(?xs-u) \A \s*
    (?: '((?:[^'\\]|\\.)*)' | "((?:[^"\\]|\\.)*)" | ([^\s,:'"(\[{]+) ) \s* : \s*
    (?: '((?:[^'\\]|\\.)*)' | "((?:[^"\\]|\\.)*)" | np\.(?:float|u?int)[0-9]*\(([^()]*)\)
      | ([^\s,:'"(\[{]+ (?:\([^()]*\))?) ) \s* (?:,|\z)"#;

/// Returns the error of a text that is not a dictionary of plain values.
pub(in crate::formats) fn unknown(attributes: &Value<'_>) -> Problem {
    malformed!(
        "{} are not attributes as networkx writes them (write the weight as a third column)",
        shown(&attributes.text)
    )
}

/// Returns the weight with the name `key` among the attributes of an edge, or `default` if there is
/// none.
///
/// # Errors
/// [`Problem`] if there is neither, or if the text or the weight is not valid.
pub(in crate::formats) fn weight(
    attributes: Option<&Value<'_>>,
    key: &str,
    (default, meaning): (Option<Weight>, WeightIs),
) -> Result<Weight, Problem> {
    let value = match attributes {
        Some(list) => value(&list.text, key).ok_or_else(|| unknown(list))?,
        None => None,
    };
    let missing = || Problem::weight_missing(&shown(key.as_bytes()), "attribute");
    value.map_or_else(
        || default.ok_or_else(missing),
        |text| Weight::parse(text, meaning),
    )
}

/// Returns whether such attributes have a weight.
pub(in crate::formats) fn has_weight(attributes: &Value<'_>) -> bool {
    matches!(value(&attributes.text, "weight"), Some(Some(_)))
}

/// Returns the text of the value of `key`: `Some(None)` if the dictionary has none, `None` if the
/// text is not a dictionary of plain values.
fn value<'a>(text: &'a [u8], key: &str) -> Option<Option<&'a [u8]>> {
    static PAIRS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PAIR).ok());
    let mut rest = text.strip_prefix(b"{")?.strip_suffix(b"}")?.trim_ascii();
    let mut found = None;
    while !rest.is_empty() {
        let pair = PAIRS.as_ref()?.captures(rest)?;
        let mut parts = pair.iter().skip(1).flatten();
        let (name, value) = (parts.next()?, parts.next()?);
        if name.as_bytes() == key.as_bytes() {
            found = Some(value.as_bytes());
        }
        rest = &rest[pair.get_match().end()..];
    }
    Some(found)
}
