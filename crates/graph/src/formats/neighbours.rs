//! Lines of a vertex and its neighbours: adjacency lists, as networkx writes them, and SIF of
//! Cytoscape. In SIF `a relation b c` joins a to b and to c, and `a` alone is a vertex without
//! edges.

use std::collections::HashSet;

use super::names::named;
use super::parsed::Parsed;
use super::text::Delimiter;
use super::text::cells::{Value, cut, is_comment};
use super::text::sample::{Row, Sample};
use crate::error::Problem;
use crate::input::LineReader;
use crate::labels::NameInterner;
use crate::{EdgeList, Format, ReadOptions};

/// Returns the format of the rows after `comments`, if it is one of these.
pub(super) fn find(sample: &Sample<'_>, comments: &[Vec<u8>]) -> Option<Format> {
    // networkx writes the time above an adjacency list.
    let has_adjlist_comment = comments.iter().any(|line| line.starts_with(b"# GMT "));
    match sample.rows.is_empty() {
        true => None,
        false if are_lists(sample, has_adjlist_comment) => Some(Format::Adjlist),
        false => are_relations(sample).then_some(Format::Sif),
    }
}

/// Reads all lines of SIF, or of an adjacency list.
///
/// # Errors
/// [`Problem`] of the first line that is not a list of vertices, or if weights are asked for.
pub(super) fn read(
    lines: &mut LineReader<'_>,
    format: Format,
    delimiter: Delimiter,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    if options.weights.is_some() {
        return Err(Problem::no_weights());
    }
    let is_sif = format == Format::Sif;
    let (delimiter, first_neighbour) = match delimiter {
        _ if !is_sif => (delimiter, 1),
        Delimiter::Byte(b'\t') => (delimiter, 2),
        // A comma may be part of a name.
        _ => (Delimiter::Blanks, 2),
    };
    let mut edges = EdgeList::default();
    let mut names = NameInterner::default();
    while let Some(line) = lines.line()? {
        if is_comment(line)? {
            continue;
        }
        let mut values = Vec::new();
        cut(line, delimiter, &mut values)?;
        values.retain(|value| !value.text.is_empty());
        if is_sif && values.len() == 2 {
            refuse!(
                "the line has a vertex and a relation, but no other vertex (a row is: VERTEX \
                 RELATION VERTEX; for edges of two columns: --format edgelist)"
            );
        }
        let is_dictionary = |value: &Value<'_>| value.text.starts_with(b"{") && !value.quoted;
        if !is_sif && values.iter().any(is_dictionary) {
            refuse!(
                "the line has attributes, as multi-line adjacency lists of networkx have \
                 (write an edge list: nx.write_edgelist(G, FILE))"
            );
        }
        let Some(tail) = values.first_mut() else {
            continue;
        };
        if !is_sif && has_colon(tail) {
            tail.text.to_mut().pop();
        }
        let tail = names.intern(&tail.text)?;
        for head in values.iter().skip(first_neighbour) {
            edges.push(tail, names.intern(&head.text)?);
        }
    }
    Ok(named(edges, names))
}

/// Returns whether a colon follows the name of a vertex.
fn has_colon(value: &Value<'_>) -> bool {
    !value.quoted && value.text.len() > 1 && value.text.ends_with(b":")
}

/// Returns whether the rows are vertices and their neighbours: a comment shows it, a colon follows
/// each first vertex, or the sample is the whole input and has rows of different lengths, one for
/// each vertex.
fn are_lists(sample: &Sample<'_>, has_adjlist_comment: bool) -> bool {
    let rows = &sample.rows;
    if rows.iter().any(|row| row.attributes.is_some()) {
        return false;
    }
    if has_adjlist_comment || rows.iter().all(|row| has_colon(&row.values[0])) {
        return true;
    }
    if !(sample.is_whole && differ_in_length(rows)) {
        return false;
    }
    let first: HashSet<&[u8]> = rows.iter().map(|row| row.text(0)).collect();
    let mut values = rows.iter().flat_map(|row| &row.values);
    first.len() == rows.len() && values.all(|value| first.contains(&value.text[..]))
}

/// Returns whether the rows differ in length, and each is a vertex, a relation and other vertices,
/// or a vertex alone.
fn are_relations(sample: &Sample<'_>) -> bool {
    let rows = &sample.rows;
    let long = rows.iter().filter(|row| row.values.len() > 2);
    let mut values = long.clone().flat_map(|row| &row.values);
    differ_in_length(rows)
        && rows.iter().all(|row| row.values.len() != 2)
        && !values.any(|value| sample.is_number(&value.text))
        && have_relations(&long.collect::<Vec<_>>())
}

/// Returns whether the second column has relations, as in `a likes b`: all are signs, or none is a
/// name in the first or the third column, and some names are in both or relations are few.
fn have_relations(rows: &[&Row<'_>]) -> bool {
    let texts = |column| rows.iter().map(move |row| row.text(column));
    let [tails, relations, heads] = [0, 1, 2].map(|i| texts(i).collect::<HashSet<_>>());
    let mut bytes = relations.iter().copied().flatten();
    let are_signs = bytes.all(u8::is_ascii_punctuation);
    let are_apart = relations.is_disjoint(&tails) && relations.is_disjoint(&heads);
    let are_few = 2 * relations.len() < rows.len() + 2 && relations.len() < heads.len();
    let are_relations = are_apart && rows.len() > 1 && (!tails.is_disjoint(&heads) || are_few);
    !rows.is_empty() && (are_signs || are_relations)
}

fn differ_in_length(rows: &[Row<'_>]) -> bool {
    let mut pairs = rows.windows(2);
    pairs.any(|pair| pair[0].values.len() != pair[1].values.len())
}
