//! Reads a block of rows.

use std::borrow::Cow;

use super::layout::Layout;
use super::problems::ragged;
use crate::blocks::{self, Parsed, line_at};
use crate::error::Problem;
use crate::formats::fast::number_row;
use crate::formats::text::cells::{Value, cut, decimal, is_comment, whole};
use crate::formats::text::{attributes, looks_like_row};
use crate::numbering::Coded;
use crate::tokens::whole_number;
use crate::weights::Weight;

/// The edges of a block of rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub coded: Coded,
    /// The weight of each edge, if the user asked for weights.
    pub weights: Vec<Weight>,
    /// Whether each edge is undirected, if a column says so.
    pub undirected: Vec<bool>,
    /// The number of rows that have a vertex only. Each is a loop in `coded`.
    pub vertices: u64,
    /// Whether `coded` has loops.
    pub has_loops: bool,
    /// Whether some attributes have a weight although the user did not ask for weights.
    pub unused_weights: bool,
    /// The number of rows that lack an end.
    pub half_edges: u64,
    /// The number of rows that repeat the header.
    pub headers: u64,
    /// The number of comments that may be edges, because they [look like rows](looks_like_row).
    pub comments: u64,
}

/// A block of rows while it is read.
struct Reading<'l> {
    layout: &'l Layout,
    rows: Rows,
}

/// Reads the rows of `text`, whose last line may lack its end.
///
/// # Errors
/// The [`Problem`] of the first line that does not fit the layout.
pub(super) fn parse(text: &[u8], layout: &Layout) -> Parsed<Rows> {
    let mut reading = Reading {
        layout,
        rows: Rows {
            // Most rows of numbers have about twelve bytes.
            coded: Coded::with_capacity(text.len() / 12),
            ..Rows::default()
        },
    };
    let fast = layout.is_fast();
    let mut values = Vec::new();
    let lines = blocks::read_lines(text, |position| {
        if fast
            && !reading.rows.coded.has_names()
            && let Some(next) = reading.fast_row(text, position)
        {
            return Ok(next);
        }
        let (row, next) = line_at(text, position);
        reading.row(row, &mut values)?;
        Ok(next)
    })?;
    let mut rows = reading.rows;
    // This runs while the edges are in the cache.
    rows.coded.finish();
    let codes = rows.coded.codes.iter();
    rows.has_loops = codes.fold(false, |some, [source, target]| some | (source == target));
    Ok((rows, lines))
}

impl Reading<'_> {
    /// Reads the row at `position` if it is a row of plain numbers, and returns where the next one
    /// starts. [`Self::row`] reads all other rows.
    #[inline]
    fn fast_row(&mut self, text: &[u8], position: usize) -> Option<usize> {
        let layout = self.layout;
        let (delimiter, columns, weight_column) = (layout.delimiter, layout.columns, layout.weight);
        let (ends, weight, next) = number_row(text, position, delimiter, columns, weight_column)?;
        if weight_column.is_some() {
            // Method `row` returns the error of a wrong weight.
            self.rows.weights.push(Weight::parse(weight?).ok()?);
        }
        self.rows.coded.push_numbers(ends).ok()?;
        Some(next)
    }

    /// Reads any row.
    #[inline(never)]
    fn row<'a>(&mut self, row: &'a [u8], values: &mut Vec<Value<'a>>) -> Result<(), Problem> {
        let layout = self.layout;
        if is_comment(row)? {
            let like_row = looks_like_row(row, layout.columns);
            self.rows.comments += u64::from(like_row);
            return Ok(());
        }
        if row == layout.header && !row.is_empty() {
            self.rows.headers += 1;
            return Ok(());
        }
        cut(row, layout.delimiter, values)?;
        let attributes = values.pop_if(|value| !value.quoted && value.text.starts_with(b"{"));
        let is_open = |value: &&Value<'_>| !value.text.ends_with(b"}");
        if let Some(open) = attributes.as_ref().filter(is_open) {
            return Err(attributes::unknown(open));
        }
        while values.len() > layout.columns && values.pop_if(|v| v.text.is_empty()).is_some() {}
        if values.iter().all(|value| value.text.is_empty()) && attributes.is_none() {
            return Ok(());
        }
        let ends = values.get(layout.source).zip(values.get(layout.target));
        let Some((source, target)) = ends.filter(|_| values.len() == layout.columns) else {
            let first = values.first().map_or(row, |value| &value.text);
            return Err(ragged(first, values.len(), layout.columns));
        };
        let vertex = layout.vertices.and_then(|column| values.get(column));
        if source.text.is_empty()
            && target.text.is_empty()
            && let Some(vertex) = vertex.filter(|vertex| !vertex.text.is_empty())
        {
            self.rows.vertices += 1;
            let weight = layout.weight.and(Weight::parse(b"1").ok());
            self.rows.weights.extend(weight);
            self.rows.undirected.extend(layout.kinds.map(|_| true));
            return self.push(vertex, vertex);
        }
        if source.text.is_empty() || target.text.is_empty() {
            self.rows.half_edges += 1;
            return Ok(());
        }
        let weight = self.weight(values, attributes.as_ref())?;
        self.push(source, target)?;
        self.rows.weights.extend(weight);
        let kind = layout.kinds.and_then(|column| values.get(column));
        let directed = [&b""[..], b"directed"];
        let undirected = kind.map(|kind| !directed.contains(&&kind.text.to_ascii_lowercase()[..]));
        self.rows.undirected.extend(undirected);
        Ok(())
    }

    /// Returns the weight of a row, if the user asked for weights.
    fn weight(
        &mut self,
        values: &[Value<'_>],
        attributes: Option<&Value<'_>>,
    ) -> Result<Option<Weight>, Problem> {
        let layout = self.layout;
        let default = layout.default_weight;
        if let Some(key) = &layout.attribute {
            return attributes::weight(attributes, key, default).map(Some);
        }
        let Some(column) = layout.weight else {
            self.rows.unused_weights |= attributes.is_some_and(attributes::has_weight);
            return Ok(None);
        };
        match values.get(column).filter(|value| !value.text.is_empty()) {
            Some(value) => Weight::parse(&decimal(&value.text, layout.delimiter)).map(Some),
            None if default.is_some() => Ok(default),
            None => {
                let name = format!("weight in column {}", column + 1);
                Err(Problem::weight_missing(&name, "column"))
            }
        }
    }

    /// Adds an edge between numbers if both ends are numbers, else between names.
    fn push(&mut self, source: &Value<'_>, target: &Value<'_>) -> Result<(), Problem> {
        let (decimals, delimiter) = (self.layout.decimals, self.layout.delimiter);
        let decimal = |value: &Value<'_>| decimals.then(|| whole(value, delimiter)).flatten();
        let number = |value: &Value<'_>| whole_number(&value.text).or_else(|| decimal(value));
        match (number(source), number(target)) {
            (Some(source), Some(target)) => self.rows.coded.push_numbers([source, target]),
            numbers => {
                let (source, target) = (name(source, numbers.0), name(target, numbers.1));
                self.rows.coded.push_names([&source, &target])
            }
        }
    }
}

/// Returns the name of a vertex: its number, or else its text.
fn name<'v>(value: &'v Value<'_>, number: Option<u64>) -> Cow<'v, [u8]> {
    match number {
        Some(number) => Cow::Owned(number.to_string().into_bytes()),
        None => Cow::Borrowed(&value.text),
    }
}
