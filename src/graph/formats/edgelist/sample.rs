//! The first rows of an edge list, cut into values.

use super::columns::{Value, cut, is_comment};
use super::options::Delimiter;
use crate::graph::error::Problem;
use crate::graph::tokens::shown;

/// Rows that are looked at.
pub(super) const SAMPLE: usize = 64;

/// A row of the sample.
#[derive(PartialEq)]
pub(super) struct Row<'a> {
    pub values: Vec<Value<'a>>,
    pub attributes: Option<Value<'a>>,
}

/// The first rows, comments left out. A row that is cut off is none, unless it is the only one.
pub(super) fn sample(text: &[u8], whole: bool) -> Vec<&[u8]> {
    let mut rows: Vec<&[u8]> = Vec::new();
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    while rows.len() < SAMPLE
        && let Some(line) = lines.next()
    {
        let cut_off = !line.ends_with(b"\n") && !whole;
        if cut_off && !rows.is_empty() {
            break;
        }
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if is_comment(line) != Ok(true) {
            rows.push(line);
        }
    }
    rows
}

/// What separates the columns of these rows: of tab, semicolon and comma the first that the first
/// row has outside quotes, or the second if the first is a single number.
///
/// # Errors
/// [`Problem`] if the row has several of them.
pub(super) fn delimiter(rows: &[&[u8]]) -> Result<Delimiter, Problem> {
    let of = |row: &&[u8]| {
        let start = row.split(|&byte| byte == b'{').next().unwrap_or_default();
        let outside = start.split(|&byte| byte == b'"').step_by(2);
        let plain = outside.collect::<Vec<_>>().join(&b'"');
        let plain = plain.trim_ascii();
        let mut kinds = b"\t;,".iter().filter(|byte| plain.contains(byte));
        match (kinds.next(), kinds.next()) {
            (_, Some(_)) => Err(malformed!(
                "{} has several of tab, semicolon and comma (say which separates columns: \
                 --delimiter tab, semicolon or comma)",
                shown(row.trim_ascii())
            )),
            (kind, None) => Ok(kind.map(|&byte| Delimiter::Byte(byte))),
        }
    };
    let first = rows.first().map(of).transpose()?.flatten();
    let is_number = |row: &&[u8]| row.iter().all(u8::is_ascii_digit);
    let found = match first {
        None if rows.first().is_some_and(is_number) => rows.get(1).map(of).transpose()?.flatten(),
        first => first,
    };
    Ok(found.unwrap_or_default())
}

/// Cuts the rows into values, up to the first that cannot be cut: its own line will be named when
/// it is read.
///
/// # Errors
/// [`Problem`] if that is the first one.
pub(super) fn rows<'a>(texts: &[&'a [u8]], delimiter: Delimiter) -> Result<Vec<Row<'a>>, Problem> {
    let mut rows = Vec::new();
    for text in texts {
        let mut values = Vec::new();
        match cut(text, delimiter, &mut values) {
            Ok(()) => {}
            Err(problem) if rows.is_empty() => return Err(problem),
            Err(_) => break,
        }
        let attributes = values.pop_if(|value| !value.quoted && value.text.starts_with(b"{"));
        rows.push(Row { values, attributes });
    }
    Ok(rows)
}
