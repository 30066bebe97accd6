//! Matrix Market coordinate files: a square matrix whose entries are the edges, numbered from 1.
//!
//! The entry in row i, column j is the arc from i to j. Values are dropped unless asked for. A
//! symmetric or skew-symmetric file stores one triangle, so its entries are arcs in both directions
//! even when a directed graph is asked for.

use super::entries::Entries;
use super::parsed::{Parsed, check_vertices};
use crate::graph::blocks::{self, Cut};
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::tokens::{Scan, Tokens, shown};
use crate::graph::{EdgeList, WeightOptions};

/// What the first line says.
struct Header {
    weighted: bool,
    symmetric: bool,
}

/// Reads all entries and checks that there are as many as declared.
pub(in crate::graph) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    let header = read_header(lines, weights.is_some())?;
    if weights.is_some() && !header.weighted {
        return Err(Problem::no_weights());
    }
    let (vertices, declared) = read_size(lines)?;
    let entries = Entries {
        vertices,
        valued: header.weighted,
        weighted: weights.is_some(),
        is_skipped,
        malformed: || {
            malformed!("expected a row and a column number (write an entry as: row column [value])")
        },
        no_value: || malformed!("the entry has no value (write an entry as: row column value)"),
    };
    let pieces = blocks::parse(lines, &Cut::LINES, |text, _| entries.parse(text))?;
    let mut edges = EdgeList::of_pieces(pieces, weights, header.weighted);
    match header.symmetric {
        true => edges.set_both_ways(),
        false => edges.set_arcs(),
    }
    if edges.entries() != declared {
        return Err(Problem::count("entries", declared, edges.entries()));
    }
    Ok(Parsed::numbered(edges, vertices))
}

/// Reads the banner: `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, in any case. Some files
/// in the wild have one percent sign.
fn read_header(lines: &mut LineReader<'_>, weights: bool) -> Result<Header, Problem> {
    let no_header = || {
        malformed!(
            "the first line is not a %%MatrixMarket header (add one, or choose another --format)"
        )
    };
    let banner = lines
        .line_but(|line| Tokens::new(line).at_end())?
        .to_ascii_lowercase();
    let mut words = Tokens::new(&banner);
    let marker = words.token().unwrap_or_default();
    if marker != b"%%matrixmarket" && marker != b"%matrixmarket" {
        return Err(no_header());
    }
    let kind = |what, word: &[u8], supported| {
        malformed!(
            "Matrix Market {what} {} is not supported (use {supported})",
            shown(word)
        )
    };
    for (what, supported) in [("object", "matrix"), ("layout", "coordinate")] {
        let word = words.token().unwrap_or_default();
        if word != supported.as_bytes() {
            return Err(kind(what, word, supported));
        }
    }
    let weighted = match words.token().unwrap_or_default() {
        b"pattern" => false,
        b"integer" | b"real" | b"double" => true,
        field => return Err(kind("field", field, "pattern, integer or real")),
    };
    let symmetric = match words.token().unwrap_or_default() {
        b"general" => false,
        b"symmetric" => true,
        // The other triangle has the negative values.
        b"skew-symmetric" if !weights => true,
        b"skew-symmetric" => refuse!(
            "half of the weights of a skew-symmetric matrix are negative, and none can be a \
                 length (leave --weighted out)"
        ),
        symmetry => return Err(kind("symmetry", symmetry, "general or symmetric")),
    };
    Ok(Header {
        weighted,
        symmetric,
    })
}

/// Whether a line is a comment or blank.
fn is_skipped(line: &[u8]) -> bool {
    line.first() == Some(&b'%') || Tokens::new(line).at_end()
}

/// Reads the size line: rows, columns, entries. Returns the vertices and the entries.
fn read_size(lines: &mut LineReader<'_>) -> Result<(u64, u64), Problem> {
    let malformed =
        || malformed!("the size line is missing or malformed (write: rows columns entries)");
    let line = lines.line_but(is_skipped)?;
    let mut tokens = Tokens::new(&line);
    let (Scan::Number(rows), Scan::Number(columns), Scan::Number(entries)) =
        (tokens.number(), tokens.number(), tokens.number())
    else {
        return Err(malformed().in_row(&line));
    };
    if rows != columns {
        return Err(Problem::not_square(rows, columns));
    }
    check_vertices(rows)?;
    Ok((rows, entries))
}
