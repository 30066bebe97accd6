//! Edge lists with an edge in each line, as SNAP, KONECT, pandas, Gephi and networkx write them.
//!
//! `docs/formats.md` has the rules. [`layout`] decides the meaning of the columns by the first
//! rows, with [`first`] and [`columns`]; [`rows`] reads blocks of rows on all cores;
//! [`whole`] decides whether a first row has the sizes of the graph, and combines the blocks.

mod columns;
mod first;
mod layout;
mod options;
mod problems;
mod rows;
mod whole;

pub use options::{Column, Columns, EdgeListOptions};

use self::layout::First;
use super::parsed::Parsed;
use super::text::front::{Front, refuse_blocks};
use super::text::sample::Sample;
use crate::blocks::{self, LONGEST_ROW};
use crate::error::Problem;
use crate::input::LineReader;
use crate::{Format, WeightOptions};

/// Reads all edges after `front`. In format [`Format::Labels`] the texts of ends are labels without
/// conversion, and there is no row of sizes.
pub(in crate::formats) fn read(
    lines: &mut LineReader<'_>,
    front: &Front,
    requested: Format,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Result<Parsed, Problem> {
    let text = lines.buffered();
    let delimiter = options.delimiter.or(front.delimiter);
    let found = Sample::new(text, lines.exhausted(), delimiter).and_then(|sample| {
        if options.columns.is_none() {
            // An edge list that the user asked for is no LGL.
            let is_asked = requested == Format::Edgelist;
            let comments = if is_asked { &[] } else { &front.comments[..] };
            refuse_blocks(comments, text)?;
        }
        let labels = requested == Format::Labels;
        layout::find(&sample, &front.comments, labels, weights, options)
    });
    if found.is_err() {
        // The message names the line of the first row.
        lines.line()?;
    }
    let mut layout = found?;
    let mut read = Vec::new();
    if layout.first != First::Edge {
        let line = lines.line()?.unwrap_or_default();
        if layout.first == First::Header {
            layout.header = line.to_vec();
        }
        if matches!(layout.first, First::Sizes(sizes) if sizes.may_be_edge) {
            let first = rows::parse(line, &layout);
            let first = first.map_err(|problem| problem.after(lines.number() - 1));
            read.push(first?.0);
        }
    }
    let (first_line, edges_before) = (lines.number(), read.len());
    let parse = |text: &[u8], _| rows::parse(text, &layout);
    read.extend(blocks::parse(lines, LONGEST_ROW, |_| 0, parse)?);
    let mut declared = front.vertices;
    if let First::Sizes(sizes) = layout.first {
        let are_sizes = whole::are_sizes(sizes, &mut layout, &read[edges_before..], front.edges);
        if are_sizes.inspect_err(|_| lines.set_number(first_line))? {
            read.drain(..edges_before);
            declared = declared.or(Some(sizes.vertices));
        }
    }
    whole::combine(
        read,
        layout,
        weights,
        declared,
        front.rows_as_comments,
        options,
    )
}
