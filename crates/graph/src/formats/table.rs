//! Text of rows and columns: edge lists, and what only the shape of its rows tells from them.

use super::parsed::Parsed;
use super::text::front::Front;
use super::text::sample::Sample;
use super::{Format, adjlist, dense, edgelist, neo4j, sif};
use crate::error::Problem;
use crate::input::LineReader;
use crate::{EdgeListOptions, WeightChoice, WeightOptions};

/// What the shape of the rows tells.
enum Shape {
    Edges,
    Relations,
    Matrix(dense::Form),
    Neighbours,
    Neo4j,
}

/// Reads rows that are `asked` to be of a format, or else of the format that their shape tells.
/// Returns the format too.
///
/// # Errors
/// [`Problem`] as the reader of the format has it.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    asked: Format,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Result<(Parsed, Format), Problem> {
    let front = Front::skip(lines)?;
    lines.fill()?;
    let delimiter = options.delimiter.or(front.delimiter);
    let sample = Sample::new(lines.buffered(), lines.exhausted(), delimiter);
    let shape = match (asked, &sample) {
        (Format::Sif, _) => Shape::Relations,
        (Format::Adjlist, _) => Shape::Neighbours,
        (Format::Edgelist | Format::Labels, _) | (_, Err(_)) => Shape::Edges,
        (Format::Matrix, Ok(sample)) => Shape::Matrix(dense::Form::asked(sample)),
        (_, Ok(sample)) => shape(sample, &front, weights, options),
    };
    let delimiter = sample.map(|sample| sample.delimiter).unwrap_or_default();
    let (mut parsed, format, what) = match shape {
        Shape::Edges => {
            let labels = asked == Format::Labels;
            let format = if labels { asked } else { Format::Edgelist };
            let parsed = edgelist::read(lines, &front, labels, weights, options)?;
            return Ok((parsed, format));
        }
        Shape::Relations => (
            sif::read(lines, delimiter, weights)?,
            Format::Sif,
            "lines of SIF, a vertex, a relation and other vertices",
        ),
        Shape::Matrix(form) => (
            dense::read(lines, delimiter, form, weights)?,
            Format::Matrix,
            "those of an adjacency matrix",
        ),
        Shape::Neighbours => (
            adjlist::read(lines, delimiter, weights)?,
            Format::Adjlist,
            "a vertex and its neighbours each",
        ),
        Shape::Neo4j => (
            neo4j::read(lines, delimiter, weights)?,
            Format::Edgelist,
            "vertices and edges as Neo4j exports them",
        ),
    };
    if asked == Format::Auto {
        parsed.notes.push(format!(
            "the rows are {what} (--format edgelist reads an edge in each)"
        ));
    }
    Ok((parsed, format))
}

fn shape(
    sample: &Sample<'_>,
    front: &Front,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Shape {
    if options.columns.is_some() || options.header.is_some() || options.vertices.is_some() {
        return Shape::Edges;
    }
    if neo4j::fits(sample) {
        return Shape::Neo4j;
    }
    if weights.is_some_and(|weights| weights.choice != WeightChoice::Usual) {
        return Shape::Edges;
    }
    if let Some(form) = dense::Form::of(sample) {
        return Shape::Matrix(form);
    }
    if adjlist::fits(sample, front.is_adjacency) {
        return Shape::Neighbours;
    }
    match sif::fits(sample) {
        true => Shape::Relations,
        false => Shape::Edges,
    }
}
