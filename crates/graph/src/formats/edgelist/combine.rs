//! Combines the blocks of an edge list, and decides whether its first row has the sizes of the
//! graph.

use std::mem;

use rayon::prelude::*;

use super::layout::{Layout, Sizes, ragged};
use super::rows::Rows;
use crate::builder::Piece;
use crate::error::Problem;
use crate::formats::parsed::Parsed;
use crate::numbering::{self, Coded};
use crate::{EdgeList, Labels, ReadOptions};

/// Texts that programs write for missing values.
const NO_VALUES: [&[u8]; 8] = [
    b"NA", b"NULL", b"null", b"None", b"NaN", b"nan", b"N/A", b"\\N",
];

/// Returns the edges of all blocks in `read`, with numbered vertices. `declared` is the number of
/// vertices that the file declares; `comments` is the number of comments before the rows that may
/// be edges of names that start with `#`.
pub(super) fn combine(
    mut read: Vec<Rows>,
    layout: Layout,
    declared: Option<u64>,
    comments: u64,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    let mut notes = layout.notes;
    let sum = |count: fn(&Rows) -> u64| read.iter().map(count).sum::<u64>();
    let half_edges = "lack an end (--columns names other columns)";
    let headers = "repeat the header (--header no reads all as edges)";
    for (count, text) in [
        (sum(|rows| rows.half_edges), half_edges),
        (sum(|rows| rows.headers), headers),
    ] {
        if count > 0 {
            notes.push(format!("{count} rows were skipped that {text}"));
        }
    }
    let later_comments = sum(|rows| rows.comments);
    let coded = read.iter_mut().map(|rows| mem::take(&mut rows.coded));
    let mut coded: Vec<Coded> = coded.collect();
    let mut labels = numbering::number(&mut coded)?;
    note_names(&labels, (comments, later_comments), &mut notes);
    let found = labels.len();
    if let Some(count) = options.edge_list.vertices {
        labels = numbering::with_declared(labels, count)?;
    }
    if let Some(declared) = declared.filter(|&declared| declared > labels.len() as u64) {
        let hint = match labels {
            Labels::Names { .. } => String::new(),
            _ => format!("; --vertices {declared} adds the others"),
        };
        notes.push(format!(
            "the file declares {declared} vertices, of which {found} have edges{hint}"
        ));
    }
    let has_unused_weights = layout.has_unused_weights || read.iter().any(|r| r.unused_weights);
    let pieces = coded.into_par_iter().zip(read).map(|(coded, rows)| {
        let mut piece = Piece {
            edges: coded.codes,
            ..rows.piece
        };
        if rows.has_loops {
            piece.drop_loops();
            // Rows that have a vertex only are loops here.
            piece.loops -= rows.vertices;
        }
        piece
    });
    let mut edges = EdgeList::of_pieces(pieces.collect(), options.weights.as_ref(), false);
    if options.weights.is_none() && has_unused_weights {
        edges.set_weights_dropped();
    }
    Ok(Parsed {
        notes,
        ..Parsed::new(edges, labels)
    })
}

/// Notes names that may be missing values, and comments that may be edges. `comments` has the
/// numbers of those before the first row and after it.
fn note_names(labels: &Labels, comments: (u64, u64), notes: &mut Vec<String>) {
    let Labels::Names { bytes, offsets } = labels else {
        return;
    };
    let mut names = offsets.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
    let starts_so = || names.clone().any(|name| name.starts_with(b"#"));
    if comments.1 > 0 || comments.0 > 0 && starts_so() {
        notes.push(format!(
            "{} lines that start with # were skipped as comments (put names that start so in \
             double quotes)",
            comments.0 + comments.1
        ));
    }
    if let Some(name) = names.find(|name| NO_VALUES.contains(name)) {
        let name = String::from_utf8_lossy(name);
        notes.push(format!(
            "a vertex is called {name}, which may be a missing value"
        ));
    }
}

/// Returns whether a first row of numbers has the sizes of the graph, by the `later` rows and the
/// number of edges that a comment has `declared`.
///
/// # Errors
/// [`Problem`] if the row has neither the sizes nor an edge.
pub(super) fn are_sizes(
    sizes: Sizes,
    layout: &mut Layout,
    later: &[Rows],
    declared: Option<u64>,
) -> Result<bool, Problem> {
    let (vertices, edges, may_be_edge) = (sizes.vertices, sizes.edges, sizes.may_be_edge);
    let rows: u64 = later.iter().map(|rows| rows.coded.codes.len() as u64).sum();
    let ranges = later.iter().filter_map(|rows| rows.coded.range);
    let range = ranges.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
    let below = |(low, high)| high < vertices || (low > 0 && high == vertices);
    let fits = range.is_some_and(below);
    let (expected, number) = (edges.unwrap_or(0), edges.unwrap_or(vertices));
    // The row may have the sizes in the other order.
    let m_n = rows > 2 && vertices == rows && range.is_some_and(|(_, high)| high <= number);
    let is_met = || later.par_iter().any(|rows| rows.coded.has_number(number));
    if !may_be_edge && !fits {
        let (text, columns) = (vertices.to_string(), 1 + usize::from(edges.is_some()));
        return Err(ragged(text.as_bytes(), columns, layout.columns));
    }
    let are_sizes = !may_be_edge || fits && expected == rows && declared != Some(rows + 1);
    if are_sizes {
        layout.notes.push(format!(
            "the first row declares {vertices} vertices (--header no reads it as an edge)"
        ));
    } else if declared != Some(rows + 1) && (m_n || fits && !is_met()) {
        layout.notes.push(format!(
            "the first row is the edge {vertices} {number} (--header yes skips it)"
        ));
    }
    Ok(are_sizes)
}
