//! Batches of roots that are searched together on one core, each in a lane.
//!
//! An arc is loaded once per level for the whole batch. The numbers of all lanes at a vertex are
//! adjacent: a row. The levels are those of multi-source breadth-first search (Then et al., "The
//! More the Merrier: Efficient Multi-Source Graph Traversal", VLDB 2014), with a bit per lane for
//! the lanes that have reached a vertex. Rows of path counts and dependencies of several sources
//! are from Sariyüce et al., "Regularizing Graph Centrality Computations", 2015 ("simultaneous
//! sources").
//!
//! Unlike in these papers, levels are lists of vertices and their lanes, and each level is pushed
//! or pulled, whichever is cheaper by the number of arcs; only a level with much of the graph costs
//! a sweep over all vertices.
//!
//! Rows are as short as possible, since one is fetched for each arc. Path counts are 16-bit
//! integers; a batch with a larger count is searched again with f64. The backward phase, which
//! needs f64, handles at most 32 lanes at a time, a tile; [`crate::engine::Precision::Mixed`]
//! stores the coefficients of all lanes in 32 bits where path counts fit 16 bits.
//!
//! With a query, the forward phase ends at the largest radius, and the backward phase runs once for
//! each radius. Sums of distances need the levels only.

mod backward;
mod forward;
mod numbers;
mod rows;
mod state;

pub use crate::cpu::simd::Simd;

use super::vectors::GROUP;
use crate::cpu::back_off::BackOff;
use crate::cpu::batches::in_batches;
use crate::cpu::limit::safe_levels;
use crate::cpu::simd::{BatchSearch, Vectors};
use crate::engine::{Engine, EngineError, MIXED_DEEPEST, OwnSums, Root, Sums, mixed_error};
use crate::graph::Vertex;
use crate::pages::filled;
use crate::prepare::Prepared;
use backward::{Backward, TILE};
use forward::Forward;
use rows::{LaneRow, VertexLanes};
use state::{LaneState, Mark};

/// The numbers of lanes that an engine can have.
pub const LANES: [usize; 4] = [8, 16, 32, 64];

/// The engine for batches of at most 8 * G roots: G groups of 8 lanes. A tile of the backward phase
/// in f64 has H groups.
struct Lanes<'g, const G: usize, const H: usize> {
    prepared: &'g Prepared,
    simd: Simd,
    /// Path counts of batches with at most this many levels below the roots fit without a check.
    safe_levels: usize,
    state: LaneState,
    /// The number of shortest paths from each lane's root, while 16 bits suffice.
    counts_u16: Vec<LaneRow<G, u16>>,
    /// The number of shortest paths where 16 bits do not suffice; empty until it is needed.
    counts_f64: Vec<LaneRow<G>>,
    /// Decides which batches are tried with 16 bits.
    back_off: BackOff,
    /// The backward phase with coefficients in f64.
    doubles: Backward<H, f64>,
    /// The backward phase with coefficients in f32, for path counts of 16 bits, if mixed precision
    /// is wanted.
    floats: Option<Backward<G, f32>>,
    /// The most levels below the roots of any batch that had coefficients in f32.
    deepest: usize,
    sums: OwnSums,
}

/// Estimates the bytes that an engine with this many lanes, with `mixed` precision or not, holds
/// for a graph, if each vertex is on `levels` levels of a batch.
pub fn bytes(prepared: &Prepared, (lanes, mixed): (usize, bool), levels: usize) -> usize {
    let lanes = lanes.next_multiple_of(GROUP);
    // Counts of 16 and 64 bits, coefficients of a tile and their sums, and those of mixed
    // precision.
    let tile = lanes.min(TILE * GROUP);
    let row = (2 + 8) * lanes + (8 + 8) * tile + if mixed { (4 + 8) * lanes } else { 0 };
    let state = size_of::<Mark>() + size_of::<u64>() + 2 * size_of::<Vertex>();
    let levels = levels.min(lanes) * size_of::<VertexLanes>();
    prepared.graph.vertices() * (row + state + levels) + prepared.sum_bytes()
}

/// Makes an engine with the smallest number of lanes in [`LANES`] that is at least `lanes`, or else
/// with the largest. If `mixed`, coefficients are stored in 32 bits. Searches panic if this machine
/// does not have `simd`.
pub fn engine(
    prepared: &Prepared,
    (lanes, mixed): (usize, bool),
    simd: Simd,
) -> Box<dyn Engine + '_> {
    match lanes {
        ..=8 => Lanes::<1, 1>::engine(prepared, mixed, simd),
        9..=16 => Lanes::<2, 2>::engine(prepared, mixed, simd),
        17..=32 => Lanes::<4, TILE>::engine(prepared, mixed, simd),
        _ => Lanes::<8, TILE>::engine(prepared, mixed, simd),
    }
}

impl<'g, const G: usize, const H: usize> Lanes<'g, G, H> {
    fn engine(prepared: &'g Prepared, mixed: bool, simd: Simd) -> Box<dyn Engine + 'g> {
        let n = prepared.graph.vertices();
        Box::new(Lanes::<G, H> {
            prepared,
            simd,
            safe_levels: safe_levels(prepared),
            state: LaneState::new(prepared),
            counts_u16: filled(n, LaneRow::zero()),
            counts_f64: Vec::new(),
            back_off: BackOff::default(),
            doubles: Backward::default(),
            floats: mixed.then(Backward::default),
            deepest: 0,
            sums: prepared.zero_sums(),
        })
    }
}

impl<const G: usize, const H: usize> Lanes<'_, G, H> {
    /// Counts paths and adds dependencies. Returns the lanes with too many paths to count, a bit
    /// for each; if there are any, nothing is added.
    #[inline(always)]
    fn count<V: Vectors>(&mut self, roots: &[Root]) -> Result<u64, EngineError> {
        let (prepared, state, sums) = (self.prepared, &mut self.state, &mut self.sums);
        if self.back_off.allows() {
            let forward = Forward::run::<V>(prepared, &mut self.counts_u16, state, roots)?;
            let in_range = forward.overflowed(&state.touched) == 0;
            self.back_off.learn(in_range);
            if in_range {
                let depth = state.levels.count() - 1;
                let counted = (roots, &self.counts_u16[..]);
                match &mut self.floats {
                    // The error of f32 has a bound up to this depth only.
                    Some(floats) if depth <= MIXED_DEEPEST => {
                        self.deepest = self.deepest.max(depth);
                        floats.add::<V, u16, G>(prepared, state, counted, sums)?;
                    }
                    _ => (self.doubles).add::<V, u16, G>(prepared, state, counted, sums)?,
                }
                return Ok(0);
            }
            state.clear();
        }
        if self.counts_f64.is_empty() {
            self.counts_f64 = filled(prepared.graph.vertices(), LaneRow::zero());
        }
        let forward = Forward::run::<V>(prepared, &mut self.counts_f64, state, roots)?;
        if state.levels.count() - 1 > self.safe_levels {
            let overflowed = forward.overflowed(&state.touched);
            if overflowed != 0 {
                return Ok(overflowed);
            }
        }
        let counted = (roots, &self.counts_f64[..]);
        (self.doubles).add::<V, f64, G>(prepared, state, counted, sums)?;
        Ok(0)
    }
}

impl<const G: usize, const H: usize> BatchSearch for Lanes<'_, G, H> {
    #[inline(always)]
    fn batch<V: Vectors>(&mut self, roots: &[Root]) -> Result<u64, EngineError> {
        let prepared = self.prepared;
        let overflowed = match prepared.passes() {
            [] => self.state.find_levels(prepared, roots).map(|()| 0)?,
            _ => self.count::<V>(roots)?,
        };
        if overflowed == 0 {
            let (levels, sums) = (&self.state.levels, &mut self.sums.vertices);
            if prepared.count_endpoints {
                levels.count_endpoints(roots, sums);
            }
            if let Some(query) = &prepared.query {
                levels.add_distances::<V, G>((prepared, query), roots, sums);
            }
        }
        self.state.clear();
        Ok(overflowed)
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
        let simd = self.simd;
        in_batches(roots, G * GROUP, |roots| simd.batch(self, roots))
    }

    fn error_bound(&self) -> f64 {
        match self.deepest {
            0 => 0.0,
            deepest => mixed_error(deepest),
        }
    }

    fn forget(&mut self) {
        self.back_off = BackOff::default();
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.sums.move_to(sums);
        Ok(())
    }
}
