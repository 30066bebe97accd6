//! The first row of an edge list: an edge, a header, or the sizes of the graph. What the first rows
//! leave open, the others decide.

use super::columns::{Value, is_integer, is_number};
use super::options::{Delimiter, EdgeListOptions};
use super::sample::Row;
use crate::graph::tokens::{Scan, Tokens};

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
