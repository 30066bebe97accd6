//! The direction of searches of a directed graph.
//!
//! Reversing all arcs changes no betweenness of a vertex, and that of an arc is the one of the
//! reversed arc; weights of sources and of targets change places. The reversed graph may need less
//! work: its searches begin at other vertices and reach others.

use std::mem;

use super::Prepared;
use super::reach::Reach;

/// The graph is reversed only if less than this part of the work remains.
const MOST_WORK_LEFT: f64 = 0.8;

impl Prepared {
    /// Returns what searches reach, and estimates by it the work before all reductions.
    pub(super) fn find_reach(&mut self) -> Option<Reach> {
        let reach = Reach::new([&self.graph, self.reverse.as_ref()?]);
        let work = reach.work(&self.graph, false, &self.source);
        self.steps[0].work = work;
        self.arcs_per_root = work / self.roots.len().max(1) as f64;
        Some(reach)
    }

    /// Returns the estimated work after the last reduction.
    pub(super) fn work_left(&self) -> f64 {
        self.steps.last().map_or(0.0, |step| step.work)
    }

    /// Reverses a directed graph: `always`, or only if that makes less work. Engines count the ends
    /// of paths for the original direction only, so with these the graph stays the same.
    pub(super) fn turn(&mut self, always: bool, reach: &Reach) {
        let before = self.work_left();
        let Some(reverse) = self.reverse.as_mut().filter(|_| !self.count_endpoints) else {
            return;
        };
        let work = reach.work(reverse, true, &self.weight);
        if !always && work >= MOST_WORK_LEFT * before {
            return;
        }
        let lengths = self.lengths.as_ref();
        self.lengths = lengths.map(|lengths| lengths.reversed(&self.graph, reverse));
        mem::swap(&mut self.source, &mut self.weight);
        mem::swap(&mut self.graph, reverse);
        let (graph, ranges) = (mem::take(&mut self.graph), mem::take(&mut self.ranges));
        self.set_graph(Some("reverse"), graph, ranges, Some(work));
        if let Some(edges) = &mut self.edges {
            edges.is_reversed = true;
        }
    }
}
