//! Unpacking of flows on overlay arcs to the vertices and arcs of the graph.

use std::ops::Range;

use rayon::prelude::*;

use super::levels::Rule;
use super::overlay::{Hierarchy, arc_length};
use crate::engine::Sums;
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// The dependencies that searches leave on overlay arcs, summed over sources.
#[derive(Debug, Clone, Default)]
pub struct Flows {
    /// Per overlay arc, from its lower to its higher end.
    pub up: Vec<f64>,
    /// Per overlay arc, from its higher to its lower end.
    pub down: Vec<f64>,
}

impl Flows {
    /// Makes flows of zero.
    pub fn zero(hierarchy: &Hierarchy) -> Flows {
        Flows {
            up: vec![0.0; hierarchy.arcs()],
            down: vec![0.0; hierarchy.arcs()],
        }
    }
}

impl Hierarchy {
    /// Adds flows to the vertices that overlay arcs skip, and to the arcs of the graph that they
    /// consist of, if `sums` has arcs. Then sets the flows to zero.
    pub fn unpack(&self, flows: &mut Flows, prepared: &Prepared, sums: &mut Sums<'_>) {
        /// The fewest arcs of the graph of a parallel task.
        const ARCS_PER_TASK: usize = 256;
        let (up, down) = (&self.up, self.down());
        // Unpacking a vertex reads flows on arcs of its ancestors and adds to its own arcs. A pair
        // has the flows up and down.
        let rule = Rule {
            none: [0.0; 2],
            items: |v| self.arcs_of(v).len(),
            visit: |flows: &[[f64; 2]], own: &mut [[f64; 2]], v: u32, items: Range<usize>| {
                let first = self.arcs_of(v).start;
                self.each_triangle(
                    v,
                    first + items.start..first + items.end,
                    |low, high, across| {
                        let flow = flows[across];
                        for (to, flow, into, out) in
                            [(up, flow[0], low, high), (down, flow[1], high, low)]
                        {
                            // Two lengths of ABSENT wrap around to zero, which no arc has, but two
                            // others may add up to ABSENT, the length of an arc without paths.
                            let length = down.lengths[into].wrapping_add(up.lengths[out]);
                            if to.paths[across] > 0.0 && length == to.lengths[across] {
                                let share = down.paths[into] * up.paths[out] / to.paths[across];
                                own[into - first][1] += flow * share;
                                own[out - first][0] += flow * share;
                            }
                        }
                    },
                );
            },
            add: |one: [f64; 2], other: [f64; 2]| [one[0] + other[0], one[1] + other[1]],
        };
        let both = flows.up.par_iter().zip(&flows.down);
        let mut pairs: Vec<_> = both.map(|(up, down)| [*up, *down]).collect();
        self.add_by_level(self.by_depth(), &mut pairs, &rule, |v, own| {
            // Flow through the vertex enters by one of its arcs, and leaves by another.
            let skipped: f64 = own.iter().map(|[_, down]| down).sum();
            sums.vertices[self.vertex[v as usize] as usize] += skipped;
        });
        if let Some(arcs) = &mut sums.arcs {
            let (graph, lengths) = (&prepared.graph, prepared.lengths.as_ref());
            let tails = graph.tails();
            let sums = arcs.par_iter_mut().with_min_len(ARCS_PER_TASK).enumerate();
            sums.for_each(|(arc, sum)| {
                let ends = [tails[arc], graph.targets()[arc]];
                *sum += self.flow_on_input(ends, arc_length(lengths, arc), &pairs);
            });
        }
        flows.up.fill(0.0);
        flows.down.fill(0.0);
    }

    /// Returns the flow on an arc of the graph, after unpacking: its share of the flow on its
    /// overlay arc, if the two are equally long.
    fn flow_on_input(&self, [tail, head]: [Vertex; 2], length: u32, flows: &[[f64; 2]]) -> f64 {
        let [from, to] = [tail, head].map(|v| self.rank[v as usize]);
        let (arcs, way) = match from < to {
            true => (&self.up, 0),
            false => (self.down(), 1),
        };
        let overlay = self.arc_between([from.min(to), from.max(to)]);
        let overlay = overlay.filter(|&overlay| arcs.lengths[overlay] == length);
        overlay.map_or(0.0, |overlay| flows[overlay][way] / arcs.paths[overlay])
    }
}
