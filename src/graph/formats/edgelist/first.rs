//! The first row of an edge list: an edge, a header, or the sizes of the graph. What the first rows
//! leave open, the others decide.

use rayon::prelude::*;

use super::columns::Value;
use super::layout::{is_integer, is_number};
use super::options::{Delimiter, EdgeListOptions};
use super::rows::{Rows, one_column, ragged};
use super::sample::Row;
use crate::graph::error::Problem;
use crate::graph::numbering::Dictionary;
use crate::graph::tokens::{Scan, Tokens, shown};

/// What the first row is.
#[derive(Default, PartialEq, Eq)]
pub(super) enum First {
    /// An edge.
    #[default]
    Row,
    /// A header.
    Header,
    /// An edge or a header, by whether later rows mention its names.
    Names { ends: [Vec<u8>; 2], sign: Sign },
    /// A header of sizes, if later rows agree, or else an edge.
    Size {
        vertices: u64,
        /// Missing if there is one number only.
        edges: Option<u64>,
        /// Whether it can be an edge.
        edge: bool,
        /// Whether it can be the names that pandas gives to columns, which are their numbers.
        pandas: bool,
        text: String,
    },
}

/// What tells that a row of names may be a header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Words that headers have, or a word in a column of numbers that is not one of the ends.
    Sure,
    /// A word where all other rows have a number for an end.
    End,
    /// Nothing, unless its names are never mentioned again.
    None,
}

/// A first row that may be a header or an edge.
pub(super) fn header_or_edge(row: &str) -> Problem {
    malformed!(
        "the first row, {row}, may be a header or an edge (say which: --header yes or --header no)"
    )
}

impl First {
    /// What the first row is, or may be, of rows with so many columns and such ends. `sure` is
    /// whether a header is one for sure, and `several` whether there are other rows.
    #[expect(clippy::too_many_arguments, reason = "all that is known of it")]
    pub fn new(
        first: &Row<'_>,
        options: &EdgeListOptions,
        is_header: bool,
        sure: bool,
        names: bool,
        (source, target): (usize, usize),
        (columns, delimiter): (usize, Delimiter),
        several: bool,
    ) -> First {
        let end = |column: usize| first.values.get(column).map(|value| value.text.to_vec());
        // Rows of numbers can have no such names.
        let ends = end(source).zip(end(target)).filter(|_| names);
        let sizes = size(first).filter(|_| options.columns.is_none());
        match (options.header, ends, sizes) {
            (Some(false), ..) => First::Row,
            (Some(true), ..) => First::Header,
            (None, Some((from, to)), _) if is_header && options.columns.is_none() => {
                let sign = if sure { Sign::Sure } else { Sign::End };
                First::Names {
                    ends: [from, to],
                    sign,
                }
            }
            _ if is_header => First::Header,
            (None, _, Some((vertices, edges))) if !names || edges.is_none() => First::Size {
                vertices,
                edges,
                edge: edges.is_some() && first.values.len() == columns,
                pandas: matches!(delimiter, Delimiter::Byte(b',' | b';'))
                    && first.values.iter().zip(0..).all(|(value, column)| {
                        value.text.as_ref() == u64::to_string(&column).as_bytes()
                    }),
                text: row_text(first),
            },
            (None, Some((from, to)), _) if several && !is_number(&from) => First::Names {
                ends: [from, to],
                sign: Sign::None,
            },
            _ => First::Row,
        }
    }

    /// Whether a row that is not [`First::Row`] may be an edge all the same.
    pub fn may_be_edge(&self) -> bool {
        match self {
            First::Row | First::Header => false,
            First::Names { sign, .. } => *sign != Sign::Sure,
            First::Size { edge, .. } => *edge,
        }
    }

    /// What is to be said of it if it is a header.
    pub fn note(&self) -> String {
        match self {
            First::Size { vertices, text, .. } => {
                format!("({text}) is taken for a header that declares {vertices} vertices")
            }
            _ => "is taken for a header".into(),
        }
    }

    /// Decides whether it is a header, now that all other rows, of so many columns, are known, and
    /// how many edges a comment has `declared`.
    ///
    /// # Errors
    /// [`Problem`] if it may be either, or is neither.
    pub fn is_header(
        &self,
        later: &[Rows],
        declared: Option<u64>,
        columns: usize,
    ) -> Result<bool, Problem> {
        let rows = count(later);
        match self {
            First::Row => Ok(false),
            First::Header => Ok(true),
            First::Names { ends, sign } => {
                let has = |name: &Vec<u8>| later.par_iter().any(|rows| rows.coded.has_name(name));
                match (sign, ends.iter().any(has)) {
                    // All rows there are supposed to be, with or without the first.
                    (Sign::End | Sign::None, _) if declared == Some(rows + 1) => Ok(false),
                    (_, false) if declared == Some(rows) => Ok(true),
                    (Sign::Sure | Sign::End, false) => Ok(true),
                    (Sign::End | Sign::None, true) => Ok(false),
                    (Sign::None, false) if rows == 0 => Ok(false),
                    (Sign::Sure, true) | (Sign::None, false) => Err(header_or_edge(
                        &ends.each_ref().map(|end| shown(end)).join(" "),
                    )),
                }
            }
            &First::Size {
                vertices,
                edges,
                edge,
                pandas,
                ref text,
            } => {
                let below = |(low, high)| high < vertices || (low > 0 && high == vertices);
                let fits =
                    edges.is_none_or(|edges| edges == rows) && range(later).is_none_or(below);
                let unclear = || Err(header_or_edge(&shown(text.as_bytes())));
                let has = |number| has_number(later, number);
                let third = text.split(' ').nth(2).and_then(|third| third.parse().ok());
                match (fits, edges) {
                    // All rows there are supposed to be, with the first.
                    _ if edge && declared == Some(rows + 1) => Ok(false),
                    // As an edge it joins one of the others, as in paths listed from their ends.
                    (true, Some(edges)) if edge && (rows == 0 || has(edges)) => unclear(),
                    (true, _) => Ok(true),
                    (false, Some(1)) if pandas && rows > 0 && !has(0) && !has(1) => unclear(),
                    // A row of one number is never an edge.
                    (false, None) => Err(one_column(text.as_bytes())),
                    (false, Some(_)) if !edge => Err(ragged(text.split(' ').count(), columns)),
                    (false, Some(edges)) if counts_vertices(later, vertices, edges) => unclear(),
                    // The same in the other order.
                    (false, Some(n)) if vertices == rows && are_all(later, n) => unclear(),
                    // Those of a matrix that is not square.
                    (false, Some(high)) if third == Some(rows) => {
                        let within = |(low, last)| low > 0 && last <= high.max(vertices);
                        let edge = has(vertices) && has(high);
                        match !edge && range(later).is_some_and(within) {
                            true => unclear(),
                            false => Ok(false),
                        }
                    }
                    (false, Some(_)) => Ok(false),
                }
            }
        }
    }
}

/// How many edges there are.
fn count(read: &[Rows]) -> u64 {
    read.iter().map(|rows| rows.coded.codes.len() as u64).sum()
}

/// Whether a vertex has this number.
fn has_number(read: &[Rows], number: u64) -> bool {
    read.par_iter().any(|rows| rows.coded.has_number(number))
}

/// The smallest and the largest number of a vertex.
fn range(read: &[Rows]) -> Option<(u64, u64)> {
    let ranges = read.iter().filter_map(|rows| rows.coded.range());
    ranges.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
}

/// Whether a first row of numbers may be a header whose number of edges is wrong: the first number
/// is that of the vertices, and no row has to do with the second.
fn counts_vertices(read: &[Rows], vertices: u64, edges: u64) -> bool {
    let rows = count(read);
    if vertices < 2 || has_number(read, edges) {
        return false;
    }
    let from_1 = range(read).is_some_and(|(low, _)| low == 1);
    // An edge to one more vertex is likely, unless the number of rows is nearly that.
    let likely = from_1 && edges == vertices + 1 && edges.abs_diff(rows) > 1;
    !likely && are_all(read, vertices)
}

/// Whether the ends of all rows are the numbers 0 to n - 1, or 1 to n, and each of them occurs.
fn are_all(read: &[Rows], vertices: u64) -> bool {
    let from_1 = match range(read) {
        Some((0, high)) if high.checked_add(1) == Some(vertices) => false,
        Some((1, high)) if high == vertices => true,
        _ => return false,
    };
    if vertices > 2 * count(read) {
        return false;
    }
    let mut seen = vec![false; vertices as usize];
    for rows in read {
        let Dictionary::Plain { .. } = rows.coded.dictionary else {
            return false;
        };
        for &code in rows.coded.codes.iter().flatten() {
            seen[(code - u32::from(from_1)) as usize] = true;
        }
    }
    seen.iter().all(|&seen| seen)
}

/// Vertices and edges, if a row is numbers that may declare them: `n`, `n m ...` or `n n m`.
pub(super) fn size(row: &Row<'_>) -> Option<(u64, Option<u64>)> {
    let number = |value: &Value<'_>| match Tokens::new(&value.text).number() {
        Scan::Number(number) if is_integer(value) && !value.quoted => Some(number),
        _ => None,
    };
    let numbers: Option<Vec<u64>> = row.values.iter().map(number).collect();
    match numbers?[..] {
        [n] => Some((n, None)),
        [n, columns, m] if n == columns => Some((n, Some(m))),
        [n, m, ..] => Some((n, Some(m))),
        [] => None,
    }
}

fn row_text(row: &Row<'_>) -> String {
    let texts = row.values.iter().map(|v| String::from_utf8_lossy(&v.text));
    texts.collect::<Vec<_>>().join(" ")
}
