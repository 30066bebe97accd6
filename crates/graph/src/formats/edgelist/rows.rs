//! Reads a block of rows.

use std::borrow::Cow;

use super::layout::{Layout, ragged};
use crate::blocks::{self, Parsed, line_at};
use crate::builder::Piece;
use crate::error::Problem;
use crate::formats::fast::number_row;
use crate::formats::text::cells::{Value, attribute, cut, decimal, is_comment, trim, whole};
use crate::formats::text::looks_like_row;
use crate::numbering::Coded;
use crate::tokens::{shown, whole_number};
use crate::weights::Weight;

/// The edges of a block of rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The ends of all edges.
    pub coded: Coded,
    /// The weights of all edges, and whether each is undirected. `coded` has their ends.
    pub piece: Piece,
    /// The number of rows of a single vertex. Each is a loop in `coded`.
    pub single_vertices: u64,
    /// Whether `coded` has loops.
    pub has_loops: bool,
    /// Whether some attributes have a weight although the user did not ask for weights.
    pub has_unused_weights: bool,
    /// The number of rows that lack an end.
    pub incomplete_rows: u64,
    /// The number of rows that repeat the header.
    pub repeated_headers: u64,
    /// The number of comments that may be edges, because they [look like rows](looks_like_row).
    pub comments_like_rows: u64,
}

/// Reads the rows of `text`, whose last line may lack its end.
///
/// # Errors
/// The [`Problem`] of the first line that does not fit the layout.
pub(super) fn parse(text: &[u8], layout: &Layout) -> Parsed<Rows> {
    let mut rows = Rows {
        // Most rows of numbers have about twelve bytes.
        coded: Coded::with_capacity(text.len() / 12),
        ..Rows::default()
    };
    let may_be_fast = (layout.ends, layout.direction, &layout.attribute) == ([0, 1], None, &None);
    let mut values = Vec::new();
    let lines = blocks::read_lines(text, |position| {
        if may_be_fast
            && !rows.coded.has_names()
            && let Some(next) = rows.fast_row(text, position, layout)
        {
            return Ok(next);
        }
        let (row, next) = line_at(text, position);
        rows.row(row, layout, &mut values)?;
        Ok(next)
    })?;
    // This runs while the edges are in the cache.
    rows.coded.finish();
    let codes = rows.coded.codes.iter();
    rows.has_loops = codes.fold(false, |some, [source, target]| some | (source == target));
    Ok((rows, lines))
}

impl Rows {
    /// Reads the row at `position` if it is a row of plain numbers, and returns where the next one
    /// starts. [`Self::row`] reads all other rows.
    #[inline]
    fn fast_row(&mut self, text: &[u8], position: usize, layout: &Layout) -> Option<usize> {
        let (delimiter, columns, weight_column) = (layout.delimiter, layout.columns, layout.weight);
        let (ends, weight, next) = number_row(text, position, delimiter, columns, weight_column)?;
        if weight_column.is_some() {
            // Method `row` returns the error of a wrong weight.
            let weight = Weight::parse(weight?, layout.meaning).ok()?;
            self.piece.weights.push(weight);
        }
        self.coded.push_numbers(ends).ok()?;
        Some(next)
    }

    /// Reads any row.
    #[inline(never)]
    fn row<'a>(
        &mut self,
        row: &'a [u8],
        layout: &Layout,
        values: &mut Vec<Value<'a>>,
    ) -> Result<(), Problem> {
        if is_comment(row)? {
            self.comments_like_rows += u64::from(looks_like_row(row, layout.columns));
            return Ok(());
        }
        if row == layout.header && !row.is_empty() {
            self.repeated_headers += 1;
            return Ok(());
        }
        cut(row, layout.delimiter, values)?;
        let attributes = values.pop_if(|value| !value.quoted && value.text.starts_with(b"{"));
        let is_open = |value: &&Value<'_>| !value.text.ends_with(b"}");
        if let Some(open) = attributes.as_ref().filter(is_open) {
            refuse!(
                "{} are not attributes as networkx writes them (write weights as a third column)",
                shown(&open.text)
            );
        }
        trim(values, layout.columns);
        if values.iter().all(|value| value.text.is_empty()) && attributes.is_none() {
            return Ok(());
        }
        let ends = layout.ends.map(|column| values.get(column));
        let ([Some(source), Some(target)], true) = (ends, values.len() == layout.columns) else {
            let first = values.first().map_or(row, |value| &value.text);
            return Err(ragged(first, values.len(), layout.columns));
        };
        let is_empty = |value: &&Value<'_>| value.text.is_empty();
        let has_ends = !is_empty(&source) || !is_empty(&target);
        let vertex = layout
            .vertex
            .filter(|_| !has_ends)
            .map(|column| &values[column]);
        let ends = vertex.map_or([source, target], |vertex| [vertex; 2]);
        if ends.iter().any(is_empty) {
            self.incomplete_rows += 1;
            return Ok(());
        }
        self.single_vertices += u64::from(vertex.is_some());
        let weight = match vertex {
            Some(_) => layout.weight.map(|_| Weight::decimal(1, 0)),
            None => self.weight(values, attributes.as_ref(), layout)?,
        };
        self.push(ends, layout)?;
        self.piece.weights.extend(weight);
        let is_directed = |text: &[u8]| text.is_empty() || text.eq_ignore_ascii_case(b"directed");
        let direction = layout.direction.and_then(|column| values.get(column));
        let undirected = direction.map(|value| !is_directed(&value.text));
        self.piece.undirected.extend(undirected);
        Ok(())
    }

    /// Returns the weight of a row, if the user asked for weights.
    fn weight(
        &mut self,
        values: &[Value<'_>],
        attributes: Option<&Value<'_>>,
        layout: &Layout,
    ) -> Result<Option<Weight>, Problem> {
        let value = layout.weight.and_then(|column| values.get(column));
        let value = value.filter(|value| !value.text.is_empty());
        let text = match &layout.attribute {
            Some(key) => attributes
                .and_then(|all| attribute(all, key))
                .map(Cow::Borrowed),
            None => value.map(|value| decimal(&value.text, layout.delimiter)),
        };
        match (text, &layout.attribute, layout.weight) {
            (Some(text), ..) => Weight::parse(&text, layout.meaning).map(Some),
            (None, None, None) => {
                let has_weight = attributes.is_some_and(|all| attribute(all, "weight").is_some());
                self.has_unused_weights |= has_weight;
                Ok(None)
            }
            _ if layout.default_weight.is_some() => Ok(layout.default_weight),
            (_, Some(key), _) => Err(Problem::weight_missing(&shown(key.as_bytes()), "attribute")),
            (_, _, column) => {
                let name = format!("weight in column {}", column.map_or(0, |column| column + 1));
                Err(Problem::weight_missing(&name, "column"))
            }
        }
    }

    /// Adds an edge between numbers if both ends are numbers, else between names.
    fn push(&mut self, ends: [&Value<'_>; 2], layout: &Layout) -> Result<(), Problem> {
        let number = |value: &Value<'_>| {
            let decimal = || whole(value, layout.delimiter).filter(|_| layout.has_decimal_vertices);
            whole_number(&value.text).or_else(decimal)
        };
        let numbers = ends.map(number);
        if let [Some(source), Some(target)] = numbers {
            return self.coded.push_numbers([source, target]);
        }
        let name = |end: usize| match numbers[end] {
            Some(number) => Cow::Owned(number.to_string().into_bytes()),
            None => Cow::Borrowed(&ends[end].text[..]),
        };
        self.coded.push_names([&name(0), &name(1)])
    }
}
