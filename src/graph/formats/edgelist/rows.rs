//! Reading a block of rows.

use memchr::memchr;

use super::columns::{Value, cut, is_comment};
use super::layout::{Layout, WeightFrom, is_weighted};
use super::problems::{
    AS_NAMES, attributes_unknown, column_unknown, no_name, not_a_vertex_number, one_column, ragged,
    weight_empty, weight_missing,
};
use super::python_dict;
use super::refusals::{first_unknown, refuse_commented_row};
use crate::graph::blocks::{Failure, Parsed};
use crate::graph::error::Problem;
use crate::graph::formats::fast::number_row;
use crate::graph::labels::NameInterner;
use crate::graph::numbering::{Coded, Codes, Dictionary, too_many};
use crate::graph::tokens::{Scan, Tokens, shown};
use crate::graph::weights::Weight;

/// What a block has.
#[derive(Debug)]
pub(super) struct Rows {
    pub coded: Coded,
    /// One for each edge, if they were asked for.
    pub weights: Vec<Weight>,
    /// Whether some edges join a vertex to itself.
    pub has_loops: bool,
    /// The first and the last source, if sources count the rows.
    pub counted: Option<(u64, u64)>,
    /// Whether some attributes have a weight that was not asked for.
    pub unused_weights: bool,
    /// Whether a comment may be an edge of [names that start as one](names_as_comment).
    pub like_comment: bool,
}

/// Ends of edges as they come.
enum Ends {
    /// Numbers that fit 32 bits.
    Narrow(Codes),
    /// Numbers, since some did not.
    Wide(Vec<[u64; 2]>),
    /// Names.
    Names(Codes, NameInterner),
}

/// The rows of a block so far.
struct Reading<'l> {
    layout: &'l Layout,
    ends: Ends,
    weights: Vec<Weight>,
    /// The source of the first row.
    start: Option<u64>,
    /// The source that the next row has if sources count the rows.
    next: Option<u64>,
    unused_weights: bool,
    like_comment: bool,
}

/// Reads the rows of `text`, whole lines but for the last one.
///
/// # Errors
/// [`Failure`] at the first line that is no row as the others.
pub(super) fn parse(text: &[u8], layout: &Layout) -> Parsed<Rows> {
    let ends = if layout.names {
        Ends::Names(Codes::new(), NameInterner::new())
    } else {
        // The shortest row of numbers has four bytes; most have three times as many.
        Ends::Narrow(Codes::with_capacity(text.len() / 12))
    };
    let mut reading = Reading {
        layout,
        ends,
        weights: Vec::new(),
        start: None,
        next: None,
        unused_weights: false,
        like_comment: false,
    };
    let fast = layout.is_fast();
    let mut values = Vec::new();
    let (mut position, mut line) = (0, 0);
    while position < text.len() {
        line += 1;
        if fast && let Some(next) = reading.fast_row(text, position) {
            position = next;
        } else {
            let rest = &text[position..];
            let length = memchr(b'\n', rest).unwrap_or(rest.len());
            let row = &rest[..length];
            let row = row.strip_suffix(b"\r").unwrap_or(row);
            let read = reading.row(row, &mut values);
            read.map_err(|problem| Failure { line, problem })?;
            position += length + 1;
        }
    }
    Ok((reading.into_rows(), line))
}

impl Reading<'_> {
    /// Reads the row at `position` if it is as rows of numbers mostly are, and returns where the
    /// next one starts. Whatever else there is has to be looked at by [`Self::row`].
    #[inline]
    fn fast_row(&mut self, text: &[u8], position: usize) -> Option<usize> {
        let Layout {
            delimiter, columns, ..
        } = *self.layout;
        let column = self.layout.weight_column();
        let ([source, target], weight, next) =
            number_row(text, position, delimiter, columns, column)?;
        match (&self.layout.weight, weight) {
            (None, _) => {}
            // An error has to be told by the other way too.
            (Some(_), Some(token)) => self.weights.push(Weight::parse(token).ok()?),
            (Some(_), None) => return None,
        }
        if self.layout.counts_rows {
            self.count(source);
        }
        self.push_numbers(source, target);
        Some(next)
    }

    #[inline]
    fn push_numbers(&mut self, source: u64, target: u64) {
        match &mut self.ends {
            Ends::Narrow(codes) => match (u32::try_from(source), u32::try_from(target)) {
                (Ok(source), Ok(target)) => codes.push([source, target]),
                _ => {
                    let wide = codes.iter().map(|&[a, b]| [a.into(), b.into()]);
                    let mut wide: Vec<[u64; 2]> = wide.collect();
                    wide.push([source, target]);
                    self.ends = Ends::Wide(wide);
                }
            },
            Ends::Wide(wide) => wide.push([source, target]),
            Ends::Names(..) => {}
        }
    }

    /// Notes whether sources still count the rows.
    #[inline]
    fn count(&mut self, source: u64) {
        if self.start.is_none() {
            self.start = Some(source);
        } else if self.next != Some(source) {
            self.next = None;
            return;
        }
        self.next = source.checked_add(1);
    }

    /// Reads any row.
    #[inline(never)]
    fn row<'a>(&mut self, row: &'a [u8], values: &mut Vec<Value<'a>>) -> Result<(), Problem> {
        let layout = self.layout;
        if is_comment(row)? {
            self.like_comment |= names_as_comment(row, layout.columns);
            return refuse_commented_row(row, (layout.delimiter, layout.columns));
        }
        cut(row, layout.delimiter, values)?;
        let attributes = values.pop_if(|value| !value.quoted && value.text.starts_with(b"{"));
        if let Some(attributes) = &attributes
            && !attributes.text.ends_with(b"}")
        {
            return Err(attributes_unknown(attributes));
        }
        if values.len() != layout.columns {
            return Err(match &values[..] {
                [only] if attributes.is_none() => one_column(&only.text),
                _ => ragged(values.len(), layout.columns),
            });
        }
        let (Some(source), Some(target)) = (values.get(layout.source), values.get(layout.target))
        else {
            return Err(one_column(row));
        };
        if layout.plain
            && let Some(token) = first_unknown(values, layout.weight_column())
        {
            return Err(column_unknown(&token));
        }
        if let Some((column, kind)) = &layout.kinds
            && !values[*column].text.eq_ignore_ascii_case(kind)
        {
            return Err(malformed!(
                "this edge is called {}, others {} (make all edges of one type, or say which \
                 columns count: --columns source=1,target=2)",
                shown(&values[*column].text),
                shown(kind)
            ));
        }
        // Without one, what is wrong.
        let default = |problem| layout.default_weight.ok_or(problem).map(Some);
        let weight = match &layout.weight {
            None => {
                self.unused_weights |= attributes.as_ref().is_some_and(is_weighted);
                None
            }
            Some(WeightFrom::Column(column)) => match values.get(*column) {
                Some(value) if value.text.is_empty() => default(weight_empty(column + 1))?,
                Some(value) => Some(Weight::parse(&value.text)?),
                None => default(weight_missing(column + 1))?,
            },
            Some(WeightFrom::Attribute(key)) => match attribute_weight(attributes.as_ref(), key)? {
                Some(weight) => Some(weight),
                None => default(Problem::attribute_missing(&shown(key.as_bytes())))?,
            },
        };
        match &mut self.ends {
            Ends::Names(codes, names) => {
                // In quotes an empty name is one, if that is asked for.
                let mut code = |value: &Value<'_>| match &value.text[..] {
                    [] if !value.quoted || !layout.asked_names => Err(no_name()),
                    name => names.intern(name).ok_or_else(too_many),
                };
                let edge = [code(source)?, code(target)?];
                codes.push(edge);
            }
            Ends::Narrow(_) | Ends::Wide(_) => {
                let (source, target) = (vertex(source)?, vertex(target)?);
                self.count(source);
                self.push_numbers(source, target);
            }
        }
        self.weights.extend(weight);
        Ok(())
    }

    fn into_rows(self) -> Rows {
        let coded = match self.ends {
            Ends::Narrow(mut codes) => {
                codes.shrink_to_fit();
                Coded::of_codes(codes)
            }
            Ends::Wide(wide) => Coded::of_numbers(wide),
            Ends::Names(codes, names) => Coded {
                codes,
                dictionary: Dictionary::Names(names),
            },
        };
        // Now they are in the cache.
        let codes = coded.codes.iter();
        let has_loops = codes.fold(false, |some, [source, target]| some | (source == target));
        let last = self.next.and_then(|next| next.checked_sub(1));
        Rows {
            coded,
            weights: self.weights,
            has_loops,
            counted: self.start.zip(last),
            unused_weights: self.unused_weights,
            like_comment: self.like_comment,
        }
    }
}

/// Whether a comment has so many words, the first of them such as `#name`.
pub(super) fn names_as_comment(line: &[u8], columns: usize) -> bool {
    let line = line.trim_ascii();
    let word = matches!(line, [b'#', next, ..] if next.is_ascii_alphanumeric() || *next >= 0x80);
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b",;".contains(byte);
    word && line.split(is_between).count() == columns
}

/// The number that a vertex is called by.
fn vertex(value: &Value<'_>) -> Result<u64, Problem> {
    let token = shown(&value.text);
    let mut tokens = Tokens::new(&value.text);
    match tokens.number() {
        Scan::Number(id) if tokens.at_end() => Ok(id),
        Scan::TooLarge(_) => Err(malformed!(
            "vertex number {token} does not fit in 64 bits ({AS_NAMES})"
        )),
        Scan::End => Err(no_name()),
        Scan::Other([b'-', digits @ ..])
            if matches!(Tokens::new(digits).number(), Scan::Number(_)) =>
        {
            Err(malformed!(
                "negative vertex number {token} (number vertices from 0, or read them as names \
                 with --format labels)"
            ))
        }
        _ => Err(not_a_vertex_number(&token)),
    }
}

/// The weight in the attributes that networkx wrote behind an edge.
fn attribute_weight(attributes: Option<&Value<'_>>, key: &str) -> Result<Option<Weight>, Problem> {
    let Some(attributes) = attributes else {
        return Ok(None);
    };
    let value = python_dict::value(&attributes.text, key.as_bytes());
    let value = value.map_err(|()| attributes_unknown(attributes))?;
    value.map(Weight::parse).transpose()
}
