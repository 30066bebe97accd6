//! What is wrong with rows of edge lists, and what to do about it, where several files say it.

use super::columns::Value;
use crate::graph::error::Problem;
use crate::graph::tokens::shown;

/// What to do where vertices are called by names.
pub(super) const AS_NAMES: &str = "read vertices as names with --format labels";

/// A row has one column.
pub(super) fn one_column(text: &[u8]) -> Problem {
    malformed!(
        "expected two columns, found only {} (write an edge as two vertices with a blank between \
         them)",
        shown(text)
    )
}

/// Rows differ in length.
pub(super) fn ragged(columns: usize, expected: usize) -> Problem {
    malformed!(
        "this row has {columns} columns, other rows have {expected} (an edge list has equally many \
         in all; adjacency lists, matrices and other formats are no edge lists)"
    )
}

/// A column behind the ends is no number.
pub(super) fn column_unknown(token: &str) -> Problem {
    malformed!(
        "{token} is not a number, and nothing says what its column is (name the columns of the \
         ends: --columns source=1,target=2)"
    )
}

/// Nothing is in the column, from 1, of weights.
pub(super) fn weight_empty(column: usize) -> Problem {
    malformed!(
        "column {column}, which has the weights, is empty here (give every edge a weight, say what \
         edges without one get: --default-weight 1, name another column, or leave --weighted out)"
    )
}

/// There is no column, from 1, of weights.
pub(super) fn weight_missing(column: usize) -> Problem {
    malformed!(
        "there is no column {column} to take a weight from (give every edge a weight, name another \
         column, or leave --weighted out)"
    )
}

/// A vertex of a list of numbers is none.
pub(super) fn not_a_vertex_number(token: &str) -> Problem {
    malformed!("{token} is not a vertex number, but the file starts with numbers ({AS_NAMES})")
}

/// Attributes behind an edge are no dictionary of plain values.
pub(super) fn attributes_unknown(attributes: &Value<'_>) -> Problem {
    malformed!(
        "{} are not attributes as networkx writes them (write the weight as a third column)",
        shown(&attributes.text)
    )
}

/// Nothing is where a vertex is to be.
pub(super) fn no_name() -> Problem {
    malformed!(
        "a vertex has no name (write an edge as two vertices; with --format labels \"\" is a name)"
    )
}

/// A first row that may be a header or an edge.
pub(super) fn header_or_edge(row: &str) -> Problem {
    malformed!(
        "the first row, {row}, may be a header or an edge (say which: --header yes or --header no)"
    )
}
