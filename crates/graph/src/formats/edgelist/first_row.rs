//! Decides whether the first row is a header, the sizes of the graph, or an edge.

use super::layout::{Finder, Sizes, shown_words};
use crate::formats::text::cells::{Value, is_integer};
use crate::formats::text::header;
use crate::formats::text::sample::Row;
use crate::tokens::whole_number;

impl<'s> Finder<'s> {
    /// Returns whether the first row is a header. `has_comment` tells whether a comment is one.
    pub(super) fn is_header(&self, has_comment: bool) -> bool {
        if let Some(given) = self.options.header {
            return given;
        }
        if !has_comment && self.options.has_names() {
            return true;
        }
        let (first, body) = (&self.sample.rows[0], &self.sample.rows[1..]);
        let words = first.texts();
        let number = |text: &[u8]| self.sample.is_number(text);
        let pairs = header::pairs(&words);
        let is_certain = pairs.iter().any(|pair| pair.is_certain);
        if is_certain || body.is_empty() || words.len() < 2 {
            return is_certain;
        }
        // R writes no word above the names of rows.
        let has_row_names = body.iter().all(|row| row.values.len() == words.len() + 1);
        if words[0].is_empty() && words.iter().any(|word| !word.is_empty())
            || has_row_names && !words.iter().all(|word| number(word))
            || self.sample.counts_columns() && !self.is_edge_from_0()
        {
            return true;
        }
        let ends = pairs.first().map_or([0, 1], |pair| pair.columns);
        let has_known_words = !pairs.is_empty() || header::are_of_vertices(words[0], words[1]);
        !self.ends_recur(ends) && (has_known_words || self.sample.has_words_above_numbers())
    }

    /// Returns whether a first row that counts the columns is an edge, by the rows after it.
    fn is_edge_from_0(&self) -> bool {
        let (first, body) = (&self.sample.rows[0], &self.sample.rows[1..]);
        let follows = |row: &Row<'_>| {
            let ends = whole_number(row.text(0)).zip(whole_number(row.text(1)));
            ends.is_some_and(|(a, b)| a.checked_add(1) == Some(b))
        };
        // The first edge of a path from 0 counts the columns too.
        first.values.len() == 2 && body.iter().all(follows) || self.has_zero()
    }

    /// Returns whether a row after the first one has a vertex 0.
    fn has_zero(&self) -> bool {
        let has_zero = |row: &Row<'_>| row.text(0) == b"0" || row.text(1) == b"0";
        self.sample.rows[1..].iter().any(has_zero)
    }

    /// Returns whether an end of the first row is an end of a later one too, which is usual for
    /// vertices and rare for words of a header.
    fn ends_recur(&self, ends: [usize; 2]) -> bool {
        let ends = |row: &'s Row<'s>| ends.map(|column| row.text(column));
        let first = ends(&self.sample.rows[0]);
        // A copy of the first row is the header of an appended file, unless it comes second.
        let mut later = self.sample.rows[1..].iter().map(ends).enumerate();
        later.any(|(at, ends)| {
            (at == 0 || ends != first) && ends.iter().any(|end| first.contains(end))
        })
    }

    /// Notes that the first row is read as an edge, if it may be a header: it counts the columns,
    /// or has names that no later row has.
    pub(super) fn note_edge(&mut self) {
        let (first, later) = (&self.sample.rows[0], &self.sample.rows[1..]);
        let words = first.texts();
        let numbers = |row: &Row<'_>| [0, 1].map(|column| self.sample.is_number(row.text(column)));
        let are_names = numbers(first) == [false; 2]
            || numbers(first) != [true; 2] && later.iter().all(|row| numbers(row) == [true; 2]);
        let counts = self.sample.counts_columns() && (words.len() > 2 || !self.has_zero());
        let (words, remedy) = match counts {
            true => (
                &words[..],
                "skips it, if these are the numbers of the columns",
            ),
            false => (&words[..words.len().min(2)], "reads it as a header"),
        };
        let are_names = are_names && words.len() > 1 && !later.is_empty();
        if counts || are_names && !self.ends_recur([0, 1]) {
            let row = shown_words(words);
            self.note(format!(
                "the first row, {row}, was read as an edge (--header yes {remedy})"
            ));
        }
    }

    /// Returns the sizes of the graph that a first row of numbers may state: `n`, `n m` or `n n m`.
    pub(super) fn sizes(&self) -> Option<Sizes> {
        let (first, body) = self.sample.rows.split_first()?;
        let number = |value: &Value<'_>| whole_number(&value.text).filter(|_| !value.quoted);
        let numbers: Vec<u64> = first.values.iter().map(number).collect::<Option<_>>()?;
        let are_numbers = |row: &Row<'_>| is_integer(row.text(0)) && is_integer(row.text(1));
        let may_be_edge = numbers.len() == self.layout.columns;
        let (vertices, edges) = match numbers[..] {
            [n] => (n, None),
            [n, columns, m] if n == columns => (n, Some(m)),
            [n, m, ..] if numbers.len() < 4 || may_be_edge => (n, Some(m)),
            _ => return None,
        };
        (!body.is_empty() && body.iter().all(are_numbers)).then_some(Sizes {
            vertices,
            edges,
            columns: numbers.len(),
            may_be_edge,
        })
    }
}
