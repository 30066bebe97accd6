//! The edges of a graph in the order in which all formats write them.

use std::io;

use crate::graph::{Graph, Vertex};

/// Calls `f` for each edge and the position of its arc: both ends of an undirected one, smaller
/// first, or tail and head.
pub(super) fn for_each_edge(
    graph: &Graph,
    mut f: impl FnMut(Vertex, Vertex, usize) -> io::Result<()>,
) -> io::Result<()> {
    let csr = graph.csr();
    for tail in 0..graph.vertices() as Vertex {
        let start = csr.offsets()[tail as usize] as usize;
        for (i, &head) in csr.neighbours(tail).iter().enumerate() {
            if graph.directed() || tail < head {
                f(tail, head, start + i)?;
            }
        }
    }
    Ok(())
}
