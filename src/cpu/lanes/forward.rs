//! The way there: levels and path counts of all lanes.

use super::levels::arcs;
use super::levels::pull_pays;
use super::numbers::Number;
use super::rows::{LaneRow, prefetch};
use super::state::{LaneState, Mark};
use crate::cpu::halt::{self, Stopped};
use crate::cpu::vectors::Vectors;
use crate::engine::Root;
use crate::graph::{Csr, Vertex};
use crate::prepare::Weights;

/// A level with this part of all arcs is looked for from the vertices that it may lead to.
const MUCH: usize = 4;

impl LaneState {
    /// Puts the path counts into `paths`, whatever was there before; rows of vertices that no lane
    /// reaches stay as they are. `into`: the arcs turned round. `false` if any count is too large
    /// for its type.
    #[inline(always)]
    pub(super) fn forward<V: Vectors, T: Number, const G: usize>(
        &mut self,
        ((graph, into), weights): ((&Csr, &Csr), Weights<'_>),
        roots: &[Root],
        paths: &mut [LaneRow<G, T>],
    ) -> Result<bool, Stopped> {
        let mut most = LaneRow::ZERO;
        self.levels.clear();
        for (lane, root) in roots.iter().enumerate() {
            let v = root.vertex as usize;
            if self.marks[v].seen == 0 {
                paths[v] = LaneRow::ZERO;
            }
            *paths[v].lane_mut(lane) = T::ONE;
            self.reach(root.vertex, 1 << lane);
        }
        self.levels.end_level();
        let all = u64::MAX >> (u64::BITS as usize - roots.len());
        for level in 0.. {
            halt::check()?;
            let push = arcs(graph, self.levels.level(level));
            if push >= into.arcs() / MUCH {
                self.pull_everywhere::<V, T, G>((into, weights), level, all, paths, &mut most);
            } else {
                self.discover(graph, level);
                let pull = self.fresh.iter().map(|&u| into.degree(u)).sum();
                if pull_pays(pull, push) {
                    self.pull_paths::<V, T, G>((into, weights), level, paths, &mut most);
                } else {
                    self.push_paths::<V, T, G>((graph, weights), level, paths, &mut most);
                }
            }
            if self.fresh.is_empty() {
                break;
            }
            self.settle();
        }
        Ok(!most.any_too_large())
    }

    /// Notes lanes that are at `v` on the level being made.
    #[inline(always)]
    fn reach(&mut self, v: Vertex, lanes: u64) {
        let seen = &mut self.marks[v as usize].seen;
        if *seen == 0 {
            self.touched.push(v);
        }
        *seen |= lanes;
        self.levels.push(v, lanes);
    }

    /// Which lanes get where from this level (multi-source breadth-first search): bits only, no
    /// rows.
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

    /// Path counts of what was found, from the vertices of this level that lead there.
    #[inline(always)]
    fn pull_paths<V: Vectors, T: Number, const G: usize>(
        &mut self,
        (into, weights): (&Csr, Weights<'_>),
        level: usize,
        paths: &mut [LaneRow<G, T>],
        most: &mut LaneRow<G, T>,
    ) {
        self.enter(level, |lanes| lanes);
        for &u in &self.fresh {
            let Mark { seen, found } = self.marks[u as usize];
            let at = &self.at[..];
            let look = |v: Vertex| found & at[v as usize];
            let hits = self.hits.find(into.neighbours(u), look);
            let mut sum = LaneRow::sum::<V>(paths, hits);
            sum.scale(weights.multiplicity(u as usize), found);
            most.raise(paths[u as usize].put(sum, seen));
        }
        self.leave(level);
    }

    /// Discovers and pulls at once, where much of the graph is on the level: every vertex that some
    /// lane has not reached looks for neighbours that are there.
    #[inline(always)]
    fn pull_everywhere<V: Vectors, T: Number, const G: usize>(
        &mut self,
        (into, weights): (&Csr, Weights<'_>),
        level: usize,
        all: u64,
        paths: &mut [LaneRow<G, T>],
        most: &mut LaneRow<G, T>,
    ) {
        self.fresh.clear();
        self.enter(level, |lanes| lanes);
        for (u, mark) in self.marks.iter_mut().enumerate() {
            if mark.seen == all {
                continue;
            }
            let (at, open) = (&self.at[..], !mark.seen);
            let mut found = 0;
            let hits = self.hits.find(into.neighbours(u as Vertex), |v: Vertex| {
                let lanes = open & at[v as usize];
                found |= lanes;
                lanes
            });
            if found == 0 {
                continue;
            }
            let mut sum = LaneRow::sum::<V>(paths, hits);
            sum.scale(weights.multiplicity(u), found);
            most.raise(paths[u].put(sum, mark.seen));
            mark.found = found;
            self.fresh.push(u as Vertex);
        }
        self.leave(level);
    }

    /// The same from the other end.
    #[inline(always)]
    fn push_paths<V: Vectors, T: Number, const G: usize>(
        &mut self,
        (graph, weights): (&Csr, Weights<'_>),
        level: usize,
        paths: &mut [LaneRow<G, T>],
        most: &mut LaneRow<G, T>,
    ) {
        for &u in &self.fresh {
            if self.marks[u as usize].seen == 0 {
                paths[u as usize] = LaneRow::ZERO;
            }
        }
        for &(v, here) in self.levels.level(level) {
            let row = paths[v as usize];
            let marks = &self.marks[..];
            let look = |u: Vertex| here & marks[u as usize].found;
            let hits = self.hits.find(graph.neighbours(v), look);
            for (i, &(u, lanes)) in hits.iter().enumerate() {
                prefetch(paths, hits, i);
                paths[u as usize].add::<V>(&row, lanes);
            }
        }
        for &u in &self.fresh {
            let row = &mut paths[u as usize];
            if weights.has_twins() {
                row.scale(
                    weights.multiplicity(u as usize),
                    self.marks[u as usize].found,
                );
            }
            most.raise(row);
        }
    }

    /// Makes what was found the next level.
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
