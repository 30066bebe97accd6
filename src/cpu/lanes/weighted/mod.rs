//! Batches of roots of a weighted graph with short integer lengths.
//!
//! As without lengths, but levels are distances, and an arc of length w leads w levels on. What a
//! level needs to know of the levels around it, as far as the longest arc reaches, is in a
//! [`window`] of masks. A vertex is settled at a distance for all lanes that reach it there and
//! nowhere nearer; the same look at its arcs finds its predecessors, which have been settled, and
//! marks its neighbours farther on. The predecessors are kept for the way back, which so looks at
//! no arc in vain.

mod backward;
mod forward;
mod window;

use super::batches::Batches;
use super::finish::Finish;
use super::hits::Hits;
use super::levels::Levels;
use super::pairs::Pair;
use super::rows::LaneRow;
use super::vectors::GROUP;
use crate::cpu::halt::Stopped;
use crate::cpu::limit::Limit;
use crate::cpu::simd::{BatchSearch, Simd, Vectors};
use crate::cpu::weighted::arcs::Arcs;
use crate::engine::{Engine, OwnSums, Root};
use crate::graph::{Lengths, Vertex};
use crate::pages::filled;
use crate::prepare::Prepared;
use window::Window;

/// The longest arc that there are lanes for: a vertex has two masks for each unit of it.
pub const LONGEST: u32 = 32;

/// The longest arc of a graph whose lengths are all short enough for lanes.
pub fn longest(prepared: &Prepared) -> Option<u32> {
    let Some(Lengths::U32(lengths)) = &prepared.lengths else {
        return None;
    };
    let longest = lengths.iter().copied().max()?;
    (longest <= LONGEST).then_some(longest)
}

/// Bytes that an engine of so many lanes holds for this graph with arcs of this length, if each
/// vertex is on `levels` levels of a batch.
pub fn bytes(lanes: usize, prepared: &Prepared, longest: u32, levels: usize) -> usize {
    let n = prepared.graph.vertices();
    let arcs = prepared.graph.arcs() + prepared.reverse.as_ref().map_or(0, |graph| graph.arcs());
    let rows = 2 * lanes * size_of::<f64>();
    // Most vertices have one predecessor or two.
    let pairs = levels.min(lanes) * (3 * size_of::<Pair>() + size_of::<usize>());
    let per_vertex = rows + pairs + Window::bytes_per_vertex(longest) + size_of::<f64>();
    n * per_vertex + arcs * 2 * size_of::<u32>()
}

/// An engine of the fewest of [`super::LANES`] that are so many, or of the most there are, with its
/// rows allocated; `None` if the graph has no lengths that there are lanes for.
///
/// # Panics
/// If this machine does not have `simd`.
pub fn engine(prepared: &Prepared, lanes: usize, simd: Simd) -> Option<Box<dyn Engine + '_>> {
    let longest = longest(prepared)?;
    let Some(Lengths::U32(lengths)) = &prepared.lengths else {
        return None;
    };
    let given = (&lengths[..], longest);
    Some(match lanes {
        ..=8 => WeightedLanes::<1>::engine(prepared, simd, given),
        9..=16 => WeightedLanes::<2>::engine(prepared, simd, given),
        17..=32 => WeightedLanes::<4>::engine(prepared, simd, given),
        _ => WeightedLanes::<8>::engine(prepared, simd, given),
    })
}

/// The search of batches of at most 8 G roots.
struct WeightedLanes<'g, const G: usize> {
    prepared: &'g Prepared,
    arcs: Arcs<u32>,
    /// The arcs turned round, of a directed graph.
    into: Option<Arcs<u32>>,
    limit: Limit,
    state: WeightedState<G>,
    sums: OwnSums,
}

/// Arrays over the prepared vertices, all zero between batches.
struct WeightedState<const G: usize> {
    /// Path counts; on the way back coefficients = (weight + delta) / sigma in their place.
    numbers: Vec<LaneRow<G>>,
    /// On the way back: sums of the coefficients of the successors seen so far.
    sums: Vec<LaneRow<G>>,
    window: Window,
    /// Lanes that have settled each vertex.
    settled: Vec<u64>,
    levels: Levels,
    /// Predecessors, with the lanes that they are in, of all vertices settled: in the order of
    /// `levels`.
    predecessors: Vec<Pair>,
    /// For each pair of `levels` but those of the roots: where its predecessors begin.
    first_predecessor: Vec<usize>,
    /// By slot of the window: vertices that some lane may reach at that distance.
    ahead: Vec<Vec<Vertex>>,
    /// Every vertex that any lane reached.
    touched: Vec<Vertex>,
    hits: Hits,
}

impl<'g, const G: usize> WeightedLanes<'g, G> {
    fn engine(
        prepared: &'g Prepared,
        simd: Simd,
        (lengths, longest): (&[u32], u32),
    ) -> Box<dyn Engine + 'g> {
        let graph = &prepared.graph;
        let n = graph.vertices();
        let into = match (&prepared.reverse, &prepared.reverse_lengths) {
            (Some(graph), Some(Lengths::U32(lengths))) => Some(Arcs::new(graph, lengths)),
            _ => None,
        };
        let window = Window::new(n, longest);
        let search = WeightedLanes::<G> {
            prepared,
            arcs: Arcs::new(graph, lengths),
            into,
            limit: Limit::new(prepared),
            state: WeightedState {
                numbers: filled(n, LaneRow::ZERO),
                sums: filled(n, LaneRow::ZERO),
                ahead: vec![Vec::new(); window.slots],
                window,
                settled: filled(n, 0),
                levels: Levels::default(),
                predecessors: Vec::new(),
                first_predecessor: Vec::new(),
                touched: Vec::with_capacity(n),
                hits: Hits::new(prepared),
            },
            sums: prepared.zero_sums(),
        };
        Batches::boxed((G * GROUP, simd), search)
    }
}

impl<const G: usize> BatchSearch for WeightedLanes<'_, G> {
    /// The mask of the lanes with more paths than can be counted. If there are any, nothing is
    /// added.
    type Answer = u64;

    #[inline(always)]
    fn batch<V: Vectors>(&mut self, roots: &[Root]) -> Result<u64, Stopped> {
        let (prepared, state, sums) = (self.prepared, &mut self.state, &mut self.sums);
        match &self.into {
            Some(into) => state.forward::<V>(&self.arcs, Some(into), roots)?,
            None => state.forward::<V>(&self.arcs, None, roots)?,
        }
        let levels = state.levels.count() - 1;
        let beyond = self.limit.beyond(levels, &state.touched, &state.numbers);
        if beyond == 0 {
            state.backward::<V>(
                &prepared.graph,
                &prepared.weight,
                &Finish::of(roots),
                &mut sums.vertices,
                sums.arcs.as_deref_mut().unwrap_or_default(),
            );
            if prepared.count_endpoints {
                state.levels.count_endpoints(roots, &mut sums.vertices);
            }
        }
        state.clear();
        Ok(beyond)
    }

    fn sums(&mut self) -> &mut OwnSums {
        &mut self.sums
    }
}

impl<const G: usize> WeightedState<G> {
    /// Makes everything zero again, at the cost of what was touched.
    #[inline(always)]
    fn clear(&mut self) {
        for v in self.touched.drain(..) {
            self.numbers[v as usize] = LaneRow::ZERO;
            self.sums[v as usize] = LaneRow::ZERO;
            self.settled[v as usize] = 0;
        }
    }
}
