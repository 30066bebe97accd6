//! Unpacking of flows on overlay arcs to the vertices and arcs of the graph.

use rayon::prelude::*;

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
        /// The number of vertices, or arcs, of a parallel task.
        const PER_TASK: usize = 256;
        // Unpacking a vertex reads flows on arcs of its ancestors and adds to its own arcs, so
        // vertices of one depth are independent.
        let depths = self.depths();
        let deepest = depths.iter().max().copied().unwrap_or(0);
        let mut by_depth = vec![Vec::new(); deepest as usize + 1];
        for (v, depth) in (0..).zip(depths) {
            by_depth[depth as usize].push(v);
        }
        for ranks in by_depth {
            let tasks = ranks.par_chunks(PER_TASK);
            let unpacked: Vec<_> = match ranks.len() <= PER_TASK {
                // A few vertices are unpacked in less time than a task needs to start.
                true => vec![self.unpacked(&ranks, flows)],
                false => tasks.map(|ranks| self.unpacked(ranks, flows)).collect(),
            };
            for (ranks, (skipped, own)) in ranks.chunks(PER_TASK).zip(unpacked) {
                let mut end = 0;
                for (&v, skipped) in ranks.iter().zip(skipped) {
                    sums.vertices[self.vertex[v as usize] as usize] += skipped;
                    let arcs = self.arcs_of(v);
                    let place = end..end + arcs.len();
                    end = place.end;
                    flows.up[arcs.clone()].copy_from_slice(&own.up[place.clone()]);
                    flows.down[arcs].copy_from_slice(&own.down[place]);
                }
            }
        }
        if let Some(arcs) = &mut sums.arcs {
            let (graph, lengths) = (&prepared.graph, prepared.lengths.as_ref());
            let tails = graph.tails();
            let sums = arcs.par_iter_mut().with_min_len(PER_TASK).enumerate();
            sums.for_each(|(arc, sum)| {
                let ends = [tails[arc], graph.targets()[arc]];
                *sum += self.flow_on_input(ends, arc_length(lengths, arc), flows);
            });
        }
        flows.up.fill(0.0);
        flows.down.fill(0.0);
    }

    /// Returns for each of these vertices the flow of the overlay arcs that skip it, and the
    /// concatenated flows on the own arcs of the vertices, which include that flow.
    fn unpacked(&self, ranks: &[u32], flows: &Flows) -> (Vec<f64>, Flows) {
        let (up, down, mut own) = (&self.up, self.down(), Flows::default());
        let unpack = |&v: &u32| {
            let (arcs, begin) = (self.arcs_of(v), own.up.len());
            own.up.extend_from_slice(&flows.up[arcs.clone()]);
            own.down.extend_from_slice(&flows.down[arcs.clone()]);
            let mut skipped = 0.0;
            self.each_triangle(v, |low, high, across| {
                let rising = (up, &flows.up, low, high);
                for (to, flow, into, out) in [rising, (down, &flows.down, high, low)] {
                    // Two lengths of ABSENT wrap around to zero, which no arc has, but two others
                    // may add up to ABSENT, the length of an arc without paths.
                    let length = down.lengths[into].wrapping_add(up.lengths[out]);
                    if to.paths[across] > 0.0 && length == to.lengths[across] {
                        let part = down.paths[into] * up.paths[out] / to.paths[across];
                        let part = flow[across] * part;
                        own.down[begin + into - arcs.start] += part;
                        own.up[begin + out - arcs.start] += part;
                        skipped += part;
                    }
                }
            });
            skipped
        };
        (ranks.iter().map(unpack).collect(), own)
    }

    /// Returns the flow on an arc of the graph, after unpacking: its share of the flow on its
    /// overlay arc, if the two are equally long.
    fn flow_on_input(&self, [tail, head]: [Vertex; 2], length: u32, flows: &Flows) -> f64 {
        let [from, to] = [tail, head].map(|v| self.rank[v as usize]);
        let (arcs, flows) = match from < to {
            true => (&self.up, &flows.up),
            false => (self.down(), &flows.down),
        };
        let overlay = self.arc_between([from.min(to), from.max(to)]);
        let overlay = overlay.filter(|&overlay| arcs.lengths[overlay] == length);
        overlay.map_or(0.0, |overlay| flows[overlay] / arcs.paths[overlay])
    }
}
