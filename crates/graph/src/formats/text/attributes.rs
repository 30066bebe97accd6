//! The attributes that networkx writes behind an edge: `{}` or `{'weight': 3, 'color': 'red'}`.

use super::cells::Value;
use crate::error::Problem;
use crate::tokens::shown;
use crate::weights::Weight;

/// The text is no dictionary of plain values.
pub(in crate::formats) fn unknown(attributes: &Value<'_>) -> Problem {
    malformed!(
        "{} are not attributes as networkx writes them (write the weight as a third column)",
        shown(&attributes.text)
    )
}

/// Returns the weight that is called `key` in the attributes of an edge, or `default` if there is
/// none.
///
/// # Errors
/// [`Problem`] if there is neither, or no positive number.
pub(in crate::formats) fn weight(
    attributes: Option<&Value<'_>>,
    key: &str,
    default: Option<Weight>,
) -> Result<Weight, Problem> {
    let value = match attributes {
        Some(list) => value(&list.text, key.as_bytes()).map_err(|()| unknown(list))?,
        None => None,
    };
    let missing = || Problem::attribute_missing(&shown(key.as_bytes()));
    value.map_or_else(|| default.ok_or_else(missing), Weight::parse)
}

/// Returns whether such attributes have a weight.
pub(in crate::formats) fn has_weight(attributes: &Value<'_>) -> bool {
    matches!(value(&attributes.text, b"weight"), Ok(Some(_)))
}

/// The text of the value of `key`: `Ok(None)` if there is none.
///
/// # Errors
/// `()` when the text is not a dictionary of plain values.
fn value<'a>(text: &'a [u8], key: &[u8]) -> Result<Option<&'a [u8]>, ()> {
    let inner = text
        .strip_prefix(b"{")
        .and_then(|text| text.strip_suffix(b"}"));
    let mut rest = inner.ok_or(())?.trim_ascii();
    let mut found = None;
    while !rest.is_empty() {
        let (name, behind) = token(rest)?;
        let behind = behind.strip_prefix(b":").ok_or(())?.trim_ascii_start();
        let (value, behind) = token(behind)?;
        if unquoted(name) == Some(key) {
            found = Some(unquoted(value).unwrap_or(numpy_number(value)));
        }
        rest = match behind.strip_prefix(b",") {
            Some(rest) => rest.trim_ascii_start(),
            None if behind.is_empty() => behind,
            None => return Err(()),
        };
    }
    Ok(found)
}

/// A string in quotes or a bare word, and what follows it.
fn token(text: &[u8]) -> Result<(&[u8], &[u8]), ()> {
    let end = match *text.first().ok_or(())? {
        quote @ (b'\'' | b'"') => {
            let mut end = 1;
            loop {
                match *text.get(end).ok_or(())? {
                    b'\\' => end += 2,
                    byte if byte == quote => break end + 1,
                    _ => end += 1,
                }
            }
        }
        b'{' | b'[' | b'(' => return Err(()),
        _ => text
            .iter()
            .position(|byte| matches!(byte, b',' | b':') || byte.is_ascii_whitespace())
            .unwrap_or(text.len()),
    };
    let (token, rest) = text.split_at(end);
    Ok((token, rest.trim_ascii_start()))
}

/// What NumPy 2 writes a number as: `np.float64(3.0)` or `np.int64(3)`.
fn numpy_number(token: &[u8]) -> &[u8] {
    let inner = || {
        let token = token.strip_prefix(b"np.")?.strip_suffix(b")")?;
        let start = memchr::memchr(b'(', token)?;
        let name = token[..start].trim_ascii_end();
        let kinds = [&b"float"[..], b"int", b"uint"];
        let number = kinds.iter().any(|kind| {
            let size = name.strip_prefix(*kind);
            size.is_some_and(|size| size.iter().all(u8::is_ascii_digit))
        });
        number.then(|| &token[start + 1..])
    };
    inner().unwrap_or(token)
}

fn unquoted(token: &[u8]) -> Option<&[u8]> {
    match token {
        [b'\'', inner @ .., b'\''] | [b'"', inner @ .., b'"'] => Some(inner),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_keys() {
        let of = |text: &'static str, key: &str| value(text.as_bytes(), key.as_bytes());
        assert_eq!(of("{}", "weight"), Ok(None));
        assert_eq!(of("{'weight': 3}", "weight"), Ok(Some(&b"3"[..])));
        let two = "{'a, b': \"it's\", 'weight': 0.5, 'x': None}";
        assert_eq!(of(two, "weight"), Ok(Some(&b"0.5"[..])));
        assert_eq!(of(two, "a, b"), Ok(Some(&b"it's"[..])));
        assert_eq!(of(two, "y"), Ok(None));
        let numpy = "{'weight': np.float64(3.5), 'n': np.int64(2), 'f': f(1)}";
        assert_eq!(of(numpy, "weight"), Ok(Some(&b"3.5"[..])));
        assert_eq!(of(numpy, "n"), Ok(Some(&b"2"[..])));
        assert_eq!(of(numpy, "f"), Ok(Some(&b"f(1)"[..])));
        for bad in [
            "{",
            "{'a'}",
            "{'a': }",
            "{'a': {'b': 1}}",
            "{'a: 1}",
            "{'a': 1 'b': 2}",
        ] {
            assert_eq!(of(bad, "a"), Err(()), "{bad}");
        }
    }
}
