//! Decides whether a first row of numbers has the sizes of the graph, when all rows are known.

use rayon::prelude::*;

use super::first::Sizes;
use super::layout::Layout;
use super::problems::ragged;
use super::rows::Rows;
use crate::graph::error::Problem;

/// Returns whether a first row of numbers has the sizes of the graph, by the `later` rows and the
/// number of edges that a comment has `declared`.
///
/// # Errors
/// [`Problem`] if the row is neither that nor an edge.
pub(super) fn are_sizes(
    sizes: Sizes,
    layout: &mut Layout,
    later: &[Rows],
    declared: Option<u64>,
) -> Result<bool, Problem> {
    let (vertices, edges, edge) = (sizes.vertices, sizes.edges, sizes.edge);
    let rows: u64 = later.iter().map(|rows| rows.coded.codes.len() as u64).sum();
    let ranges = later.iter().filter_map(|rows| rows.coded.range());
    let range = ranges.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
    let below = |(low, high)| high < vertices || (low > 0 && high == vertices);
    let fits = range.is_some_and(below);
    let (expected, number) = (edges.unwrap_or(0), edges.unwrap_or(vertices));
    // The same in the other order.
    let m_n = rows > 2 && vertices == rows && range.is_some_and(|(_, high)| high <= number);
    let is_met = || later.par_iter().any(|rows| rows.coded.has_number(number));
    if !edge && !fits {
        let (text, columns) = (vertices.to_string(), 1 + usize::from(edges.is_some()));
        return Err(ragged(text.as_bytes(), columns, layout.columns));
    }
    let are_sizes = !edge || fits && expected == rows && declared != Some(rows + 1);
    if are_sizes {
        layout.notes.push(format!(
            "the first row declares {vertices} vertices (--header no reads it as an edge)"
        ));
    } else if declared != Some(rows + 1) && (m_n || fits && !is_met()) {
        layout.notes.push(format!(
            "the first row is the edge {vertices} {number} (--header yes skips it)"
        ));
    }
    Ok(are_sizes)
}
