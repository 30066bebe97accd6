//! Combines the blocks of an edge list, and decides whether its first row has the sizes of the
//! graph.

use std::mem;

use rayon::prelude::*;

use super::layout::{Layout, ragged};
use super::rows::Rows;
use crate::error::Problem;
use crate::formats::parsed::Parsed;
use crate::formats::text::looks_like_row;
use crate::formats::text::preamble::Preamble;
use crate::numbering::{self, Coded};
use crate::{EdgeList, Labels, ReadOptions, Vertex};

/// Texts that programs write for missing values.
const NO_VALUES: [&[u8]; 8] = [
    b"NA", b"NULL", b"null", b"None", b"NaN", b"nan", b"N/A", b"\\N",
];

/// Returns the edges of all blocks, with numbered vertices.
pub(super) fn combine(
    mut blocks: Vec<Rows>,
    layout: Layout,
    preamble: &Preamble,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    let coded = blocks.iter_mut().map(|rows| mem::take(&mut rows.coded));
    let mut coded: Vec<Coded> = coded.collect();
    let range = numbering::range(coded.iter());
    let mut labels = numbering::number(&mut coded)?;
    let mut warnings = layout.warnings;
    warnings.extend(skipped_rows(&blocks, &labels, preamble));
    let (found, mut notes) = (labels.len(), layout.notes);
    if let Some(count) = options.edge_list.vertices {
        labels = numbering::with_declared(labels, count)?;
    }
    if layout.header.is_some() && labels.is_empty() {
        return Err(unfit!(
            "there are no edges below the header (check the file; --header no reads the header as \
             an edge)"
        ));
    }
    let declared = preamble.declared("nodes");
    let declared = declared.or(layout.sizes.map(|sizes| sizes[0]));
    if let Some(declared) = declared.filter(|&declared| declared > labels.len() as u64) {
        let mut text = format!("the file declares {declared} vertices, of which {found} occur");
        let fits = |(low, high)| high - u64::from(low > 0) < declared;
        if !matches!(labels, Labels::Names { .. }) && range.is_none_or(fits) {
            text += &format!("; --vertices {declared} adds the others");
        }
        notes.push(text);
    }
    let pieces = coded.into_par_iter().zip(blocks).map(|(coded, rows)| {
        let mut piece = rows.piece;
        piece.edges = coded.codes;
        if rows.has_loops {
            piece.drop_loops();
            // Each row of a single vertex was stored as a loop.
            piece.loops -= rows.single_vertices;
        }
        piece
    });
    let (pieces, weights) = (pieces.collect(), options.weights.as_ref());
    let edges = EdgeList::of_pieces(pieces, weights, layout.has_unused_weights);
    let mut parsed = Parsed::new(edges, labels);
    (parsed.notes, parsed.warnings) = (notes, warnings);
    Ok(parsed)
}

/// Returns warnings about rows that were skipped, and names that may be missing values.
fn skipped_rows(blocks: &[Rows], labels: &Labels, preamble: &Preamble) -> Vec<String> {
    let sum = |count: fn(&Rows) -> usize| blocks.iter().map(count).sum::<usize>();
    let named = usize::from(matches!(labels, Labels::Names { .. })) * labels.len();
    let mut names = (0..named as Vertex).map(|v| labels.name(v));
    let has_mark = names.clone().any(|name| name.starts_with(b"#"));
    let comments = preamble.comments.iter();
    let comments = comments.filter(|line| looks_like_row(line)).count();
    let comments = comments + sum(|rows| rows.comments_like_rows);
    let comments = if has_mark { comments } else { 0 };
    let skipped =
        |count, why: &str| (count > 0).then(|| format!("rows that {why} were skipped: {count}"));
    let missing = names.find(|name| NO_VALUES.contains(name)).map(|name| {
        let name = String::from_utf8_lossy(name);
        format!("a vertex is called {name}, which may be a missing value (leave its rows out)")
    });
    let all = [
        skipped(sum(|rows| rows.incomplete_rows), "lack an end"),
        skipped(sum(|rows| rows.repeated_headers), "repeat the header"),
        skipped(comments, "start with # (quote names that do)"),
        missing,
    ];
    all.into_iter().flatten().collect()
}

/// Returns whether a first row of numbers has the sizes of the graph: it does if these fit the
/// `later` rows, and contradict neither `--vertices` nor the number of edges that a comment
/// declares.
///
/// # Errors
/// [`Problem`] if the row has neither the sizes nor an edge.
pub(super) fn are_sizes(
    sizes: &[u64],
    layout: &mut Layout,
    later: &[Rows],
    preamble: &Preamble,
    options: &ReadOptions,
) -> Result<bool, Problem> {
    let rows: u64 = later.iter().map(|rows| rows.coded.codes.len() as u64).sum();
    let (n, edges) = (sizes[0], sizes[1..].last().copied());
    let range = numbering::range(later.iter().map(|rows| &rows.coded));
    let fits = |count| range.is_some_and(|(low, high)| high < count || low > 0 && high == count);
    let recurs = |number| later.iter().any(|rows| rows.coded.has_number(number));
    let is_edge = preamble.declared("edges") == Some(rows + 1);
    let are_possible = !is_edge && options.edge_list.vertices.unwrap_or(n) == n;
    let are_sizes = are_possible && fits(n) && edges.unwrap_or(rows) == rows;
    let m = edges.unwrap_or(n);
    if are_sizes {
        let text = format!("the first row declares {n} vertices (--header no reads it as an edge)");
        layout.warnings.push(text);
    } else if sizes.len() != layout.columns {
        let first = n.to_string();
        return Err(ragged(first.as_bytes(), sizes.len(), layout.columns));
    } else if !is_edge && (fits(n) && !recurs(m) || fits(m) && !recurs(n)) {
        let text = format!("the first row is the edge {n} {m} (--header yes skips it)");
        layout.warnings.push(text);
    }
    Ok(are_sizes)
}
