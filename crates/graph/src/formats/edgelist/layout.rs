//! Decides the layout of an edge list by its first rows and the options.

use crate::error::Problem;
use crate::formats::text::cells::{Value, is_integer, whole};
use crate::formats::text::preamble::Preamble;
use crate::formats::text::sample::{Row, Sample, columns};
use crate::formats::text::{Delimiter, header};
use crate::tokens::shown;
use crate::weights::{Weight, default_weight};
use crate::{EdgeListOptions, Format, ReadOptions, WeightIs};

/// The layout of the rows of an edge list.
#[derive(Default)]
pub(in crate::formats) struct Layout {
    pub(super) delimiter: Delimiter,
    /// Whether the first row is a header.
    pub(super) has_header: bool,
    /// The text of the header in the first row; empty if there is none.
    pub(super) header: Vec<u8>,
    /// The sizes that the first row may state. That row is an edge if they do not fit the others.
    pub(super) sizes: Option<Sizes>,
    /// The number of columns of each row, without attributes of networkx.
    pub(super) columns: usize,
    /// The columns of sources and targets, from 0.
    pub(super) ends: [usize; 2],
    /// The column of weights, from 0, if a column has them.
    pub(super) weight: Option<usize>,
    /// The attribute of networkx that has the weights, if one has them.
    pub(super) attribute: Option<String>,
    /// The weight of edges without one.
    pub(super) default_weight: Option<Weight>,
    /// What weights mean.
    pub(super) meaning: WeightIs,
    /// Whether vertices are written as decimals such as `1.0`.
    pub(super) has_decimal_vertices: bool,
    /// Whether there are weights although the user did not ask for them.
    pub(super) has_unused_weights: bool,
    /// The column of Gephi, from 0, that says whether each edge is directed.
    pub(super) direction: Option<usize>,
    /// The column of vertices in rows without ends, from 0.
    pub(super) vertex: Option<usize>,
    /// The reader's assumptions, a sentence each.
    pub(super) notes: Vec<String>,
}

/// The sizes of a graph in a first row.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub vertices: u64,
    /// The number of edges, unless the row has one number only.
    pub edges: Option<u64>,
    /// The number of columns of the row.
    pub columns: usize,
    /// Whether the row has as many columns as an edge.
    pub may_be_edge: bool,
}

/// The first rows while their layout is decided.
pub(super) struct Finder<'s> {
    pub sample: &'s Sample<'s>,
    pub options: &'s EdgeListOptions,
    /// The words of the header; none without a header.
    pub words: Vec<&'s [u8]>,
    /// The rows after the header.
    pub rows: &'s [Row<'s>],
    pub layout: Layout,
}

/// Decides the layout of an edge list by its first rows and the comments before them. In format
/// [`Format::Labels`] the first row has no sizes, and the texts of ends are labels without
/// conversion.
///
/// # Errors
/// [`Problem`] of the first row or of the options, if there is no layout.
pub(in crate::formats) fn find(
    sample: &Sample<'_>,
    preamble: &Preamble,
    requested: Format,
    options: &ReadOptions,
) -> Result<Layout, Problem> {
    let weights = options.weights.as_ref();
    let keeps_labels = requested == Format::Labels;
    if options.edge_list.columns.is_none() {
        preamble.refuse_blocks(sample.text, requested)?;
    }
    let mut finder = Finder {
        sample,
        options: &options.edge_list,
        words: Vec::new(),
        rows: &sample.rows,
        layout: Layout {
            delimiter: sample.delimiter,
            columns: columns(&sample.rows),
            notes: sample.note().into_iter().collect(),
            ..Layout::default()
        },
    };
    let Some(first) = sample.rows.first() else {
        return Ok(finder.layout);
    };
    let expected = finder.layout.columns;
    let header_comment = preamble.comments.iter().rev().find_map(|comment| {
        let words = header::in_comment(comment, expected, sample.delimiter)?;
        Some((comment, words))
    });
    finder.layout.has_header = finder.is_header(header_comment.is_some());
    if finder.layout.has_header {
        finder.rows = &sample.rows[1..];
        finder.words = first.texts();
        if first.values.len() + 1 == expected {
            finder.words.insert(0, b"");
        }
        let words = shown_words(&finder.words);
        finder.note(format!(
            "the first row, {words}, was read as a header (--header no reads it as an edge)"
        ));
    } else if let Some((comment, words)) = &header_comment {
        finder.words = words.iter().map(|word| &word.text[..]).collect();
        // There is no note about the first two columns, which SNAP and others name in a comment.
        if header::pairs(&finder.words)[0].columns != [0, 1] {
            let comment = shown(comment);
            finder.note(format!(
                "comment {comment} is the header (--columns names others)"
            ));
        }
    } else if finder.options.header.is_none() && finder.options.columns.is_none() {
        finder.note_edge();
        finder.layout.sizes = finder.sizes().filter(|_| !keeps_labels);
        let is_no_edge = finder.layout.sizes.is_some_and(|sizes| !sizes.may_be_edge);
        finder.rows = &sample.rows[usize::from(is_no_edge)..];
    }
    finder.layout.ends = finder.ends()?;
    let [source, target] = finder.layout.ends;
    if source == target {
        let column = source + 1;
        refuse!("both ends of an edge are in column {column} (name two columns)");
    }
    // Other rows are checked when they are read: only then are the numbers of their lines known.
    let is_whole_header = finder.layout.has_header && finder.words.len() >= expected;
    if !is_whole_header && finder.layout.sizes.is_none() {
        let found = first.values.len();
        if found < expected.max(2) || (expected..found).any(|i| !first.text(i).is_empty()) {
            return Err(ragged(first.text(0), found, expected));
        }
    }
    finder.find_weights(weights)?;
    finder.note_ignored();
    Ok(Layout {
        default_weight: default_weight(weights)?,
        meaning: weights.map(|options| options.meaning).unwrap_or_default(),
        has_decimal_vertices: !keeps_labels && finder.has_decimal_vertices(),
        has_unused_weights: weights.is_none() && finder.has_weights(),
        direction: finder.direction(),
        vertex: finder.vertex(),
        ..finder.layout
    })
}

impl Finder<'_> {
    pub fn note(&mut self, text: impl Into<String>) {
        self.layout.notes.push(text.into());
    }

    /// Returns whether a condition holds for all texts in a column.
    pub fn all(&self, column: usize, is: impl Fn(&[u8]) -> bool) -> bool {
        self.rows.iter().all(|row| is(row.text(column)))
    }

    /// Returns whether the ends are integers, and at least one column of ends has decimals such as
    /// `1.0` or `1.0e+00`.
    fn has_decimal_vertices(&self) -> bool {
        let is_whole = |value: &Value<'_>| whole(value, self.sample.delimiter).is_some();
        let values = |column: usize| {
            let values = self
                .rows
                .iter()
                .filter_map(move |row| row.values.get(column));
            values.filter(|value| !value.text.is_empty())
        };
        let integers =
            |column| values(column).all(|value| is_integer(&value.text) || is_whole(value));
        let decimals = |column| values(column).all(is_whole);
        let ends = self.layout.ends;
        !self.rows.is_empty() && ends.map(integers) == [true; 2] && ends.map(decimals) != [false; 2]
    }

    /// Returns the column of vertices, from 0, in a file of Neo4j (`apoc.export.csv.all`). Such a
    /// file has rows of vertices, whose columns `_start` and `_end` are empty, and rows of edges.
    fn vertex(&self) -> Option<usize> {
        let column = |name: &[u8]| self.words.iter().position(|word| *word == name);
        let ends = column(b"_start").and(column(b"_end"));
        ends.and(column(b"_id"))
            .filter(|_| self.options.columns.is_none())
    }

    /// Returns Gephi's column `Type`, from 0, if its values state directions.
    fn direction(&self) -> Option<usize> {
        let is_type = |word: &&[u8]| word.eq_ignore_ascii_case(b"type");
        let column = self.words.iter().position(is_type)?;
        let kinds: [&[u8]; 4] = [b"", b"directed", b"undirected", b"mutual"];
        let known = |text: &[u8]| kinds.iter().any(|kind| text.eq_ignore_ascii_case(kind));
        (self.all(column, known) && !self.all(column, <[u8]>::is_empty)).then_some(column)
    }
}

/// Returns the error of a row that starts with `text` and has another length than the others.
pub(super) fn ragged(text: &[u8], columns: usize, expected: usize) -> Problem {
    if columns >= 2 {
        return malformed!(
            "this row has {columns} columns, other rows have {expected} (correct it, or put values \
             that hold a delimiter in double quotes; an adjacency list is read with --format \
             adjlist)"
        );
    }
    let separates = |byte: &&u8| byte.is_ascii_punctuation() && !b"\"'-_.<>".contains(byte);
    let delimiter = text.iter().find(separates);
    let hint = delimiter.map(|&byte| format!("; or --delimiter '{}'", char::from(byte)));
    malformed!(
        "expected two columns, found only {} (write an edge as two vertices with a blank between \
         them{})",
        shown(text),
        hint.unwrap_or_default()
    )
}

/// Returns the first words of a header for messages.
pub(super) fn shown_words(words: &[&[u8]]) -> String {
    let words: Vec<_> = words.iter().take(16).map(|word| shown(word)).collect();
    words.join(" ")
}
