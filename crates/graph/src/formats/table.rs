//! Text of rows and columns: edge lists, and other formats that only the shape of the rows
//! distinguishes from them.

use super::dense::Form;
use super::parsed::Parsed;
use super::text::front::Front;
use super::text::sample::Sample;
use super::{Format, dense, edgelist, neighbours};
use crate::error::Problem;
use crate::input::LineReader;
use crate::{EdgeListOptions, WeightChoice, WeightOptions};

/// Reads rows in the `requested` format or, for [`Format::Auto`], in the format that their shape
/// shows. Returns the format too.
///
/// # Errors
/// The [`Problem`] of the reader of the format.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    requested: Format,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Result<(Parsed, Format), Problem> {
    let front = Front::skip(lines)?;
    lines.fill()?;
    let delimiter = options.delimiter.or(front.delimiter);
    let sample = Sample::new(lines.buffered(), lines.exhausted(), delimiter);
    let format = match (requested, &sample) {
        (Format::Auto, Ok(sample)) => shape(sample, &front, weights, options),
        // No row could be split. The reader of edge lists meets the same error and adds its line.
        (Format::Auto | Format::Matrix, Err(_)) => Format::Edgelist,
        _ => requested,
    };
    let is_matrix = format == Format::Matrix;
    let form = sample
        .as_ref()
        .ok()
        .filter(|_| is_matrix)
        .map(Form::find_or_guess);
    let delimiter = sample.map(|sample| sample.delimiter).unwrap_or_default();
    let (parsed, description) = match (format, form) {
        (_, Some(form)) => (
            dense::read(lines, delimiter, form, weights),
            "those of an adjacency matrix",
        ),
        (Format::Adjlist, _) => (
            neighbours::read(lines, format, delimiter, weights),
            "a vertex and its neighbours each",
        ),
        (Format::Sif, _) => (
            neighbours::read(lines, format, delimiter, weights),
            "lines of SIF, a vertex, a relation and other vertices",
        ),
        _ => {
            let parsed = edgelist::read(lines, &front, requested, weights, options)?;
            return Ok((parsed, format));
        }
    };
    let mut parsed = parsed?;
    if requested == Format::Auto {
        parsed.notes.push(format!(
            "the rows are {description} (--format edgelist reads an edge in each)"
        ));
    }
    Ok((parsed, format))
}

/// Returns the format that the shape of the rows shows.
fn shape(
    sample: &Sample<'_>,
    front: &Front,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Format {
    let has_edge_list_options = options.columns.is_some()
        || options.header.is_some()
        || options.vertices.is_some()
        || weights.is_some_and(|weights| weights.choice != WeightChoice::Usual);
    if has_edge_list_options {
        return Format::Edgelist;
    }
    match Form::find(sample) {
        Some(_) => Format::Matrix,
        None => neighbours::find(sample, front.is_adjacency).unwrap_or(Format::Edgelist),
    }
}
