//! Decides whether the first row is a header, the sizes of the graph, or an edge.

use rustc_hash::FxHashSet;

use super::ends::Table;
use super::layout::{Finder, shown_words};
use crate::formats::text::cells::{Value, is_integer};
use crate::formats::text::sample::{Row, count_up};
use crate::formats::text::{Delimiter, header};
use crate::tokens::whole_number;

impl<'s> Finder<'s> {
    /// Returns whether the first row is a header. `has_comment` tells whether a comment is one, and
    /// `is_own` whether the program wrote the file.
    pub(super) fn is_header(&mut self, has_comment: bool, is_own: bool) -> bool {
        if let Some(given) = self.options.header {
            return given;
        }
        if !has_comment && self.options.has_names() {
            return true;
        }
        let (sample, width) = (self.sample, self.layout.columns);
        let (first, body) = (&sample.rows[0], &sample.rows[1..]);
        let words = first.texts();
        let pairs = header::pairs(&words);
        let is_certain = pairs.iter().any(|pair| pair.is_certain);
        let are_rows = body.iter().any(|row| row.values.len() > 1);
        if is_certain || is_own || !are_rows || words.len() < 2 {
            return is_certain;
        }
        let is_separated = sample.delimiter != Delimiter::Blanks;
        if words[0] == b"0" && count_up(&words) && is_separated {
            // pandas numbers columns without names.
            let mut ends = body.iter().flat_map(|row| [row.text(0), row.text(1)]);
            let has_zero = ends.clone().any(|name| name == b"0");
            let is_edge = has_zero || words.len() == 2 && ends.any(|name| name == b"1");
            return self.doubtful(!is_edge, has_zero && words.len() == 2);
        }
        // pandas and R write an empty word, or none, above the names of rows.
        let is_number = |word: &&[u8]| sample.is_number(word);
        let has_index = words[0].is_empty() && words.iter().any(|word| !word.is_empty());
        if has_index || words.iter().all(is_number) {
            return has_index;
        }
        let named = pairs.first().map(|pair| (pair.columns, false));
        let found = named.or_else(|| Table::new(sample, &sample.rows, width, &[]).ends());
        let ends = found.map_or([0, 1], |(ends, _)| ends);
        // Ends recur often, words of a header rarely, except in copies of it in an appended file.
        let names = ends.map(|column| first.text(column));
        let mut others = body.iter().filter(|row| row.values != first.values);
        let recurs = others.any(|row| ends.iter().any(|&i| names.contains(&row.text(i))));
        let is_above = sample.has_words_above_numbers();
        if recurs || is_above {
            return self.doubtful(!recurs, !(recurs && is_above));
        }
        // P1 and a@b.c have the form of other names, words of headers hardly ever.
        let form = |row: &Row<'_>, i: usize| form(row.text(i));
        let is_known = |&i: &usize| body.iter().any(|row| form(row, i) == form(first, i));
        let is_letter = |&byte: &u8| b"aA_ -#".contains(&header::kind(byte));
        let is_word = |&i: &usize| first.text(i).len() > 1 && first.text(i).iter().all(is_letter);
        let are_names = ends.iter().all(|i| is_known(i) && !is_word(i));
        if pairs.is_empty() == are_names {
            return !are_names;
        }
        let mut seen = FxHashSet::default();
        let mut names = body.iter().flat_map(|row| ends.map(|i| row.text(i)));
        let names_recur = names.any(|name| !seen.insert(name));
        let are_words = ends.iter().all(|i| is_word(i) && !is_known(i));
        self.doubtful(names_recur && (is_separated || are_words), false)
    }

    /// Returns whether the first row is a header, with a warning unless this is certain.
    fn doubtful(&mut self, is_header: bool, is_certain: bool) -> bool {
        let words = shown_words(&self.sample.rows[0].texts());
        let (kind, given, other) = match is_header {
            true => ("a header", "no", "an edge"),
            false => ("an edge", "yes", "a header"),
        };
        let text = format!(
            "the first row,{words}, was read as {kind} (--header {given} reads it as {other})"
        );
        let is_certain = is_certain || self.options.columns.is_some();
        self.layout.warnings.extend((!is_certain).then_some(text));
        is_header
    }

    /// Returns the numbers of a first row that may state the sizes of the graph.
    pub(super) fn sizes(&self) -> Option<Vec<u64>> {
        let (first, body) = self.sample.rows.split_first()?;
        let number = |value: &Value<'_>| whole_number(&value.text).filter(|_| !value.quoted);
        let numbers: Vec<u64> = first.values.iter().map(number).collect::<Option<_>>()?;
        let may_be = match numbers[..] {
            [_] | [_, _] => true,
            [n, columns, _] => n == columns,
            _ => false,
        };
        let are_numbers = |row: &Row<'_>| is_integer(row.text(0)) && is_integer(row.text(1));
        (may_be && !body.is_empty() && body.iter().all(are_numbers)).then_some(numbers)
    }
}

/// Returns the kinds of characters in a text: `0A` for `P12`. A single letter is of another kind.
fn form(text: &[u8]) -> Vec<u8> {
    let mut kinds: Vec<u8> = text.iter().map(|&byte| header::kind(byte)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.extend((text.len() == 1).then_some(b'1'));
    kinds
}
