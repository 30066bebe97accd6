//! Splitting an undirected graph at its articulation points into *blocks*, its biconnected
//! components.
//!
//! A shortest path enters and leaves a block through articulation points only, and between two
//! vertices of a block it stays inside. So the graph can be searched as the disjoint union of its
//! blocks, with a copy of each articulation point in every block that it is in. (Sariyuce, Saule,
//! Kaya, Catalyurek: "Shattering and Compressing Networks for Betweenness Centrality", SDM 2013,
//! who split off one articulation point after another.)
//!
//! The copy of v in a block B stands for all that is connected to v when the edges of B are
//! removed: its weight is the number of input vertices there, and its search counts for the chosen
//! sources among them. A search in B adds to a copy the pairs whose paths have edges of B on both
//! sides of v. The pairs whose paths change blocks at v are counted in closed form. If branch i of
//! the component without v has A_i chosen sources and B_i input vertices, they are
//!
//! ```text
//! (sum A_i) (sum B_i) - sum A_i B_i
//! ```
//!
//! # Blocks that need no search
//! Paths in a complete graph without lengths have no inner vertices, and neither have paths in a
//! block of a single edge. Only the pairs of their edges are counted: a(u) b(v) + a(v) b(u), with
//! the sources a and the weights b of the copies.

mod copies;
mod partition;

use rayon::prelude::*;

use super::Prepared;
use super::order::PER_TASK;
use crate::graph::Vertex;
pub use copies::Copies;
use copies::Mass;
use partition::{Partition, parent};

impl Prepared {
    /// Splits the graph into its blocks: `always`, or only if that makes less work.
    /// [`Partition::find`] says how the graph has to be numbered.
    pub(super) fn split(&mut self, always: bool) {
        /// The graph is split only if less than this part of the work remains.
        const MOST_WORK_LEFT: f64 = 0.98;
        let weighted = self.lengths.is_some();
        let partition = Partition::find(&self.graph);
        let work = partition.work(weighted);
        if !always && work >= MOST_WORK_LEFT * self.ranges.work(&self.graph) {
            return;
        }
        let masses = self.masses(&partition);
        let copies = Copies::new(partition, masses, weighted);
        let all = (0..copies.vertex.len()).into_par_iter();
        let masses = all.with_min_len(PER_TASK).map(|copy| copies.mass(copy));
        let masses = masses.map(|mass| (mass.sources as u32, mass.size as f64));
        let (sources, weight): (Vec<u32>, Vec<f64>) = masses.unzip();
        let graph = copies.graph(&self.graph);
        let lengths = self.lengths.as_ref();
        let lengths = lengths.map(|own| own.induced(&self.graph, &graph, &copies.vertex));
        (self.lengths, self.weight) = (lengths, weight);
        self.renumber(&copies.vertex);
        self.set_graph(Some("blocks"), graph, copies.ranges(), &sources);
        self.blocks = Some(self.ranges.count());
        if let Some(edges) = &mut self.edges {
            edges.copies = Some(copies);
        }
    }

    /// Returns the mass of the copy of each vertex in its own block, the only one of which it is
    /// not the top, and the mass of the copy of each block's top. Counts for each vertex the
    /// ordered pairs whose paths change blocks there.
    fn masses(&mut self, partition: &Partition) -> [Vec<Mass>; 2] {
        let Partition {
            block, top, first, ..
        } = partition;
        let n = self.graph.vertices();
        let sources = self.sources_of_vertices();
        let alone = |v: usize| Mass {
            sources: sources[v].into(),
            size: self.weight[v] as u64,
        };
        // `own` is the mass of each vertex and of all blocks below it, `below` that of each block
        // without its top but with all blocks below. Vertices are visited in descending order, so a
        // block is complete after its first vertex.
        let mut own: Vec<Mass> = (0..n).map(alone).collect();
        let mut below = vec![Mass::default(); top.len()];
        // Per vertex, the pairs with both ends in the same branch below it.
        let mut within = vec![0; n];
        for v in (0..n).rev() {
            let b = block[v] as usize;
            if b >= top.len() {
                continue;
            }
            below[b].add(own[v]);
            if v == first[b] as usize {
                let t = top[b] as usize;
                own[t].add(below[b]);
                within[t] += below[b].pairs(below[b]);
            }
        }
        // Per vertex, the mass of its component.
        let mut whole = own.clone();
        for v in 0..n {
            if let Some(p) = parent(&self.graph, v as Vertex) {
                whole[v] = whole[p as usize];
            }
            let (others, above) = (whole[v].without(alone(v)), whole[v].without(own[v]));
            let pairs = others.pairs(others) - above.pairs(above) - within[v];
            self.closed[self.input_vertex[v] as usize] += pairs as f64;
        }
        let of_top = (0..top.len()).map(|b| whole[top[b] as usize].without(below[b]));
        [own, of_top.collect()]
    }
}
