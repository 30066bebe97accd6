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
mod batches;
mod forward;
mod hits;
mod levels;
mod limit;
mod pairs;
mod rows;
mod state;
mod vectors;
pub mod weighted;

pub use crate::cpu::simd::Simd;
pub(super) use vectors::LaneVectors;

use crate::cpu::back_off::BackOff;
use crate::cpu::limit::Limit;
use crate::cpu::simd::{BatchSearch, Vectors};
use crate::engine::{Engine, OwnSums, Root};
use crate::graph::Csr;
use crate::pages::filled;
use crate::prepare::Prepared;
use backward::{Counted, TILE, Tile};
use batches::Batches;
use rows::{Finish, LaneRow, Number};
use state::LaneState;
use vectors::GROUP;

/// Numbers of lanes that there are engines for.
pub const LANES: [usize; 4] = [8, 16, 32, 64];

/// The search of batches of at most 8 G roots, whose way back is in tiles of H groups.
struct Lanes<'g, const G: usize, const H: usize> {
    prepared: &'g Prepared,
    limit: Limit,
    state: LaneState,
    /// Shortest paths from each lane's root, as long as they can be counted so.
    counts: Vec<LaneRow<G, u16>>,
    /// The same where there are more; empty until then.
    numbers: Vec<LaneRow<G>>,
    /// Which batches have more.
    back_off: BackOff,
    coefficients: Vec<LaneRow<H>>,
    /// Sums of the coefficients of successors, where those add them.
    successors: Vec<LaneRow<H>>,
    sums: OwnSums,
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
        ..=8 => Lanes::<1, 1>::engine(prepared, simd),
        9..=16 => Lanes::<2, 2>::engine(prepared, simd),
        17..=32 => Lanes::<4, TILE>::engine(prepared, simd),
        _ => Lanes::<8, TILE>::engine(prepared, simd),
    }
}

impl<'g, const G: usize, const H: usize> Lanes<'g, G, H> {
    fn engine(prepared: &'g Prepared, simd: Simd) -> Box<dyn Engine + 'g> {
        let n = prepared.graph.vertices();
        let search = Lanes::<G, H> {
            prepared,
            limit: Limit::new(prepared),
            state: LaneState::new(prepared),
            counts: filled(n, LaneRow::ZERO),
            numbers: Vec::new(),
            back_off: BackOff::default(),
            coefficients: filled(n, LaneRow::ZERO),
            successors: filled(n, LaneRow::ZERO),
            sums: prepared.zero_sums(),
        };
        Batches::boxed((G * GROUP, simd), search)
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
                sums: &mut self.successors,
                finish: Finish::of(roots),
            };
            let OwnSums { vertices, arcs } = &mut self.sums;
            let arcs = arcs.as_deref_mut().unwrap_or_default();
            let sums = (&mut vertices[..], arcs);
            self.state
                .backward::<V, T, G, H>(graphs, self.prepared.weights(), tile, sums);
        }
    }
}

impl<const G: usize, const H: usize> BatchSearch for Lanes<'_, G, H> {
    /// The mask of the lanes with more paths than can be counted. If there are any, nothing is
    /// added.
    type Answer = u64;

    #[inline(always)]
    fn batch<V: Vectors>(&mut self, roots: &[Root]) -> u64 {
        let (graphs, weights) = (self.graphs(), self.prepared.weights());
        let of = (graphs, weights);
        let mut short = self.back_off.allows();
        if short {
            let mut counts = std::mem::take(&mut self.counts);
            short = self.state.forward::<V, u16, G>(of, roots, &mut counts);
            match short {
                true => self.backward::<V, u16>(roots, &counts),
                false => self.state.clear(),
            }
            self.counts = counts;
            self.back_off.learn(short);
        }
        if !short {
            let mut numbers = std::mem::take(&mut self.numbers);
            if numbers.is_empty() {
                numbers = filled(self.prepared.graph.vertices(), LaneRow::ZERO);
            }
            self.state.forward::<V, f64, G>(of, roots, &mut numbers);
            let levels = self.state.levels.count() - 1;
            let beyond = self.limit.beyond(levels, &self.state.touched, &numbers);
            if beyond == 0 {
                self.backward::<V, f64>(roots, &numbers);
            }
            self.numbers = numbers;
            if beyond != 0 {
                self.state.clear();
                return beyond;
            }
        }
        if self.prepared.count_endpoints {
            let scores = &mut self.sums.vertices;
            self.state.levels.count_endpoints(roots, scores);
        }
        self.state.clear();
        0
    }

    fn forget(&mut self) {
        self.back_off = BackOff::default();
    }

    fn sums(&mut self) -> &mut OwnSums {
        &mut self.sums
    }
}
