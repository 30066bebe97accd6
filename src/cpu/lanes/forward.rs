//! The forward phase: levels and path counts of all lanes.

use super::levels::{arcs, pull_pays};
use super::numbers::Number;
use super::rows::{LaneRow, prefetch};
use super::state::LaneState;
use crate::cpu::halt;
use crate::cpu::vectors::Vectors;
use crate::engine::{EngineError, Root};
use crate::graph::{Csr, Vertex};
use crate::prepare::{Prepared, Weights};

/// If the vertices of a level have at least one in this many of all arcs, every vertex that some
/// lane has not reached pulls.
const PULL_SHARE: usize = 4;

/// The forward phase of a batch.
pub(super) struct Forward<'a, const G: usize, T> {
    graph: &'a Csr,
    /// The reversed arcs.
    into: &'a Csr,
    weights: Weights<'a>,
    /// Path counts; rows of vertices that no lane reaches are left from an earlier batch.
    paths: &'a mut [LaneRow<G, T>],
    /// The largest count of each lane so far, if counts saturate.
    most: LaneRow<G, T>,
    /// The most levels below the roots.
    deepest: usize,
}

impl<'a, const G: usize, T: Number> Forward<'a, G, T> {
    #[inline(always)]
    pub(super) fn new(prepared: &'a Prepared, paths: &'a mut [LaneRow<G, T>]) -> Self {
        let graph = &prepared.graph;
        Forward {
            graph,
            into: prepared.reverse.as_ref().unwrap_or(graph),
            weights: prepared.weights(),
            paths,
            most: LaneRow::zero(),
            deepest: prepared.search_limit() as usize,
        }
    }

    /// Finds levels and path counts.
    #[inline(always)]
    pub(super) fn run<V: Vectors>(
        &mut self,
        state: &mut LaneState,
        roots: &[Root],
    ) -> Result<(), EngineError> {
        state.start(roots);
        for &v in &state.touched {
            self.paths[v as usize] = LaneRow::zero();
        }
        for (lane, root) in roots.iter().enumerate() {
            *self.paths[root.vertex as usize].lane_mut(lane) = T::ONE;
        }
        let all = u64::MAX >> (u64::BITS as usize - roots.len());
        for level in 0..self.deepest {
            halt::check()?;
            let push = arcs(self.graph, state.levels.level(level));
            if push >= self.into.arcs() / PULL_SHARE {
                // Much of the graph is on this level, so every open vertex looks for neighbours
                // there.
                let open = |&u: &Vertex| state.marks[u as usize].seen != all;
                state.fresh.clear();
                state
                    .fresh
                    .extend((0..self.graph.vertices() as Vertex).filter(open));
                self.pull::<V>(state, level);
            } else {
                state.discover(self.graph, level);
                let pull = state.fresh.iter().map(|&u| self.into.degree(u)).sum();
                match pull_pays(pull, push) {
                    true => self.pull::<V>(state, level),
                    false => self.push::<V>(state, level),
                }
            }
            if state.fresh.is_empty() {
                break;
            }
            state.settle();
        }
        Ok(())
    }

    /// Counts paths to the vertices in `fresh` from their predecessors on this level. Keeps only
    /// vertices that some lane reaches.
    #[inline(always)]
    fn pull<V: Vectors>(&mut self, state: &mut LaneState, level: usize) {
        state.enter(level, |lanes| lanes);
        let mut kept = 0;
        for i in 0..state.fresh.len() {
            let u = state.fresh[i];
            let mark = &mut state.marks[u as usize];
            let (at, open) = (&state.at[..], !mark.seen);
            let mut found = 0;
            let hits = state.hits.find(self.into.neighbours(u), |v: Vertex| {
                let lanes = open & at[v as usize];
                found |= lanes;
                lanes
            });
            if found == 0 {
                continue;
            }
            let mut sum = LaneRow::sum::<V>(self.paths, hits);
            sum.scale(self.weights.multiplicity(u as usize), found);
            let row = &mut self.paths[u as usize];
            row.put::<V>(sum, mark.seen);
            if T::SATURATES {
                self.most.raise(row);
            }
            mark.found = found;
            state.fresh[kept] = u;
            kept += 1;
        }
        state.fresh.truncate(kept);
        state.leave(level);
    }

    /// Adds the path counts of this level to those of its successors: the vertices in `fresh`.
    #[inline(always)]
    fn push<V: Vectors>(&mut self, state: &mut LaneState, level: usize) {
        for &u in &state.fresh {
            if state.marks[u as usize].seen == 0 {
                self.paths[u as usize] = LaneRow::zero();
            }
        }
        for &(v, here) in state.levels.level(level) {
            let row = self.paths[v as usize];
            let marks = &state.marks[..];
            let look = |u: Vertex| here & marks[u as usize].found;
            let hits = state.hits.find(self.graph.neighbours(v), look);
            for (i, &(u, lanes)) in hits.iter().enumerate() {
                prefetch(self.paths, hits, i);
                self.paths[u as usize].add::<V>(&row, lanes);
            }
        }
        for &u in &state.fresh {
            let row = &mut self.paths[u as usize];
            if self.weights.has_twins() {
                let found = state.marks[u as usize].found;
                row.scale(self.weights.multiplicity(u as usize), found);
            }
            if T::SATURATES {
                self.most.raise(row);
            }
        }
    }

    /// Returns the lanes that have a count out of range at some vertex reached, a bit for each.
    #[inline(always)]
    pub(super) fn beyond(mut self, reached: &[Vertex]) -> u64 {
        if !T::SATURATES {
            for &v in reached {
                self.most.raise(&self.paths[v as usize]);
            }
        }
        self.most.beyond()
    }
}

impl LaneState {
    /// Finds levels without counting paths.
    #[inline(always)]
    pub(super) fn find_levels(
        &mut self,
        prepared: &Prepared,
        roots: &[Root],
    ) -> Result<(), EngineError> {
        self.start(roots);
        for level in 0..prepared.search_limit() as usize {
            halt::check()?;
            self.discover(&prepared.graph, level);
            if self.fresh.is_empty() {
                break;
            }
            self.settle();
        }
        Ok(())
    }

    /// Begins a batch with level 0. A vertex may be the root of several lanes, as in the joined
    /// batches of an estimate, but is on the level once.
    #[inline(always)]
    fn start(&mut self, roots: &[Root]) {
        self.levels.clear();
        for (lane, root) in roots.iter().enumerate() {
            let seen = &mut self.marks[root.vertex as usize].seen;
            if *seen == 0 {
                self.touched.push(root.vertex);
            }
            *seen |= 1 << lane;
        }
        for &v in &self.touched {
            self.levels.push(v, self.marks[v as usize].seen);
        }
        self.levels.end_level();
    }

    /// Adds a vertex with these lanes to the level that is being made.
    #[inline(always)]
    fn reach(&mut self, v: Vertex, lanes: u64) {
        let seen = &mut self.marks[v as usize].seen;
        if *seen == 0 {
            self.touched.push(v);
        }
        *seen |= lanes;
        self.levels.push(v, lanes);
    }

    /// Finds the lanes that reach each vertex from this level, by multi-source breadth-first search
    /// on bits, without rows.
    #[inline(always)]
    fn discover(&mut self, graph: &Csr, level: usize) {
        self.fresh.clear();
        for &(v, lanes) in self.levels.level(level) {
            for &u in graph.neighbours(v) {
                let mark = &mut self.marks[u as usize];
                let new = lanes & !mark.seen;
                if new != 0 {
                    if mark.found == 0 {
                        self.fresh.push(u);
                    }
                    mark.found |= new;
                }
            }
        }
    }

    /// Makes the vertices found the next level.
    #[inline(always)]
    fn settle(&mut self) {
        for i in 0..self.fresh.len() {
            let u = self.fresh[i];
            let found = std::mem::take(&mut self.marks[u as usize].found);
            self.reach(u, found);
        }
        self.levels.end_level();
    }
}
