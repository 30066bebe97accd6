//! A graph between two reductions.

use crate::graph::{Csr, Lengths, Vertex};

/// The fewest vertices of a parallel task.
pub const PER_TASK: usize = 1 << 12;

/// A graph between two reductions.
pub struct Reduced {
    /// The reduced graph.
    pub graph: Csr,
    /// The lengths of its arcs, if it is weighted.
    pub lengths: Option<Lengths>,
    /// The input vertex of each vertex.
    pub input_vertex: Vec<Vertex>,
    /// Per vertex, the number of chosen sources that it stands for.
    pub sources: Vec<u32>,
    /// Per vertex, the number of input vertices that it stands for.
    pub size: Vec<u32>,
}
