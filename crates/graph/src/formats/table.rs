//! Text of rows and columns: edge lists, and other formats that only the shape of the rows tells
//! from them.

use super::neighbours::Lines;
use super::parsed::Parsed;
use super::text::front::Front;
use super::text::sample::Sample;
use super::{Format, dense, edgelist};
use crate::error::Problem;
use crate::input::LineReader;
use crate::{EdgeListOptions, WeightChoice, WeightOptions};

/// The format that the shape of the rows tells.
enum Shape {
    Edges,
    Matrix(dense::Form),
    Neighbours(Lines),
}

/// Reads rows that are `asked` to be of a format, or else of the format that their shape tells.
/// Returns the format too.
///
/// # Errors
/// The [`Problem`] of the reader of the format.
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
        (Format::Sif, _) => Shape::Neighbours(Lines::Sif),
        (Format::Adjlist, _) => Shape::Neighbours(Lines::Adjacency),
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
        Shape::Matrix(form) => (
            dense::read(lines, delimiter, form, weights)?,
            Format::Matrix,
            "those of an adjacency matrix",
        ),
        Shape::Neighbours(format) => {
            let parsed = format.read(lines, delimiter, weights)?;
            match format {
                Lines::Adjacency => (parsed, Format::Adjlist, "a vertex and its neighbours each"),
                Lines::Sif => (
                    parsed,
                    Format::Sif,
                    "lines of SIF, a vertex, a relation and other vertices",
                ),
            }
        }
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
    let has_columns = options.columns.is_some()
        || options.header.is_some()
        || options.vertices.is_some()
        || weights.is_some_and(|weights| weights.choice != WeightChoice::Usual);
    if has_columns {
        return Shape::Edges;
    }
    if let Some(form) = dense::Form::find(sample) {
        return Shape::Matrix(form);
    }
    let lines = Lines::find(sample, front.is_adjacency);
    lines.map_or(Shape::Edges, Shape::Neighbours)
}
