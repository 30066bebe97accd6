//! SIF of Cytoscape: `a relation b c` joins a to b and to c; `a` alone is a vertex without edges.

use super::neighbours;
use super::parsed::Parsed;
use super::text::Delimiter;
use super::text::sample::{Row, Sample, has_relation};
use crate::WeightOptions;
use crate::error::Problem;
use crate::input::LineReader;

/// Returns whether rows of several lengths are a vertex, a relation and other vertices.
pub(super) fn fits(sample: &Sample<'_>) -> bool {
    let length = |row: &&Row<'_>| row.values.len();
    let (with, without): (Vec<_>, Vec<_>) = sample.rows.iter().partition(|row| length(row) > 2);
    let with: Vec<Row<'_>> = with.into_iter().cloned().collect();
    let ragged = sample
        .rows
        .iter()
        .any(|row| length(&row) != length(&&sample.rows[0]));
    let numbers = with
        .iter()
        .flat_map(|row| &row.values)
        .any(|value| sample.is_number(&value.text));
    ragged && without.iter().all(|row| length(row) == 1) && !numbers && has_relation(&with)
}

/// Reads all lines.
///
/// # Errors
/// [`Problem`] of the first line that has a vertex and a relation alone.
pub(super) fn read(
    lines: &mut LineReader<'_>,
    delimiter: Delimiter,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    // A comma may be part of a name.
    let delimiter = match delimiter {
        Delimiter::Byte(b'\t') => delimiter,
        _ => Delimiter::Blanks,
    };
    neighbours::read(lines, delimiter, weights, |values| match values.len() {
        2 => Err(malformed!(
            "the line has a vertex and a relation, but no other vertex (write: a relation b; for \
             edges of two columns: --format edgelist)"
        )),
        _ => Ok(2),
    })
}
