//! The first rows of a text, cut into values.

use std::collections::HashSet;

use memchr::{memchr_iter, memrchr};

use super::Delimiter;
use super::cells::{Value, cut, decimal, is_comment, number};
use crate::blocks::line_at;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::whole_number;

/// The number of rows in a sample.
const ROWS: usize = 64;

/// The first rows of a text.
pub(in crate::formats) struct Sample<'a> {
    /// The buffered text, which starts with the rows.
    pub text: &'a [u8],
    /// The sign between columns.
    pub delimiter: Delimiter,
    /// Another delimiter that cuts all rows into equally many values.
    pub other_delimiter: Option<u8>,
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
        let (delimiter, other_delimiter) = match given {
            Some(delimiter) => (delimiter, None),
            None => delimiter(&texts),
        };
        let mut rows = Vec::new();
        for row in texts {
            let mut values = Vec::new();
            match cut(row, delimiter, &mut values) {
                Ok(()) => {}
                Err(problem) if rows.is_empty() => return Err(problem),
                Err(_) => break,
            }
            let attributes = values.pop_if(|value| !value.quoted && value.text.starts_with(b"{"));
            rows.push(Row { values, attributes });
        }
        Ok(Sample {
            text,
            delimiter,
            other_delimiter,
            rows,
            is_whole,
        })
    }

    /// Returns a note about the delimiter if another one is possible.
    pub fn note(&self) -> Option<String> {
        let name = |delimiter| match delimiter {
            Delimiter::Byte(b'\t') => "tab",
            Delimiter::Byte(b',') => "comma",
            Delimiter::Byte(b';') => "semicolon",
            _ => "'|'",
        };
        let other = name(Delimiter::Byte(self.other_delimiter?));
        Some(format!(
            "columns are separated by {} (--delimiter {other} takes the other sign that all rows \
             have)",
            name(self.delimiter)
        ))
    }

    /// Returns whether the first row counts the columns, as pandas does if columns have no names.
    pub fn counts_columns(&self) -> bool {
        let (first, body) = (&self.rows[0], &self.rows[1..]);
        let words = first.texts();
        let counts = words.starts_with(&[&b"0"[..]]) && count_up(&words);
        let pandas = matches!(self.delimiter, Delimiter::Byte(b',' | b';'));
        counts && pandas && words.len() > 1 && !body.is_empty()
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

    /// Returns whether a text has the form of a number, with a decimal comma or point.
    pub fn is_number(&self, text: &[u8]) -> bool {
        number(&decimal(text, self.delimiter)).is_some()
    }

    /// Returns whether the second column names relations between vertices of the first and the
    /// third, as in `a likes b` or `1 -> 2`.
    pub fn has_relation(&self, rows: &[Row<'_>]) -> bool {
        let is_number = |text: &[u8]| self.is_number(text);
        let possible = |row: &Row<'_>| {
            let [tail, relation, head] = [0, 1, 2].map(|column| row.text(column));
            let empty = [tail, relation, head].iter().any(|text| text.is_empty());
            !empty && !is_number(relation) && is_number(tail) == is_number(head)
        };
        if rows.is_empty() || !rows.iter().all(possible) {
            return false;
        }
        let [tails, relations, heads] = [0, 1, 2].map(|column| texts(rows, column));
        let mut signs = relations.iter().copied().flatten();
        let are_signs = signs.all(u8::is_ascii_punctuation);
        let join_numbers = tails.iter().all(|text| is_number(text)) && rows.len() > 1;
        let are_apart = relations.is_disjoint(&tails) && relations.is_disjoint(&heads);
        let ends_overlap = !tails.is_disjoint(&heads);
        let are_few = 2 * relations.len() < rows.len() + 2 && relations.len() < heads.len();
        are_signs || join_numbers || are_apart && rows.len() > 1 && (ends_overlap || are_few)
    }

    /// Returns whether the second and the third column have only names, some of which are in both,
    /// and the first column has none of them.
    pub fn has_id_in_front(&self, rows: &[Row<'_>]) -> bool {
        let names = |text: &[u8]| !text.is_empty() && !self.is_number(text);
        let [id, tail, head] = [0, 1, 2].map(|column| texts(rows, column));
        tail.iter().chain(&head).all(|text| names(text))
            && !tail.is_disjoint(&head)
            && id.is_disjoint(&tail)
            && id.is_disjoint(&head)
    }
}

/// Returns whether a line has delimiters only, such as an empty row that Excel writes.
pub(in crate::formats) fn is_empty(line: &[u8]) -> bool {
    let nothing = |byte: &u8| byte.is_ascii_whitespace() || b",;|".contains(byte);
    line.iter().all(nothing)
}

/// Returns the sign between the columns of these rows: the first one of tab, semicolon, comma and
/// bar that cuts all rows into equally many values, else the first that most rows have, else
/// blanks. The second value is another sign that cuts all rows into equally many values, if there
/// is one.
fn delimiter(rows: &[&[u8]]) -> (Delimiter, Option<u8>) {
    // Quotes and attributes are left out, because they may hold any character.
    let is_closed = |row: &&&[u8]| row.iter().filter(|&&byte| byte == b'"').count() % 2 == 0;
    let bare = rows.iter().filter(is_closed).map(|row| {
        let outside = row.split(|&byte| byte == b'"').step_by(2);
        let outside = outside.collect::<Vec<_>>().join(&b'"');
        let starts = |pair: &[u8]| b" \t,;|".contains(&pair[0]) && pair[1] == b'{';
        let brace = outside.windows(2).position(starts);
        outside[..brace.unwrap_or(outside.len())].to_vec()
    });
    let bare: Vec<Vec<u8>> = bare.collect();
    let has = |delimiter: &u8| {
        let with = bare
            .iter()
            .filter(|row| row.trim_ascii().contains(delimiter));
        2 * with.count() > bare.len()
    };
    let alike = |&delimiter: &u8| {
        let counts = bare.iter().map(|row| memchr_iter(delimiter, row).count());
        counts.collect::<HashSet<_>>().len() == 1
    };
    let mut found: Vec<u8> = b"\t;,|".iter().copied().filter(has).collect();
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
    let all_tabs = |&byte: &u8| byte == b'\t' && bare.iter().all(|row| row.contains(&byte));
    let cuts_all = |byte: &u8| alike(byte) || all_tabs(byte);
    let mut all_alike = found.iter().copied().filter(cuts_all);
    let first = all_alike.next();
    let other = all_alike.next();
    match first.or(found.first().copied()) {
        Some(byte) => (Delimiter::Byte(byte), other),
        None => (Delimiter::Blanks, None),
    }
}

/// Returns whether commas in a row can be decimal commas: at least two values come before the first
/// comma, and all later values are numbers, as in `a b 1,5`.
fn has_decimal_comma(row: &[u8]) -> bool {
    let separates = |byte: &u8| byte.is_ascii_whitespace() || b"|;".contains(byte);
    let tokens = row.split(separates).filter(|token| !token.is_empty());
    let has_comma = |token: &&[u8]| token.contains(&b',');
    let before = tokens.clone().take_while(|token| !has_comma(token)).count();
    let is_decimal = |token| number(&decimal(token, Delimiter::Blanks)).is_some();
    before > 1 && tokens.skip(before).all(is_decimal)
}

/// Returns the number of columns that most rows have, without the last ones if they are empty in
/// all rows.
pub(in crate::formats) fn columns(rows: &[Row<'_>]) -> usize {
    let empty = |&column: &usize| rows.iter().all(|row| row.text(column).is_empty());
    let lengths = || rows.iter().map(|row| row.values.len());
    let count = |length: usize| lengths().filter(|&other| other == length).count();
    let usual = lengths().max_by_key(|&length| (count(length), length));
    let usual = usual.unwrap_or(0);
    usual - (2..usual).rev().take_while(empty).count()
}

/// Returns whether the first column counts the rows from 0 or 1.
pub(in crate::formats) fn counts_rows(rows: &[Row<'_>]) -> bool {
    let column: Vec<&[u8]> = rows.iter().map(|row| row.text(0)).collect();
    !rows.is_empty() && count_up(&column)
}

/// Returns whether texts are the numbers from 0 or 1 on.
pub(in crate::formats) fn count_up(texts: &[&[u8]]) -> bool {
    let counts = |start: u64| {
        let mut numbered = (start..).zip(texts);
        numbered.all(|(number, text)| whole_number(text) == Some(number))
    };
    counts(0) || counts(1)
}

/// Returns the different texts in a column.
fn texts<'r>(rows: &'r [Row<'_>], column: usize) -> HashSet<&'r [u8]> {
    rows.iter().map(|row| row.text(column)).collect()
}
