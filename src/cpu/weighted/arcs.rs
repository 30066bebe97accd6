//! Arcs with their lengths.

use crate::cpu::prefetch::prefetch_slice;
use crate::graph::{Csr, Vertex};

/// The most cache lines of a row that are prefetched; the hardware prefetches longer rows by
/// itself.
const MOST_LINES: usize = 8;

/// The head and the length of an arc.
#[derive(Debug, Clone, Copy)]
pub(in crate::cpu) struct Arc<L> {
    pub(in crate::cpu) target: Vertex,
    pub(in crate::cpu) length: L,
}

/// All arcs of a graph, row after row, with target and length on one cache line.
pub(in crate::cpu) struct Arcs<L> {
    offsets: Vec<u32>,
    arcs: Vec<Arc<L>>,
}

impl<L: Copy> Arcs<L> {
    /// Combines the targets of `graph` with `lengths`, one for each.
    pub(in crate::cpu) fn new(graph: &Csr, lengths: &[L]) -> Self {
        let arcs = graph.targets().iter().zip(lengths);
        Arcs {
            offsets: graph.offsets().to_vec(),
            arcs: arcs
                .map(|(&target, &length)| Arc { target, length })
                .collect(),
        }
    }

    /// Returns the arcs out of `v`.
    #[inline(always)]
    pub(in crate::cpu) fn row(&self, v: Vertex) -> &[Arc<L>] {
        self.numbered(v).0
    }

    /// Returns the arcs out of `v` and the number of the first one.
    #[inline(always)]
    pub(in crate::cpu) fn numbered(&self, v: Vertex) -> (&[Arc<L>], u32) {
        let (start, end) = (self.offsets[v as usize], self.offsets[v as usize + 1]);
        (&self.arcs[start as usize..end as usize], start)
    }

    /// Prefetches the first arcs out of `v`.
    #[inline(always)]
    pub(super) fn prefetch(&self, v: Vertex) {
        prefetch_slice(self.row(v), MOST_LINES);
    }
}
