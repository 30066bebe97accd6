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

/// Returns the edges of all blocks, with numbered vertices. `declared` is the number of vertices
/// that the file declares. `early_comments` counts the comments before the first row that may be
/// edges, because they look like rows.
pub(super) fn combine(
    mut blocks: Vec<Rows>,
    layout: Layout,
    declared: Option<u64>,
    early_comments: u64,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    let mut notes = layout.notes;
    let sum = |count: fn(&Rows) -> u64| blocks.iter().map(count).sum::<u64>();
    let (incomplete, repeated) = (sum(|r| r.incomplete_rows), sum(|r| r.repeated_headers));
    for (count, reason, remedy) in [
        (incomplete, "lack an end", "--columns names other columns"),
        (
            repeated,
            "repeat the header",
            "--header no reads all as edges",
        ),
    ] {
        if count > 0 {
            notes.push(format!(
                "{count} rows that {reason} were skipped ({remedy})"
            ));
        }
    }
    let later_comments = sum(|rows| rows.comments_like_rows);
    let coded = blocks.iter_mut().map(|rows| mem::take(&mut rows.coded));
    let mut coded: Vec<Coded> = coded.collect();
    let mut labels = numbering::number(&mut coded)?;
    note_names(&labels, (early_comments, later_comments), &mut notes);
    let found = labels.len();
    if let Some(count) = options.edge_list.vertices {
        labels = numbering::with_declared(labels, count)?;
    }
    if layout.has_header && labels.is_empty() {
        return Err(unfit!(
            "there are no edges below the header (check the file; --header no reads the header as \
             an edge)"
        ));
    }
    if let Some(declared) = declared.filter(|&declared| declared > labels.len() as u64) {
        let hint = match numbering::fit_declared(&labels, declared) {
            true => format!("; --vertices {declared} adds the others"),
            false => String::new(),
        };
        notes.push(format!(
            "the file declares {declared} vertices, of which {found} occur{hint}"
        ));
    }
    let has_unused_weights =
        layout.has_unused_weights || blocks.iter().any(|r| r.has_unused_weights);
    let pieces = coded.into_par_iter().zip(blocks).map(|(coded, rows)| {
        let mut piece = Piece {
            edges: coded.codes,
            ..rows.piece
        };
        if rows.has_loops {
            piece.drop_loops();
            // Each row of a single vertex was stored as a loop.
            piece.loops -= rows.single_vertices;
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

/// Notes names that may be missing values, and comments that may be edges, of which `early` come
/// before the first row and `later` after it.
fn note_names(labels: &Labels, (early, later): (u64, u64), notes: &mut Vec<String>) {
    let Labels::Names { bytes, offsets } = labels else {
        return;
    };
    let mut names = offsets.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
    let any_starts_with_mark = || names.clone().any(|name| name.starts_with(b"#"));
    if later > 0 || early > 0 && any_starts_with_mark() {
        notes.push(format!(
            "{} lines that start with # were skipped as comments (put names that start so in \
             double quotes)",
            early + later
        ));
    }
    if let Some(name) = names.find(|name| NO_VALUES.contains(name)) {
        let name = String::from_utf8_lossy(name);
        notes.push(format!(
            "a vertex is called {name}, which may be a missing value"
        ));
    }
}

/// Returns whether a first row of numbers has the sizes of the graph. The `later` rows decide, and
/// `declared`, the number of edges that a comment declares.
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
    let are_below = |(low, high)| high < vertices || (low > 0 && high == vertices);
    let vertices_fit = range.is_some_and(are_below);
    let (expected, last) = (edges.unwrap_or(0), edges.unwrap_or(vertices));
    // The row may state the number of edges before that of vertices.
    let may_be_reversed =
        rows > 2 && vertices == rows && range.is_some_and(|(_, high)| high <= last);
    let recurs = || later.par_iter().any(|rows| rows.coded.has_number(last));
    if !may_be_edge && !vertices_fit {
        let text = vertices.to_string();
        return Err(ragged(text.as_bytes(), sizes.columns, layout.columns));
    }
    let are_sizes = !may_be_edge || vertices_fit && expected == rows && declared != Some(rows + 1);
    if are_sizes {
        layout.notes.push(format!(
            "the first row declares {vertices} vertices (--header no reads it as an edge)"
        ));
    } else if declared != Some(rows + 1) && (may_be_reversed || vertices_fit && !recurs()) {
        layout.notes.push(format!(
            "the first row is the edge {vertices} {last} (--header yes skips it)"
        ));
    }
    Ok(are_sizes)
}
