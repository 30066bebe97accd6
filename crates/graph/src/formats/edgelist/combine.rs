//! Combines the blocks of an edge list, and decides whether its first row has the sizes of the
//! graph.

use std::mem;

use rayon::prelude::*;

use super::layout::{Layout, ragged};
use super::rows::Rows;
use crate::error::Problem;
use crate::formats::parsed::Parsed;
use crate::formats::text::preamble::Preamble;
use crate::numbering::{self, Coded};
use crate::{EdgeList, Labels, ReadOptions, Vertex};

/// Texts that programs write for missing values.
const NO_VALUES: [&[u8]; 8] = [
    b"NA", b"NULL", b"null", b"None", b"NaN", b"nan", b"N/A", b"\\N",
];

/// Returns the edges of all blocks, with numbered vertices. The file declares `declared` vertices.
pub(super) fn combine(
    mut blocks: Vec<Rows>,
    layout: Layout,
    declared: Option<u64>,
    preamble: &Preamble,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    let coded = blocks.iter_mut().map(|rows| mem::take(&mut rows.coded));
    let mut coded: Vec<Coded> = coded.collect();
    let mut labels = numbering::number(&mut coded)?;
    let mut warnings = warnings(&blocks, &labels, preamble);
    warnings.splice(..0, layout.warnings);
    let (found, mut notes) = (labels.len(), layout.notes);
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
        let text = format!("the file declares {declared} vertices, of which {found} occur{hint}");
        notes.push(text);
    }
    let has_weights = layout.has_unused_weights || blocks.iter().any(|r| r.has_unused_weights);
    let pieces = coded.into_par_iter().zip(blocks).map(|(coded, rows)| {
        let edges = coded.codes;
        let mut piece = rows.piece;
        piece.edges = edges;
        if rows.has_loops {
            piece.drop_loops();
            // Each row of a single vertex was stored as a loop.
            piece.loops -= rows.single_vertices;
        }
        piece
    });
    let mut edges = EdgeList::of_pieces(pieces.collect(), options.weights.as_ref(), false);
    if options.weights.is_none() && has_weights {
        edges.set_weights_dropped();
    }
    let mut parsed = Parsed::new(edges, labels);
    (parsed.notes, parsed.warnings) = (notes, warnings);
    Ok(parsed)
}

/// Returns warnings about rows that were skipped, and names that may be missing values.
fn warnings(blocks: &[Rows], labels: &Labels, preamble: &Preamble) -> Vec<String> {
    let sum = |count: fn(&Rows) -> u64| blocks.iter().map(count).sum::<u64>();
    let named = usize::from(matches!(labels, Labels::Names { .. })) * labels.len();
    let mut names = (0..named as Vertex).map(|v| labels.name(v));
    let has_mark = names.clone().any(|name| name.starts_with(b"#"));
    let comments = preamble.comments_like_rows() + sum(|rows| rows.comments_like_rows);
    let skipped =
        |count, why: &str| (count > 0).then(|| format!("{count} rows that {why} were skipped"));
    let missing = names.find(|name| NO_VALUES.contains(name)).map(|name| {
        let name = String::from_utf8_lossy(name);
        format!("a vertex is called {name}, which may be a missing value (leave its rows out)")
    });
    let all = [
        skipped(sum(|rows| rows.incomplete_rows), "lack an end"),
        skipped(sum(|rows| rows.repeated_headers), "repeat the header"),
        skipped(
            comments * u64::from(has_mark),
            "start with # (quote names that do)",
        ),
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
    let ranges = later.iter().filter_map(|rows| rows.coded.range);
    let range = ranges.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
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
        return Err(ragged(
            n.to_string().as_bytes(),
            sizes.len(),
            layout.columns,
        ));
    } else if !is_edge && (fits(n) && !recurs(m) || fits(m) && !recurs(n)) {
        let text = format!("the first row is the edge {n} {m} (--header yes skips it)");
        layout.warnings.push(text);
    }
    Ok(are_sizes)
}
