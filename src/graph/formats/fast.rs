//! Steps through rows of numbers that are as such rows mostly are. Each returns nothing where the
//! row is otherwise; then it has to be cut and looked at as a whole.

use super::text::Delimiter;
use crate::graph::tokens::plain_number;

/// The ends that a row has, the text of a value behind them, and where the next row starts.
pub(super) type NumberRow<'a> = ([u64; 2], Option<&'a [u8]>, usize);

/// Steps through a row of so many numbers, of which the first two are ends; its value is the one in
/// the column `third`, from 0.
#[inline(always)]
pub(super) fn number_row(
    text: &[u8],
    position: usize,
    delimiter: Delimiter,
    columns: usize,
    third: Option<usize>,
) -> Option<NumberRow<'_>> {
    let (source, end) = plain_number(text, position)?;
    let (target, mut end) = plain_number(text, skip_delimiter(text, delimiter, end)?)?;
    let mut value = None;
    for column in 2..columns {
        let start = skip_delimiter(text, delimiter, end)?;
        end = decimal_end(text, start)?;
        if third == Some(column) {
            value = Some(&text[start..end]);
        }
    }
    Some(([source, target], value, line_end(text, delimiter, end)?))
}

#[inline]
fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

#[inline]
fn skip_blanks(text: &[u8], mut position: usize) -> usize {
    while text.get(position).is_some_and(|&byte| byte == b' ') {
        position += 1;
    }
    position
}

/// Behind the delimiter at `position`, and blanks around it.
#[inline]
fn skip_delimiter(text: &[u8], delimiter: Delimiter, position: usize) -> Option<usize> {
    match delimiter {
        Delimiter::Blanks => {
            let mut end = position;
            while text.get(end).is_some_and(|&byte| is_blank(byte)) {
                end += 1;
            }
            (end > position).then_some(end)
        }
        Delimiter::Byte(byte) => {
            let at = skip_blanks(text, position);
            (text.get(at) == Some(&byte)).then(|| skip_blanks(text, at + 1))
        }
    }
}

/// Where the next line starts, if this one ends at `position` but for blanks.
#[inline]
fn line_end(text: &[u8], delimiter: Delimiter, position: usize) -> Option<usize> {
    let mut end = position;
    if let Delimiter::Blanks = delimiter {
        while text.get(end).is_some_and(|&byte| is_blank(byte)) {
            end += 1;
        }
    }
    match text.get(end) {
        Some(b'\n') => Some(end + 1),
        Some(b'\r') if text.get(end + 1) == Some(&b'\n') => Some(end + 2),
        None => Some(end),
        Some(_) => None,
    }
}

/// Where the characters of a decimal number end that start at `position`; nothing if there are
/// none, or if it has an exponent.
#[inline]
fn decimal_end(text: &[u8], position: usize) -> Option<usize> {
    let rest = text.get(position..)?;
    let length = rest
        .iter()
        .position(|&byte| !byte.is_ascii_digit() && !matches!(byte, b'.' | b'-'))
        .unwrap_or(rest.len());
    (length > 0).then_some(position + length)
}
