//! Edge lists with an edge in each line, as SNAP, KONECT, pandas, Gephi and networkx write them.
//!
//! `docs/formats.md` has the rules. [`layout`] decides the meaning of the columns by the first
//! rows, with [`first`] and [`columns`]; [`rows`] reads blocks of rows on all cores;
//! [`whole`] decides whether a first row has the sizes of the graph, and combines the blocks.

mod columns;
mod first;
mod layout;
mod rows;
mod whole;

use self::layout::Layout;
pub(super) use self::layout::find;
use super::parsed::Parsed;
use super::text::Delimiter;
use super::text::front::Front;
use crate::ReadOptions;
use crate::blocks::{self, LONGEST_ROW};
use crate::error::Problem;
use crate::input::LineReader;

/// A column of an edge list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// Counted from 1.
    Number(usize),
    /// By its name in the header.
    Name(String),
}

/// The columns of an edge list that are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// The column of sources.
    pub source: Column,
    /// The column of targets.
    pub target: Column,
    /// The column of weights, if the reader should not find it by itself.
    pub weight: Option<Column>,
}

/// Properties of an edge list that the user states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeListOptions {
    /// The sign between columns.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row is a header.
    pub header: Option<bool>,
    /// The columns that are read.
    pub columns: Option<Columns>,
    /// The number of vertices, with and without edges. Their labels are the numbers from 0 or 1.
    pub vertices: Option<u64>,
}

impl EdgeListOptions {
    /// Returns the first option that is given, by its name on the command line.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            ("--delimiter", self.delimiter.is_some()),
            ("--header", self.header.is_some()),
            ("--columns", self.columns.is_some()),
            ("--vertices", self.vertices.is_some()),
        ]
        .into_iter()
        .find_map(|(option, given)| given.then_some(option))
    }

    /// Returns whether the user names some columns by the header.
    fn has_names(&self) -> bool {
        self.columns.as_ref().is_some_and(|columns| {
            let columns = [
                Some(&columns.source),
                Some(&columns.target),
                columns.weight.as_ref(),
            ];
            let mut columns = columns.into_iter().flatten();
            columns.any(|column| matches!(column, Column::Name(_)))
        })
    }
}

/// Reads all edges after `front`, in the layout that [`find`] returned.
pub(super) fn read(
    lines: &mut LineReader<'_>,
    front: &Front,
    mut layout: Layout,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    let mut read = Vec::new();
    if layout.has_header {
        layout.header = lines.line()?.unwrap_or_default().to_vec();
    } else if let Some(sizes) = layout.sizes {
        let line = lines.line()?.unwrap_or_default();
        if sizes.may_be_edge {
            let first = rows::parse(line, &layout);
            read.push(first.map_err(|failure| failure.problem)?.0);
        }
    }
    let (first_line, edges_before) = (lines.number(), read.len());
    let parse = |text: &[u8], _| rows::parse(text, &layout);
    read.extend(blocks::parse(lines, LONGEST_ROW, |_| 0, parse)?);
    let mut declared = front.vertices;
    if let Some(sizes) = layout.sizes {
        let are_sizes = whole::are_sizes(sizes, &mut layout, &read[edges_before..], front.edges);
        if are_sizes.inspect_err(|_| lines.set_number(first_line))? {
            read.drain(..edges_before);
            declared = declared.or(Some(sizes.vertices));
        }
    }
    whole::combine(read, layout, declared, front.rows_as_comments, options)
}
