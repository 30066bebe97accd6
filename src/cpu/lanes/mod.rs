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
//! lanes are taken a tile at a time; [`crate::engine::Precision::Mixed`] stores the coefficients in
//! 32 bits, of all lanes together, where path counts are integers.

mod backward;
mod batches;
mod coefficients;
mod finish;
mod forward;
mod hits;
mod levels;
mod limit;
mod numbers;
mod pairs;
mod rows;
mod state;

pub use crate::cpu::simd::Simd;

use super::vectors::GROUP;
use crate::cpu::back_off::BackOff;
use crate::cpu::halt::Stopped;
use crate::cpu::limit::Limit;
use crate::cpu::simd::{Available, BatchSearch, Vectors};
use crate::engine::{Engine, EngineError, MIXED_DEEPEST, OwnSums, Root, Sums, mixed_error};
use crate::graph::Csr;
use crate::pages::filled;
use crate::prepare::Prepared;
use backward::{TILE, Tile};
use batches::in_batches;
use coefficients::Coefficient;
use finish::{Counted, Finish};
use numbers::Number;
use rows::LaneRow;
use state::LaneState;

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
    /// Empty until it is needed, if others are asked for.
    doubles: WayBack<H, f64>,
    /// What is used while paths can be counted in 16 bits, if it is asked for.
    floats: Option<WayBack<G, f32>>,
    /// Levels behind the root of the deepest batch that used those.
    deepest: usize,
    sums: OwnSums,
}

/// The graph, and its arcs turned round.
fn graphs(prepared: &Prepared) -> (&Csr, &Csr) {
    let Prepared { graph, reverse, .. } = prepared;
    (graph, reverse.as_ref().unwrap_or(graph))
}

/// Rows of the way back.
#[derive(Default)]
struct WayBack<const H: usize, C> {
    coefficients: Vec<LaneRow<H, C>>,
    /// Sums of the coefficients of successors, where those add them.
    successors: Vec<LaneRow<H>>,
}

/// Bytes that an engine of so many lanes, `mixed` or not, holds on a graph of `n` vertices, if each
/// vertex is on `levels` levels of a batch.
pub fn bytes(lanes: usize, mixed: bool, n: usize, levels: usize) -> usize {
    let levels = levels.min(lanes);
    let row = match lanes {
        ..=8 => row_bytes::<1, 1>(mixed),
        9..=16 => row_bytes::<2, 2>(mixed),
        17..=32 => row_bytes::<4, TILE>(mixed),
        _ => row_bytes::<8, TILE>(mixed),
    };
    n * (row + LaneState::bytes_per_vertex(levels) + size_of::<f64>())
}

/// Of the rows of a vertex, if path counts are not small.
const fn row_bytes<const G: usize, const H: usize>(mixed: bool) -> usize {
    let counts = size_of::<LaneRow<G, u16>>() + size_of::<LaneRow<G>>();
    let floats = size_of::<LaneRow<G, f32>>() + size_of::<LaneRow<G>>();
    counts + 2 * size_of::<LaneRow<H>>() + if mixed { floats } else { 0 }
}

/// An engine of the fewest of [`LANES`] that are so many, or of the most there are, with its rows
/// allocated; `mixed` if coefficients are stored in 32 bits.
///
/// # Panics
/// If this machine does not have `simd`.
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
        let search = Lanes::<G, H> {
            prepared,
            limit: Limit::new(prepared),
            state: LaneState::new(prepared),
            counts: filled(n, LaneRow::ZERO),
            numbers: Vec::new(),
            back_off: BackOff::default(),
            doubles: if mixed {
                WayBack::default()
            } else {
                WayBack::new(n)
            },
            floats: mixed.then(|| WayBack::new(n)),
            deepest: 0,
            sums: prepared.zero_sums(),
        };
        let simd = Available::new(simd);
        Box::new(Batches { simd, search })
    }

    /// The way back of all lanes, in floats if that is asked for and the error has a bound.
    #[inline(always)]
    fn backward_short<V: Vectors>(
        &mut self,
        roots: &[Root],
        counts: &[LaneRow<G, u16>],
    ) -> Result<(), Stopped> {
        let depth = self.state.levels.count() - 1;
        match &mut self.floats {
            Some(floats) if depth <= MIXED_DEEPEST => {
                self.deepest = self.deepest.max(depth);
                let search = (self.prepared, &mut self.state);
                floats.tiles::<V, u16, G>(search, &mut self.sums, roots, counts)
            }
            _ => self.backward::<V, u16>(roots, counts),
        }
    }

    /// The way back of all lanes in f64.
    #[inline(always)]
    fn backward<V: Vectors, T: Number + Into<f64>>(
        &mut self,
        roots: &[Root],
        paths: &[LaneRow<G, T>],
    ) -> Result<(), Stopped> {
        if self.doubles.coefficients.is_empty() {
            self.doubles = WayBack::new(self.prepared.graph.vertices());
        }
        let search = (self.prepared, &mut self.state);
        self.doubles
            .tiles::<V, T, G>(search, &mut self.sums, roots, paths)
    }
}

impl<const K: usize, C: Coefficient> WayBack<K, C> {
    fn new(n: usize) -> Self {
        WayBack {
            coefficients: filled(n, LaneRow::ZERO),
            successors: filled(n, LaneRow::ZERO),
        }
    }

    /// The way back of all lanes, a tile of K groups at a time.
    #[inline(always)]
    fn tiles<V: Vectors, T: Number + Into<f64>, const G: usize>(
        &mut self,
        (prepared, state): (&Prepared, &mut LaneState),
        sums: &mut OwnSums,
        roots: &[Root],
        paths: &[LaneRow<G, T>],
    ) -> Result<(), Stopped> {
        for (tile, roots) in roots.chunks(K * GROUP).enumerate() {
            let tile = Tile {
                paths: Counted {
                    rows: paths,
                    first: tile * K,
                },
                coefficients: &mut self.coefficients,
                sums: &mut self.successors,
                finish: Finish::of(roots),
            };
            let OwnSums { vertices, arcs } = &mut *sums;
            let arcs = arcs.as_deref_mut().unwrap_or_default();
            let sums = (&mut vertices[..], arcs);
            state.backward::<V, T, C, G, K>(graphs(prepared), prepared.weights(), tile, sums)?;
        }
        Ok(())
    }
}

impl<const G: usize, const H: usize> BatchSearch for Lanes<'_, G, H> {
    /// The mask of the lanes with more paths than can be counted. If there are any, nothing is
    /// added.
    type Answer = u64;

    #[inline(always)]
    fn batch<V: Vectors>(&mut self, roots: &[Root]) -> Result<u64, Stopped> {
        let (graphs, weights) = (graphs(self.prepared), self.prepared.weights());
        let of = (graphs, weights);
        let mut short = self.back_off.allows();
        if short {
            let mut counts = std::mem::take(&mut self.counts);
            short = self.state.forward::<V, u16, G>(of, roots, &mut counts)?;
            match short {
                true => self.backward_short::<V>(roots, &counts)?,
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
            self.state.forward::<V, f64, G>(of, roots, &mut numbers)?;
            let levels = self.state.levels.count() - 1;
            let beyond = self.limit.beyond(levels, &self.state.touched, &numbers);
            if beyond == 0 {
                self.backward::<V, f64>(roots, &numbers)?;
            }
            self.numbers = numbers;
            if beyond != 0 {
                self.state.clear();
                return Ok(beyond);
            }
        }
        if self.prepared.count_endpoints {
            let scores = &mut self.sums.vertices;
            self.state.levels.count_endpoints(roots, scores);
        }
        self.state.clear();
        Ok(0)
    }

    fn sums(&mut self) -> &mut OwnSums {
        &mut self.sums
    }
}

/// The engine for batches of at most 8 G roots.
struct Batches<'g, const G: usize, const H: usize> {
    simd: Available,
    search: Lanes<'g, G, H>,
}

impl<const G: usize, const H: usize> Engine for Batches<'_, G, H> {
    fn roots_wanted(&self) -> usize {
        G * GROUP
    }

    fn roots_together(&self) -> usize {
        G * GROUP
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let batch = |roots: &[Root]| self.simd.batch(&mut self.search, roots);
        EngineError::of_uncounted(in_batches(roots, G * GROUP, batch)?)
    }

    fn error_bound(&self) -> f64 {
        match self.search.deepest {
            0 => 0.0,
            deepest => mixed_error(deepest),
        }
    }

    fn forget(&mut self) {
        self.search.back_off = BackOff::default();
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.search.sums().move_to(sums);
        Ok(())
    }
}
