//! From flows on overlay arcs to the vertices and arcs of the graph.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::overlay::{Direction, Hierarchy, Network};
use crate::engine::Sums;
use crate::graph::Vertex;

/// The dependencies that searches leave on overlay arcs, summed over sources.
#[derive(Debug, Clone, Default)]
pub struct Flows {
    /// Per overlay arc, from its lower to its higher end.
    pub up: Vec<f64>,
    /// Per overlay arc, from its higher to its lower end.
    pub down: Vec<f64>,
}

impl Flows {
    /// No flows yet.
    pub fn zero(hierarchy: &Hierarchy) -> Flows {
        Flows {
            up: vec![0.0; hierarchy.arcs()],
            down: vec![0.0; hierarchy.arcs()],
        }
    }
}

/// Flows that several threads add to: only the thread that unpacks a vertex writes those of its
/// arcs, and others read them when that is done.
struct SharedFlows {
    up: Vec<AtomicU64>,
    down: Vec<AtomicU64>,
}

impl SharedFlows {
    fn of(flows: &Flows) -> SharedFlows {
        let shared = |flows: &Vec<f64>| {
            let flows = flows.par_iter();
            flows.map(|flow| AtomicU64::new(flow.to_bits())).collect()
        };
        SharedFlows {
            up: shared(&flows.up),
            down: shared(&flows.down),
        }
    }
}

fn at(flows: &[AtomicU64], arc: usize) -> f64 {
    f64::from_bits(flows[arc].load(Ordering::Relaxed))
}

fn add(flows: &[AtomicU64], arc: usize, more: f64) {
    let sum = at(flows, arc) + more;
    flows[arc].store(sum.to_bits(), Ordering::Relaxed);
}

impl Hierarchy {
    /// Adds flows to the vertices that overlay arcs skip, and to the arcs of the graph that they
    /// consist of, if those are wanted. Makes the flows zero.
    pub fn unpack(&self, flows: &mut Flows, network: &Network<'_>, sums: &mut Sums<'_>) {
        /// Vertices that are worth a thread.
        const TOGETHER: usize = 256;
        let shared = SharedFlows::of(flows);
        // What flows over a vertex was on arcs of its ancestors: those of one depth are
        // independent.
        for ranks in self.by_depth() {
            let ranks = ranks.par_iter().with_min_len(TOGETHER);
            let skipped: Vec<(Vertex, f64)> = ranks
                .map(|&v| (self.vertex[v as usize], self.unpack_at(v, &shared)))
                .collect();
            for (vertex, sum) in skipped {
                sums.vertices[vertex as usize] += sum;
            }
        }
        if let Some(arcs) = &mut sums.arcs {
            let tails = network.graph.tails();
            let sums = arcs.par_iter_mut().with_min_len(TOGETHER).enumerate();
            sums.for_each(|(arc, sum)| {
                let ends = [tails[arc], network.graph.targets()[arc]];
                *sum += self.flow_on_input(ends, network.length(arc), &shared);
            });
        }
        flows.up.fill(0.0);
        flows.down.fill(0.0);
    }

    /// Ranks by the number of ancestors.
    fn by_depth(&self) -> Vec<Vec<u32>> {
        let depths = self.depths();
        let deepest = depths
            .iter()
            .max()
            .map_or(0, |&deepest| deepest as usize + 1);
        let mut ranks = vec![Vec::new(); deepest];
        for (v, depth) in (0..).zip(depths) {
            ranks[depth as usize].push(v);
        }
        ranks
    }

    /// Moves what flows over `v` inside longer overlay arcs to the arcs of `v`; returns how much
    /// that is.
    fn unpack_at(&self, v: u32, flows: &SharedFlows) -> f64 {
        let (up, down) = (&self.up, self.down());
        let mut all = 0.0;
        let arcs = self.arcs_of(v);
        for low in arcs.clone() {
            let mut others = self.arcs_of(self.heads[low]);
            for high in low + 1..arcs.end {
                let head = self.heads[high];
                while others.start < others.end && self.heads[others.start] < head {
                    others.start += 1;
                }
                if others.start == others.end {
                    break;
                }
                let across = others.start;
                if self.heads[across] != head {
                    continue;
                }
                // Two lengths of ABSENT wrap around to zero, which no arc has.
                if down.lengths[low].wrapping_add(up.lengths[high]) == up.lengths[across] {
                    let part = down.paths[low] * up.paths[high] / up.paths[across];
                    let part = at(&flows.up, across) * part;
                    add(&flows.down, low, part);
                    add(&flows.up, high, part);
                    all += part;
                }
                if down.lengths[high].wrapping_add(up.lengths[low]) == down.lengths[across] {
                    let part = down.paths[high] * up.paths[low] / down.paths[across];
                    let part = at(&flows.down, across) * part;
                    add(&flows.down, high, part);
                    add(&flows.up, low, part);
                    all += part;
                }
            }
        }
        all
    }

    /// What is left on the overlay arc of an arc of the graph, if it is as long: the arc is one of
    /// the paths that the overlay arc stands for.
    fn flow_on_input(&self, [tail, head]: [Vertex; 2], length: u32, flows: &SharedFlows) -> f64 {
        let [from, to] = [tail, head].map(|v| self.rank[v as usize]);
        let (low, high) = (from.min(to), from.max(to));
        let arcs = self.arcs_of(low);
        let Ok(place) = self.heads[arcs.clone()].binary_search(&high) else {
            return 0.0;
        };
        let overlay = arcs.start + place;
        let on = |of: &Direction, flows: &[AtomicU64]| match of.lengths[overlay] == length {
            true => at(flows, overlay) / of.paths[overlay],
            false => 0.0,
        };
        match from == low {
            true => on(&self.up, &flows.up),
            false => on(self.down(), &flows.down),
        }
    }
}
