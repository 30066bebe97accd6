//! Decides which columns hold the ends and the weights of edges.

use super::layout::{Finder, shown_words};
use crate::error::Problem;
use crate::formats::dense::cell;
use crate::formats::text::cells::is_integer;
use crate::formats::text::sample::counts_rows;
use crate::formats::text::{attributes, header};
use crate::tokens::shown;
use crate::{Column, WeightChoice, WeightOptions};

impl Finder<'_> {
    fn note_ends(&mut self, ends: &str) {
        self.note(format!(
            "the ends are in columns {ends} (--columns names others)"
        ));
    }

    /// Returns the columns of the ends, from 0.
    pub(super) fn ends(&mut self) -> Result<[usize; 2], Problem> {
        match &self.options.columns {
            Some(columns) => Ok([self.column(&columns.source)?, self.column(&columns.target)?]),
            None if self.words.is_empty() && !self.rows.is_empty() => Ok(self.ends_by_rows()),
            None => self.ends_by_words(),
        }
    }

    /// Returns the columns that the header names, or else the first two after an index.
    fn ends_by_words(&mut self) -> Result<[usize; 2], Problem> {
        let words = self.words.clone();
        let pairs = header::pairs(&words);
        // BioGRID has four names of each gene, among them a symbol. Vertices of Neo4j may have
        // properties such as `start` and `end`.
        let is_preferred = |pair: &&header::Pair| {
            let ends = pair.columns.map(|column| words[column]);
            let source = ends[0].to_ascii_lowercase();
            ends == [&b"_start"[..], b"_end"] || source.windows(6).any(|part| part == b"symbol")
        };
        if let Some(pair) = pairs.iter().find(is_preferred).or(pairs.first()) {
            let ends = pair.columns.map(|column| words[column]);
            let may_be_two_kinds = header::may_be_two_kinds(ends[0], ends[1]);
            let ends = shown_words(&ends);
            if pairs.len() > 1 {
                self.note_ends(&ends);
            } else if may_be_two_kinds && self.all(pair.columns[0], is_integer) {
                self.note(format!(
                    "equal numbers in columns {ends} are one vertex (--columns names others)"
                ));
            }
            return Ok(pair.columns);
        }
        if words.len() > 1 && header::are_of_vertices(words[0], words[1]) {
            refuse!(
                "the header {} is that of a table of vertices, not of edges (give the table of \
                 edges; if these are the ends of edges: --columns source=1,target=2)",
                shown_words(&words[..2])
            );
        }
        let mut start = 0;
        if words.len() > 2 && header::is_index(words[0]) {
            let first_is_unnamed = words[0].is_empty() && !words[1].is_empty();
            let first_has_integers = self.all(0, is_integer);
            let others = self.layout.columns.saturating_sub(1);
            let is_cell = |text: &[u8]| cell(text, self.sample.delimiter).is_some();
            let others_have_cells = (1..=others).all(|i| self.all(i, is_cell));
            if first_is_unnamed && !first_has_integers && others > 0 && others_have_cells {
                refuse!(
                    "each row has a name and {others} numbers, as in a table of two kinds of \
                     vertices (write a row for each edge, or give a square matrix)"
                );
            }
            start = usize::from(counts_rows(self.rows) || first_is_unnamed && first_has_integers);
        }
        if words.len() > start + 1 {
            self.note_ends(&shown_words(&words[start..start + 2]));
        }
        Ok([start, start + 1])
    }

    /// Returns the first two columns that are not empty, unless the rows show that others are the
    /// ends.
    fn ends_by_rows(&mut self) -> [usize; 2] {
        let rows = self.rows;
        let letter = rows[0].text(0);
        let integers = self.all(1, is_integer) && self.all(2, is_integer);
        let counts = rows.len() > 2 && self.layout.columns > 2 && counts_rows(rows);
        let letters = rows.len() > 1 && letter.len() == 1 && letter[0].is_ascii_alphabetic();
        let (text, ends) = if letters && integers && self.all(0, |text| text == letter) {
            let letter = shown(letter);
            let text = format!("each row starts with {letter}, and columns 2 and 3");
            (text, [1, 2])
        } else if self.sample.has_id_in_front(rows) {
            ("columns 2 and 3, which have the same names,".into(), [1, 2])
        } else if self.sample.has_relation(rows) {
            let relation = shown(rows[0].text(1));
            let text = format!("column 2 has relations such as {relation}, and columns 1 and 3");
            (text, [0, 2])
        } else {
            if counts && integers {
                self.note(
                    "column 1 counts the rows and has one of the ends (--columns source=2,target=3 \
                     reads the next two columns)",
                );
            }
            let mut filled = (0..self.layout.columns).filter(|&i| !self.all(i, <[u8]>::is_empty));
            let ends = filled.next().zip(filled.next());
            return ends.map_or([0, 1], <[usize; 2]>::from);
        };
        self.note(format!(
            "{text} have the ends (--columns source=1,target=2 reads the first two columns)"
        ));
        ends
    }

    /// Returns the position, from 0, of a column that the user names.
    pub(super) fn column(&self, column: &Column) -> Result<usize, Problem> {
        let found = match column {
            Column::Number(number) => number.checked_sub(1).filter(|&i| i < self.layout.columns),
            Column::Name(name) => {
                let mut words = self.words.iter();
                let exact = words.clone().position(|word| *word == name.as_bytes());
                exact.or_else(|| words.position(|w| w.eq_ignore_ascii_case(name.as_bytes())))
            }
        };
        found.ok_or_else(|| self.no_such_column(column))
    }

    /// Returns the error of a column that does not exist.
    fn no_such_column(&self, column: &Column) -> Problem {
        let (columns, words) = (self.layout.columns, shown_words(&self.words));
        match column {
            Column::Number(number) => {
                malformed!("there is no column {number} (there are {columns}: name one of them)")
            }
            Column::Name(name) => match (shown(name.as_bytes()), self.words.is_empty()) {
                (name, false) => malformed!("there is no column {name} (name one of {words})"),
                (name, true) => malformed!(
                    "there is no header to name a column {name} (name it by its number, from 1)"
                ),
            },
        }
    }

    /// Finds the column of weights or the attribute that has them, if the user asked for weights.
    pub(super) fn find_weights(&mut self, weights: Option<&WeightOptions>) -> Result<(), Problem> {
        let columns = self.options.columns.as_ref();
        let named = columns.and_then(|columns| columns.weight.clone());
        let asked = match weights.map(|weights| &weights.choice) {
            None if named.is_none() => return Ok(()),
            None => {
                return Err(unfit!(
                    "--columns names weights, but they are not read (add --weighted, or leave \
                     weight= out)"
                ));
            }
            Some(WeightChoice::Usual) => named,
            Some(_) if named.is_some() => {
                return Err(unfit!(
                    "--columns and --weighted both name the weights (leave one of them out)"
                ));
            }
            Some(WeightChoice::Column(number)) => Some(Column::Number(*number)),
            Some(WeightChoice::Named(name)) => Some(Column::Name(name.clone())),
        };
        let has_attributes = matches!(self.rows, [row, ..] if row.attributes.is_some());
        match asked {
            Some(Column::Name(name)) if has_attributes => self.layout.attribute = Some(name),
            None if has_attributes => self.layout.attribute = Some("weight".into()),
            Some(column) => self.layout.weight = Some(self.column(&column)?),
            None => self.layout.weight = Some(self.usual_weights()?),
        }
        Ok(())
    }

    /// Returns the column whose name says that it has the weights, or else the one after the ends.
    fn usual_weights(&mut self) -> Result<usize, Problem> {
        if let Some(column) = self.named_weights() {
            return Ok(column);
        }
        let next = self.after_ends();
        if next >= self.layout.columns {
            return Err(Problem::no_weights());
        }
        if let Some(word) = self.words.get(next) {
            if !self.all(next, |text| text.is_empty() || self.sample.is_number(text)) {
                return Err(self.no_such_column(&Column::Name("weight".into())));
            }
            let word = shown(word);
            self.note(format!(
                "the weights are in column {word} (--weighted NAME takes another)"
            ));
        }
        Ok(next)
    }

    /// Returns the column whose name says that it has the weights.
    fn named_weights(&self) -> Option<usize> {
        header::first_listed(&self.words, header::WEIGHTS, &self.layout.ends)
    }

    /// Returns the column after both ends.
    fn after_ends(&self) -> usize {
        let [source, target] = self.layout.ends;
        source.max(target) + 1
    }

    /// Returns whether the rows seem to have weights.
    pub(super) fn has_weights(&self) -> bool {
        let next = self.after_ends();
        let attributes = self.rows.iter().filter_map(|row| row.attributes.as_ref());
        let mut in_attributes = attributes.map(attributes::has_weight);
        self.named_weights().is_some()
            || in_attributes.any(|has| has)
            || self.words.is_empty()
                && self.all(next, |text| self.sample.is_number(text))
                && !self.all(next, |text| text == b"1")
    }

    /// Notes the first column after the ends that is not read although it may be an end or a
    /// weight: it has text, or there are many columns.
    pub(super) fn note_ignored(&mut self) {
        /// The number of columns for two ends, a weight and a time.
        const USUAL: usize = 4;
        let numbers = |text: &[u8]| text.is_empty() || self.sample.is_number(text);
        if !self.words.is_empty() || self.options.columns.is_some() {
            return;
        }
        let columns = self.layout.columns;
        let odd = |&column: &usize| {
            let is_read = self.layout.weight == Some(column);
            !is_read && (columns > USUAL || !self.all(column, numbers))
        };
        if let Some(column) = (self.after_ends()..columns).find(odd) {
            let text = shown(self.rows[0].text(column));
            let (source, target) = (self.layout.ends[0] + 1, column + 1);
            self.note(format!(
                "column {target}, such as {text}, is not read (--columns \
                 source={source},target={target} takes it for an end)"
            ));
        }
    }
}
