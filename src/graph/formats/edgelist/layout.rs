//! Decides what the columns of an edge list are, from its first rows and the options.

use std::collections::HashSet;

use super::options::{Column, Columns, EdgeListOptions};
use super::problems::{no_such_column, not_square, ragged, shown_words, vertex_table};
use crate::graph::error::Problem;
use crate::graph::formats::text::cells::{Value, cut, is_integer, is_number, whole};
use crate::graph::formats::text::sample::{Row, Sample, counts_rows, has_relation};
use crate::graph::formats::text::{Delimiter, attributes, header};
use crate::graph::tokens::shown;
use crate::graph::weights::Weight;
use crate::graph::{WeightChoice, WeightOptions};

/// What the first row is.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// An edge.
    #[default]
    Edge,
    /// A header.
    Header,
    /// The sizes of the graph if the rows agree, else an edge.
    Sizes(Sizes),
}

/// The sizes of a graph in a first row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    pub vertices: u64,
    /// Missing if the row has one number only.
    pub edges: Option<u64>,
    /// Whether the row has the length of an edge.
    pub edge: bool,
}

/// What the rows of an edge list look like.
#[derive(Default)]
pub(super) struct Layout {
    pub delimiter: Delimiter,
    /// The text of the header in the first row; empty if there is none.
    pub header: Vec<u8>,
    /// Columns of each row, attributes of networkx not counted.
    pub columns: usize,
    /// Columns of the ends, from 0.
    pub source: usize,
    pub target: usize,
    /// The column of weights, from 0, or the attribute of networkx that has them.
    pub weight: Option<usize>,
    pub attribute: Option<String>,
    /// The weight of edges without one.
    pub default_weight: Option<Weight>,
    pub first: First,
    /// Whether vertices are written as decimals such as `1.0`.
    pub decimals: bool,
    /// Whether there are weights that were not asked for.
    pub has_unused_weights: bool,
    /// The column in which Gephi says whether each edge is directed, from 0.
    pub kinds: Option<usize>,
    /// What was assumed, a sentence each.
    pub notes: Vec<String>,
}

impl Layout {
    /// Returns whether rows of plain numbers may be read the fast way.
    pub(super) fn is_fast(&self) -> bool {
        (self.source, self.target, self.kinds) == (0, 1, None) && self.attribute.is_none()
    }
}

/// The first rows while their layout is decided.
struct Finder<'s> {
    sample: &'s Sample<'s>,
    options: &'s EdgeListOptions,
    /// The words of the header; none without a header.
    words: Vec<&'s [u8]>,
    /// The rows behind the header.
    rows: &'s [Row<'s>],
    columns: usize,
    notes: Vec<String>,
}

/// Decides the layout of these first rows, of which the last comment in front is `comment`.
/// `labels` says that the first row is no sizes and that vertices are called as they are written.
///
/// # Errors
/// [`Problem`] of the first row or of the options, where there is no layout.
pub(super) fn find(
    sample: &Sample<'_>,
    comment: &[u8],
    labels: bool,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Result<Layout, Problem> {
    let mut layout = Layout {
        delimiter: sample.delimiter,
        columns: 2,
        target: 1,
        ..Layout::default()
    };
    let Some(first) = sample.rows.first() else {
        return Ok(layout);
    };
    let mut finder = Finder {
        sample,
        options,
        words: Vec::new(),
        rows: &sample.rows,
        columns: columns(&sample.rows),
        notes: sample.notes(),
    };
    let mut values = Vec::new();
    if finder.is_header() {
        layout.first = First::Header;
        finder.rows = &sample.rows[1..];
        finder.words = first.values.iter().map(|value| &value.text[..]).collect();
        if first.values.len() + 1 == finder.columns {
            finder.words.insert(0, b"");
        }
        let words = shown_words(&finder.words);
        finder.note(format!(
            "the first row, {words}, is a header (--header no reads an edge)"
        ));
    } else if let Some(words) = header_in(comment, finder.columns, sample.delimiter, &mut values) {
        // SNAP and many others name the first two columns.
        if header::pairs(&words)[0].columns != (0, 1) {
            let comment = shown(comment);
            finder.note(format!(
                "comment {comment} is the header (--columns names others)"
            ));
        }
        finder.words = words;
    } else if options.header.is_none() && options.columns.is_none() {
        finder.note_counts();
        layout.first = finder.sizes().filter(|_| !labels).unwrap_or_default();
        let no_edge = matches!(layout.first, First::Sizes(sizes) if !sizes.edge);
        finder.rows = &sample.rows[usize::from(no_edge)..];
        finder.note_names();
    }
    let (source, target) = finder.ends()?;
    if source == target {
        let column = source + 1;
        refuse!("both ends of an edge are in column {column} (name two columns)");
    }
    // The lines of other rows are known when they are read.
    let complete = layout.first == First::Header && finder.words.len() >= finder.columns;
    if !complete && !matches!(layout.first, First::Sizes(_)) {
        let (found, expected) = (first.values.len(), finder.columns);
        if found < expected.max(2) || (expected..found).any(|i| !first.text(i).is_empty()) {
            return Err(ragged(first.text(0), found, expected));
        }
    }
    let (weight, attribute) = finder.weight(weights, (source, target))?;
    let default_weight = weights.map(WeightOptions::default_weight).transpose()?;
    finder.note_ignored((source, target), weight);
    Ok(Layout {
        columns: finder.columns,
        source,
        target,
        weight,
        attribute,
        default_weight: default_weight.flatten(),
        decimals: !labels && finder.are_decimals([source, target]),
        has_unused_weights: weights.is_none() && finder.has_weights((source, target)),
        kinds: finder.kinds(),
        notes: finder.notes,
        ..layout
    })
}

/// Returns the number of columns that most rows have, without those at the end that are empty in
/// all rows.
fn columns(rows: &[Row<'_>]) -> usize {
    let empty = |&column: &usize| rows.iter().all(|row| row.text(column).is_empty());
    let lengths = || rows.iter().map(|row| row.values.len());
    let count = |length: usize| lengths().filter(|&other| other == length).count();
    let all = lengths()
        .max_by_key(|&length| (count(length), length))
        .unwrap_or(0);
    all - (2..all).rev().take_while(empty).count()
}

/// Returns the words of a comment in front of rows of so many columns, if it is their header.
fn header_in<'c>(
    comment: &'c [u8],
    columns: usize,
    delimiter: Delimiter,
    values: &'c mut Vec<Value<'c>>,
) -> Option<Vec<&'c [u8]>> {
    let marks = |byte: &&u8| b"#%!/ ".contains(byte);
    let text = &comment[comment.iter().take_while(marks).count()..];
    cut(text, delimiter, values).ok()?;
    if values.len() != columns {
        cut(text, Delimiter::Blanks, values).ok()?;
    }
    let values: &'c [Value<'c>] = values;
    let words: Vec<&[u8]> = values.iter().map(|value| &value.text[..]).collect();
    (words.len() == columns && !header::pairs(&words).is_empty()).then_some(words)
}

impl<'s> Finder<'s> {
    fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    fn note_ends(&mut self, ends: &str) {
        self.note(format!(
            "the ends are in columns {ends} (--columns names others)"
        ));
    }

    /// Returns whether all texts in a column are such.
    fn all(&self, column: usize, is: impl Fn(&[u8]) -> bool) -> bool {
        self.rows.iter().all(|row| is(row.text(column)))
    }

    /// Returns whether the first row is a header.
    fn is_header(&self) -> bool {
        if let Some(given) = self.options.header {
            return given;
        }
        let columns = self.options.columns.as_ref();
        if columns.is_some_and(Columns::has_names) {
            return true;
        }
        let (first, body) = (&self.sample.rows[0], &self.sample.rows[1..]);
        let words: Vec<&[u8]> = first.values.iter().map(|value| &value.text[..]).collect();
        let number = |text: &[u8]| self.sample.is_number(text);
        let pairs = header::pairs(&words);
        if pairs.iter().any(|pair| pair.sure) || body.is_empty() || words.len() < 2 {
            return pairs.iter().any(|pair| pair.sure);
        }
        // R writes no word above the names of rows.
        let has_row_names = body.iter().all(|row| row.values.len() == words.len() + 1);
        if words[0].is_empty() && words.iter().any(|word| !word.is_empty())
            || has_row_names && !words.iter().all(|word| number(word))
            || self.counts_columns() && !self.is_edge_from_0()
        {
            return true;
        }
        let ends = pairs.first().map_or((0, 1), |pair| pair.columns);
        let known = !pairs.is_empty() || header::are_of_vertices(words[0], words[1]);
        // A column of numbers whose first value is a number or not.
        let above = |is_number: bool| {
            (0..words.len()).any(|column| {
                let word = words[column];
                let mut texts = body.iter().map(|row| row.text(column));
                let over_numbers =
                    texts.clone().any(number) && texts.all(|text| text.is_empty() || number(text));
                over_numbers && !word.is_empty() && number(word) == is_number
            })
        };
        !self.are_met_again(ends) && (known || above(false) && !above(true))
    }

    /// Returns whether the first row counts the columns, as the header of pandas does where columns
    /// have no names.
    fn counts_columns(&self) -> bool {
        let (first, body) = (&self.sample.rows[0], &self.sample.rows[1..]);
        let mut numbered = (0..).zip(&first.values);
        let counts = numbered.all(|(i, value)| i32::to_string(&i).as_bytes() == &value.text[..]);
        let pandas = matches!(self.sample.delimiter, Delimiter::Byte(b',' | b';'));
        counts && pandas && first.values.len() > 1 && !body.is_empty()
    }

    /// Returns whether a first row that counts the columns is an edge of the rows behind it.
    fn is_edge_from_0(&self) -> bool {
        let (first, body) = (&self.sample.rows[0], &self.sample.rows[1..]);
        let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<u32>().ok();
        let follows = |row: &Row<'_>| {
            let ends = number(row.text(0)).zip(number(row.text(1)));
            ends.is_some_and(|(a, b)| a.checked_add(1) == Some(b))
        };
        // The edges of a path from 0 look the same.
        let is_path = first.values.len() == 2 && body.iter().all(follows);
        is_path || self.has_zero()
    }

    /// Returns whether a row behind the first one has a vertex 0.
    fn has_zero(&self) -> bool {
        let has_zero = |row: &Row<'_>| row.text(0) == b"0" || row.text(1) == b"0";
        self.sample.rows[1..].iter().any(has_zero)
    }

    /// Notes that a first row is an edge, where it counts the columns and hardly any other row
    /// shows that it is none of pandas.
    fn note_counts(&mut self) {
        let words = &self.sample.rows[0].values;
        if self.counts_columns() && (words.len() > 2 || !self.has_zero()) {
            let words: Vec<&[u8]> = words.iter().map(|value| &value.text[..]).collect();
            let row = shown_words(&words);
            self.note(format!(
                "the first row, {row}, is an edge (--header yes skips it, if it counts the columns)"
            ));
        }
    }

    /// Returns whether a later row has one of the ends of the first one.
    fn are_met_again(&self, (source, target): (usize, usize)) -> bool {
        let ends = |row: &'s Row<'s>| [row.text(source), row.text(target)];
        let first = ends(&self.sample.rows[0]);
        // A whole header comes again where files were put together.
        let mut later = self.sample.rows[1..].iter().map(ends);
        later.any(|ends| ends != first && ends.iter().any(|end| first.contains(end)))
    }

    /// Notes that a first row of names is an edge, where no later row has one of its names.
    fn note_names(&mut self) {
        let (first, later) = (&self.sample.rows[0], &self.sample.rows[1..]);
        let numbers = |row: &Row<'_>| [0, 1].map(|column| self.sample.is_number(row.text(column)));
        let named = numbers(first) == [false; 2]
            || numbers(first) != [true; 2] && later.iter().all(|row| numbers(row) == [true; 2]);
        if named && !later.is_empty() && first.values.len() > 1 && !self.are_met_again((0, 1)) {
            let edge = shown_words(&[first.text(0), first.text(1)]);
            self.note(format!(
                "the first row, {edge}, is an edge (--header yes reads a header)"
            ));
        }
    }

    /// Returns the sizes of the graph that a first row of numbers may be: `n`, `n m` or `n n m`.
    fn sizes(&self) -> Option<First> {
        let (first, body) = self.sample.rows.split_first()?;
        let number = |value: &Value<'_>| {
            let text = std::str::from_utf8(&value.text).ok()?;
            let number = text.parse::<u64>().ok()?;
            (!value.quoted && is_integer(&value.text)).then_some(number)
        };
        let numbers: Vec<u64> = first.values.iter().map(number).collect::<Option<_>>()?;
        let are_numbers = |row: &Row<'_>| is_integer(row.text(0)) && is_integer(row.text(1));
        let edge = numbers.len() == self.columns;
        let (vertices, edges) = match numbers[..] {
            [n] => (n, None),
            [n, columns, m] if n == columns => (n, Some(m)),
            [n, m, ..] if numbers.len() < 4 || edge => (n, Some(m)),
            _ => return None,
        };
        let sizes = Sizes {
            vertices,
            edges,
            edge,
        };
        let sizes = First::Sizes(sizes);
        (!body.is_empty() && body.iter().all(are_numbers)).then_some(sizes)
    }

    /// Returns the columns of the ends, from 0.
    fn ends(&mut self) -> Result<(usize, usize), Problem> {
        match &self.options.columns {
            Some(columns) => Ok((self.column(&columns.source)?, self.column(&columns.target)?)),
            None if self.words.is_empty() && !self.rows.is_empty() => Ok(self.ends_by_rows()),
            None => self.ends_by_words(),
        }
    }

    /// Returns the columns that a header names, or else the first two behind an index.
    fn ends_by_words(&mut self) -> Result<(usize, usize), Problem> {
        let words = self.words.clone();
        let pairs = header::pairs(&words);
        // BioGRID names genes in four ways.
        let has_symbols = |pair: &&header::Pair| {
            let word = words[pair.columns.0].to_ascii_lowercase();
            word.windows(6).any(|part| part == b"symbol")
        };
        let pair = pairs.iter().find(has_symbols).or(pairs.first());
        if let Some((source, target)) = pair.map(|pair| pair.columns) {
            let ends = shown_words(&[words[source], words[target]]);
            let kinds = header::may_be_two_kinds(words[source], words[target]);
            if pairs.len() > 1 {
                self.note_ends(&ends);
            } else if kinds && self.all(source, is_integer) {
                self.note(format!(
                    "equal numbers in columns {ends} are one vertex (--columns names others)"
                ));
            }
            return Ok((source, target));
        }
        if words.len() > 1 && header::are_of_vertices(words[0], words[1]) {
            return Err(vertex_table(&words));
        }
        let mut start = 0;
        if words.len() > 2 && header::is_index(words[0]) {
            let unnamed = words[0].is_empty() && !words[1].is_empty();
            let numbered = self.all(0, is_integer);
            let numbers = self.columns.saturating_sub(1);
            let are_numbers = (1..self.columns).all(|i| self.all(i, is_number));
            if unnamed && !numbered && numbers > 0 && are_numbers {
                return Err(not_square(numbers));
            }
            start = usize::from(counts_rows(self.rows) || unnamed && numbered);
        }
        if words.len() > start + 1 {
            self.note_ends(&shown_words(&words[start..start + 2]));
        }
        Ok((start, start + 1))
    }

    /// Returns the first two columns that are not empty, unless the rows show that others are the
    /// ends.
    fn ends_by_rows(&mut self) -> (usize, usize) {
        let rows = self.rows;
        let letter = rows[0].text(0);
        let integers = self.all(1, is_integer) && self.all(2, is_integer);
        let counts = rows.len() > 2 && self.columns > 2 && counts_rows(rows);
        let letters = rows.len() > 1 && letter.len() == 1 && letter[0].is_ascii_alphabetic();
        let (text, ends) = if letters && integers && self.all(0, |text| text == letter) {
            let letter = shown(letter);
            (
                format!("each row starts with {letter}, and columns 2 and 3"),
                (1, 2),
            )
        } else if self.has_id_in_front() {
            ("columns 2 and 3, which have the same names,".into(), (1, 2))
        } else if has_relation(rows) {
            let relation = shown(rows[0].text(1));
            (
                format!("column 2 has relations such as {relation}, and columns 1 and 3"),
                (0, 2),
            )
        } else {
            return self.first_columns(counts && integers);
        };
        self.note(format!(
            "{text} have the ends (--columns source=1,target=2 reads the first two columns)"
        ));
        ends
    }

    /// Returns the first two columns that are not empty. Notes if the first one `counts` the rows.
    fn first_columns(&mut self, counts: bool) -> (usize, usize) {
        let option = "--columns source=2,target=3 reads the next two columns";
        if counts {
            self.note(format!(
                "column 1 counts the rows and has one of the ends ({option})"
            ));
        }
        let mut filled = (0..self.columns).filter(|&i| !self.all(i, <[u8]>::is_empty));
        filled.next().zip(filled.next()).unwrap_or((0, 1))
    }

    /// Returns whether names in the second and the third column are those of the same vertices,
    /// and the first column has something else.
    fn has_id_in_front(&self) -> bool {
        let [id, tail, head] = [0, 1, 2].map(|column| -> HashSet<&[u8]> {
            self.rows.iter().map(|row| row.text(column)).collect()
        });
        let names = |text: &[u8]| !text.is_empty() && !self.sample.is_number(text);
        self.all(1, names)
            && self.all(2, names)
            && !tail.is_disjoint(&head)
            && id.is_disjoint(&tail)
            && id.is_disjoint(&head)
    }

    /// Returns a column that was asked for, from 0.
    fn column(&self, column: &Column) -> Result<usize, Problem> {
        let found = match column {
            Column::Number(number) => (1..=self.columns).contains(number).then(|| number - 1),
            Column::Name(name) => {
                let mut words = self.words.iter();
                let exact = words.clone().position(|word| *word == name.as_bytes());
                exact.or_else(|| words.position(|w| w.eq_ignore_ascii_case(name.as_bytes())))
            }
        };
        found.ok_or_else(|| no_such_column(column, self.columns, &self.words))
    }

    /// Returns the column of weights or the attribute that has them, if they were asked for.
    fn weight(
        &mut self,
        weights: Option<&WeightOptions>,
        ends: (usize, usize),
    ) -> Result<(Option<usize>, Option<String>), Problem> {
        let columns = self.options.columns.as_ref();
        let named = columns.and_then(|columns| columns.weight.clone());
        let Some(weights) = weights else {
            let read = "they are not read (add --weighted, or leave weight= out)";
            let problem = |_| Err(unfit!("--columns names weights, but {read}"));
            return named.map_or(Ok((None, None)), problem);
        };
        let asked = match &weights.choice {
            WeightChoice::Usual => named,
            _ if named.is_some() => {
                return Err(unfit!(
                    "--columns and --weighted both name the weights (leave one of them out)"
                ));
            }
            WeightChoice::Column(number) => Some(Column::Number(*number)),
            WeightChoice::Named(name) => Some(Column::Name(name.clone())),
        };
        let first = self.rows.first();
        let has_attributes = first.is_some_and(|row| row.attributes.is_some());
        Ok(match asked {
            Some(Column::Name(name)) if has_attributes => (None, Some(name)),
            None if has_attributes => (None, Some("weight".into())),
            Some(column) => (Some(self.column(&column)?), None),
            None => (Some(self.usual_weights(ends)?), None),
        })
    }

    /// Returns the column whose name says that it has the weights, or else the one behind the ends.
    fn usual_weights(&mut self, ends: (usize, usize)) -> Result<usize, Problem> {
        if let Some(column) = self.named_weights(ends) {
            return Ok(column);
        }
        let next = ends.0.max(ends.1) + 1;
        if next >= self.columns {
            return Err(Problem::no_weights());
        }
        if let Some(word) = self.words.get(next) {
            if !self.all(next, |text| text.is_empty() || self.sample.is_number(text)) {
                let weight = Column::Name("weight".into());
                return Err(no_such_column(&weight, self.columns, &self.words));
            }
            let word = shown(word);
            self.note(format!(
                "the weights are in column {word} (--weighted NAME takes another)"
            ));
        }
        Ok(next)
    }

    /// Returns the column whose name says that it has the weights.
    fn named_weights(&self, ends: (usize, usize)) -> Option<usize> {
        let others = (0..self.words.len()).filter(|&column| column != ends.0 && column != ends.1);
        let ranked =
            others.filter_map(|i| header::weight_rank(self.words[i]).map(|rank| (rank, i)));
        ranked.min().map(|(_, column)| column)
    }

    /// Returns whether there are weights.
    fn has_weights(&self, ends: (usize, usize)) -> bool {
        let next = ends.0.max(ends.1) + 1;
        let attributes = self.rows.iter().filter_map(|row| row.attributes.as_ref());
        let mut in_attributes = attributes.map(attributes::has_weight);
        self.named_weights(ends).is_some()
            || in_attributes.any(|has| has)
            || self.words.is_empty()
                && self.all(next, |text| self.sample.is_number(text))
                && !self.all(next, |text| text == b"1")
    }

    /// Notes columns behind the ends that are not read and may be ends or weights for all that is
    /// known: those of text, or many.
    fn note_ignored(&mut self, ends: (usize, usize), weight: Option<usize>) {
        /// Two ends, a weight and a time.
        const USUAL: usize = 4;
        let numbers = |text: &[u8]| text.is_empty() || self.sample.is_number(text);
        let odd = |&column: &usize| self.columns > USUAL || !self.all(column, numbers);
        let mut unread = (ends.0.max(ends.1) + 1..self.columns).filter(|&c| weight != Some(c));
        let is_known = !self.words.is_empty() || self.options.columns.is_some();
        if let Some(column) = unread.find(odd).filter(|_| !is_known) {
            let (text, source, target) = (shown(self.rows[0].text(column)), ends.0 + 1, column + 1);
            self.note(format!(
                "column {target}, such as {text}, is not read (--columns \
                 source={source},target={target} takes it for an end)"
            ));
        }
    }

    /// Returns whether the ends are integers written as decimals such as `1.0` or `1.0e+00`.
    fn are_decimals(&self, ends: [usize; 2]) -> bool {
        let values = |column: usize| {
            let values = self
                .rows
                .iter()
                .filter_map(move |row| row.values.get(column));
            values.filter(|value| !value.text.is_empty())
        };
        let decimal = |&column: &usize| values(column).all(|value| whole(value).is_some());
        let integer = |value: &Value<'_>| is_integer(&value.text) || whole(value).is_some();
        let integers = ends.iter().all(|&column| values(column).all(integer));
        !self.rows.is_empty() && integers && ends.iter().any(decimal)
    }

    /// Returns Gephi's column `Type`, from 0.
    fn kinds(&self) -> Option<usize> {
        let column = self
            .words
            .iter()
            .position(|word| word.eq_ignore_ascii_case(b"type"))?;
        let kind = self.rows.first()?.text(column).to_ascii_lowercase();
        let known = [&b"directed"[..], b"undirected", b"mutual"].contains(&&kind[..]);
        (known && self.options.columns.is_none()).then_some(column)
    }
}
