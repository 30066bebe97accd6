//! The first rows of a text, cut into values.

use std::collections::BTreeMap;

use memchr::{memchr_iter, memrchr};

use super::Delimiter;
use super::cells::{Value, cut, decimal, is_comment, number, trim};
use crate::blocks::line_at;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::whole_number;

/// The number of rows in a sample, and of those that decide its delimiter.
const ROWS: usize = 10_000;
const DELIMITER_ROWS: usize = 64;

/// The first rows of a text.
pub(in crate::formats) struct Sample<'a> {
    /// The sign between columns.
    pub delimiter: Delimiter,
    /// The rows without comments, up to the first that cannot be cut.
    pub rows: Vec<Row<'a>>,
    /// Whether these are all rows of the input.
    pub is_whole: bool,
}

/// A row of the sample.
#[derive(Clone)]
pub(in crate::formats) struct Row<'a> {
    pub values: Vec<Value<'a>>,
    /// The attributes that networkx writes after an edge: `{...}`.
    pub attributes: Option<Value<'a>>,
}

impl Row<'_> {
    /// Returns the text in a column; empty if there is none.
    pub fn text(&self, column: usize) -> &[u8] {
        self.values.get(column).map_or(b"", |value| &value.text)
    }

    /// Returns the texts in all columns.
    pub fn texts(&self) -> Vec<&[u8]> {
        self.values.iter().map(|value| &value.text[..]).collect()
    }
}

impl<'a> Sample<'a> {
    /// Returns what `decide` finds in the first rows of `lines`. The delimiter is the `given` one,
    /// or else the one that the rows show.
    ///
    /// # Errors
    /// [`Problem`] in the next line: that of `decide`, or if the first row cannot be cut.
    pub fn decide<T>(
        lines: &mut LineReader<'_>,
        given: Option<Delimiter>,
        decide: impl FnOnce(&Sample<'_>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        lines.fill()?;
        let sample = Sample::new(lines.buffered(), lines.exhausted(), given);
        let decided = sample.and_then(|sample| decide(&sample));
        if decided.is_err() {
            lines.line()?;
        }
        decided
    }

    /// Cuts the rows at the start of `text`, which is the start of the input, or all of it if
    /// `is_whole` is set. The delimiter is the `given` one, or else the one that the rows show.
    ///
    /// # Errors
    /// [`Problem`] if the first row cannot be cut.
    fn new(text: &'a [u8], is_whole: bool, given: Option<Delimiter>) -> Result<Self, Problem> {
        // The last line may be cut off.
        let complete = match memrchr(b'\n', text) {
            Some(last) if !is_whole => &text[..=last],
            _ => text,
        };
        let mut lines = complete.split_inclusive(|&byte| byte == b'\n');
        let texts = lines.by_ref().map(|line| line_at(line, 0).0);
        let texts = texts.filter(|line| is_comment(line) != Ok(true) && !is_empty(line));
        let texts: Vec<&[u8]> = texts.take(ROWS).collect();
        let is_whole = is_whole && lines.next().is_none();
        let first = &texts[..texts.len().min(DELIMITER_ROWS)];
        let delimiter = given.unwrap_or_else(|| delimiter(first));
        let mut rows = Vec::new();
        for row in texts {
            let mut values = Vec::new();
            match cut(row, delimiter, &mut values) {
                Ok(()) => {}
                Err(problem) if rows.is_empty() => return Err(problem),
                Err(_) => break,
            }
            let attributes = values.pop_if(|value| !value.quoted && value.text.starts_with(b"{"));
            trim(&mut values, usize::MAX);
            rows.push(Row { values, attributes });
        }
        Ok(Sample {
            delimiter,
            rows,
            is_whole,
        })
    }

    /// Returns whether the first row has words, and no number, in the columns that have numbers in
    /// all other rows.
    pub fn has_words_above_numbers(&self) -> bool {
        let Some((first, body)) = self.rows.split_first() else {
            return false;
        };
        let number = |text: &[u8]| self.is_number(text);
        let above_numbers = |column: &usize| {
            let mut texts = body.iter().map(|row| row.text(*column));
            texts.clone().any(number) && texts.all(|text| text.is_empty() || number(text))
        };
        let above = (0..first.values.len()).filter(above_numbers);
        let above = above.map(|column| first.text(column));
        let mut above = above.filter(|word| !word.is_empty()).peekable();
        above.peek().is_some() && !above.any(number)
    }

    /// Returns a number with a decimal comma or point.
    pub fn number(&self, text: &[u8]) -> Option<f64> {
        number(&decimal(text, self.delimiter))
    }

    /// Returns whether a text has the form of a number.
    pub fn is_number(&self, text: &[u8]) -> bool {
        self.number(text).is_some()
    }
}

/// Returns whether a line has delimiters only, such as an empty row that Excel writes.
pub(in crate::formats) fn is_empty(line: &[u8]) -> bool {
    let nothing = |byte: &u8| byte.is_ascii_whitespace() || b",;|".contains(byte);
    line.iter().all(nothing)
}

/// Returns the sign between the columns of these rows: the first one of tab, semicolon, comma and
/// bar that cuts all rows into equally many values, else the first that most rows have, else
/// blanks.
fn delimiter(rows: &[&[u8]]) -> Delimiter {
    // Quotes and attributes are left out, because they may hold any character.
    let is_closed = |row: &&&[u8]| row.iter().filter(|&&byte| byte == b'"').count() % 2 == 0;
    let bare = rows.iter().filter(is_closed).map(|row| {
        let outside = row.split(|&byte| byte == b'"').step_by(2);
        let mut outside = outside.collect::<Vec<_>>().join(&b'"');
        let starts = |pair: &[u8]| b" \t,;|".contains(&pair[0]) && pair[1] == b'{';
        let brace = outside.windows(2).position(starts);
        outside.truncate(brace.unwrap_or(outside.len()));
        outside
    });
    let bare: Vec<Vec<u8>> = bare.collect();
    let count = |byte: u8, row: &[u8]| memchr_iter(byte, row.trim_ascii()).count();
    let counts = |byte: u8| bare.iter().map(move |row| count(byte, row));
    let mut found = b"\t;,|".to_vec();
    found.retain(|&byte| 2 * counts(byte).filter(|&count| count > 0).count() > bare.len());
    if bare.iter().all(|row| has_decimal_comma(row)) {
        found.retain(|&byte| byte != b',');
    }
    // Rows of KONECT have tabs and blanks between their numbers.
    let number = |byte: &u8| byte.is_ascii_digit() || b" \t.-+eE".contains(byte);
    let mixed = |row: &Vec<u8>| row.trim_ascii().contains(&b' ');
    if bare.iter().flatten().all(number) && bare.iter().any(mixed) {
        found.retain(|&byte| byte != b'\t');
    }
    // A tab in each row is a delimiter even if the rows differ in length: names have no tabs.
    let cuts_all = |&&byte: &&u8| match byte {
        b'\t' => counts(byte).all(|count| count > 0),
        _ => counts(byte).is_sorted_by(|a, b| a == b),
    };
    let byte = found.iter().find(cuts_all).or(found.first());
    byte.map_or(Delimiter::Blanks, |&byte| Delimiter::Byte(byte))
}

/// Returns whether commas in a row can be decimal commas: at least two values come before the first
/// comma, and all later values are numbers, as in `a b 1,5`.
fn has_decimal_comma(row: &[u8]) -> bool {
    let separates = |byte: &u8| byte.is_ascii_whitespace() || b"|;".contains(byte);
    let tokens = row.split(separates).filter(|token| !token.is_empty());
    let has_none = |token: &&[u8]| !token.contains(&b',');
    let before = tokens.clone().take_while(has_none).count();
    let is_decimal = |token| number(&decimal(token, Delimiter::Blanks)).is_some();
    before > 1 && tokens.skip(before).all(is_decimal)
}

/// Returns the number of columns that most rows have, without the last ones if they are empty in
/// all rows.
pub(in crate::formats) fn columns(rows: &[Row<'_>]) -> usize {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(row.values.len()).or_insert(0) += 1;
    }
    let counts = counts.into_iter().map(|(length, count)| (count, length));
    let usual = counts.max().map_or(0, |(_, length)| length);
    let empty = |&column: &usize| rows.iter().all(|row| row.text(column).is_empty());
    usual - (2..usual).rev().take_while(empty).count()
}

/// Returns whether texts are the numbers from 0 or 1 on.
pub(in crate::formats) fn count_up(texts: &[&[u8]]) -> bool {
    let follows = |(number, text): (u64, &&[u8])| whole_number(text) == Some(number);
    let is = |start: u64| (start..).zip(texts).all(follows);
    is(0) || is(1)
}
