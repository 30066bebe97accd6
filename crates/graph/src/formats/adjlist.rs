//! Adjacency lists, as networkx writes them: a vertex and its neighbours in each line.

use std::collections::HashSet;

use super::neighbours;
use super::parsed::Parsed;
use super::text::Delimiter;
use super::text::cells::Value;
use super::text::sample::Sample;
use crate::WeightOptions;
use crate::error::Problem;
use crate::input::LineReader;

/// Returns whether the rows are vertices and their neighbours: a comment `says` so, a colon follows
/// each first vertex, or the rows differ in length and each vertex has one of its own.
pub(super) fn fits(sample: &Sample<'_>, says: bool) -> bool {
    let rows = &sample.rows;
    if rows.is_empty() || rows.iter().any(|row| row.attributes.is_some()) {
        return false;
    }
    if says || rows.iter().all(|row| has_colon(&row.values[0])) {
        return true;
    }
    let length = rows[0].values.len();
    let first: HashSet<&[u8]> = rows.iter().map(|row| row.text(0)).collect();
    let mut values = rows.iter().flat_map(|row| &row.values);
    sample.whole
        && rows.iter().any(|row| row.values.len() != length)
        && first.len() == rows.len()
        && values.all(|value| first.contains(&value.text[..]))
}

/// Reads all lines.
///
/// # Errors
/// [`Problem`] of the first line that is no list of vertices.
pub(super) fn read(
    lines: &mut LineReader<'_>,
    delimiter: Delimiter,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    neighbours::read(lines, delimiter, weights, |values| {
        let is_dictionary = |value: &Value<'_>| value.text.starts_with(b"{") && !value.quoted;
        if values.iter().any(is_dictionary) {
            refuse!(
                "the line has attributes, as multi-line adjacency lists of networkx have (write an \
                 edge list: nx.write_edgelist(G, FILE))"
            );
        }
        if let Some(first) = values.first_mut()
            && has_colon(first)
        {
            first.text.to_mut().pop();
        }
        Ok(1)
    })
}

/// Returns whether a colon follows the name of a vertex.
fn has_colon(value: &Value<'_>) -> bool {
    !value.quoted && value.text.len() > 1 && value.text.ends_with(b":")
}
