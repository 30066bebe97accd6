//! Reads the comments before the rows, and their statements about the graph.

use super::cells::is_comment;
use super::sample::is_empty;
use super::{Delimiter, looks_like_row};
use crate::error::Problem;
use crate::input::LineReader;

/// The lines before the rows.
#[derive(Debug, Default)]
pub(in crate::formats) struct Preamble {
    pub comments: Vec<Vec<u8>>,
    /// The delimiter that a line `sep=;` for Excel states.
    pub delimiter: Option<Delimiter>,
}

impl Preamble {
    /// Reads the lines before the first row.
    ///
    /// # Errors
    /// [`Problem`] if a comment says that the graph is bipartite.
    pub fn read(lines: &mut LineReader<'_>) -> Result<Preamble, Problem> {
        let mut preamble = Preamble::default();
        while let Some(line) = lines.line()? {
            let delimiter = stated_delimiter(line);
            preamble.delimiter = delimiter.or(preamble.delimiter);
            if delimiter.is_some() || is_empty(line) {
                continue;
            }
            if !is_comment(line)? {
                lines.step_back();
                break;
            }
            let comment = line.trim_ascii();
            if comment.starts_with(b"% bip") {
                refuse!(
                    "the comment says that this is a bipartite graph of KONECT, whose two kinds of \
                     vertices have the same numbers (tell them apart: awk '!/^%/ {{print \"a\" $1, \
                     \"b\" $2}}' OLD > NEW)"
                );
            }
            preamble.comments.push(comment.to_vec());
        }
        Ok(preamble)
    }

    /// Returns the number of vertices or edges that a comment declares after `word`, as in SNAP's
    /// `# Nodes: N Edges: M`, or before the word at its end.
    pub fn declared(&self, word: &str) -> Option<u64> {
        self.comments.iter().find_map(|comment| {
            let text = String::from_utf8_lossy(comment).to_ascii_lowercase();
            let after = text.split_once(&format!("{word}:"));
            let before = || text.strip_suffix(word)?.trim_end().rsplit(' ').next();
            let is_other = |c: char| !c.is_ascii_digit();
            let number = after.and_then(|(_, rest)| rest.trim_start().split(is_other).next());
            number.or_else(before)?.parse().ok()
        })
    }

    /// Returns the number of comments that may be edges, because they look like rows.
    pub fn comments_like_rows(&self) -> u64 {
        let is_like_row = |line: &&Vec<u8>| looks_like_row(line, 2) || looks_like_row(line, 3);
        self.comments.iter().filter(is_like_row).count() as u64
    }
}

/// Returns the delimiter that a line `sep=;` for Excel states.
pub(in crate::formats) fn stated_delimiter(line: &[u8]) -> Option<Delimiter> {
    match line {
        [b's', b'e', b'p', b'=', byte] => Some(Delimiter::Byte(*byte)),
        _ => None,
    }
}
