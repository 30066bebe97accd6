//! Batches of roots searched together on one core, a lane each.
//!
//! Each arc is loaded once per level for the whole batch, and its lanes' numbers lie side by side.
//! The levels are those of multi-source breadth-first search (Then et al., "The More the Merrier:
//! Efficient Multi-Source Graph Traversal", VLDB 2014): a bit per lane says who has been at a
//! vertex. That path counts and dependencies of several sources can be kept in rows of lanes is
//! from Sariyüce et al., "Regularizing Graph Centrality Computations", 2015 ("simultaneous
//! sources").
//!
//! Unlike theirs, levels are lists of the vertices and lanes on them, and each is added up from
//! whichever end has fewer arcs; only a level with much of the graph costs a sweep over it.
//!
//! Rows are as short as can be, for they are fetched for each arc. Path counts are 16-bit integers;
//! a batch with a larger one is searched again with f64. On the way back, which needs f64, the
//! lanes are taken a tile at a time.

mod backward;
mod forward;
mod hits;
mod levels;
mod limit;
mod rows;
mod simd;
mod state;
mod vectors;
pub mod weighted;

pub use simd::Simd;
pub(super) use simd::batch_by_simd;

use crate::cpu::back_off::BackOff;
use crate::cpu::limit::Limit;
use crate::engine::{Engine, EngineError, Root, Sums};
use crate::graph::Csr;
use crate::pages::filled;
use crate::prepare::Prepared;
use backward::{Counted, TILE, Tile};
use limit::in_batches;
use rows::{Finish, LaneRow, Number};
use state::LaneState;
#[cfg(target_arch = "x86_64")]
use vectors::{Avx2, Avx512};
use vectors::{GROUP, Portable, Vectors};

/// Numbers of lanes that there are engines for.
pub const LANES: [usize; 4] = [8, 16, 32, 64];

/// Whether to add up a level at the ends of `pull` arcs into the rows that are summed, or at those
/// of `push` arcs out of the rows that are added. What is added is the same, but pulling writes
/// each row once; looking at an arc for nothing is cheap beside that.
fn pull_pays(pull: usize, push: usize) -> bool {
    pull <= 4 * push
}

/// Sums of arcs; none if they are not wanted.
fn arc_sums(prepared: &Prepared) -> Vec<f64> {
    prepared.zero_sums().arcs.unwrap_or_default()
}

/// The engine for batches of at most 8 G roots, whose way back is in tiles of H groups.
pub struct Lanes<'g, const G: usize, const H: usize> {
    prepared: &'g Prepared,
    /// Always one that this machine has; see [`Lanes::new`].
    simd: Simd,
    limit: Limit,
    search: LaneState,
    /// Shortest paths from each lane's root, as long as they can be counted so.
    counts: Vec<LaneRow<G, u16>>,
    /// The same where there are more; empty until then.
    numbers: Vec<LaneRow<G>>,
    /// Which batches have more.
    back_off: BackOff,
    coefficients: Vec<LaneRow<H>>,
    /// Sums of the coefficients of successors, where those add them.
    sums: Vec<LaneRow<H>>,
    scores: Vec<f64>,
    /// Dependencies of arcs; empty if they are not wanted.
    arc_scores: Vec<f64>,
}

/// Bytes that an engine of so many lanes holds on a graph of `n` vertices, if each vertex is on
/// `levels` levels of a batch.
pub fn bytes(lanes: usize, n: usize, levels: usize) -> usize {
    let levels = levels.min(lanes);
    let row = match lanes {
        ..=8 => row_bytes::<1, 1>(),
        9..=16 => row_bytes::<2, 2>(),
        17..=32 => row_bytes::<4, TILE>(),
        _ => row_bytes::<8, TILE>(),
    };
    n * (row + LaneState::bytes_per_vertex(levels) + size_of::<f64>())
}

/// Of the rows of a vertex, if path counts are not small.
const fn row_bytes<const G: usize, const H: usize>() -> usize {
    size_of::<LaneRow<G, u16>>() + size_of::<LaneRow<G>>() + 2 * size_of::<LaneRow<H>>()
}

/// An engine of the fewest of [`LANES`] that are so many, or of the most there are, with its rows
/// allocated.
///
/// # Panics
/// If this machine does not have `simd`.
pub fn engine(prepared: &Prepared, lanes: usize, simd: Simd) -> Box<dyn Engine + '_> {
    match lanes {
        ..=8 => Box::new(Lanes::<1, 1>::new(prepared, simd)),
        9..=16 => Box::new(Lanes::<2, 2>::new(prepared, simd)),
        17..=32 => Box::new(Lanes::<4, TILE>::new(prepared, simd)),
        _ => Box::new(Lanes::<8, TILE>::new(prepared, simd)),
    }
}

impl<'g, const G: usize, const H: usize> Lanes<'g, G, H> {
    /// # Panics
    /// If this machine does not have `simd`.
    pub fn new(prepared: &'g Prepared, simd: Simd) -> Self {
        assert!(simd.is_available(), "this machine does not have {simd:?}");
        let n = prepared.graph.vertices();
        Lanes {
            prepared,
            simd,
            limit: Limit::new(&prepared.graph),
            search: LaneState::new(prepared),
            counts: filled(n, LaneRow::ZERO),
            numbers: Vec::new(),
            back_off: BackOff::default(),
            coefficients: filled(n, LaneRow::ZERO),
            sums: filled(n, LaneRow::ZERO),
            scores: vec![0.0; n],
            arc_scores: arc_sums(prepared),
        }
    }

    batch_by_simd! {
        /// Searches from at most 8 G roots. If some have more paths than can be counted, nothing is
        /// added, and the mask of their lanes is returned; else zero.
        -> u64
    }

    /// Inlined, with all it calls, into a function per kind of vector instructions.
    #[inline(always)]
    fn batch_body<V: Vectors>(&mut self, roots: &[Root]) -> u64 {
        let graphs = self.graphs();
        let mut short = self.back_off.allows();
        if short {
            let mut counts = std::mem::take(&mut self.counts);
            short = self.search.forward::<V, u16, G>(graphs, roots, &mut counts);
            match short {
                true => self.backward::<V, u16>(roots, &counts),
                false => self.search.clear(),
            }
            self.counts = counts;
            self.back_off.learn(short);
        }
        if !short {
            let mut numbers = std::mem::take(&mut self.numbers);
            if numbers.is_empty() {
                numbers = filled(self.prepared.graph.vertices(), LaneRow::ZERO);
            }
            self.search
                .forward::<V, f64, G>(graphs, roots, &mut numbers);
            let levels = self.search.levels.count() - 1;
            let beyond = self.limit.beyond(levels, &self.search.touched, &numbers);
            if beyond == 0 {
                self.backward::<V, f64>(roots, &numbers);
            }
            self.numbers = numbers;
            if beyond != 0 {
                self.search.clear();
                return beyond;
            }
        }
        if self.prepared.count_endpoints {
            self.search.levels.count_endpoints(roots, &mut self.scores);
        }
        self.search.clear();
        0
    }

    /// The graph, and its arcs turned round.
    fn graphs(&self) -> (&'g Csr, &'g Csr) {
        let Prepared { graph, reverse, .. } = self.prepared;
        (graph, reverse.as_ref().unwrap_or(graph))
    }

    /// The way back of all lanes, a tile at a time.
    #[inline(always)]
    fn backward<V: Vectors, T: Number + Into<f64>>(
        &mut self,
        roots: &[Root],
        paths: &[LaneRow<G, T>],
    ) {
        let graphs = self.graphs();
        for (tile, roots) in roots.chunks(H * GROUP).enumerate() {
            let tile = Tile {
                paths: Counted {
                    rows: paths,
                    first: tile * H,
                },
                coefficients: &mut self.coefficients,
                sums: &mut self.sums,
                finish: Finish::of(roots),
            };
            let sums = (&mut self.scores[..], &mut self.arc_scores[..]);
            self.search
                .backward::<V, T, G, H>(graphs, &self.prepared.weight, tile, sums);
        }
    }
}

impl<const G: usize, const H: usize> Engine for Lanes<'_, G, H> {
    fn roots_wanted(&self) -> usize {
        G * GROUP
    }

    fn roots_together(&self) -> usize {
        G * GROUP
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let uncounted = in_batches(roots, G * GROUP, |batch| self.batch(batch));
        EngineError::of_uncounted(uncounted)
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        sums.take(&mut self.scores, &mut self.arc_scores);
        Ok(())
    }
}
