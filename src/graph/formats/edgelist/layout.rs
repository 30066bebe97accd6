//! What the columns of an edge list are, as far as its first rows tell.

use super::columns::{Value, is_integer, is_number};
use super::first::{First, size};
use super::first_rows::{FirstRows, find_name, no_such_column};
use super::options::{Delimiter, EdgeListOptions};
use super::problems::{not_a_vertex_number, one_column, weight_missing};
use super::python_dict;
use super::refusals::{
    refuse_blocks, refuse_comment_as_row, refuse_other_things, refuse_second_header,
    refuse_unknown_columns,
};
use super::sample::{Row, delimiter, rows, sample};
use crate::graph::error::Problem;
use crate::graph::tokens::{Scan, Tokens, shown};
use crate::graph::weights::Weight;
use crate::graph::{WeightChoice, WeightOptions};

/// Where weights are taken from.
pub(super) enum WeightFrom {
    /// A column, from 0.
    Column(usize),
    /// An attribute of networkx.
    Attribute(String),
}

/// What the rows of an edge list look like.
#[derive(Default)]
pub(super) struct Layout {
    pub delimiter: Delimiter,
    /// Columns of each row, attributes of networkx not counted.
    pub columns: usize,
    /// Columns of the ends, from 0.
    pub source: usize,
    pub target: usize,
    pub weight: Option<WeightFrom>,
    /// The weight of rows without one.
    pub default_weight: Option<Weight>,
    /// Whether vertices are called by names.
    pub names: bool,
    /// Whether it was said that they are.
    pub asked_names: bool,
    pub first: First,
    /// Whether columns behind the ends have to be numbers, since nothing says what they are.
    pub plain: bool,
    /// Whether to refuse a first column that counts the rows.
    pub counts_rows: bool,
    /// Whether there are weights that were not asked for.
    pub has_unused_weights: bool,
    /// The column in which Gephi says whether each edge is directed, from 0, and what it says of
    /// the first.
    pub kinds: Option<(usize, Vec<u8>)>,
}

/// The column of weights unless another is named, from 0.
const USUAL_WEIGHTS: usize = 2;

impl Layout {
    /// The column of weights, from 0, if they are in one.
    #[inline]
    pub(super) fn weight_column(&self) -> Option<usize> {
        match self.weight {
            Some(WeightFrom::Column(column)) => Some(column),
            _ => None,
        }
    }

    /// Whether the rows are two numbers each, or have nothing else that matters.
    pub(super) fn is_fast(&self) -> bool {
        (self.source, self.target, self.names) == (0, 1, false)
            && !matches!(self.weight, Some(WeightFrom::Attribute(_)))
            && self.kinds.is_none()
    }
}

/// What the rows at the start of `text` are, of which the last comment in front is `comment` and
/// which is the `whole` input or its start.
///
/// # Errors
/// [`Problem`] of the first row where the rows could be read in several ways, or are no edges.
pub(super) fn find(
    (comment, text): (&[u8], &[u8]),
    whole: bool,
    names: bool,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Result<Layout, Problem> {
    let texts = sample(text, whole);
    if options.columns.is_none() {
        refuse_blocks(comment, text)?;
    }
    let delimiter = match options.delimiter {
        Some(delimiter) => delimiter,
        None => delimiter(&texts)?,
    };
    let rows = rows(&texts, delimiter)?;
    let Some(seen) = FirstRows::new(&rows, names) else {
        return Ok(Layout {
            columns: 2,
            target: 1,
            plain: true,
            ..Layout::default()
        });
    };
    let (first, words, width) = (seen.first, &seen.words, seen.width);
    refuse_other_things(first, &rows, &texts, (delimiter, names), options)?;
    let is_header = seen.is_header(options)?;
    let (source, target) = seen.ends(is_header, options)?;
    if options.header == Some(true) && seen.numbers {
        refuse_second_header(comment, (delimiter, width))?;
    }
    if !is_header && options.columns.is_none() {
        refuse_comment_as_row(comment, (delimiter, width), (source, target))?;
    }
    let data = if is_header { rows.get(1) } else { Some(first) };
    let end = |column: usize| data.and_then(|row| row.values.get(column));
    if let (Some(first), Some(row)) = (data, texts.get(usize::from(is_header)))
        && (end(source).is_none() || end(target).is_none())
        && !matches!(&first.values[..], [value] if is_integer(value))
    {
        return Err(one_column(row.trim_ascii()));
    }
    let asked_names = names;
    let names = names || !vertices_are_numbers([end(source), end(target)])?;
    let choice = weights.map(|weights| &weights.choice);
    let default_weight = weights
        .map(WeightOptions::default_weight)
        .transpose()?
        .flatten();
    let plain =
        !is_header && options.columns.is_none() && !matches!(choice, Some(WeightChoice::Column(_)));
    if plain {
        let usual = choice == Some(&WeightChoice::Usual);
        refuse_unknown_columns(&rows, width, usual.then_some(USUAL_WEIGHTS))?;
    }
    let weight = weight_from(weights, options, is_header, &seen, data)?;
    // A row of sizes has no weight.
    let no_edge = is_header || (rows.len() > 1 && size(first).is_some());
    let edges = rows.iter().skip(usize::from(no_edge));
    let thirds = edges.filter_map(|row| Some(&row.values.get(2)?.text[..]));
    let thirds: Vec<&[u8]> = thirds.collect();
    let weighs = |third: &&[u8]| !third.is_empty() && *third != b"1";
    let has_unused_weights = weights.is_none()
        && match is_header {
            // Several are weights too.
            true => !matches!(find_name(words, "weight"), Ok(None)),
            false => plain && thirds.iter().any(weighs) || rows.iter().any(has_weight),
        };
    let integers = thirds.concat().iter().all(u8::is_ascii_digit);
    Ok(Layout {
        delimiter,
        columns: width,
        source,
        target,
        weight,
        default_weight,
        names,
        asked_names,
        first: First::new(
            first,
            options,
            is_header,
            seen.is_sure((source, target)),
            names,
            (source, target),
            (width, delimiter),
            rows.len() > 1,
        ),
        plain,
        counts_rows: plain && !names && width > 2 && integers,
        has_unused_weights,
        kinds: is_header.then(|| kinds(words, data, options)).flatten(),
    })
}

/// Gephi's column `Type`.
fn kinds(
    words: &[&[u8]],
    data: Option<&Row<'_>>,
    options: &EdgeListOptions,
) -> Option<(usize, Vec<u8>)> {
    let column = find_name(words, "type").ok().flatten()?;
    let kind = data?.values.get(column)?.text.to_ascii_lowercase();
    let known = [&b"directed"[..], b"undirected", b"mutual"].contains(&&kind[..]);
    (known && options.columns.is_none()).then_some((column, kind))
}

/// Whether vertices are numbers, by the ends in the first row.
fn vertices_are_numbers(ends: [Option<&Value<'_>>; 2]) -> Result<bool, Problem> {
    let mut numbers = true;
    for value in ends.into_iter().flatten() {
        numbers &= match Tokens::new(&value.text).number() {
            Scan::Number(_) | Scan::TooLarge(_) => !value.quoted || is_integer(value),
            _ if value.quoted || !is_number(&value.text) => false,
            _ if value.text.starts_with(b"-") => true,
            _ => return Err(not_a_vertex_number(&shown(&value.text))),
        };
    }
    Ok(numbers)
}

/// Where weights come from, if they were asked for.
fn weight_from(
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
    is_header: bool,
    seen: &FirstRows<'_, '_>,
    data: Option<&Row<'_>>,
) -> Result<Option<WeightFrom>, Problem> {
    let columns = options.columns.as_ref();
    let named = columns.and_then(|columns| columns.weight.as_ref());
    let choice = match (weights.map(|weights| &weights.choice), named) {
        (None, None) => return Ok(None),
        (None, Some(_)) => {
            return Err(unfit!(
                "--columns names weights, but they are not read (add --weighted, or leave weight= \
                 out)"
            ));
        }
        (Some(WeightChoice::Usual), Some(column)) => {
            return seen
                .column(column)
                .map(|column| Some(WeightFrom::Column(column)));
        }
        (Some(_), Some(_)) => {
            return Err(unfit!(
                "--columns and --weighted both name the weights (leave one of them out)"
            ));
        }
        (Some(choice), None) => choice,
    };
    let (name, usual) = match choice {
        WeightChoice::Column(column) if *column <= seen.width => {
            return Ok(Some(WeightFrom::Column(column - 1)));
        }
        WeightChoice::Column(column) => return Err(weight_missing(*column)),
        WeightChoice::Named(name) => (&name[..], false),
        WeightChoice::Usual => ("weight", true),
    };
    if data.is_some_and(|row| row.attributes.is_some()) {
        return Ok(Some(WeightFrom::Attribute(name.into())));
    }
    if is_header || !usual {
        let column = find_name(&seen.words, name)?.filter(|_| is_header);
        let words = if is_header { &seen.words[..] } else { &[] };
        let column = column.ok_or_else(|| no_such_column(name, words))?;
        return Ok(Some(WeightFrom::Column(column)));
    }
    // Where only the first row has one, the message is about the others.
    if data.is_some_and(|row| row.values.len().max(seen.width) <= USUAL_WEIGHTS) {
        return Err(Problem::no_weights());
    }
    Ok(Some(WeightFrom::Column(USUAL_WEIGHTS)))
}

/// Whether networkx wrote a weight behind an edge.
fn has_weight(row: &Row<'_>) -> bool {
    row.attributes.as_ref().is_some_and(is_weighted)
}

/// Whether such attributes have a weight.
pub(super) fn is_weighted(attributes: &Value<'_>) -> bool {
    matches!(python_dict::value(&attributes.text, b"weight"), Ok(Some(_)))
}
