//! Arcs with their lengths beside them.

use crate::graph::{Csr, Vertex};

/// An arc as a search meets it.
#[derive(Debug, Clone, Copy)]
pub(in crate::cpu) struct Arc<L> {
    pub(in crate::cpu) target: Vertex,
    pub(in crate::cpu) length: L,
}

/// All arcs of a graph, row after row: target and length on one cache line.
pub(in crate::cpu) struct Arcs<L> {
    offsets: Vec<u32>,
    arcs: Vec<Arc<L>>,
}

impl<L: Copy> Arcs<L> {
    /// `lengths` are beside the targets of `graph`.
    pub(in crate::cpu) fn new(graph: &Csr, lengths: &[L]) -> Self {
        let arcs = graph.targets().iter().zip(lengths);
        Arcs {
            offsets: graph.offsets().to_vec(),
            arcs: arcs
                .map(|(&target, &length)| Arc { target, length })
                .collect(),
        }
    }

    /// The arcs out of `v`.
    #[inline(always)]
    pub(in crate::cpu) fn of(&self, v: Vertex) -> &[Arc<L>] {
        let (start, end) = (self.offsets[v as usize], self.offsets[v as usize + 1]);
        &self.arcs[start as usize..end as usize]
    }
}
