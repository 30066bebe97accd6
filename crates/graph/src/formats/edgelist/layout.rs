//! Decides the layout of an edge list by its first rows and the options.

use super::options::EdgeListOptions;
use super::problems::{ragged, shown_words};
use crate::WeightOptions;
use crate::error::Problem;
use crate::formats::text::cells::{Value, is_integer, whole};
use crate::formats::text::sample::{Row, Sample, columns};
use crate::formats::text::{Delimiter, header};
use crate::tokens::shown;
use crate::weights::{Weight, default_weight};

/// The layout of the rows of an edge list.
#[derive(Default)]
pub(super) struct Layout {
    pub delimiter: Delimiter,
    /// The text of the header in the first row; empty if there is none.
    pub header: Vec<u8>,
    /// The number of columns of each row, without attributes of networkx.
    pub columns: usize,
    /// The column of sources, from 0.
    pub source: usize,
    /// The column of targets, from 0.
    pub target: usize,
    /// The column of weights, from 0, if a column has them.
    pub weight: Option<usize>,
    /// The attribute of networkx that has the weights, if one has them.
    pub attribute: Option<String>,
    /// The weight of edges without one.
    pub default_weight: Option<Weight>,
    pub first: First,
    /// Whether vertices are written as decimals such as `1.0`.
    pub decimals: bool,
    /// Whether there are weights although the user did not ask for them.
    pub has_unused_weights: bool,
    /// The column of Gephi, from 0, that says whether each edge is directed.
    pub kinds: Option<usize>,
    /// The column of vertices in rows without ends, from 0.
    pub vertices: Option<usize>,
    /// The reader's assumptions, a sentence each.
    pub notes: Vec<String>,
}

impl Layout {
    /// Returns whether the fast parser may read rows of plain numbers.
    pub(super) fn is_fast(&self) -> bool {
        (self.source, self.target, self.kinds) == (0, 1, None) && self.attribute.is_none()
    }
}

/// The meaning of the first row.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// An edge.
    #[default]
    Edge,
    /// A header.
    Header,
    /// The sizes of the graph if they fit the other rows, else an edge.
    Sizes(Sizes),
}

/// The sizes of a graph in a first row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    pub vertices: u64,
    /// The number of edges, unless the row has one number only.
    pub edges: Option<u64>,
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
    pub columns: usize,
    pub notes: Vec<String>,
}

/// Decides the layout of an edge list by its first rows and the `comments` before them. `labels`
/// says that the first row has no sizes and that the texts of ends are labels without conversion.
///
/// # Errors
/// [`Problem`] of the first row or of the options, if there is no layout.
pub(super) fn find(
    sample: &Sample<'_>,
    comments: &[Vec<u8>],
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
    let commented = comments.iter().rev().find_map(|comment| {
        let words = header::in_comment(comment, finder.columns, sample.delimiter)?;
        Some((comment, words))
    });
    if finder.is_header(commented.is_some()) {
        layout.first = First::Header;
        finder.rows = &sample.rows[1..];
        finder.words = first.texts();
        if first.values.len() + 1 == finder.columns {
            finder.words.insert(0, b"");
        }
        let words = shown_words(&finder.words);
        finder.note(format!(
            "the first row, {words}, is a header (--header no reads an edge)"
        ));
    } else if let Some((comment, words)) = &commented {
        finder.words = words.iter().map(|word| &word.text[..]).collect();
        // There is no note about the first two columns, which SNAP and others name in a comment.
        if header::pairs(&finder.words)[0].columns != (0, 1) {
            let comment = shown(comment);
            finder.note(format!(
                "comment {comment} is the header (--columns names others)"
            ));
        }
    } else if options.header.is_none() && options.columns.is_none() {
        finder.note_edge();
        layout.first = finder.sizes().filter(|_| !labels).unwrap_or_default();
        let no_edge = matches!(layout.first, First::Sizes(sizes) if !sizes.may_be_edge);
        finder.rows = &sample.rows[usize::from(no_edge)..];
    }
    let (source, target) = finder.ends()?;
    if source == target {
        let column = source + 1;
        refuse!("both ends of an edge are in column {column} (name two columns)");
    }
    // Other rows are checked when they are read: only then are the numbers of their lines known.
    let complete = layout.first == First::Header && finder.words.len() >= finder.columns;
    if !complete && !matches!(layout.first, First::Sizes(_)) {
        let (found, expected) = (first.values.len(), finder.columns);
        if found < expected.max(2) || (expected..found).any(|i| !first.text(i).is_empty()) {
            return Err(ragged(first.text(0), found, expected));
        }
    }
    let (weight, attribute) = finder.weight(weights, (source, target))?;
    let default_weight = default_weight(weights)?;
    finder.note_ignored((source, target), weight);
    Ok(Layout {
        columns: finder.columns,
        source,
        target,
        weight,
        attribute,
        default_weight,
        decimals: !labels && finder.are_decimals([source, target]),
        has_unused_weights: weights.is_none() && finder.has_weights((source, target)),
        kinds: finder.kinds(),
        vertices: finder.vertices(),
        notes: finder.notes,
        ..layout
    })
}

impl Finder<'_> {
    pub fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// Returns whether a condition holds for all texts in a column.
    pub fn all(&self, column: usize, is: impl Fn(&[u8]) -> bool) -> bool {
        self.rows.iter().all(|row| is(row.text(column)))
    }

    /// Returns whether the ends are integers written as decimals such as `1.0` or `1.0e+00`.
    fn are_decimals(&self, ends: [usize; 2]) -> bool {
        let all = |column: usize, is: &dyn Fn(&Value<'_>) -> bool| {
            let mut values = self.rows.iter().filter_map(|row| row.values.get(column));
            values.all(|value| value.text.is_empty() || is(value))
        };
        let is_whole = |value: &Value<'_>| whole(value, self.sample.delimiter).is_some();
        let decimals = |column| all(column, &is_whole);
        let integers = |column| all(column, &|value| is_integer(&value.text) || is_whole(value));
        !self.rows.is_empty() && ends.map(integers) == [true; 2] && ends.map(decimals) != [false; 2]
    }

    /// Returns the column of vertices, from 0, in a file of Neo4j (`apoc.export.csv.all`). Such a
    /// file has rows of vertices, whose columns `_start` and `_end` are empty, and rows of edges.
    fn vertices(&self) -> Option<usize> {
        let column = |name: &[u8]| self.words.iter().position(|word| *word == name);
        let ends = column(b"_start").and(column(b"_end"));
        ends.and(column(b"_id"))
            .filter(|_| self.options.columns.is_none())
    }

    /// Returns Gephi's column `Type`, from 0.
    fn kinds(&self) -> Option<usize> {
        let is_type = |word: &&[u8]| word.eq_ignore_ascii_case(b"type");
        let column = self.words.iter().position(is_type)?;
        let kinds: [&[u8]; 4] = [b"", b"directed", b"undirected", b"mutual"];
        let known = |text: &[u8]| kinds.iter().any(|kind| text.eq_ignore_ascii_case(kind));
        (self.all(column, known) && !self.all(column, <[u8]>::is_empty)).then_some(column)
    }
}
