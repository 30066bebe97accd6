//! Edge lists with an edge in each line, as SNAP, KONECT, pandas, Gephi and networkx write them.
//!
//! `docs/formats.md` has the rules. [`layout`] decides the meaning of the columns by the first
//! rows, with [`first_row`] and [`ends`]; [`rows`] reads blocks of rows on all cores; [`combine`]
//! decides whether a first row has the sizes of the graph, and combines the blocks.

mod combine;
mod ends;
mod first_row;
mod layout;
mod rows;

use self::layout::Layout;
pub(super) use self::layout::find;
use super::parsed::Parsed;
use super::text::preamble::Preamble;
use crate::ReadOptions;
use crate::blocks::{self, LONGEST_ROW};
use crate::error::Problem;
use crate::input::LineReader;

/// Reads all edges after `preamble`, in the layout that [`find`] returned.
pub(super) fn read(
    lines: &mut LineReader<'_>,
    preamble: &Preamble,
    mut layout: Layout,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    let mut blocks = Vec::new();
    if layout.has_header {
        layout.header = lines.line()?.unwrap_or_default().to_vec();
    } else if let Some(sizes) = &layout.sizes {
        let line = lines.line()?.unwrap_or_default();
        if sizes.len() == layout.columns {
            let first = rows::parse(line, &layout);
            blocks.push(first.map_err(|problem| problem.after(lines.number - 1))?.0);
        }
    }
    let (first_line, before) = (lines.number, blocks.len());
    let parse = |text: &[u8], _| rows::parse(text, &layout);
    blocks.extend(blocks::parse(lines, LONGEST_ROW, |_| 0, parse)?);
    let mut declared = preamble.declared("nodes");
    if let Some(sizes) = layout.sizes.take() {
        let are = combine::are_sizes(&sizes, &mut layout, &blocks[before..], preamble, options);
        if are.inspect_err(|_| lines.number = first_line)? {
            blocks.drain(..before);
            declared = declared.or(Some(sizes[0]));
        }
    }
    combine::combine(blocks, layout, declared, preamble, options)
}
