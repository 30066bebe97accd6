//! Adjacency lists, as networkx writes them: a vertex and its neighbours in each line.

use std::collections::HashSet;

use super::names::tidy;
use super::parsed::{Parsed, list_for};
use super::text::Delimiter;
use super::text::cells::{cut, is_comment};
use super::text::sample::Sample;
use crate::graph::WeightOptions;
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::labels::NameInterner;
use crate::graph::numbering::too_many;

/// Returns whether the rows are vertices and their neighbours: a comment `says` so, a colon follows
/// each first vertex, or the rows differ in length and each vertex has one of its own.
pub(super) fn fits(sample: &Sample<'_>, says: bool) -> bool {
    let rows = &sample.rows;
    if rows.is_empty() || rows.iter().any(|row| row.attributes.is_some()) {
        return false;
    }
    let colon = |text: &[u8]| text.len() > 1 && text.ends_with(b":");
    if says
        || rows
            .iter()
            .all(|row| !row.values[0].quoted && colon(row.text(0)))
    {
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
    if weights.is_some() {
        return Err(Problem::no_weights());
    }
    let mut edges = list_for(0, None);
    let mut names = NameInterner::new();
    while let Some(line) = lines.line()? {
        if is_comment(line)? {
            continue;
        }
        let mut values = Vec::new();
        cut(line, delimiter, &mut values)?;
        let mut tail = None;
        for value in values.iter().filter(|value| !value.text.is_empty()) {
            if value.text.starts_with(b"{") && !value.quoted {
                refuse!(
                    "the line has attributes, as multi-line adjacency lists of networkx have \
                     (write an edge list: nx.write_edgelist(G, FILE))"
                );
            }
            let name = match value.text.strip_suffix(b":") {
                Some(name) if tail.is_none() && !name.is_empty() && !value.quoted => name,
                _ => &value.text,
            };
            let vertex = names.intern(name).ok_or_else(too_many)?;
            match tail {
                None => tail = Some(vertex),
                Some(tail) => edges.push(tail, vertex),
            }
        }
    }
    Ok(Parsed::new(edges, tidy(names.into_labels())))
}
