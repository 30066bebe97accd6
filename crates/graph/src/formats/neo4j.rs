//! CSV that Neo4j exports by `apoc.export.csv.all`: rows of vertices, whose columns `_start` and
//! `_end` are empty, and rows of edges.

use super::names::tidy;
use super::parsed::{Parsed, list_for};
use super::text::Delimiter;
use super::text::cells::cut;
use super::text::sample::{Sample, is_empty};
use crate::error::Problem;
use crate::input::LineReader;
use crate::labels::NameInterner;
use crate::tokens::shown;
use crate::{WeightChoice, WeightOptions};

/// The columns of a vertex and of the ends of an edge.
const COLUMNS: [&[u8]; 3] = [b"_id", b"_start", b"_end"];

/// Returns whether the header has the three columns of vertices and edges.
pub(super) fn fits(sample: &Sample<'_>) -> bool {
    let has = |name: &&[u8]| {
        let mut values = sample.rows.first().into_iter().flat_map(|row| &row.values);
        values.any(|value| value.text == *name)
    };
    COLUMNS.iter().all(has)
}

/// Reads all rows.
///
/// # Errors
/// [`Problem`] of the first row that lacks a column or a weight.
pub(super) fn read(
    lines: &mut LineReader<'_>,
    delimiter: Delimiter,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    let mut header = Vec::new();
    let line = lines.line()?.unwrap_or_default().to_vec();
    cut(&line, delimiter, &mut header)?;
    let column = |name: &[u8]| {
        let found = header.iter().position(|value| value.text == name);
        found.ok_or_else(|| {
            malformed!(
                "there is no column {} (name one of the header)",
                shown(name)
            )
        })
    };
    let [id, start, end] = COLUMNS.map(column);
    let (id, start, end) = (id?, start?, end?);
    let weight_column = match weights.map(|weights| &weights.choice) {
        None => None,
        Some(WeightChoice::Usual) => Some(column(b"weight")?),
        Some(WeightChoice::Named(name)) => Some(column(name.as_bytes())?),
        Some(WeightChoice::Column(number)) => Some(number - 1),
    };
    let mut edges = list_for(0, weights)?;
    let mut names = NameInterner::new();
    while let Some(line) = lines.line()? {
        let mut values = Vec::new();
        if is_empty(line) {
            continue;
        }
        cut(line, delimiter, &mut values)?;
        let text = |column: usize| values.get(column).map_or(&b""[..], |value| &value.text);
        match (text(id), text(start), text(end)) {
            (name, b"", b"") if !name.is_empty() => {
                names.intern(name)?;
            }
            (_, b"", _) | (_, _, b"") => refuse!(
                "the row has neither a vertex nor both ends of an edge (correct it, or remove it)"
            ),
            (_, tail, head) => {
                let weight = weight_column.map(|column| {
                    let weight = Some(text(column)).filter(|weight| !weight.is_empty());
                    edges.weight_of(weight)
                });
                let ends = [names.intern(tail)?, names.intern(head)?];
                edges.push_weighted(ends[0], ends[1], weight.transpose()?.flatten());
            }
        }
    }
    Ok(Parsed::new(edges, tidy(names.into_labels())))
}
