//! Whether the first row of an edge list is a header, where only the others can tell.

use rayon::prelude::*;

use super::first::{First, Sign};
use super::problems::{header_or_edge, one_column, ragged};
use super::rows::Rows;
use crate::graph::error::Problem;
use crate::graph::numbering::Dictionary;
use crate::graph::tokens::shown;

/// Whether the `first` row is a header, where all other rows, of so many columns, are known, and a
/// comment has `declared` so many edges.
///
/// # Errors
/// [`Problem`] if it may be either, or is neither.
pub(super) fn is_header(
    first: &First,
    later: &[Rows],
    declared: Option<u64>,
    columns: usize,
) -> Result<bool, Problem> {
    let rows = count(later);
    match first {
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
            let fits = edges.is_none_or(|edges| edges == rows) && range(later).is_none_or(below);
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

/// What to say of a first row that was taken for an edge and may be the names that pandas gives to
/// columns without one, 0, 1, 2: as an edge it is the only one of vertex 0, or has a third value.
pub(super) fn may_count_columns(first: &First, later: &[Rows]) -> Option<String> {
    let First::Size {
        pandas: true, text, ..
    } = first
    else {
        return None;
    };
    let third = text.split(' ').nth(2).is_some();
    (count(later) > 0 && (third || !has_number(later, 0))).then(|| {
        format!(
            "the first row ({text}) is taken for an edge; if it counts the columns, as pandas \
             writes them without names, --header yes skips it"
        )
    })
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
