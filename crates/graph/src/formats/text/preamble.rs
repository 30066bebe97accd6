//! Reads the comments before the rows, and their statements about the graph.

use regex::bytes::Regex;

use super::Delimiter;
use super::cells::is_comment;
use super::sample::is_empty;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::whole_number;

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

    /// Returns whether this crate wrote the file. Its first row is a header only if the words are
    /// known.
    pub fn is_own(&self) -> bool {
        let own = r"\A# (un)?directed graph: [0-9]+ vertices, [0-9]+ edges\z";
        let is_own = |first: &Vec<u8>| Regex::new(own).is_ok_and(|own| own.is_match(first));
        self.comments.first().is_some_and(is_own)
    }

    /// Returns the number of vertices or edges that a comment declares after `word`, as in SNAP's
    /// `# Nodes: N Edges: M`, or before the word at its end.
    pub fn declared(&self, word: &str) -> Option<u64> {
        // Without comments, no expression is compiled.
        self.comments.first()?;
        let number = format!(r"(?i-u){word}:\s*(\d+)|(\d+)\s+{word}$");
        let number = Regex::new(&number).ok()?;
        let mut comments = self.comments.iter();
        let found = comments.find_map(|comment| number.captures(comment))?;
        whole_number(found.iter().flatten().last()?.as_bytes())
    }
}

/// Returns the delimiter that a line `sep=;` for Excel states.
pub(in crate::formats) fn stated_delimiter(line: &[u8]) -> Option<Delimiter> {
    match line {
        [b's', b'e', b'p', b'=', byte] => Some(Delimiter::Byte(*byte)),
        _ => None,
    }
}
