//! The way there: levels and path counts of all lanes.

use super::hits::prefetch;
use super::levels::arcs;
use super::pull_pays;
use super::rows::Row;
use super::search::Search;
use super::vectors::Vectors;
use crate::engine::Root;
use crate::graph::{Csr, Vertex};

impl<const G: usize> Search<G> {
    /// `into`: the arcs turned round.
    #[inline(always)]
    pub(super) fn forward<V: Vectors>(&mut self, graph: &Csr, into: &Csr, roots: &[Root]) {
        self.levels.clear();
        for (lane, root) in roots.iter().enumerate() {
            let v = root.vertex as usize;
            *self.numbers[v].lane_mut(lane) = 1.0;
            self.reach(root.vertex, 1 << lane);
        }
        self.levels.end_level();
        for level in 0.. {
            self.discover(graph, level);
            if self.fresh.is_empty() {
                break;
            }
            let push = arcs(graph, self.levels.level(level));
            let pull = self.fresh.iter().map(|&u| into.degree(u)).sum();
            if pull_pays(pull, push) {
                self.pull_paths::<V>(into, level);
            } else {
                self.push_paths::<V>(graph, level);
            }
            self.settle();
        }
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

    /// Which lanes get where from this level (multi-source breadth-first search): bits only, no rows.
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
    fn pull_paths<V: Vectors>(&mut self, into: &Csr, level: usize) {
        for &(v, lanes) in self.levels.level(level) {
            self.at[v as usize] = lanes;
        }
        for &u in &self.fresh {
            let found = self.marks[u as usize].found;
            let mut sum = Row::ZERO;
            let at = &self.at;
            let hits = self
                .hits
                .find(into.neighbours(u), |v| found & at[v as usize]);
            for (i, &(v, lanes)) in hits.iter().enumerate() {
                prefetch(&self.numbers, hits, i);
                sum.add::<V>(&self.numbers[v as usize], lanes);
            }
            self.numbers[u as usize].add_all(&sum);
        }
        for &(v, _) in self.levels.level(level) {
            self.at[v as usize] = 0;
        }
    }

    /// The same from the other end.
    #[inline(always)]
    fn push_paths<V: Vectors>(&mut self, graph: &Csr, level: usize) {
        for &(v, here) in self.levels.level(level) {
            let paths = self.numbers[v as usize];
            let marks = &self.marks;
            let hits = self
                .hits
                .find(graph.neighbours(v), |u| here & marks[u as usize].found);
            for (i, &(u, lanes)) in hits.iter().enumerate() {
                prefetch(&self.numbers, hits, i);
                self.numbers[u as usize].add::<V>(&paths, lanes);
            }
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
