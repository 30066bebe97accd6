//! Arcs with their lengths beside them.

use crate::cpu::prefetch::prefetch_slice;
use crate::graph::{Csr, Vertex};

/// So many cache lines of a row are asked for; the processor notices by itself that longer ones are
/// read.
const MOST_LINES: usize = 8;

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

    /// All of them.
    #[inline(always)]
    pub(super) fn all(&self) -> &[Arc<L>] {
        &self.arcs
    }

    /// The arcs out of `v`.
    #[inline(always)]
    pub(in crate::cpu) fn of(&self, v: Vertex) -> &[Arc<L>] {
        self.numbered(v).0
    }

    /// The same, and the number of the first of them.
    #[inline(always)]
    pub(in crate::cpu) fn numbered(&self, v: Vertex) -> (&[Arc<L>], u32) {
        let (start, end) = (self.offsets[v as usize], self.offsets[v as usize + 1]);
        (&self.arcs[start as usize..end as usize], start)
    }

    /// Asks for the first arcs out of `v`, ahead of their use.
    #[inline(always)]
    pub(super) fn prefetch(&self, v: Vertex) {
        prefetch_slice(self.of(v), MOST_LINES);
    }
}
