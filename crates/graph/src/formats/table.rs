//! Reads text of rows and columns: edge lists, and other formats that only the shape of the rows
//! distinguishes from them.

use super::dense::Form;
use super::parsed::Parsed;
use super::text::preamble::Preamble;
use super::text::sample::Sample;
use super::{Format, dense, edgelist, neighbours};
use crate::error::Problem;
use crate::input::LineReader;
use crate::{ReadOptions, WeightChoice};

/// A function that reads all rows.
type Reader<'o> = Box<dyn FnOnce(&mut LineReader<'_>) -> Result<Parsed, Problem> + 'o>;

/// Reads rows in the `requested` format or, for [`Format::Auto`], in the format that their shape
/// shows. Returns the format too.
///
/// # Errors
/// The [`Problem`] of the reader of the format.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    requested: Format,
    options: &ReadOptions,
) -> Result<(Parsed, Format), Problem> {
    let preamble = Preamble::read(lines)?;
    let delimiter = options.edge_list.delimiter.or(preamble.delimiter);
    let (format, read) = Sample::decide(lines, delimiter, |sample| {
        let format = match requested {
            Format::Auto => shape(sample, &preamble, options),
            _ => requested,
        };
        let read = reader(format, sample, &preamble, requested, options)?;
        Ok((format, read))
    })?;
    let mut parsed = read(lines)?;
    let description = match format {
        Format::Matrix => "a row of an adjacency matrix",
        Format::Adjlist => "a vertex and its neighbours",
        Format::Sif => "a line of SIF: a vertex, a relation and other vertices",
        _ => return Ok((parsed, format)),
    };
    if requested == Format::Auto {
        parsed.notes.push(format!(
            "each row is {description} (--format edgelist reads it as an edge)"
        ));
    }
    Ok((parsed, format))
}

/// Returns the reader of rows in this format.
///
/// # Errors
/// [`Problem`] of the first row of an edge list, or of the options.
fn reader<'o>(
    format: Format,
    sample: &Sample<'_>,
    preamble: &'o Preamble,
    requested: Format,
    options: &'o ReadOptions,
) -> Result<Reader<'o>, Problem> {
    let (delimiter, weights) = (sample.delimiter, options.weights.as_ref());
    Ok(match format {
        Format::Matrix => {
            let form = Form::find_or_guess(sample);
            Box::new(move |lines| dense::read(lines, delimiter, form, weights))
        }
        Format::Adjlist | Format::Sif => {
            Box::new(move |lines| neighbours::read(lines, format, delimiter, weights))
        }
        _ => {
            let layout = edgelist::find(sample, preamble, requested, options)?;
            Box::new(move |lines| edgelist::read(lines, preamble, layout, options))
        }
    })
}

/// Returns the format that the shape of the rows shows.
fn shape(sample: &Sample<'_>, preamble: &Preamble, options: &ReadOptions) -> Format {
    let weights = options.weights.as_ref();
    let names_weights = weights.is_some_and(|weights| weights.choice != WeightChoice::Usual);
    if names_weights || options.edge_list.has_layout() {
        return Format::Edgelist;
    }
    match Form::find(sample) {
        Some(_) => Format::Matrix,
        None => neighbours::find(sample, &preamble.comments).unwrap_or(Format::Edgelist),
    }
}
