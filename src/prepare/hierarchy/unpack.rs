//! Unpacking of flows on overlay arcs to the vertices and arcs of the graph.

use rayon::prelude::*;

use super::overlay::{Direction, Hierarchy, arc_length};
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

/// The flow over a vertex inside longer overlay arcs.
struct Unpacked {
    skipped: f64,
    /// Per arc of the vertex, the part of it that is on the arc, up and down.
    own: Vec<[f64; 2]>,
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
    /// consist of, if those are wanted. Makes the flows zero.
    pub fn unpack(&self, flows: &mut Flows, prepared: &Prepared, sums: &mut Sums<'_>) {
        /// The number of vertices that are worth a task.
        const PER_TASK: usize = 256;
        // The flow over a vertex was on arcs of its ancestors, so vertices of one depth are
        // independent.
        for ranks in self.by_depth() {
            let unpacked = ranks.par_iter().with_min_len(PER_TASK);
            let unpacked: Vec<Unpacked> = unpacked.map(|&v| self.unpack_at(v, flows)).collect();
            for (v, unpacked) in ranks.into_iter().zip(unpacked) {
                sums.vertices[self.vertex[v as usize] as usize] += unpacked.skipped;
                for (arc, [up, down]) in self.arcs_of(v).zip(unpacked.own) {
                    flows.up[arc] += up;
                    flows.down[arc] += down;
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

    /// Returns the ranks by the number of ancestors.
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

    /// Finds the flow over `v` inside longer overlay arcs.
    fn unpack_at(&self, v: u32, flows: &Flows) -> Unpacked {
        let (up, down) = (&self.up, self.down());
        let arcs = self.arcs_of(v);
        let mut own = vec![[0.0; 2]; arcs.len()];
        let mut skipped = 0.0;
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
                let (low_own, high_own) = (low - arcs.start, high - arcs.start);
                // Two lengths of ABSENT wrap around to zero, which no arc has.
                if down.lengths[low].wrapping_add(up.lengths[high]) == up.lengths[across] {
                    let part = down.paths[low] * up.paths[high] / up.paths[across];
                    let part = flows.up[across] * part;
                    own[low_own][1] += part;
                    own[high_own][0] += part;
                    skipped += part;
                }
                if down.lengths[high].wrapping_add(up.lengths[low]) == down.lengths[across] {
                    let part = down.paths[high] * up.paths[low] / down.paths[across];
                    let part = flows.down[across] * part;
                    own[high_own][1] += part;
                    own[low_own][0] += part;
                    skipped += part;
                }
            }
        }
        Unpacked { skipped, own }
    }

    /// Returns the flow on an arc of the graph, after unpacking: its share of that on its overlay
    /// arc, if the two are equally long.
    fn flow_on_input(&self, [tail, head]: [Vertex; 2], length: u32, flows: &Flows) -> f64 {
        let [from, to] = [tail, head].map(|v| self.rank[v as usize]);
        let (low, high) = (from.min(to), from.max(to));
        let arcs = self.arcs_of(low);
        let Ok(place) = self.heads[arcs.clone()].binary_search(&high) else {
            return 0.0;
        };
        let overlay = arcs.start + place;
        let on = |of: &Direction, flows: &[f64]| match of.lengths[overlay] == length {
            true => flows[overlay] / of.paths[overlay],
            false => 0.0,
        };
        match from == low {
            true => on(&self.up, &flows.up),
            false => on(self.down(), &flows.down),
        }
    }
}
