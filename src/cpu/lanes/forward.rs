//! The forward phase: levels and path counts of all lanes.

use super::numbers::Number;
use super::rows::{LaneRow, prefetch};
use super::state::{LaneState, arcs_at, pull_is_cheaper};
use crate::cpu::halt;
use crate::cpu::vectors::Vectors;
use crate::engine::{EngineError, Root};
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// If the vertices of a level have at least 1/`PULL_SHARE` of all arcs, the candidates of the pull
/// are all vertices that some lane has not reached.
const PULL_SHARE: usize = 4;

/// The forward phase of a batch.
pub(super) struct Forward<'a, const G: usize, T> {
    prepared: &'a Prepared,
    /// Path counts. Rows of vertices that no lane has reached hold counts of an earlier batch.
    paths: &'a mut [LaneRow<G, T>],
    /// The largest count of each lane so far, if counts saturate; otherwise zero.
    most: LaneRow<G, T>,
}

impl<'a, const G: usize, T: Number> Forward<'a, G, T> {
    /// Finds levels and path counts.
    #[inline(always)]
    pub(super) fn run<V: Vectors>(
        prepared: &'a Prepared,
        paths: &'a mut [LaneRow<G, T>],
        state: &mut LaneState,
        roots: &[Root],
    ) -> Result<Self, EngineError> {
        let [graph, into] = prepared.ways();
        state.start(roots);
        for &v in &state.touched {
            paths[v as usize] = LaneRow::zero();
        }
        for (lane, root) in roots.iter().enumerate() {
            *paths[root.vertex as usize].lane_mut(lane) = T::from(1);
        }
        let mut forward = Forward {
            prepared,
            paths,
            most: LaneRow::zero(),
        };
        let all_lanes = u64::MAX >> (u64::BITS as usize - roots.len());
        for level in 0..prepared.search_limit() as usize {
            halt::check()?;
            let push = arcs_at(graph, state.levels.level(level));
            if push >= into.arcs() / PULL_SHARE {
                // Much of the graph is on this level, so every open vertex (one that some lane has
                // not reached) looks for neighbours there.
                let open = |&u: &Vertex| state.marks[u as usize].seen != all_lanes;
                state.fresh.clear();
                state
                    .fresh
                    .extend((0..graph.vertices() as Vertex).filter(open));
                forward.pull::<V>(state, level);
            } else {
                state.discover(graph, level);
                let pull = state.fresh.iter().map(|&u| into.degree(u)).sum();
                match pull_is_cheaper(pull, push) {
                    true => forward.pull::<V>(state, level),
                    false => forward.push::<V>(state, level),
                }
            }
            if state.fresh.is_empty() {
                break;
            }
            state.settle();
        }
        Ok(forward)
    }

    /// Counts paths to the vertices in `fresh` from their predecessors on this level, and removes
    /// vertices from `fresh` that no lane reaches.
    #[inline(always)]
    fn pull<V: Vectors>(&mut self, state: &mut LaneState, level: usize) {
        let [_, into] = self.prepared.ways();
        state.enter(level, |lanes| lanes);
        let mut fresh_len = 0;
        for i in 0..state.fresh.len() {
            let u = state.fresh[i];
            let mark = &mut state.marks[u as usize];
            let (level_lanes, open) = (&state.level_lanes[..], !mark.seen);
            let mut found = 0;
            let hits = state.hits.find(into.neighbours(u), |v: Vertex| {
                let lanes = open & level_lanes[v as usize];
                found |= lanes;
                lanes
            });
            if found == 0 {
                continue;
            }
            let mut sum = LaneRow::sum::<V>(self.paths, hits);
            sum.scale(self.prepared.multiplicity_of(u as usize), found);
            let row = &mut self.paths[u as usize];
            match mark.seen {
                0 => *row = sum,
                _ => row.add::<V>(&sum, u64::MAX),
            }
            if T::SATURATES {
                self.most.raise(row);
            }
            mark.found = found;
            state.fresh[fresh_len] = u;
            fresh_len += 1;
        }
        state.fresh.truncate(fresh_len);
        state.leave(level);
    }

    /// Adds the path counts of this level to those of its successors: the vertices in `fresh`.
    #[inline(always)]
    fn push<V: Vectors>(&mut self, state: &mut LaneState, level: usize) {
        let graph = &self.prepared.graph;
        for &u in &state.fresh {
            if state.marks[u as usize].seen == 0 {
                self.paths[u as usize] = LaneRow::zero();
            }
        }
        for &(v, here) in state.levels.level(level) {
            let row = self.paths[v as usize];
            let marks = &state.marks[..];
            let lanes_of = |u: Vertex| here & marks[u as usize].found;
            let hits = state.hits.find(graph.neighbours(v), lanes_of);
            for (i, &(u, lanes)) in hits.iter().enumerate() {
                prefetch(self.paths, hits, i);
                self.paths[u as usize].add::<V>(&row, lanes);
            }
        }
        for &u in &state.fresh {
            let row = &mut self.paths[u as usize];
            let found = state.marks[u as usize].found;
            row.scale(self.prepared.multiplicity_of(u as usize), found);
            if T::SATURATES {
                self.most.raise(row);
            }
        }
    }

    /// Returns the lanes that have a count out of range at some vertex reached, a bit for each.
    #[inline(always)]
    pub(super) fn overflowed(mut self, reached: &[Vertex]) -> u64 {
        if !T::SATURATES {
            for &v in reached {
                self.most.raise(&self.paths[v as usize]);
            }
        }
        self.most.overflowed()
    }
}
