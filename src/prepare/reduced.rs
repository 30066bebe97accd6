//! A graph between two reductions.

use crate::graph::{Csr, Lengths, Vertex};

/// Vertices that are worth a task.
pub const TOGETHER: usize = 1 << 12;

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
