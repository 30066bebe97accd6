//! A graph between two reductions.

use crate::graph::{Csr, Lengths, Vertex};

/// Vertices that are worth a task.
pub const TOGETHER: usize = 1 << 12;

/// Whether a reduction makes enough less work for what it takes: so much is left, of so much.
pub fn worth(left: f64, before: f64) -> bool {
    left < 0.98 * before
}

/// A graph between two reductions.
pub struct Reduced {
    /// The graph.
    pub graph: Csr,
    /// Lengths of its arcs, if it is weighted.
    pub lengths: Option<Lengths>,
    /// Input vertex of each vertex.
    pub input_vertex: Vec<Vertex>,
    /// Per vertex: how many chosen sources it stands for.
    pub sources: Vec<u32>,
    /// Per vertex: how many input vertices it stands for.
    pub size: Vec<u32>,
}
