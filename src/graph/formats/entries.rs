//! Rows of two vertices and perhaps a value, in formats that declare their sizes.

use memchr::memchr;

use super::fast::number_row;
use super::parsed::declared_ends;
use super::text::Delimiter;
use crate::graph::Vertex;
use crate::graph::blocks::{Failure, Parsed};
use crate::graph::builder::Piece;
use crate::graph::error::Problem;
use crate::graph::tokens::{Tokens, shown};
use crate::graph::weights::Weight;

/// What rows look like.
pub(super) struct Entries {
    /// Vertices are 1 to this.
    pub vertices: u64,
    /// Whether there is a value behind the vertices.
    pub valued: bool,
    /// Whether values are taken as weights.
    pub weighted: bool,
    /// Whether a line is none.
    pub is_skipped: fn(&[u8]) -> bool,
    /// What is wrong with a row that has no two vertices, or something behind.
    pub malformed: fn() -> Problem,
    /// What is wrong with one that lacks its value.
    pub no_value: fn() -> Problem,
}

/// An edge and its value.
type Entry<'a> = ([Vertex; 2], Option<&'a [u8]>);

/// The same, and where the next row starts.
type Row<'a> = ([Vertex; 2], Option<&'a [u8]>, usize);

impl Entries {
    /// Reads the rows of a block. Values that are not asked for have to be numbers.
    ///
    /// # Errors
    /// [`Failure`] at the first line that is no row.
    pub(super) fn parse(&self, text: &[u8]) -> Parsed<Piece> {
        let mut piece = Piece {
            edges: Vec::with_capacity(text.len() / 12),
            ..Piece::default()
        };
        let (mut position, mut line) = (0, 0);
        while position < text.len() {
            line += 1;
            let (edge, value) = if let Some((edge, value, next)) = self.fast_row(text, position) {
                position = next;
                (edge, value)
            } else {
                let rest = &text[position..];
                let length = memchr(b'\n', rest).unwrap_or(rest.len());
                position += length + 1;
                match self.row(&rest[..length]) {
                    Ok(Some(row)) => row,
                    Ok(None) => continue,
                    Err(problem) => return Err(Failure { line, problem }),
                }
            };
            if let Some(value) = value {
                let failure = |problem| Failure { line, problem };
                if self.weighted {
                    piece.weights.push(Weight::parse(value).map_err(failure)?);
                } else {
                    piece.zeros += u64::from(is_zero(value).map_err(failure)?);
                }
            }
            piece.edges.push(edge);
        }
        // Now they are in the cache.
        piece.drop_loops();
        piece.edges.shrink_to_fit();
        Ok((piece, line))
    }

    #[inline]
    fn fast_row<'a>(&self, text: &'a [u8], position: usize) -> Option<Row<'a>> {
        let columns = 2 + usize::from(self.valued);
        let (ends, value, next) = number_row(text, position, Delimiter::Blanks, columns, Some(2))?;
        let [tail, head] = ends.map(|vertex| vertex.wrapping_sub(1));
        let inside = tail < self.vertices && head < self.vertices;
        inside.then_some(([tail as Vertex, head as Vertex], value, next))
    }

    /// Any row; `Ok(None)` if the line is none.
    fn row<'a>(&self, line: &'a [u8]) -> Result<Option<Entry<'a>>, Problem> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if (self.is_skipped)(line) {
            return Ok(None);
        }
        let mut tokens = Tokens::new(line);
        let malformed = |_: &str| (self.malformed)().in_row(line);
        let ends = declared_ends(&mut tokens, self.vertices, malformed)?;
        let value = match tokens.token() {
            Some(value) if self.valued => Some(value),
            None if self.valued => return Err((self.no_value)().in_row(line)),
            None => None,
            Some(_) => return Err(malformed("")),
        };
        if !tokens.at_end() {
            return Err(malformed(""));
        }
        Ok(Some((ends, value)))
    }
}

/// Whether a value is zero.
///
/// # Errors
/// [`Problem`] if it is no number.
#[inline]
fn is_zero(value: &[u8]) -> Result<bool, Problem> {
    // As nearly all are.
    if let [b'1'..=b'9'] = value {
        return Ok(false);
    }
    let text = std::str::from_utf8(value).unwrap_or_default();
    match text.parse() {
        Ok(number) if f64::is_finite(number) => Ok(number == 0.0),
        _ => Err(malformed!("the value {} is not a number", shown(value))),
    }
}
