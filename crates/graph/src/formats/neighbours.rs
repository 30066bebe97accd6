//! Lines of a vertex and its neighbours, as adjacency lists and SIF have them.

use super::names::tidy;
use super::parsed::{Parsed, list_for};
use super::text::Delimiter;
use super::text::cells::{Value, cut, is_comment};
use crate::WeightOptions;
use crate::error::Problem;
use crate::input::LineReader;
use crate::labels::NameInterner;

/// Reads all lines. The first value of a line is a vertex; `check` returns the place of its first
/// neighbour.
///
/// # Errors
/// [`Problem`] of the first line that cannot be cut or that `check` refuses, or if weights are
/// asked for.
pub(super) fn read(
    lines: &mut LineReader<'_>,
    delimiter: Delimiter,
    weights: Option<&WeightOptions>,
    check: impl Fn(&mut [Value<'_>]) -> Result<usize, Problem>,
) -> Result<Parsed, Problem> {
    if weights.is_some() {
        return Err(Problem::no_weights());
    }
    let mut edges = list_for(0, None)?;
    let mut names = NameInterner::new();
    while let Some(line) = lines.line()? {
        if is_comment(line)? {
            continue;
        }
        let mut values = Vec::new();
        cut(line, delimiter, &mut values)?;
        values.retain(|value| !value.text.is_empty());
        let start = check(&mut values)?;
        if let Some(tail) = values.first() {
            let tail = names.intern(&tail.text)?;
            for head in values.iter().skip(start) {
                edges.push(tail, names.intern(&head.text)?);
            }
        }
    }
    Ok(Parsed::new(edges, tidy(names.into_labels())))
}
