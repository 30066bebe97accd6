//! Edge lists: an edge in a row, a row in a line; what SNAP, KONECT, pandas, Gephi and networkx
//! write.
//!
//! The rules are those of `docs/formats.md`. [`layout`] looks at the first rows and decides what
//! the columns are; [`rows`] reads blocks of rows on all cores; whether a first row has the sizes
//! of the graph is decided here, when all rows are known.

mod layout;
mod options;
mod problems;
mod rows;

pub use options::{Column, Columns, EdgeListOptions};

use rayon::prelude::*;

use self::layout::{First, Layout, Sizes};
use self::problems::ragged;
use self::rows::{Rows, Skipped};
use super::parsed::{Parsed, list_for};
use super::text::front::{Front, refuse_blocks};
use super::text::sample::Sample;
use crate::graph::blocks::{self, Cut};
use crate::graph::builder::Piece;
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::numbering::{self, Coded};
use crate::graph::{EdgeList, Labels, WeightOptions};

/// Reads all edges behind `front`. `labels` says that vertices are called as they are written, and
/// that there is no row of sizes.
pub(in crate::graph::formats) fn read(
    lines: &mut LineReader<'_>,
    front: &Front,
    labels: bool,
    weights: Option<&WeightOptions>,
    options: &EdgeListOptions,
) -> Result<Parsed, Problem> {
    let text = lines.buffered();
    let delimiter = options.delimiter.or(front.delimiter);
    let found = Sample::new(text, lines.exhausted(), delimiter).and_then(|sample| {
        if options.columns.is_none() {
            refuse_blocks(&front.comment, text)?;
        }
        layout::find(&sample, &front.comment, labels, weights, options)
    });
    if found.is_err() {
        // The message is about the first row.
        lines.line()?;
    }
    let mut layout = found?;
    let mut read = Vec::new();
    if layout.first != First::Edge {
        let line = lines.line()?.unwrap_or_default();
        if layout.first == First::Header {
            layout.header = line.to_vec();
        }
        if matches!(layout.first, First::Sizes(sizes) if sizes.edge) {
            let first = rows::parse(line, &layout);
            read.push(first.map_err(|failure| failure.problem)?.0);
        }
    }
    let (first_line, edges_before) = (lines.number(), read.len());
    let parse = |text: &[u8], _| rows::parse(text, &layout);
    read.extend(blocks::parse(lines, &Cut::LINES, parse)?);
    let mut declared = front.vertices;
    if let First::Sizes(sizes) = layout.first {
        let are_sizes = are_sizes(sizes, &mut layout, &read[edges_before..], front.edges);
        if are_sizes.inspect_err(|_| lines.set_number(first_line))? {
            read.drain(..edges_before);
            declared = declared.or(Some(sizes.vertices));
        }
    }
    parsed(
        read,
        layout,
        weights,
        declared,
        front.rows_as_comments,
        options,
    )
}

/// Returns whether a first row of numbers has the sizes of the graph, by the `later` rows and the
/// number of edges that a comment has `declared`.
///
/// # Errors
/// [`Problem`] if the row is neither that nor an edge.
fn are_sizes(
    sizes: Sizes,
    layout: &mut Layout,
    later: &[Rows],
    declared: Option<u64>,
) -> Result<bool, Problem> {
    let (
        Sizes {
            vertices, edges, ..
        },
        edge,
    ) = (sizes, sizes.edge);
    let rows: u64 = later.iter().map(|rows| rows.coded.codes.len() as u64).sum();
    let ranges = later.iter().filter_map(|rows| rows.coded.range());
    let range = ranges.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
    let below = |(low, high)| high < vertices || (low > 0 && high == vertices);
    let fits = range.is_some_and(below);
    let (expected, number) = (edges.unwrap_or(0), edges.unwrap_or(vertices));
    // The same in the other order.
    let m_n = rows > 2 && vertices == rows && range.is_some_and(|(_, high)| high <= number);
    let is_met = || later.par_iter().any(|rows| rows.coded.has_number(number));
    if !edge && !fits {
        let (text, columns) = (vertices.to_string(), 1 + usize::from(edges.is_some()));
        return Err(ragged(text.as_bytes(), columns, layout.columns));
    }
    let sizes = !edge || fits && expected == rows && declared != Some(rows + 1);
    if sizes {
        layout.notes.push(format!(
            "the first row declares {vertices} vertices (--header no reads it as an edge)"
        ));
    } else if declared != Some(rows + 1) && (m_n || fits && !is_met()) {
        layout.notes.push(format!(
            "the first row is the edge {vertices} {number} (--header yes skips it)"
        ));
    }
    Ok(sizes)
}

/// What programs write where a value is missing.
const NO_VALUES: [&[u8]; 8] = [
    b"NA", b"NULL", b"null", b"None", b"NaN", b"nan", b"N/A", b"\\N",
];

/// Numbers the vertices and puts all together.
fn parsed(
    read: Vec<Rows>,
    layout: Layout,
    weights: Option<&WeightOptions>,
    declared: Option<u64>,
    comments: u64,
    options: &EdgeListOptions,
) -> Result<Parsed, Problem> {
    let mut notes = layout.notes;
    let weighted = layout.has_unused_weights || read.iter().any(|rows| rows.unused_weights);
    let skipped = |what: Skipped| -> u64 {
        let what = what as usize;
        read.iter().map(|rows| rows.skipped[what]).sum()
    };
    let later_comments = skipped(Skipped::Comment);
    for (count, text) in [
        (
            skipped(Skipped::HalfEdge),
            "lack an end (--columns names other columns)",
        ),
        (
            skipped(Skipped::Header),
            "repeat the header (--header no reads all as edges)",
        ),
    ] {
        if count > 0 {
            notes.push(format!("{count} rows were skipped that {text}"));
        }
    }
    let parts = read.into_iter();
    let parts = parts.map(|rows| (rows.coded, (rows.weights, rows.has_loops, rows.undirected)));
    let (mut coded, lists): (Vec<Coded>, Vec<_>) = parts.unzip();
    let mut labels = numbering::number(&mut coded)?;
    if let Labels::Names { bytes, offsets } = &labels {
        let mut names = offsets.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
        let starts_so = || names.clone().any(|name| name.starts_with(b"#"));
        if later_comments > 0 || comments > 0 && starts_so() {
            notes.push(format!(
                "{} lines that start with # were skipped as comments (put names that start so in \
                 double quotes)",
                comments + later_comments
            ));
        }
        if let Some(name) = names.find(|name| NO_VALUES.contains(name)) {
            notes.push(format!(
                "a vertex is called {}: is that a missing value?",
                String::from_utf8_lossy(name)
            ));
        }
    }
    let found = labels.len();
    if let Some(count) = options.vertices {
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
    let edges = match layout.kinds {
        None => {
            let pieces = coded.into_par_iter().zip(lists);
            let pieces = pieces.map(|(coded, (weights, has_loops, _))| {
                let mut piece = Piece::new(coded.codes, weights);
                if has_loops {
                    piece.drop_loops();
                }
                piece
            });
            EdgeList::of_pieces(pieces.collect(), weights, weighted)
        }
        Some(_) => {
            let mut edges = list_for(0, weights);
            for (coded, (weights, _, undirected)) in coded.into_iter().zip(lists) {
                let mut weights = weights.into_iter();
                for (ends, undirected) in coded.codes.into_iter().zip(undirected) {
                    edges.push_mixed(ends, weights.next(), undirected);
                }
            }
            if weights.is_none() && weighted {
                edges.set_weights_dropped();
            }
            edges
        }
    };
    let parsed = Parsed::new(edges, labels);
    Ok(Parsed { notes, ..parsed })
}
