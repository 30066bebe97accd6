//! Errors of edge lists.

use super::options::Column;
use crate::error::Problem;
use crate::tokens::shown;

/// Returns the error of a row with one column.
fn one_column(text: &[u8]) -> Problem {
    let separates = |byte: &&u8| byte.is_ascii_punctuation() && !b"\"'-_.<>".contains(byte);
    let hint = match text.iter().find(separates) {
        Some(&byte) => format!("; or --delimiter '{}'", char::from(byte)),
        None => String::new(),
    };
    malformed!(
        "expected two columns, found only {} (write an edge as two vertices with a blank between \
         them{hint})",
        shown(text)
    )
}

/// Returns the error of a row that starts with `text` and has another length than the others.
pub(super) fn ragged(text: &[u8], columns: usize, expected: usize) -> Problem {
    if columns < 2 {
        return one_column(text);
    }
    malformed!(
        "this row has {columns} columns, other rows have {expected} (correct it, or put values \
         that hold a delimiter in double quotes; an adjacency list is read with --format adjlist)"
    )
}

/// Returns the error of a column that does not exist.
pub(super) fn no_such_column(column: &Column, columns: usize, words: &[&[u8]]) -> Problem {
    match (column, words) {
        (Column::Number(number), _) => {
            malformed!("there is no column {number} (there are {columns}: name one of them)")
        }
        (Column::Name(name), []) => malformed!(
            "there is no header to name a column {} (name it by its number, from 1)",
            shown(name.as_bytes())
        ),
        (Column::Name(name), words) => malformed!(
            "there is no column {} (name one of {})",
            shown(name.as_bytes()),
            shown_words(words)
        ),
    }
}

/// Returns the first words of a header for messages.
pub(super) fn shown_words(words: &[&[u8]]) -> String {
    let words: Vec<_> = words.iter().take(16).map(|word| shown(word)).collect();
    words.join(" ")
}
