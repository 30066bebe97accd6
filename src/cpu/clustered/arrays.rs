//! The arrays of a batch. Their rows hold, per vertex, a distance or a number for each root.

use std::collections::VecDeque;

use crate::cpu::prefetch::prefetch;
use crate::cpu::vectors::GROUP;
use crate::cpu::weighted::buckets::BLOCK;
use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// The number of roots of a batch, each in a lane of the rows.
pub const LANES: usize = GROUP;

/// A number larger than any distance. Its sum with a length fits 32 bits.
pub(super) const FAR: u32 = 1 << 31;

/// A distance per lane.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Distances(pub(super) [u32; LANES]);

/// A number per lane, on one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Numbers(pub(super) [f64; LANES]);

impl Numbers {
    /// The path counts of a vertex before they are known: NaN, so that sums with them are unknown
    /// too.
    pub(super) const UNKNOWN: Numbers = Numbers([f64::NAN; LANES]);
}

/// Rows of at most this many bytes in total stay in a cache.
const CACHED_BYTES: usize = 4 << 20;

/// The constant part of the limits of repeated work, in arcs, beyond which a batch is aborted. It
/// keeps batches of small graphs from being aborted early.
pub(super) const SPARE: usize = 4000;

/// Bits of the state of a vertex.
pub(super) mod state {
    /// The arcs of the vertex have been relaxed with its present distances.
    pub const RELAXED: u8 = 1;
    /// The vertex is a root of the batch.
    pub const ROOT: u8 = 2;
    /// The path counts of some lanes were unknown when the vertex was last counted.
    pub const PENDING: u8 = 4;
    /// An arc out of the vertex leads to a pending vertex.
    pub const AWAITED: u8 = 8;
    /// The states of vertices whose path counts need special treatment.
    pub const SPECIAL: u8 = ROOT | PENDING | AWAITED;
}

/// A visit at which the path counts of a vertex became known in some lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub(super) v: Vertex,
    /// A bit for each lane, or [`Visit::WHOLE`].
    pub(super) lanes: u32,
}

impl Visit {
    /// All lanes of a vertex that is no root.
    pub(super) const WHOLE: u32 = u32::MAX;
}

/// The rows that are read for the head of every arc.
pub(super) struct VertexRows {
    /// Distances from the roots; [`FAR`] where none is known.
    pub(super) distances: Vec<Distances>,
    /// Path counts, and in the backward phase coefficients (weight + delta) / sigma in their place.
    /// The rows of vertices that are not reached yet hold numbers of an earlier batch.
    numbers: Vec<Numbers>,
    state: Vec<u8>,
}

/// [`VertexRows`] as slices of equal length, so that an index is checked once for all of them.
pub(super) struct VertexRowsMut<'a> {
    pub(super) distances: &'a mut [Distances],
    pub(super) numbers: &'a mut [Numbers],
    pub(super) state: &'a mut [u8],
}

impl VertexRows {
    #[inline(always)]
    pub(super) fn lend(&mut self) -> VertexRowsMut<'_> {
        let n = self.distances.len();
        VertexRowsMut {
            distances: &mut self.distances,
            numbers: &mut self.numbers[..n],
            state: &mut self.state[..n],
        }
    }
}

impl VertexRowsMut<'_> {
    /// Prefetches the rows of `v`.
    #[inline(always)]
    pub(super) fn prefetch(&self, v: Vertex) {
        prefetch(&self.distances[v as usize]);
        prefetch(&self.numbers[v as usize]);
    }
}

/// Arrays over the prepared vertices, reused for every batch.
pub(super) struct Arrays {
    /// The roots of the batch, by lane.
    pub(super) roots: Vec<Root>,
    pub(super) rows: VertexRows,
    /// Per vertex, the distance from the nearest root; empty without lengths.
    pub(super) nearest: Vec<u32>,
    /// Vertices with newly found distances from the nearest root, which are smaller than those in
    /// `nearest`, before they are pushed to the queue; empty without lengths.
    pub(super) found: Vec<(Vertex, u32)>,
    /// The vertices in the order in which they were reached, `reached` of them, and room for one
    /// more.
    pub(super) order: Vec<Vertex>,
    pub(super) reached: usize,
    /// Vertices that have come nearer to some root since their arcs were relaxed.
    pub(super) repairs: VecDeque<Vertex>,
    /// Awaited vertices whose path counts have become known in more lanes.
    pub(super) news: Vec<Vertex>,
    /// The visits, in an order in which each path count comes after the counts that it is the sum
    /// of.
    pub(super) visits: Vec<Visit>,
    /// The path counts of the vertices in `order`, for several backward phases.
    pub(super) counts: Vec<Numbers>,
    /// The mean degree, rounded up.
    pub(super) mean_degree: usize,
    /// Whether rows do not stay in a cache, so that rows of neighbours are prefetched too.
    pub(super) exceeds_cache: bool,
}

impl Arrays {
    /// Allocates the arrays for this graph.
    pub(super) fn new(graph: &Csr, with_lengths: bool) -> Self {
        let n = graph.vertices();
        let found = BLOCK + graph.max_degree() + 1;
        Arrays {
            roots: Vec::with_capacity(LANES),
            rows: VertexRows {
                distances: vec![Distances([FAR; LANES]); n],
                numbers: vec![Numbers::UNKNOWN; n],
                state: vec![0; n],
            },
            nearest: vec![FAR; if with_lengths { n } else { 0 }],
            found: vec![(0, 0); if with_lengths { found } else { 0 }],
            order: vec![0; n + 1],
            reached: 0,
            repairs: VecDeque::new(),
            news: Vec::new(),
            visits: Vec::with_capacity(n),
            counts: Vec::new(),
            mean_degree: graph.arcs().div_ceil(n.max(1)),
            exceeds_cache: Self::row_bytes(n) > CACHED_BYTES,
        }
    }

    /// Estimates the bytes of the arrays for `n` vertices.
    pub(super) fn bytes(n: usize) -> usize {
        let visits = size_of::<Visit>() + size_of::<Vertex>();
        Self::row_bytes(n) + n * (visits + size_of::<u32>() + size_of::<u8>())
    }

    /// Returns the bytes of the rows of `n` vertices.
    fn row_bytes(n: usize) -> usize {
        n * (size_of::<Distances>() + size_of::<Numbers>())
    }

    /// Begins a batch of at most [`LANES`] roots, each in a lane. They are the first in `order`.
    pub(super) fn begin(&mut self, roots: &[Root]) {
        self.roots.clear();
        self.roots.extend_from_slice(roots);
        self.reached = roots.len();
        for (lane, root) in roots.iter().enumerate() {
            let v = root.vertex as usize;
            self.order[lane] = root.vertex;
            self.rows.distances[v].0[lane] = 0;
            self.rows.state[v] |= state::ROOT;
            if let Some(nearest) = self.nearest.get_mut(v) {
                *nearest = 0;
            }
        }
    }

    /// Saves the path counts, which a backward phase overwrites.
    pub(super) fn save_counts(&mut self) {
        let numbers = &self.rows.numbers;
        self.counts.clear();
        let order = &self.order[..self.reached];
        (self.counts).extend(order.iter().map(|&v| numbers[v as usize]));
    }

    /// Restores the saved path counts.
    pub(super) fn restore_counts(&mut self) {
        for (&v, &counts) in self.order.iter().zip(&self.counts) {
            self.rows.numbers[v as usize] = counts;
        }
    }

    /// Resets the arrays after a batch. After an aborted batch, `order` may lack some of the
    /// vertices that the batch has touched.
    #[inline(always)]
    pub(super) fn clear(&mut self, aborted: bool) {
        if aborted || self.reached > self.rows.state.len() / 2 {
            self.rows.distances.fill(Distances([FAR; LANES]));
            self.nearest.fill(FAR);
            self.rows.state.fill(0);
        } else {
            for &v in &self.order[..self.reached] {
                let v = v as usize;
                self.rows.distances[v] = Distances([FAR; LANES]);
                if let Some(nearest) = self.nearest.get_mut(v) {
                    *nearest = FAR;
                }
                self.rows.state[v] = 0;
            }
        }
        self.reached = 0;
        self.repairs.clear();
        self.news.clear();
        self.visits.clear();
    }
}

/// Returns the lanes whose root is `v`, a bit for each.
pub(super) fn own_lanes(roots: &[Root], v: Vertex) -> u32 {
    let own = |lane: &usize| roots[*lane].vertex == v;
    let lanes = (0..roots.len()).filter(own);
    lanes.map(|lane| 1 << lane).sum()
}
