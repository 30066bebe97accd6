//! Puts the blocks of an edge list together.

use std::mem;

use rayon::prelude::*;

use super::layout::Layout;
use super::options::EdgeListOptions;
use super::rows::{Rows, Skipped};
use crate::graph::builder::Piece;
use crate::graph::error::Problem;
use crate::graph::formats::parsed::{Parsed, list_for};
use crate::graph::numbering::{self, Coded};
use crate::graph::{EdgeList, Labels, WeightOptions};

/// What programs write where a value is missing.
const NO_VALUES: [&[u8]; 8] = [
    b"NA", b"NULL", b"null", b"None", b"NaN", b"nan", b"N/A", b"\\N",
];

/// Numbers the vertices of all rows. The file has `declared` so many of them, and `comments` in
/// front of the rows that may be edges of names that start with `#`.
pub(super) fn put_together(
    mut read: Vec<Rows>,
    layout: Layout,
    weights: Option<&WeightOptions>,
    declared: Option<u64>,
    comments: u64,
    options: &EdgeListOptions,
) -> Result<Parsed, Problem> {
    let mut notes = layout.notes;
    let skipped = |what: Skipped| -> u64 {
        let what = what as usize;
        read.iter().map(|rows| rows.skipped[what]).sum()
    };
    let half_edges = "lack an end (--columns names other columns)";
    let headers = "repeat the header (--header no reads all as edges)";
    for (what, text) in [(Skipped::HalfEdge, half_edges), (Skipped::Header, headers)] {
        let count = skipped(what);
        if count > 0 {
            notes.push(format!("{count} rows were skipped that {text}"));
        }
    }
    let later_comments = skipped(Skipped::Comment);
    let mut coded: Vec<Coded> = read
        .iter_mut()
        .map(|rows| mem::take(&mut rows.coded))
        .collect();
    let mut labels = numbering::number(&mut coded)?;
    note_names(&labels, (comments, later_comments), &mut notes);
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
    let has_unused_weights = layout.has_unused_weights || read.iter().any(|r| r.unused_weights);
    let parts = coded.into_iter().zip(read).collect();
    let mut edges = match layout.kinds {
        None => alike(parts, weights),
        Some(_) => of_kinds(parts, weights),
    };
    if weights.is_none() && has_unused_weights {
        edges.set_weights_dropped();
    }
    let parsed = Parsed::new(edges, labels);
    Ok(Parsed { notes, ..parsed })
}

/// Notes that names may be missing values, and that comments, in front and later, may be edges.
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
            "a vertex is called {name}: is that a missing value?"
        ));
    }
}

/// Returns the edges of all parts, on all cores.
fn alike(parts: Vec<(Coded, Rows)>, weights: Option<&WeightOptions>) -> EdgeList {
    let pieces = parts.into_par_iter().map(|(coded, rows)| {
        let mut piece = Piece::new(coded.codes, rows.weights);
        if rows.has_loops {
            piece.drop_loops();
        }
        piece
    });
    EdgeList::of_pieces(pieces.collect(), weights, false)
}

/// Returns the edges of all parts, each directed or undirected as its row says.
fn of_kinds(parts: Vec<(Coded, Rows)>, weights: Option<&WeightOptions>) -> EdgeList {
    let mut edges = list_for(0, weights);
    for (coded, rows) in parts {
        let mut weights = rows.weights.into_iter();
        for (ends, undirected) in coded.codes.into_iter().zip(rows.undirected) {
            edges.push_mixed(ends, weights.next(), undirected);
        }
    }
    edges
}
