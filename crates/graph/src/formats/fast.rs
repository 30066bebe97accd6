//! A fast parser for rows of plain numbers. It returns `None` for all other rows, which the caller
//! has to cut into values.

use super::text::Delimiter;
use crate::tokens::plain_number;

/// The two vertices of a row, the text of its value, and the position of the next row.
pub(super) type NumberRow<'a> = ([u64; 2], Option<&'a [u8]>, usize);

/// Parses a row of `columns` numbers, of which the first two are the vertices. `value_column`, from
/// 0, is the column of the value that is returned.
#[inline(always)]
pub(super) fn number_row(
    text: &[u8],
    position: usize,
    delimiter: Delimiter,
    columns: usize,
    value_column: Option<usize>,
) -> Option<NumberRow<'_>> {
    let (source, end) = plain_number(text, position)?;
    let (target, mut end) = plain_number(text, skip_delimiter(text, delimiter, end)?)?;
    let mut value = None;
    for column in 2..columns {
        let start = skip_delimiter(text, delimiter, end)?;
        end = decimal_end(text, start)?;
        if value_column == Some(column) {
            value = Some(&text[start..end]);
        }
    }
    Some(([source, target], value, line_end(text, delimiter, end)?))
}

#[inline(always)]
fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Returns the first position, from `position` on, of a byte for which `is_skipped` is false.
#[inline(always)]
fn skip(text: &[u8], mut position: usize, is_skipped: impl Fn(u8) -> bool) -> usize {
    while text.get(position).is_some_and(|&byte| is_skipped(byte)) {
        position += 1;
    }
    position
}

/// Returns the position after the delimiter at `position` and the blanks around it.
#[inline]
fn skip_delimiter(text: &[u8], delimiter: Delimiter, position: usize) -> Option<usize> {
    let Delimiter::Byte(delimiter) = delimiter else {
        let end = skip(text, position, is_blank);
        return (end > position).then_some(end);
    };
    let at = skip(text, position, |byte| byte == b' ');
    (text.get(at) == Some(&delimiter)).then(|| skip(text, at + 1, |byte| byte == b' '))
}

/// Returns the position of the next line; `None` if this line does not end at `position`. Blanks
/// before the end are skipped if they are the delimiter.
#[inline]
fn line_end(text: &[u8], delimiter: Delimiter, position: usize) -> Option<usize> {
    let end = match delimiter {
        Delimiter::Blanks => skip(text, position, is_blank),
        Delimiter::Byte(_) => position,
    };
    match text.get(end) {
        Some(b'\n') => Some(end + 1),
        Some(b'\r') if text.get(end + 1) == Some(&b'\n') => Some(end + 2),
        None => Some(end),
        Some(_) => None,
    }
}

/// Returns the end of the digits, points and minus signs that start at `position`, if there are
/// some. A number with an exponent is left to the caller.
#[inline]
fn decimal_end(text: &[u8], position: usize) -> Option<usize> {
    let end = skip(text, position, |byte| {
        byte.is_ascii_digit() || matches!(byte, b'.' | b'-')
    });
    (end > position).then_some(end)
}
