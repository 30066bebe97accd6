//! Unpacking of flows on overlay arcs to the vertices and arcs of the graph.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Lets threads share flows. Each thread adds only to arcs of its own vertices.
fn share(flows: &mut [f64]) -> &[AtomicU64] {
    const { assert!(align_of::<f64>() == align_of::<AtomicU64>()) };
    let len = flows.len();
    // SAFETY: the two types have the same size and alignment and are valid for all bits, and the
    // numbers are borrowed exclusively for the lifetime of the result.
    unsafe { std::slice::from_raw_parts(flows.as_mut_ptr().cast(), len) }
}

fn get(flow: &AtomicU64) -> f64 {
    f64::from_bits(flow.load(Ordering::Relaxed))
}

/// Adds to a flow to which no other thread adds at the same time.
fn add(flow: &AtomicU64, more: f64) {
    flow.store((get(flow) + more).to_bits(), Ordering::Relaxed);
}

impl Hierarchy {
    /// Adds flows to the vertices that overlay arcs skip, and to the arcs of the graph that they
    /// consist of, if `sums` has arcs. Then sets the flows to zero.
    pub fn unpack(&self, flows: &mut Flows, prepared: &Prepared, sums: &mut Sums<'_>) {
        /// The fewest vertices, or arcs, of a parallel task.
        const PER_TASK: usize = 256;
        // Unpacking a vertex reads flows on arcs of its ancestors and adds to its own arcs, so
        // vertices of one depth are independent.
        let mut by_depth = BTreeMap::<_, Vec<u32>>::new();
        for (v, depth) in (0..).zip(self.depths()) {
            by_depth.entry(depth).or_default().push(v);
        }
        for ranks in by_depth.into_values() {
            let shared = [share(&mut flows.up), share(&mut flows.down)];
            let skipped = ranks.par_iter().with_min_len(PER_TASK);
            let skipped: Vec<f64> = skipped.map(|&v| self.unpack_at(v, shared)).collect();
            for (v, skipped) in ranks.into_iter().zip(skipped) {
                sums.vertices[self.vertex[v as usize] as usize] += skipped;
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

    /// Adds the flow of overlay arcs that skip `v` to the arcs of `v`, and returns it. `rising` and
    /// `falling` are the flows of all arcs in these directions.
    fn unpack_at(&self, v: u32, [rising, falling]: [&[AtomicU64]; 2]) -> f64 {
        let (up, down) = (&self.up, self.down());
        let mut skipped = 0.0;
        self.each_triangle(v, |low, high, across| {
            for (to, flow, first, last) in [(up, rising, low, high), (down, falling, high, low)] {
                // Two lengths of ABSENT wrap around to zero, which no arc has, but two others may
                // add up to ABSENT, the length of an arc without paths.
                let length = down.lengths[first].wrapping_add(up.lengths[last]);
                if to.paths[across] > 0.0 && length == to.lengths[across] {
                    let part = down.paths[first] * up.paths[last] / to.paths[across];
                    let part = get(&flow[across]) * part;
                    add(&falling[first], part);
                    add(&rising[last], part);
                    skipped += part;
                }
            }
        });
        skipped
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
