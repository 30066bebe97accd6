//! Cuts a row into its values.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::{memchr, memchr_iter};
use regex::bytes::Regex;

use super::Delimiter;
use crate::error::Problem;

/// The characters that start a comment, beside two slashes.
const COMMENTS: &[u8] = b"#%!";

/// Matches a key and a plain value in a dictionary of networkx, `{'weight': 3, 'color': 'red'}`. A
/// number may be as NumPy 2 writes it, such as `np.float64(3.0)`.
const ATTRIBUTE: &str = r#"(?-u)['"]?([^'":,{]+)['"]?\s*:\s*(?:np\.\w+\()?['"]?([^'",})]*)"#;

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::formats) struct Value<'a> {
    pub text: Cow<'a, [u8]>,
    pub quoted: bool,
}

/// Returns the text of an attribute in a dictionary of networkx, if it is there.
pub(in crate::formats) fn attribute<'a>(dictionary: &'a Value<'_>, key: &str) -> Option<&'a [u8]> {
    static ATTRIBUTES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(ATTRIBUTE).ok());
    let mut all = ATTRIBUTES.as_ref()?.captures_iter(&dictionary.text);
    let found = all.find(|found| found[1].trim_ascii() == key.as_bytes())?;
    Some(found.get(2)?.as_bytes().trim_ascii())
}

/// Returns whether a text consists of digits only.
pub(in crate::formats) fn is_integer(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// Returns the text as a number if it begins with a digit, a sign or a point. `inf` and `nan` are
/// numbers only with a sign, since they may be names of vertices.
pub(crate) fn number(text: &[u8]) -> Option<f64> {
    let may_be = matches!(text, [b'0'..=b'9' | b'+' | b'-' | b'.', ..]);
    str::from_utf8(text).ok().filter(|_| may_be)?.parse().ok()
}

/// Replaces the decimal comma of a number by a point, unless commas separate the columns.
pub(crate) fn decimal(text: &[u8], delimiter: Delimiter) -> Cow<'_, [u8]> {
    let may_be_decimal = delimiter != Delimiter::Byte(b',') && !text.ends_with(b",");
    let comma = memchr(b',', text).filter(|_| may_be_decimal);
    let decimal = comma.map(|comma| [&text[..comma], b".", &text[comma + 1..]].concat());
    let decimal = decimal.filter(|text| number(text).is_some());
    decimal.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the integer that an unquoted value with a decimal point or comma stands for.
pub(in crate::formats) fn whole(value: &Value<'_>, delimiter: Delimiter) -> Option<u64> {
    /// Doubles hold all integers up to here.
    const LARGEST: f64 = (1u64 << 53) as f64;
    let text = decimal(&value.text, delimiter);
    let number = number(&text).filter(|_| text.contains(&b'.') && !value.quoted)?;
    ((0.0..=LARGEST).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

/// Returns whether a line is a comment or blank.
///
/// # Errors
/// [`Problem`] if it is a comment with a carriage return or a zero byte.
pub(in crate::formats) fn is_comment(line: &[u8]) -> Result<bool, Problem> {
    let text = line.trim_ascii();
    let comment = match text {
        [] | [b'/', b'/', ..] => true,
        [first, ..] => COMMENTS.contains(first),
    };
    if comment {
        check_text(line)?;
    }
    Ok(comment)
}

/// Refuses carriage returns and zero bytes inside a line.
fn check_text(line: &[u8]) -> Result<(), Problem> {
    if memchr(b'\r', line).is_some() {
        refuse!(
            "there is a carriage return inside the line (end lines with LF: tr '\\r' '\\n' < OLD > \
             NEW)"
        );
    }
    if memchr(0, line).is_some() {
        return Err(Problem::binary());
    }
    Ok(())
}

/// Cuts a row, without its line end, into `values`. A value that starts with a brace reaches to the
/// end of the row.
///
/// # Errors
/// [`Problem`] for unclosed quotes, text after a closing quote, carriage returns and zero bytes.
pub(in crate::formats) fn cut<'a>(
    row: &'a [u8],
    delimiter: Delimiter,
    values: &mut Vec<Value<'a>>,
) -> Result<(), Problem> {
    check_text(row)?;
    // Files that were concatenated have byte order marks inside.
    let row = row.strip_prefix(b"\xef\xbb\xbf").unwrap_or(row);
    values.clear();
    let mut rest = trim_blanks(row, delimiter);
    loop {
        let (value, next) = value(rest, delimiter)?;
        values.push(value);
        match next {
            Some(next) => rest = next,
            None => return Ok(()),
        }
    }
}

/// Drops a comment at the end of a row of more than two values, and then empty values beyond the
/// first `columns`. A value that starts with a mark may be a name among these, unless it is the
/// mark alone.
pub(in crate::formats) fn trim(values: &mut Vec<Value<'_>>, columns: usize) {
    let is_comment = |at: &usize| match &values[*at].text[..] {
        _ if values[*at].quoted => false,
        b"#" | b"%" | b"//" => true,
        text => {
            *at >= columns
                && (text.starts_with(b"//") || b"#%".contains(text.first().unwrap_or(&0)))
        }
    };
    let end = (2..values.len()).find(is_comment).unwrap_or(values.len());
    values.truncate(end);
    while values.len() > columns && values.pop_if(|value| value.text.is_empty()).is_some() {}
}

/// Returns the first value, and the text after its delimiter, if there is one.
fn value(text: &[u8], delimiter: Delimiter) -> Result<(Value<'_>, Option<&[u8]>), Problem> {
    let text = trim_blanks(text, delimiter);
    let end = match (text.first(), delimiter) {
        (Some(b'"'), _) => return quoted(text, delimiter),
        (Some(b'{'), _) => None,
        (_, Delimiter::Blanks) => text.iter().position(u8::is_ascii_whitespace),
        (_, Delimiter::Byte(byte)) => memchr(byte, text),
    };
    let value = trim_blanks(&text[..end.unwrap_or(text.len())], delimiter);
    let rest = end.map(|end| &text[end + 1..]);
    let (text, quoted) = (Cow::Borrowed(value), false);
    Ok((Value { text, quoted }, rest))
}

/// Returns a value in double quotes, and the text after its delimiter. Inner quotes are doubled.
fn quoted(text: &[u8], delimiter: Delimiter) -> Result<(Value<'_>, Option<&[u8]>), Problem> {
    let inner = &text[1..];
    let mut quotes = memchr_iter(b'"', inner);
    let mut doubled = false;
    let end = loop {
        let Some(quote) = quotes.next() else {
            refuse!(
                "a quote is not closed (double the quotes inside a value, and keep it in one line)"
            );
        };
        if inner.get(quote + 1) != Some(&b'"') {
            break quote;
        }
        doubled = quotes.next().is_some();
    };
    // A doubled quote leaves an empty part between its two characters: every second part counts.
    let parts = inner[..end].split(|&byte| byte == b'"').step_by(2);
    let text = match doubled {
        true => Cow::Owned(parts.collect::<Vec<_>>().join(&b'"')),
        false => Cow::Borrowed(&inner[..end]),
    };
    let behind = &inner[end + 1..];
    let trimmed = trim_blanks(behind, delimiter);
    let rest = match (delimiter, trimmed.first()) {
        (_, None) => None,
        (Delimiter::Blanks, Some(_)) if trimmed.len() < behind.len() => Some(trimmed),
        (Delimiter::Byte(byte), Some(first)) if *first == byte => Some(&trimmed[1..]),
        _ => refuse!("something follows a closing quote (double the quotes inside a value)"),
    };
    Ok((Value { text, quoted: true }, rest))
}

/// Removes blanks on both sides. A tab there may be a delimiter, which separates an empty value.
fn trim_blanks(text: &[u8], delimiter: Delimiter) -> &[u8] {
    let is_text = |byte: &u8| !byte.is_ascii_whitespace() || delimiter == Delimiter::Byte(*byte);
    let start = text.iter().position(is_text).unwrap_or(text.len());
    let end = text
        .iter()
        .rposition(is_text)
        .map_or(start, |last| last + 1);
    &text[start..end]
}
