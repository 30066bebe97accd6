//! The first rows of an edge list: whether the first one is a header, and which columns are the
//! ends of edges.

use super::columns::{is_integer, is_number};
use super::first::size;
use super::header::{self, Pair, Said};
use super::options::{Column, Columns, EdgeListOptions};
use super::problems::header_or_edge;
use super::sample::Row;
use crate::graph::error::Problem;
use crate::graph::tokens::shown;

/// The first rows, and what the first one says as a header.
pub(super) struct FirstRows<'r, 't> {
    pub first: &'r Row<'t>,
    pub later: &'r [Row<'t>],
    /// The values of the first row.
    pub words: Vec<&'r [u8]>,
    /// Whether all of them are numbers, which vertices may be called by.
    pub numbers: bool,
    /// Columns of a row.
    pub width: usize,
    /// Columns in which the first row has a word and all others have numbers.
    over_numbers: Vec<usize>,
    said: Said,
}

impl<'r, 't> FirstRows<'r, 't> {
    /// What is seen in these rows, whose vertices are called by `names` for sure or not; `None` if
    /// there are none.
    pub fn new(rows: &'r [Row<'t>], names: bool) -> Option<Self> {
        let (first, later) = rows.split_first()?;
        // Numbers of a header need not be as many as those of a row.
        let width = match later.first() {
            Some(second) if second.values.len() > 1 && size(first).is_some() => second.values.len(),
            _ => first.values.len(),
        };
        let words: Vec<&[u8]> = first.values.iter().map(|value| &value.text[..]).collect();
        Some(FirstRows {
            first,
            later,
            numbers: !names && words.iter().all(|word| is_number(word)),
            width,
            over_numbers: words_over_numbers(first, later),
            said: header::ends(&words),
            words,
        })
    }

    fn pair(&self) -> Option<Pair> {
        self.said.pair()
    }

    /// Whether the first row has words that hardly any vertex is called by.
    fn is_likely(&self) -> bool {
        self.pair().is_some_and(|pair| pair.likely)
    }

    /// Whether the first row is a header for sure, if it is one at all.
    pub fn is_sure(&self, (source, target): (usize, usize)) -> bool {
        let is_no_end = |column: &usize| ![source, target].contains(column);
        self.is_likely() || self.over_numbers.iter().any(is_no_end)
    }

    /// Whether the first row is a header.
    ///
    /// # Errors
    /// [`Problem`] where it may as well be an edge, and nothing was said of it.
    pub fn is_header(&self, options: &EdgeListOptions) -> Result<bool, Problem> {
        if let Some(given) = options.header {
            return Ok(given);
        }
        if options.columns.is_none() && self.may_be_header_or_edge() {
            return Err(header_or_edge(&shown_row(&self.words)));
        }
        let named = |columns: &Columns| {
            let name = |column: &Column| matches!(column, Column::Name(_));
            let weight = columns.weight.as_ref();
            name(&columns.source) || name(&columns.target) || weight.is_some_and(name)
        };
        Ok(
            !self.numbers && (self.is_likely() || !self.over_numbers.is_empty())
                || options.columns.as_ref().is_some_and(named),
        )
    }

    fn may_be_header_or_edge(&self) -> bool {
        let (first, likely) = (self.first, self.is_likely());
        let again = |column: usize| {
            let mut later = self.later.iter().flat_map(|row| row.values.iter().take(2));
            later.any(|value| Some(&value.text) == first.values.get(column).map(|v| &v.text))
        };
        let half = |word: usize, number: usize| {
            self.over_numbers.contains(&word) && number_in(first, number) && !again(word)
        };
        // Where the header is one for sure, the row itself is named.
        let repeated = self.pair().is_some() && !likely && self.later.contains(first);
        // Numbers in quotes may be names, below an edge of others.
        let quoted =
            |row: &Row<'_>, column: usize| row.values.get(column).is_some_and(|v| v.quoted);
        let apart = |&column: &usize| column < 2 && self.later.iter().all(|r| quoted(r, column));
        let quoted_numbers = self.numbers && quoted(first, 0) && quoted(first, 1);
        let plain = |row: &Row<'_>| !quoted(row, 0) && !quoted(row, 1);
        let over_plain = quoted_numbers && !self.later.is_empty() && self.later.iter().all(plain);
        let named = over_plain || !likely && self.over_numbers.iter().any(apart);
        half(0, 1) || half(1, 0) || repeated || named
    }

    /// A column that was asked for, from 0.
    ///
    /// # Errors
    /// [`Problem`] if there is none.
    pub fn column(&self, column: &Column) -> Result<usize, Problem> {
        match column {
            Column::Number(number) if (1..=self.width).contains(number) => Ok(number - 1),
            Column::Number(number) => Err(malformed!(
                "there is no column {number} (there are {})",
                self.width
            )),
            Column::Name(name) => {
                find_name(&self.words, name)?.ok_or_else(|| no_such_column(name, &self.words))
            }
        }
    }

    /// The columns of the ends, from 0.
    ///
    /// # Errors
    /// [`Problem`] if that is not clear, or what they call is no vertices of one kind.
    pub fn ends(
        &self,
        is_header: bool,
        options: &EdgeListOptions,
    ) -> Result<(usize, usize), Problem> {
        let words = &self.words;
        let (source, target) = match (&options.columns, self.pair()) {
            (Some(columns), _) => (self.column(&columns.source)?, self.column(&columns.target)?),
            (None, Some(pair)) if is_header => pair.columns,
            (None, _)
                if is_header
                    && !self.numbers
                    && (self.said == Said::Unclear || !header::says_ends_first(words)) =>
            {
                refuse!(
                    "the header {} does not say where edges start and end (name the columns: \
                     --columns source=NAME,target=NAME)",
                    shown_row(words)
                );
            }
            (None, _) => (0, 1),
        };
        if is_header && let (Some(from), Some(to)) = (words.get(source), words.get(target)) {
            refuse_two_names(from, to)?;
            if options.columns.is_none() {
                self.refuse_two_kinds(from, to)?;
            }
        }
        if source == target {
            refuse!(
                "both ends of an edge are to be in column {} (name two columns)",
                source + 1
            );
        }
        Ok((source, target))
    }

    /// Refuses numbers below the names of two kinds of vertices.
    fn refuse_two_kinds(&self, source: &[u8], target: &[u8]) -> Result<(), Problem> {
        let numbered = |row: &Row<'_>| number_in(row, 0) && number_in(row, 1);
        if header::are_two_kinds(source, target) && self.later.first().is_some_and(numbered) {
            refuse!(
                "{} and {} may count two kinds of vertices, whose numbers are the same (put \
                 something before those of one kind that tells them apart; if there is one kind: \
                 --columns source=1,target=2)",
                shown(source),
                shown(target)
            );
        }
        Ok(())
    }
}

/// Refuses columns of ends whose names tell that they are numbered apart.
fn refuse_two_names(source: &[u8], target: &[u8]) -> Result<(), Problem> {
    match (id_space(source), id_space(target)) {
        (Some(a), Some(b)) if a != b => refuse!(
            "the ends are called in two ways, as {} and {} (put something before one of them that \
             tells them apart)",
            shown(a),
            shown(b)
        ),
        _ => Ok(()),
    }
}

/// What Neo4j puts in parentheses behind the name of a column: whose numbers these are.
fn id_space(word: &[u8]) -> Option<&[u8]> {
    let word = word.strip_suffix(b")")?;
    let start = memchr::memrchr(b'(', word)?;
    word[..start].starts_with(b":").then(|| &word[start + 1..])
}

/// Whether there is a plain number in a column of a row.
fn number_in(row: &Row<'_>, column: usize) -> bool {
    row.values.get(column).is_some_and(is_integer)
}

/// The columns in which the first row has a word and all others have numbers.
fn words_over_numbers(first: &Row<'_>, others: &[Row<'_>]) -> Vec<usize> {
    let number = |row: &Row<'_>, column: usize| row.values.get(column).map(|v| is_number(&v.text));
    let over_numbers = |&column: &usize| {
        number(first, column) == Some(false)
            && !first.values[column].text.is_empty()
            && !others.is_empty()
            && others.iter().all(|row| number(row, column) == Some(true))
    };
    (0..first.values.len()).filter(over_numbers).collect()
}

/// The column that is called so: exactly, or else in other letters.
///
/// # Errors
/// [`Problem`] if several are.
pub(super) fn find_name(words: &[&[u8]], name: &str) -> Result<Option<usize>, Problem> {
    let name = name.as_bytes();
    let columns = |is_called: &dyn Fn(&[u8]) -> bool| -> Vec<usize> {
        let columns = 0..words.len();
        columns.filter(|&column| is_called(words[column])).collect()
    };
    let mut found = columns(&|word| word == name);
    if found.is_empty() {
        found = columns(&|word| word.eq_ignore_ascii_case(name));
    }
    match found[..] {
        [] => Ok(None),
        [column] => Ok(Some(column)),
        _ => Err(malformed!(
            "several columns are called {} (name it by its number)",
            shown(name)
        )),
    }
}

pub(super) fn no_such_column(name: &str, words: &[&[u8]]) -> Problem {
    let columns = match words {
        [] => "there is no header".into(),
        words => format!("there are {}", shown_row(words)),
    };
    malformed!("there is no column {} ({columns})", shown(name.as_bytes()))
}

fn shown_row(words: &[&[u8]]) -> String {
    let words: Vec<_> = words.iter().take(16).map(|word| shown(word)).collect();
    words.join(" ")
}
