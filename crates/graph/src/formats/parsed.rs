//! The result of a reader, and checks for formats that declare the sizes of the graph.

use crate::error::Problem;
use crate::tokens::{Tokens, shown};
use crate::weights::default_weight;
use crate::{EdgeList, Labels, ReadOptions, Vertex};

/// The edges and labels of a file.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub edges: EdgeList,
    pub labels: Labels,
    /// The reader's assumptions, a sentence each.
    pub notes: Vec<String>,
    /// Assumptions that may be wrong and change scores, a sentence each.
    pub warnings: Vec<String>,
    /// The weights of vertices, if the user asked for them.
    pub vertex_weights: Option<Vec<f64>>,
}

impl Parsed {
    /// Returns edges and labels without notes.
    pub fn new(edges: EdgeList, labels: Labels) -> Parsed {
        Parsed {
            edges,
            labels,
            notes: Vec::new(),
            warnings: Vec::new(),
            vertex_weights: None,
        }
    }

    /// Returns edges between vertices with the labels 1, 2, 3 and so on, without notes.
    pub fn numbered(edges: EdgeList, vertices: u64) -> Parsed {
        Parsed::new(edges, Labels::consecutive(1, vertices as usize))
    }
}

/// Returns a note that `count` stored zeros of a matrix were read as edges; `None` for 0.
pub(super) fn note_of_zeros(count: u64) -> Option<String> {
    match count {
        0 => None,
        1 => Some("one stored entry of the matrix is zero; it was read as an edge".into()),
        _ => Some(format!(
            "{count} stored entries of the matrix are zero; they were read as edges"
        )),
    }
}

/// Reads a vertex of a format that numbers vertices from 1 to a declared number `vertices`, and
/// returns its number from 0; `Ok(None)` at the end of the line.
pub(crate) fn declared_vertex(
    tokens: &mut Tokens<'_>,
    vertices: u64,
    not_a_number: impl Fn(&str) -> Problem,
) -> Result<Option<Vertex>, Problem> {
    match tokens.number() {
        // This fits: the reader of the header refused more vertices than 32 bits can count.
        Some(Ok(number)) if (1..=vertices).contains(&number) => Ok(Some((number - 1) as Vertex)),
        Some(Ok(number)) => Err(malformed!(
            "vertex {number} is outside 1..{vertices} (correct the number or the declared size)"
        )),
        Some(Err(token)) => Err(not_a_number(&shown(token))),
        None => Ok(None),
    }
}

/// Reads both ends of an edge with [`declared_vertex`]. `malformed` is the error of a missing end
/// or of one that is not a number.
pub(super) fn declared_ends(
    tokens: &mut Tokens<'_>,
    vertices: u64,
    malformed: impl Fn() -> Problem,
) -> Result<[Vertex; 2], Problem> {
    let mut end = || declared_vertex(tokens, vertices, |_| malformed())?.ok_or_else(&malformed);
    Ok([end()?, end()?])
}

/// Returns an empty edge list with room for the `declared` entries, up to a limit, since a header
/// can declare any number. Each entry has a weight if the user asks for weights.
///
/// # Errors
/// [`Problem`] if the default weight is not a positive number.
pub(crate) fn new_edge_list(declared: u64, options: &ReadOptions) -> Result<EdgeList, Problem> {
    const MAX_RESERVED: u64 = 1 << 24;
    let weights = options.weights.as_ref();
    Ok(EdgeList {
        meaning: weights.map(|weights| weights.meaning),
        default_weight: default_weight(weights)?,
        ..EdgeList::with_capacity(declared.min(MAX_RESERVED) as usize)
    })
}
