//! What is wrong with rows of edge lists, and what to do about it.

use super::options::Column;
use crate::graph::error::Problem;
use crate::graph::formats::text::cells::Value;
use crate::graph::tokens::shown;

/// A row has one column.
pub(super) fn not_an_edge(text: &[u8]) -> Problem {
    malformed!(
        "expected two columns, found only {} (write an edge as two vertices with a blank between \
         them, or say what separates them: --delimiter)",
        shown(text)
    )
}

/// Rows differ in length. This one starts with `text`.
pub(super) fn ragged(text: &[u8], columns: usize, expected: usize) -> Problem {
    if columns < 2 {
        return not_an_edge(text);
    }
    malformed!(
        "this row has {columns} columns, other rows have {expected} (correct it, or put values \
         that hold a delimiter in double quotes; an adjacency list is read with --format adjlist)"
    )
}

/// There is no column of this number or name.
pub(super) fn no_such_column(column: &Column, columns: usize, words: &[&[u8]]) -> Problem {
    let names: Vec<String> = words.iter().take(16).map(|word| shown(word)).collect();
    match (column, &names[..]) {
        (Column::Number(number), _) => {
            malformed!("there is no column {number} (there are {columns}: name one of them)")
        }
        (Column::Name(name), []) => malformed!(
            "there is no header to name a column {} (name it by its number, from 1)",
            shown(name.as_bytes())
        ),
        (Column::Name(name), names) => malformed!(
            "there is no column {} (name one of {})",
            shown(name.as_bytes()),
            names.join(" ")
        ),
    }
}

/// The header is that of a table of vertices.
pub(super) fn vertex_table(words: &[&[u8]]) -> Problem {
    malformed!(
        "{} {} head a table of vertices, not of edges (give the table of edges; if these are the \
         ends of edges: --columns source=1,target=2)",
        shown(words[0]),
        shown(words[1])
    )
}

/// A table has names for its rows and columns, which are not the same.
pub(super) fn not_square(columns: usize) -> Problem {
    malformed!(
        "the rows have names and {columns} numbers, as in a table of two kinds of things (write \
         a row for each pair, or give a square matrix)"
    )
}

/// Attributes behind an edge are no dictionary of plain values.
pub(super) fn attributes_unknown(attributes: &Value<'_>) -> Problem {
    malformed!(
        "{} are not attributes as networkx writes them (write the weight as a third column)",
        shown(&attributes.text)
    )
}
