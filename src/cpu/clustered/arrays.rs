//! What a batch knows of each vertex.

use std::collections::VecDeque;

use super::row::{Distances, FAR, LANES, Numbers};
use crate::cpu::prefetch::prefetch;
use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// Rows of more bytes than this are far away.
const NEARBY: usize = 4 << 20;

/// So many arcs are looked at before the heads found nearer are put into the queue.
pub(super) const BLOCK: usize = 128;

/// Bits of the state of a vertex.
pub(super) mod state {
    /// It has passed on all that is known of its distances.
    pub const PASSED_ON: u8 = 1;
    /// It is a root of the batch.
    pub const ROOT: u8 = 2;
    /// Some lanes' path counts were still unknown when it was its turn.
    pub const PENDING: u8 = 4;
    /// Some neighbour is pending.
    pub const AWAITED: u8 = 8;
    /// Path counts of such vertices need a closer look.
    pub const SPECIAL: u8 = ROOT | PENDING | AWAITED;
}

/// That the path counts of a vertex became known in some lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub(super) v: Vertex,
    /// A bit for each lane; or [`Visit::WHOLE`].
    pub(super) lanes: u32,
}

impl Visit {
    /// All lanes at once, and the vertex is no root.
    pub(super) const WHOLE: u32 = u32::MAX;
}

/// What every arc leads to.
pub(super) struct VertexRows {
    /// Distances from the roots; [`FAR`] where none is known.
    distances: Vec<Distances>,
    /// Path counts; on the way back coefficients = (weight + delta) / sigma in their place. Of
    /// vertices not reached yet, what an earlier batch left.
    numbers: Vec<Numbers>,
    state: Vec<u8>,
}

/// [`VertexRows`] that are known to be equally many, so that an index is checked once for all of
/// them.
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
    /// Asks for the numbers of `v` ahead of their use.
    #[inline(always)]
    pub(super) fn prefetch(&self, v: Vertex) {
        prefetch(&self.distances[v as usize]);
        prefetch(&self.numbers[v as usize]);
    }
}

/// Arrays over the prepared vertices, used again for every batch.
pub(super) struct Arrays {
    /// The roots of the batch, by lane.
    pub(super) roots: Vec<Root>,
    pub(super) rows: VertexRows,
    /// Of graphs with lengths: the distance from the nearest root.
    pub(super) nearest: Vec<u32>,
    /// The same: vertices found nearer than known, with their distances, on their way to the queue.
    pub(super) found: Vec<(Vertex, u32)>,
    /// All vertices reached, the first so many entries; and room for one more.
    pub(super) order: Vec<Vertex>,
    pub(super) reached: usize,
    /// Vertices that had passed on their distances and have come nearer to some root since.
    pub(super) repairs: VecDeque<Vertex>,
    /// Vertices that others wait for and that have become known in more lanes.
    pub(super) news: Vec<Vertex>,
    /// In an order in which each comes after what its path counts are sums of.
    pub(super) visits: Vec<Visit>,
    /// Arcs of a vertex in the mean, rounded up.
    pub(super) mean_degree: usize,
    /// Whether memory is far away: rows of neighbours are asked for ahead of their use too.
    pub(super) far: bool,
}

impl Arrays {
    /// For this graph.
    pub(super) fn new(graph: &Csr, with_lengths: bool) -> Self {
        let n = graph.vertices();
        let degrees = (0..n as Vertex).map(|v| graph.degree(v));
        let found = BLOCK + degrees.max().unwrap_or(0) + 1;
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
            mean_degree: graph.arcs().div_ceil(n.max(1)),
            far: Self::row_bytes(n) > NEARBY,
        }
    }

    /// About as many bytes as they take for so many vertices.
    pub(super) fn bytes(n: usize) -> usize {
        let visits = size_of::<Visit>() + size_of::<Vertex>();
        Self::row_bytes(n) + n * (visits + size_of::<u32>() + size_of::<u8>() + size_of::<f64>())
    }

    /// Of these, the bytes of the rows.
    fn row_bytes(n: usize) -> usize {
        n * (size_of::<Distances>() + size_of::<Numbers>())
    }

    /// Puts at most [`LANES`] roots into the lanes.
    pub(super) fn begin(&mut self, roots: &[Root]) {
        self.roots.clear();
        self.roots.extend_from_slice(roots);
        for (lane, root) in roots.iter().enumerate() {
            let v = root.vertex as usize;
            self.rows.distances[v].0[lane] = 0;
            self.rows.state[v] |= state::ROOT;
        }
    }

    /// As before the batch. If it was given up, what was reached is not all that was touched.
    #[inline(always)]
    pub(super) fn clear(&mut self, given_up: bool) {
        if given_up || self.reached > self.rows.state.len() / 2 {
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

/// The lanes whose root `v` is, a bit for each.
pub(super) fn own_lanes(roots: &[Root], v: Vertex) -> u32 {
    let own = |lane: &usize| roots[*lane].vertex == v;
    let lanes = (0..roots.len()).filter(own);
    lanes.map(|lane| 1 << lane).sum()
}
