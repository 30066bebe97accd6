//! From flows on overlay arcs to the vertices and arcs of the graph.

use super::overlay::{Direction, Hierarchy, Network};
use crate::engine::Sums;

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

impl Hierarchy {
    /// Adds flows to the vertices that overlay arcs skip, and to the arcs of the graph that they
    /// consist of, if those are wanted. Makes the flows zero.
    pub fn unpack(&self, flows: &mut Flows, network: &Network<'_>, sums: &mut Sums<'_>) {
        // By falling rank of the vertex skipped: nothing flows to its arcs later.
        for v in (0..self.vertices() as u32).rev() {
            let vertex = self.vertex[v as usize];
            sums.vertices[vertex as usize] += self.unpack_at(v, flows);
            if let Some(arcs) = &mut sums.arcs {
                self.flow_on_input(v, flows, network, arcs);
            }
        }
        flows.up.fill(0.0);
        flows.down.fill(0.0);
    }

    /// Moves what flows over `v` inside longer overlay arcs to the arcs of `v`; returns how much
    /// that is.
    fn unpack_at(&self, v: u32, flows: &mut Flows) -> f64 {
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
                    let part = flows.up[across] * part;
                    flows.down[low] += part;
                    flows.up[high] += part;
                    all += part;
                }
                if down.lengths[high].wrapping_add(up.lengths[low]) == down.lengths[across] {
                    let part = down.paths[high] * up.paths[low] / down.paths[across];
                    let part = flows.down[across] * part;
                    flows.down[high] += part;
                    flows.up[low] += part;
                    all += part;
                }
            }
        }
        all
    }

    /// Adds what is left on the overlay arcs of `v` to the arcs of the graph that are as long: each
    /// of these is one of the paths that the overlay arc stands for.
    fn flow_on_input(&self, v: u32, flows: &Flows, network: &Network<'_>, sums: &mut [f64]) {
        let graph = network.graph;
        let mut add = |[tail, head]: [u32; 2], of: &Direction, overlay: usize, flow: f64| {
            let [tail, head] = [tail, head].map(|rank| self.vertex[rank as usize]);
            let arc = graph.arc(tail, head);
            let is_there = graph.neighbours(tail).binary_search(&head).is_ok();
            if is_there && network.length(arc) == of.lengths[overlay] {
                sums[arc] += flow / of.paths[overlay];
            }
        };
        for arc in self.arcs_of(v) {
            let head = self.heads[arc];
            add([v, head], &self.up, arc, flows.up[arc]);
            add([head, v], self.down(), arc, flows.down[arc]);
        }
    }
}
