//! Reads text of rows and columns: edge lists, and other formats that only the shape of the rows
//! distinguishes from them.

use std::sync::Arc;

use super::dense::Form;
use super::parsed::Parsed;
use super::text::Delimiter;
use super::text::preamble::Preamble;
use super::text::sample::Sample;
use super::{Format, dense, edgelist, neighbours};
use crate::error::Problem;
use crate::input::LineReader;
use crate::{Columns, EdgeListOptions, ReadError, ReadOptions, WeightOptions};

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
        let delimiter = sample.delimiter;
        let read: Reader<'_> = match format {
            Format::Matrix => {
                let form = Form::find_or_guess(sample);
                Box::new(move |lines| dense::read(lines, delimiter, form, options))
            }
            Format::Adjlist | Format::Sif => {
                Box::new(move |lines| neighbours::read(lines, format, delimiter, options))
            }
            _ => {
                let layout = edgelist::find(sample, &preamble, requested, options)?;
                Box::new(|lines| edgelist::read(lines, &preamble, layout, options))
            }
        };
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

/// The columns of sources, targets and weights, from 0, and what may be wrong about them.
pub type Ends = ([usize; 2], Option<usize>, Vec<String>);

/// Finds the ends of edges, or the `columns` that the user names, in a table with a header: CSV in
/// UTF-8. The weights are found only if `columns` has them.
///
/// # Errors
/// [`ReadError`] if no columns seem to be the ends, or if there are no such columns.
pub fn find_ends(table: &[u8], columns: Option<Columns>) -> Result<Ends, ReadError> {
    let names_weights = (columns.as_ref()).is_some_and(|columns| columns.weight.is_some());
    let options = ReadOptions {
        edge_list: EdgeListOptions {
            header: Some(true),
            columns,
            ..EdgeListOptions::default()
        },
        weights: names_weights.then(WeightOptions::default),
        ..ReadOptions::default()
    };
    let find = || {
        let mut lines = LineReader::new(Box::new(table), Arc::default())?;
        Sample::decide(&mut lines, Some(Delimiter::Byte(b',')), |sample| {
            edgelist::find(sample, &Preamble::default(), Format::Edgelist, &options)
        })
    };
    let layout = find().map_err(|problem| problem.in_file("the table", 0))?;
    Ok((layout.ends, layout.weight, layout.warnings))
}

/// Returns the format that the shape of the rows shows.
fn shape(sample: &Sample<'_>, preamble: &Preamble, options: &ReadOptions) -> Format {
    if options.names_weights() || options.edge_list.has_layout() {
        return Format::Edgelist;
    }
    match Form::find(sample) {
        Some(_) => Format::Matrix,
        None => neighbours::find(sample, &preamble.comments).unwrap_or(Format::Edgelist),
    }
}
