//! What the columns of an edge list are, as far as its first rows tell.

use super::columns::Value;
use super::first::{First, header_or_edge, size};
use super::header;
use super::options::{Column, Columns, Delimiter, EdgeListOptions};
use super::python_dict;
use super::refusals::{
    refuse_blocks, refuse_comment_as_row, refuse_other_things, refuse_second_header,
    refuse_unknown_columns,
};
use super::rows::{not_a_vertex_number, one_column, weight_missing};
use super::sample::{Row, delimiter, rows, sample};
use crate::graph::error::Problem;
use crate::graph::tokens::{Scan, Tokens, shown};
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
    let Some(first) = rows.first() else {
        return Ok(Layout {
            columns: 2,
            target: 1,
            plain: true,
            ..Layout::default()
        });
    };
    refuse_other_things(first, &rows, &texts, (delimiter, names), options)?;
    // Numbers of a header need not be as many as those of a row.
    let width = match rows.get(1) {
        Some(second) if second.values.len() > 1 && size(first).is_some() => second.values.len(),
        _ => first.values.len(),
    };
    let numbers = !names && first.values.iter().all(|value| is_number(&value.text));
    let words: Vec<&[u8]> = first.values.iter().map(|value| &value.text[..]).collect();
    let said = header::ends(&words);
    let pair = said.pair();
    let likely = pair.is_some_and(|pair| pair.likely);
    let over_numbers = words_over_numbers(first, &rows[1..]);
    let number = |column: usize| number_in(first, column);
    let again = |a: usize| {
        let mut later = rows[1..].iter().flat_map(|row| row.values.iter().take(2));
        later.any(|value| Some(&value.text) == first.values.get(a).map(|word| &word.text))
    };
    let half = |a: usize, b: usize| over_numbers.contains(&a) && number(b) && !again(a);
    // Where the header is one for sure, the row itself is named.
    let repeated = pair.is_some() && !likely && rows[1..].contains(first);
    // Numbers in quotes may be names, below an edge of others.
    let quoted = |row: &Row<'_>, column: usize| row.values.get(column).is_some_and(|v| v.quoted);
    let apart = |&column: &usize| column < 2 && rows[1..].iter().all(|row| quoted(row, column));
    let quoted_numbers = numbers && quoted(first, 0) && quoted(first, 1);
    let plain_ones = |row: &Row<'_>| !quoted(row, 0) && !quoted(row, 1);
    let over_plain = quoted_numbers && rows.len() > 1 && rows[1..].iter().all(plain_ones);
    let named = over_plain || !likely && over_numbers.iter().any(apart);
    if options.header.is_none()
        && options.columns.is_none()
        && (half(0, 1) || half(1, 0) || repeated || named)
    {
        return Err(header_or_edge(&shown_row(&words)));
    }
    let is_header = match options.header {
        Some(given) => given,
        None => !numbers && (likely || !over_numbers.is_empty()),
    };
    let by_name = |column: &Column| match column {
        Column::Number(number) if (1..=width).contains(number) => Ok(number - 1),
        Column::Number(number) => Err(malformed!(
            "there is no column {number} (there are {width})"
        )),
        Column::Name(name) => find_name(&words, name)?.ok_or_else(|| no_such_column(name, &words)),
    };
    let named = |columns: &Columns| {
        let name = |column: &Column| matches!(column, Column::Name(_));
        name(&columns.source) || name(&columns.target) || columns.weight.as_ref().is_some_and(name)
    };
    let is_header =
        is_header || (options.header.is_none() && options.columns.as_ref().is_some_and(named));
    let choice = weights.map(|weights| &weights.choice);
    let described =
        is_header || options.columns.is_some() || matches!(choice, Some(WeightChoice::Column(_)));
    let (source, target) = match (&options.columns, pair) {
        (Some(columns), _) => (by_name(&columns.source)?, by_name(&columns.target)?),
        (None, Some(pair)) if is_header => pair.columns,
        (None, _)
            if is_header
                && !numbers
                && (said == header::Said::Unclear || !header::says_ends_first(&words)) =>
        {
            refuse!(
                "the header {} does not say where edges start and end (name the columns: --columns \
                 source=NAME,target=NAME)",
                shown_row(&words)
            );
        }
        (None, _) => (0, 1),
    };
    if is_header
        && let [Some(a), Some(b)] = [source, target].map(|end| id_space(words.get(end)?))
        && a != b
    {
        refuse!(
            "the ends are called in two ways, as {} and {} (put something before one of them that \
             tells them apart)",
            shown(a),
            shown(b)
        );
    }
    if is_header
        && options.columns.is_none()
        && let (Some(source), Some(target)) = (words.get(source), words.get(target))
        && header::are_two_kinds(source, target)
        && let Some(row) = rows.get(1)
        && [0, 1].iter().all(|&column| number_in(row, column))
    {
        refuse!(
            "{} and {} may count two kinds of vertices, whose numbers are the same (put something \
             before those of one kind that tells them apart; if there is one kind: --columns \
             source=1,target=2)",
            shown(source),
            shown(target)
        );
    }
    if source == target {
        refuse!(
            "both ends of an edge are to be in column {} (name two columns)",
            source + 1
        );
    }
    if options.header == Some(true) && numbers {
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
    let plain = !described;
    if plain {
        let usual = choice == Some(&WeightChoice::Usual);
        refuse_unknown_columns(&rows, width, usual.then_some(USUAL_WEIGHTS))?;
    }
    let weight = weight_from(weights, options, is_header, &words, width, data, &by_name)?;
    // A row of sizes has no weight.
    let no_edge = is_header || (rows.len() > 1 && size(first).is_some());
    let edges = rows.iter().skip(usize::from(no_edge));
    let thirds = edges.filter_map(|row| Some(&row.values.get(2)?.text[..]));
    let thirds: Vec<&[u8]> = thirds.collect();
    let weighs = |third: &&[u8]| !third.is_empty() && *third != b"1";
    let has_unused_weights = weights.is_none()
        && match is_header {
            // Several are weights too.
            true => !matches!(find_name(&words, "weight"), Ok(None)),
            false => plain && thirds.iter().any(weighs) || rows.iter().any(has_weight),
        };
    let integers = thirds.concat().iter().all(u8::is_ascii_digit);
    let is_no_end = |column: &usize| ![source, target].contains(column);
    let sure = likely || over_numbers.iter().any(is_no_end);
    Ok(Layout {
        delimiter,
        columns: width,
        source,
        target,
        weight,
        names,
        asked_names,
        first: First::new(
            first,
            options,
            is_header,
            sure,
            names,
            (source, target),
            (width, delimiter),
            rows.len() > 1,
        ),
        plain,
        counts_rows: plain && !names && width > 2 && integers,
        has_unused_weights,
        kinds: is_header.then(|| kinds(&words, data, options)).flatten(),
    })
}

/// Whether there is a plain number in a column of a row.
fn number_in(row: &Row<'_>, column: usize) -> bool {
    row.values.get(column).is_some_and(is_integer)
}

/// What Neo4j puts in parentheses behind the name of a column: whose numbers these are.
fn id_space<'a>(word: &&'a [u8]) -> Option<&'a [u8]> {
    let word = word.strip_suffix(b")")?;
    let start = memchr::memrchr(b'(', word)?;
    word[..start].starts_with(b":").then(|| &word[start + 1..])
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
    words: &[&[u8]],
    width: usize,
    data: Option<&Row<'_>>,
    by_name: &dyn Fn(&Column) -> Result<usize, Problem>,
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
            return by_name(column).map(|column| Some(WeightFrom::Column(column)));
        }
        (Some(_), Some(_)) => {
            return Err(unfit!(
                "--columns and --weighted both name the weights (leave one of them out)"
            ));
        }
        (Some(choice), None) => choice,
    };
    let (name, usual) = match choice {
        WeightChoice::Column(column) if *column <= width => {
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
        let column = find_name(words, name)?.filter(|_| is_header);
        let words = if is_header { words } else { &[] };
        let column = column.ok_or_else(|| no_such_column(name, words))?;
        return Ok(Some(WeightFrom::Column(column)));
    }
    // Where only the first row has one, the message is about the others.
    if data.is_some_and(|row| row.values.len().max(width) <= USUAL_WEIGHTS) {
        return Err(Problem::no_weights());
    }
    Ok(Some(WeightFrom::Column(USUAL_WEIGHTS)))
}

/// The column that is called so: exactly, or else in other letters.
///
/// # Errors
/// [`Problem`] if several are.
fn find_name(words: &[&[u8]], name: &str) -> Result<Option<usize>, Problem> {
    let name = name.as_bytes();
    let columns = |is_called: &dyn Fn(&[u8]) -> bool| -> Vec<usize> {
        let columns = 0..words.len();
        columns.filter(|&column| is_called(words[column])).collect()
    };
    let mut found = columns(&|word| word == name);
    if found.is_empty() {
        found = columns(&|word| word.eq_ignore_ascii_case(name));
    }
    match found[..] {
        [] => Ok(None),
        [column] => Ok(Some(column)),
        _ => Err(malformed!(
            "several columns are called {} (name it by its number)",
            shown(name)
        )),
    }
}

fn no_such_column(name: &str, words: &[&[u8]]) -> Problem {
    let columns = match words {
        [] => "there is no header".into(),
        words => format!("there are {}", shown_row(words)),
    };
    malformed!("there is no column {} ({columns})", shown(name.as_bytes()))
}

fn shown_row(words: &[&[u8]]) -> String {
    let words: Vec<_> = words.iter().take(16).map(|word| shown(word)).collect();
    words.join(" ")
}

/// Whether networkx wrote a weight behind an edge.
fn has_weight(row: &Row<'_>) -> bool {
    row.attributes.as_ref().is_some_and(is_weighted)
}

/// Whether such attributes have a weight.
pub(super) fn is_weighted(attributes: &Value<'_>) -> bool {
    matches!(python_dict::value(&attributes.text, b"weight"), Ok(Some(_)))
}

/// The columns in which the first row has a word and all others have numbers.
fn words_over_numbers(first: &Row<'_>, others: &[Row<'_>]) -> Vec<usize> {
    let number = |row: &Row<'_>, column: usize| row.values.get(column).map(|v| is_number(&v.text));
    let over_numbers = |&column: &usize| {
        number(first, column) == Some(false)
            && !first.values[column].text.is_empty()
            && !others.is_empty()
            && others.iter().all(|row| number(row, column) == Some(true))
    };
    (0..first.values.len()).filter(over_numbers).collect()
}

/// Whether a value is a plain number without sign and point.
pub(super) fn is_integer(value: &Value<'_>) -> bool {
    !value.text.is_empty() && value.text.iter().all(u8::is_ascii_digit)
}

/// Whether a token has the form of a decimal number, or is one that is not finite.
pub(super) fn is_number(token: &[u8]) -> bool {
    let text = std::str::from_utf8(token).unwrap_or_default();
    text.parse::<f64>().is_ok()
        && (token[0].is_ascii_digit() || matches!(token[0], b'+' | b'-' | b'.'))
}
