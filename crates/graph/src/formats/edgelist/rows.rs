//! Reads a block of rows.

use std::borrow::Cow;

use super::layout::{Layout, ragged};
use crate::blocks::{self, ParsedBlock, line_at};
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
    /// The number of rows that lack an end.
    pub incomplete_rows: usize,
    /// The number of rows that repeat the header.
    pub repeated_headers: usize,
    /// The number of comments that may be edges, because they [look like rows](looks_like_row).
    pub comments_like_rows: usize,
}

/// Reads the rows of `text`, whose last line may lack its end.
///
/// # Errors
/// The [`Problem`] of the first line that does not fit the layout.
pub(super) fn parse(text: &[u8], layout: &Layout) -> ParsedBlock<Rows> {
    let mut rows = Rows::default();
    // Most rows of numbers have about twelve bytes.
    rows.coded.codes.reserve(text.len() / 12);
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
            self.comments_like_rows += usize::from(looks_like_row(row));
            return Ok(());
        }
        if Some(row) == layout.header.as_deref() {
            self.repeated_headers += 1;
            return Ok(());
        }
        cut(row, layout.delimiter, values)?;
        let attributes = values.pop_if(|value| !value.quoted && value.text.starts_with(b"{"));
        if let Some(open) = attributes.as_ref().filter(|all| !all.text.ends_with(b"}")) {
            let text = shown(&open.text);
            refuse!("{text} has no closing brace (write weights as a third column)");
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
        let has_none = is_empty(&source) && is_empty(&target);
        let vertex = layout.vertex.filter(|_| has_none).map(|i| &values[i]);
        let ends = vertex.map_or([source, target], |vertex| [vertex; 2]);
        if ends.iter().any(is_empty) {
            self.incomplete_rows += 1;
            return Ok(());
        }
        self.single_vertices += u64::from(vertex.is_some());
        let weight = match vertex {
            Some(_) => layout.weight.map(|_| Weight::decimal(1, 0)),
            None => Self::weight(values, attributes.as_ref(), layout)?,
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
        values: &[Value<'_>],
        attributes: Option<&Value<'_>>,
        layout: &Layout,
    ) -> Result<Option<Weight>, Problem> {
        let text = match (&layout.attribute, layout.weight) {
            (None, None) => return Ok(None),
            (Some(key), _) => attributes.and_then(|all| attribute(all, key)),
            (None, Some(column)) => Some(&values[column].text[..]),
        };
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            return Weight::parse(&decimal(text, layout.delimiter), layout.meaning).map(Some);
        }
        match (&layout.attribute, layout.weight) {
            _ if layout.default_weight.is_some() => Ok(layout.default_weight),
            (Some(key), _) => Err(Problem::weight_missing(&shown(key.as_bytes()), "attribute")),
            (None, column) => {
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
