//! Matrix Market files: a square matrix whose entries are the edges, numbered from 1.
//!
//! The entry in row i, column j is the arc from i to j. Values are dropped unless the user asks for
//! weights. A symmetric or skew-symmetric file stores one triangle, so its entries are arcs in both
//! directions even in a directed graph. In layout `coordinate`, stored zeros are edges, as
//! weights of length 0; in layout `array`, which has all values, they are no edges.

use std::iter;

use super::fast::number_row;
use super::matrix::MatrixRows;
use super::parsed::{Parsed, declared_ends, new_edge_list, note_of_zeros};
use super::text::Delimiter;
use crate::blocks::{self, LONGEST_ROW, line_at};
use crate::builder::{Piece, check_vertices};
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{Tokens, shown};
use crate::weights::Weight;
use crate::{EdgeList, ReadOptions, Vertex, WeightIs};

const NO_BANNER: &str = "there is no %%MatrixMarket header: the entries were read as edges between \
     vertices that are numbered from 1";

/// The statements of the banner.
struct Banner {
    /// Whether the layout is `array`: all values, column by column, without their positions.
    is_array: bool,
    has_values: bool,
    /// The number of diagonals that the triangle of a symmetric array lacks; `None` if the matrix
    /// is not symmetric.
    symmetry: Option<u64>,
}

/// The form of all entries.
struct EntryForm {
    /// The number of vertices, whose labels are 1 to this number.
    vertices: u64,
    /// Whether entries have a value after their vertices.
    has_values: bool,
    /// The meaning of values, if they are read as weights.
    meaning: Option<WeightIs>,
}

/// Reads all entries and checks that there are as many as declared.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    let weights = options.weights.as_ref();
    let banner = read_banner(lines, weights.is_some())?;
    let (vertices, declared) = read_size(lines, banner.as_ref())?;
    let mut notes = Vec::new();
    let (has_values, symmetric) = match banner {
        Some(banner) if banner.is_array => {
            return read_array(lines, vertices, banner.symmetry, options);
        }
        Some(banner) => (banner.has_values, banner.symmetry.is_some()),
        None => {
            notes.push(NO_BANNER.to_string());
            // All entries have values if the first one has.
            let entry = lines.line_unless(is_skipped)?;
            if !entry.is_empty() {
                lines.step_back();
            }
            let mut tokens = Tokens::new(&entry);
            (iter::from_fn(|| tokens.token()).count() > 2, false)
        }
    };
    if weights.is_some() && !has_values {
        return Err(Problem::no_weights());
    }
    let form = EntryForm {
        vertices,
        has_values,
        meaning: weights.map(|options| options.meaning),
    };
    let pieces = blocks::parse(lines, LONGEST_ROW, |_| 0, |text, _| form.parse(text))?;
    notes.extend(note_of_zeros(pieces.iter().map(|piece| piece.zeros).sum()));
    let mut edges = EdgeList::of_pieces(pieces, weights, has_values);
    (edges.both_ways, edges.has_arcs) = (symmetric, !symmetric);
    if edges.entries() != declared {
        return Err(Problem::count("entries", declared, edges.entries()));
    }
    let parsed = Parsed::numbered(edges, vertices);
    Ok(Parsed { notes, ..parsed })
}

/// Reads the numbers of an array: the columns of the matrix or, with a [`Banner::symmetry`], of its
/// lower triangle.
fn read_array(
    lines: &mut LineReader<'_>,
    vertices: u64,
    symmetry: Option<u64>,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    let mut edges = new_edge_list(0, options)?;
    let mut columns = MatrixRows::new(vertices, symmetry);
    while let Some(line) = lines.line()? {
        let mut tokens = Tokens::new(if is_skipped(line) { b"" } else { line });
        while let Some(number) = tokens.token() {
            if let Some([column, row]) = columns.read_number(number)? {
                let weight = edges.weight_of(Some(number))?;
                edges.push_mixed([row, column], weight, symmetry.is_some());
            }
        }
    }
    columns.finish()?;
    Ok(Parsed::numbered(edges, vertices))
}

/// Reads the banner: `%%MatrixMarket matrix LAYOUT FIELD SYMMETRY`, in any case. Some files have
/// one percent sign only. Returns `None` without a banner, because files of the Network Repository
/// may start with their sizes.
fn read_banner(lines: &mut LineReader<'_>, reads_weights: bool) -> Result<Option<Banner>, Problem> {
    let banner = lines.line_unless(|line| Tokens::new(line).at_end())?;
    let banner = String::from_utf8_lossy(&banner).to_ascii_lowercase();
    let mut words = banner.split_whitespace();
    let [marker, object, layout, field, symmetry] =
        [(); 5].map(|()| words.next().unwrap_or_default());
    if !matches!(marker, "%%matrixmarket" | "%matrixmarket") {
        lines.step_back();
        return Ok(None);
    }
    let unsupported = || {
        let words = [object, layout, field, symmetry].map(|word| shown(word.as_bytes()));
        malformed!(
            "a Matrix Market file of kind {} is not supported (use: matrix; layout coordinate or \
             array; field pattern, integer or real; symmetry general or symmetric)",
            words.join(" ")
        )
    };
    let has_values = match (object, layout, field) {
        ("matrix", "coordinate", "pattern") => false,
        ("matrix", "coordinate" | "array", "integer" | "real" | "double") => true,
        _ => return Err(unsupported()),
    };
    let symmetry = match symmetry {
        "general" => None,
        "symmetric" => Some(0),
        // The triangles differ only in the signs of values, which are not read.
        "skew-symmetric" if !reads_weights => Some(1),
        "skew-symmetric" => refuse!(
            "half of the weights of a skew-symmetric matrix are negative, and none can be a length \
             (leave --weighted out)"
        ),
        _ => return Err(unsupported()),
    };
    Ok(Some(Banner {
        is_array: layout == "array",
        has_values,
        symmetry,
    }))
}

/// Returns whether a line is a comment or blank.
fn is_skipped(line: &[u8]) -> bool {
    line.first() == Some(&b'%') || Tokens::new(line).at_end()
}

/// Reads the size line: rows, columns and, except in an array, entries. Returns the vertices and
/// the entries.
fn read_size(lines: &mut LineReader<'_>, banner: Option<&Banner>) -> Result<(u64, u64), Problem> {
    let is_array = banner.is_some_and(|banner| banner.is_array);
    let form = ["rows columns entries", "rows columns"][usize::from(is_array)];
    let line = lines.line_unless(is_skipped)?;
    let mut tokens = Tokens::new(&line);
    let (rows, columns, entries) = match [(); 3].map(|()| tokens.number()) {
        [Some(Ok(rows)), Some(Ok(columns)), Some(Ok(entries))]
            if !is_array && (banner.is_some() || rows == columns) =>
        {
            (rows, columns, entries)
        }
        [Some(Ok(rows)), Some(Ok(columns)), None] if is_array => (rows, columns, 0),
        _ => {
            let problem = malformed!(
                "the line of sizes is missing or malformed (write: {form}, below a %%MatrixMarket \
                 header, or read an edge list with --format edgelist)"
            );
            return Err(problem.in_row(&line));
        }
    };
    if rows != columns {
        return Err(Problem::not_square(rows, columns));
    }
    check_vertices(rows)?;
    Ok((rows, entries))
}

/// An edge and its value.
type Entry<'a> = ([Vertex; 2], Option<&'a [u8]>);

impl EntryForm {
    /// Reads the rows of a block. Values must be numbers even if they are not read as weights.
    ///
    /// # Errors
    /// The [`Problem`] of the first line that is not a row.
    fn parse(&self, text: &[u8]) -> blocks::ParsedBlock<Piece> {
        let mut piece = Piece::default();
        piece.edges.reserve(text.len() / 12);
        let lines = blocks::read_lines(text, |position| {
            let (row, next) = match self.fast_row(text, position) {
                Some((row, next)) => (Some(row), next),
                None => {
                    let (line, next) = line_at(text, position);
                    (self.row(line)?, next)
                }
            };
            let Some((edge, value)) = row else {
                return Ok(next);
            };
            match (value, self.meaning) {
                (Some(value), Some(meaning)) => {
                    piece.weights.push(Weight::parse(value, meaning)?);
                }
                (Some(value), None) => piece.zeros += u64::from(is_zero(value)?),
                (None, _) => {}
            }
            piece.edges.push(edge);
            Ok(next)
        })?;
        // Loops are dropped while the edges are in the cache.
        piece.drop_loops();
        piece.edges.shrink_to_fit();
        Ok((piece, lines))
    }

    #[inline]
    fn fast_row<'a>(&self, text: &'a [u8], position: usize) -> Option<(Entry<'a>, usize)> {
        let columns = 2 + usize::from(self.has_values);
        let (ends, value, next) = number_row(text, position, Delimiter::Blanks, columns, Some(2))?;
        let [tail, head] = ends.map(|vertex| vertex.wrapping_sub(1));
        let inside = tail < self.vertices && head < self.vertices;
        inside.then_some((([tail as Vertex, head as Vertex], value), next))
    }

    /// Reads any row; `Ok(None)` for a comment or a blank line.
    #[inline(never)]
    fn row<'a>(&self, line: &'a [u8]) -> Result<Option<Entry<'a>>, Problem> {
        if is_skipped(line) {
            return Ok(None);
        }
        let mut tokens = Tokens::new(line);
        let malformed = || {
            let form = "write an entry as: row column [value]";
            malformed!("expected a row and a column number ({form})").in_row(line)
        };
        let ends = declared_ends(&mut tokens, self.vertices, malformed)?;
        let value = self.has_values.then(|| tokens.token()).flatten();
        if self.has_values && value.is_none() {
            let form = "write an entry as: row column value";
            return Err(malformed!("the entry has no value ({form})").in_row(line));
        }
        match tokens.at_end() {
            true => Ok(Some((ends, value))),
            false => Err(malformed()),
        }
    }
}

/// Returns whether a value is zero.
///
/// # Errors
/// [`Problem`] if it is not a number.
#[inline]
fn is_zero(value: &[u8]) -> Result<bool, Problem> {
    // A shortcut for single digits.
    if let [b'1'..=b'9'] = value {
        return Ok(false);
    }
    let text = std::str::from_utf8(value).unwrap_or_default();
    match text.parse() {
        Ok(number) if f64::is_finite(number) => Ok(number == 0.0),
        _ => Err(malformed!("the value {} is not a number", shown(value))),
    }
}
