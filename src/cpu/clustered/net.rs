//! The arcs of a graph, with or without lengths.

use super::row::FAR;
use crate::cpu::prefetch::prefetch_slice;
use crate::cpu::weighted::arcs::{Arc, Arcs};
use crate::cpu::weighted::buckets::{Buckets, Shape};
use crate::graph::{Csr, Lengths, Vertex};
use crate::prepare::Prepared;

/// The arcs of a graph in one direction.
pub(super) trait Net {
    /// Returns the arcs of `v`.
    fn arcs(&self, v: Vertex) -> impl ExactSizeIterator<Item = Arc<u32>>;
    /// Returns the number of the first arc of `v`.
    fn first(&self, v: Vertex) -> usize;
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
    fn first(&self, v: Vertex) -> usize {
        self.offsets()[v as usize] as usize
    }

    #[inline(always)]
    fn prefetch(&self, v: Vertex) {
        prefetch_slice(self.neighbours(v), 1);
    }
}

impl Net for Arcs<u32> {
    #[inline(always)]
    fn arcs(&self, v: Vertex) -> impl ExactSizeIterator<Item = Arc<u32>> {
        // `copied` would not be inlined into functions for other vector instructions.
        let arcs = self.row(v).iter();
        arcs.map(|&Arc { target, length }| Arc { target, length })
    }

    #[inline(always)]
    fn first(&self, v: Vertex) -> usize {
        self.numbered(v).1 as usize
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
        queue: Buckets<u32>,
    },
}

impl<'g> Nets<'g> {
    /// Makes the arcs of a graph that [`fits`].
    pub(super) fn new(prepared: &'g Prepared) -> Option<Self> {
        let out = &prepared.graph;
        let Some(lengths) = &prepared.lengths else {
            let into = prepared.reverse.as_ref().unwrap_or(out);
            return Some(Nets::Levels { out, into });
        };
        let arcs = |graph, lengths: &Lengths| match lengths {
            Lengths::U32(lengths) => Some(Arcs::new(graph, lengths)),
            Lengths::U64(_) | Lengths::F64(_) => None,
        };
        let reverse = prepared
            .reverse
            .as_ref()
            .zip(prepared.reverse_lengths.as_ref());
        Some(Nets::Lengths {
            out: arcs(out, lengths)?,
            into: reverse.and_then(|(graph, lengths)| arcs(graph, lengths)),
            queue: Buckets::new(shape(lengths)?),
        })
    }
}

/// Whether this graph can be searched in batches: distances have to fit 31 bits, and lengths must
/// not differ too much.
pub fn fits(prepared: &Prepared) -> bool {
    let lengths = prepared.lengths.as_ref();
    let bound = prepared.distance_bound();
    lengths.is_none_or(|lengths| shape(lengths).is_some())
        && bound.is_some_and(|bound| bound < u64::from(FAR))
}

/// The buckets for these lengths. Lengths of shortest paths that fit 31 bits are in 32 bits.
fn shape(lengths: &Lengths) -> Option<Shape> {
    match lengths {
        Lengths::U32(lengths) => Shape::new(lengths),
        Lengths::U64(_) | Lengths::F64(_) => None,
    }
}
