//! Chunks of arcs, of about equal size, for engines whose work-groups look at many arcs each.

use super::ComponentRanges;
use crate::graph::{Csr, Vertex};

/// The bit in [`Chunks::owners`] that marks the first arc of a vertex.
pub const FIRST_ARC: u32 = 1 << 31;
/// The entry in [`Chunks::piece`] of a chunk of whole vertices.
pub const NO_PIECE: u32 = u32::MAX;

/// The arcs of a graph in chunks of at most D arcs. A chunk has either the arcs of some whole
/// vertices, or those of a virtual vertex, which is one piece of a vertex with more than D arcs.
/// The vertices of a chunk are in one component.
///
/// Chunk c has the arcs `first[c]..first[c + 1]`. A vertex without arcs gets an arc to itself, so
/// that engines visit it. This arc never counts, since no vertex is its own successor.
#[derive(Debug, Default)]
pub struct Chunks {
    /// The first arc of each chunk, ascending, and the number of all arcs.
    pub first: Vec<u32>,
    /// Per chunk, its number among the pieces of split vertices, or [`NO_PIECE`].
    pub piece: Vec<u32>,
    /// Per chunk, its component.
    pub component: Vec<u32>,
    /// Per arc, its tail, with [`FIRST_ARC`] set on the first arc of each vertex.
    pub owners: Vec<u32>,
    /// Per arc, its head.
    pub targets: Vec<Vertex>,
    /// The vertices with more than D arcs, ascending.
    pub split_vertex: Vec<Vertex>,
    /// The pieces of split vertex i are `split_first[i]..split_first[i + 1]`.
    pub split_first: Vec<u32>,
}

impl Chunks {
    /// Divides the rows of `csr` into chunks; `None` if there are more than 2^31 vertices, whose
    /// numbers leave no room for [`FIRST_ARC`], or if vertices and arcs together exceed 32 bits.
    ///
    /// # Panics
    /// If `limit` (D) is zero.
    pub fn new(csr: &Csr, limit: u32, components: &ComponentRanges) -> Option<Self> {
        let n = csr.vertices();
        if n > FIRST_ARC as usize || csr.arcs() + n > u32::MAX as usize {
            return None;
        }
        let limit = limit as usize;
        let mut chunks = Chunks {
            owners: Vec::with_capacity(csr.arcs()),
            targets: Vec::with_capacity(csr.arcs()),
            split_first: vec![0],
            ..Chunks::default()
        };
        let mut pieces = 0;
        for component in 0..components.count() {
            // The arcs in the chunk of whole vertices that is being filled; zero if there is none.
            let mut open = 0;
            for v in components.vertices(component) {
                let v = v as Vertex;
                let own = [v];
                let row = match csr.neighbours(v) {
                    [] => &own[..],
                    row => row,
                };
                let start = chunks.targets.len();
                chunks.targets.extend_from_slice(row);
                chunks.owners.resize(start + row.len(), v);
                chunks.owners[start] |= FIRST_ARC;
                let is_split = row.len() > limit;
                if is_split || open == 0 || open + row.len() > limit {
                    for from in (start..start + row.len()).step_by(limit) {
                        chunks.first.push(from as u32);
                        chunks.piece.push(if is_split { pieces } else { NO_PIECE });
                        chunks.component.push(component as u32);
                        pieces += u32::from(is_split);
                    }
                    open = 0;
                }
                if is_split {
                    chunks.split_vertex.push(v);
                    chunks.split_first.push(pieces);
                } else {
                    open += row.len();
                }
            }
        }
        chunks.first.push(chunks.targets.len() as u32);
        Some(chunks)
    }

    /// Returns the number of pieces of split vertices.
    pub fn pieces(&self) -> usize {
        self.split_first.last().map_or(0, |&pieces| pieces as usize)
    }
}
