//! Reads the comments before the rows, and their statements about the graph.

use super::cells::is_comment;
use super::sample::is_empty;
use super::{Delimiter, looks_like_row};
use crate::Format;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::Tokens;

/// The statements of the lines before the rows.
#[derive(Debug, Default)]
pub(in crate::formats) struct Preamble {
    /// The comments.
    pub comments: Vec<Vec<u8>>,
    /// The delimiter that a line `sep=;` for Excel states.
    pub delimiter: Option<Delimiter>,
    /// Whether a comment shows an adjacency list of networkx.
    pub has_adjlist_comment: bool,
    /// The number of vertices that a comment declares, as in SNAP's `# Nodes: N Edges: M`.
    pub vertices: Option<u64>,
    /// The number of edges that a comment declares.
    pub edges: Option<u64>,
    /// The number of comments that may be edges, because they [look like rows](looks_like_row).
    pub comments_like_rows: u64,
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
            preamble.add(line.trim_ascii())?;
        }
        Ok(preamble)
    }

    fn add(&mut self, line: &[u8]) -> Result<(), Problem> {
        if line.starts_with(b"% bip") {
            refuse!(
                "the comment says that this is a bipartite graph of KONECT, whose two kinds of \
                 vertices have the same numbers (tell them apart: awk '!/^%/ {{print \"a\" $1, \
                 \"b\" $2}}' OLD > NEW)"
            );
        }
        self.comments_like_rows += u64::from(looks_like_row(line, 2) || looks_like_row(line, 3));
        self.comments.push(line.to_vec());
        self.has_adjlist_comment |= line.starts_with(b"# GMT ");
        let text = String::from_utf8_lossy(line).to_ascii_lowercase();
        let number_after = |word: &str| {
            let (_, rest) = text.split_once(word)?;
            let mut parts = rest.trim_start().split(|c: char| !c.is_ascii_digit());
            parts.next()?.parse().ok()
        };
        // This program writes a comment that ends in `M edges`.
        let own = || {
            let mut words = text.strip_suffix(" edges")?.rsplit(' ');
            words.next()?.parse().ok()
        };
        self.vertices = self.vertices.or_else(|| number_after("nodes:"));
        self.edges = self.edges.or_else(|| number_after("edges:")).or_else(own);
        Ok(())
    }

    /// Refuses `text`, which follows these comments, if it seems to be LGL, where a line `# name`
    /// starts a block, or TGF, where a line `#` separates the vertices from the edges. LGL is not
    /// refused if the user `requested` an edge list.
    ///
    /// # Errors
    /// [`Problem`] if it seems to be one of these.
    pub fn refuse_blocks(&self, text: &[u8], requested: Format) -> Result<(), Problem> {
        /// The number of lines that are searched.
        const LINES: usize = 64;
        let lines = text.split(|&byte| byte == b'\n').take(LINES);
        let lines: Vec<&[u8]> = lines.map(<[u8]>::trim_ascii).collect();
        let starts_block = |line: &[u8]| {
            let mut words = line.split(u8::is_ascii_whitespace);
            words.next() == Some(b"#") && words.next().is_some() && words.next().is_none()
        };
        let is_row = |line: &[u8]| !line.is_empty() && !line.starts_with(b"#");
        let is_after_row = |pair: &[&[u8]]| is_row(pair[0]) && starts_block(pair[1]);
        let last = self.comments.last();
        let is_in_block = last.is_some_and(|comment| starts_block(comment));
        if requested != Format::Edgelist && is_in_block && lines.windows(2).any(is_after_row) {
            refuse!(
                "lines such as '# name' stand between the rows, as in LGL files (give --format \
                 lgl if this is one, otherwise --format edgelist)"
            );
        }
        let mut parts = lines.splitn(2, |&line| line == b"#");
        let first = |line: &&[u8]| Tokens::new(line).token().map(<[u8]>::to_vec);
        let [vertices, edges] = [parts.next(), parts.next()].map(Option::unwrap_or_default);
        let tail = edges.iter().find_map(first);
        if tail.is_some() && vertices.iter().map(first).any(|vertex| vertex == tail) {
            refuse!(
                "a line '#' stands between vertices and edges, as in TGF files (keep only the ends \
                 of edges: awk 'p {{print $1, $2}} /^#/ {{p = 1}}' g.tgf > g.txt)"
            );
        }
        Ok(())
    }
}

/// Returns the delimiter that a line `sep=;` for Excel states.
pub(in crate::formats) fn stated_delimiter(line: &[u8]) -> Option<Delimiter> {
    match line {
        [b's', b'e', b'p', b'=', byte] => Some(Delimiter::Byte(*byte)),
        _ => None,
    }
}
