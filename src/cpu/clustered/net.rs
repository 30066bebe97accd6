//! The arcs of a graph, with or without lengths.

use super::arrays::FAR;
use crate::cpu::prefetch::prefetch_slice;
use crate::cpu::weighted::arcs::{Arc, Arcs};
use crate::cpu::weighted::buckets::{Buckets, Shape};
use crate::graph::{Csr, Lengths, Vertex};
use crate::prepare::Prepared;

/// The arcs of a graph in one direction.
pub(super) trait Net {
    /// Returns the arcs of `v`.
    fn arcs(&self, v: Vertex) -> impl ExactSizeIterator<Item = Arc<u32>>;
    /// Prefetches the first arcs of `v`.
    fn prefetch(&self, v: Vertex);
}

/// All arcs have length 1.
impl Net for Csr {
    #[inline(always)]
    fn arcs(&self, v: Vertex) -> impl ExactSizeIterator<Item = Arc<u32>> {
        let targets = self.neighbours(v).iter();
        targets.map(|&target| Arc { target, length: 1 })
    }

    #[inline(always)]
    fn prefetch(&self, v: Vertex) {
        prefetch_slice(self.neighbours(v), 1);
    }
}

impl Net for Arcs<u32> {
    #[inline(always)]
    fn arcs(&self, v: Vertex) -> impl ExactSizeIterator<Item = Arc<u32>> {
        // `copied` would not be inlined into functions that are compiled for AVX2 or AVX-512.
        let arcs = self.row(v).iter();
        arcs.map(|&Arc { target, length }| Arc { target, length })
    }

    #[inline(always)]
    fn prefetch(&self, v: Vertex) {
        prefetch_slice(self.row(v), 1);
    }
}

/// The arcs out of vertices and into them, which are the same in undirected graphs.
pub(super) enum Nets<'g> {
    /// The arcs of a graph without lengths.
    Levels { out: &'g Csr, into: &'g Csr },
    /// The arcs of a graph with lengths; `into` is `None` in undirected graphs.
    Lengths {
        out: Arcs<u32>,
        into: Option<Arcs<u32>>,
        /// The queue of the forward sweep, whose buckets depend on the lengths.
        queue: Buckets<u32>,
    },
}

impl<'g> Nets<'g> {
    /// Makes the arcs of a graph; `None` if its lengths are not 32-bit integers or need too many
    /// buckets. The caller tests whether the graph [`fits`].
    pub(super) fn new(prepared: &'g Prepared) -> Option<Self> {
        let (out, reverse) = (&prepared.graph, prepared.reverse.as_ref());
        match &prepared.lengths {
            None => Some(Nets::Levels {
                out,
                into: reverse.unwrap_or(out),
            }),
            Some(Lengths::U32(lengths)) => Some(Nets::Lengths {
                out: Arcs::new(out, lengths),
                into: match (reverse, &prepared.reverse_lengths) {
                    (Some(reverse), Some(Lengths::U32(lengths))) => {
                        Some(Arcs::new(reverse, lengths))
                    }
                    _ => None,
                },
                queue: Buckets::new(Shape::new(lengths)?),
            }),
            Some(Lengths::U64(_) | Lengths::F64(_)) => None,
        }
    }
}

/// Returns whether this graph can be searched in batches: distances must fit 31 bits, so that their
/// sums with lengths fit 32 bits, and lengths must not need too many buckets.
pub fn fits(prepared: &Prepared) -> bool {
    let bound = prepared.distance_bound();
    let has_queue = match &prepared.lengths {
        None => true,
        Some(Lengths::U32(lengths)) => Shape::new(lengths).is_some(),
        Some(Lengths::U64(_) | Lengths::F64(_)) => false,
    };
    has_queue && bound.is_some_and(|bound| bound < u64::from(FAR))
}
