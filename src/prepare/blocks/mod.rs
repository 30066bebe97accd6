//! Splitting a graph at its articulation points into *blocks*, its biconnected components; those of
//! a directed graph are the ones of the graph without directions.
//!
//! A shortest path enters and leaves a block through articulation points only, and between two
//! vertices of a block it stays inside. So the graph can be searched as the disjoint union of its
//! blocks, with a copy of each articulation point in every block that it is in. (Sariyuce, Saule,
//! Kaya, Catalyurek: "Shattering and Compressing Networks for Betweenness Centrality", SDM 2013,
//! who split off one articulation point after another.)
//!
//! The copy of v in a block B stands for what reaches v, or is reached, by paths without arcs of B.
//! Let a0 and b0 be the weights of v as a source and as a target, and
//!
//! ```text
//! i_B(v) = sum of the source weights of copies u != v in B that reach v inside B
//! o_B(v) = sum of the target weights of copies u != v in B that v reaches inside B
//! ```
//!
//! with the sums I(v) and O(v) over the blocks of v. Then the copy has source weight a0 + I(v) -
//! i_B(v) and target weight b0 + O(v) - o_B(v). A search in B adds to a copy the pairs whose paths
//! have edges of B on both sides of v. The pairs whose paths change blocks at v are counted in
//! closed form: the sum of i_B(v) o_C(v) over its blocks B != C. If ends of paths count, v is an
//! end of a0 O(v) + b0 I(v) pairs; undirected graphs have another formula for these.
//!
//! All weights follow from two passes over the blocks (`weights.rs`): from the leaves of the tree
//! of blocks to its root, and back.
//!
//! # Blocks that need no search
//! Paths in a complete graph without lengths have no inner vertices, and neither have paths in a
//! block of a single edge, such as an edge of a tree. Only the pairs of their arcs are counted:
//! a(u) b(v) for the copies u and v.

mod copies;
mod partition;
mod weights;

use super::Prepared;
use super::reach::Reach;
use crate::graph::{Csr, Vertex};
pub use copies::Copies;
use partition::Partition;
use weights::Searches;

/// The graph is split only if less than this part of the work remains.
const MOST_WORK_LEFT: f64 = 0.98;
/// The part of the saved work that finding the weights of copies may cost.
const MOST_COST: f64 = 0.1;

impl Prepared {
    /// Splits the graph into its blocks: `always`, or only if that makes less work.
    /// [`Partition::find`] says how the graph has to be numbered. `reach` is given for directed
    /// graphs; if the graph is split, that of the new graph is returned.
    pub(super) fn split(&mut self, always: bool, reach: Option<&Reach>) -> Option<Reach> {
        let lengths = self.lengths.is_some();
        let ways = self.ways();
        let undirected = reach.map(|_| union(ways));
        let partition = Partition::find(undirected.as_ref().unwrap_or(&self.graph), ways);
        let (left, all) = (partition.work(lengths), self.ranges.work(&self.graph));
        if !always && left >= MOST_WORK_LEFT * all {
            return None;
        }
        let mut copies = Copies::new(partition, lengths);
        let graph = copies.graph(ways);
        let own = [&self.source[..], &self.weight];
        let reverse = reach.map(|_| graph.reversed());
        let split = [&graph, reverse.as_ref().unwrap_or(&graph)];
        let new_reach = reach.map(|_| Reach::new(split));
        let gathered = match (reach, &new_reach) {
            (Some(_), Some(new_reach)) => {
                let mut searches = Searches::new(&copies, [ways, split], new_reach);
                if self.count_endpoints {
                    searches.wanted.insert_range(..);
                }
                if !always {
                    let saved = self.work_left() * (1.0 - left / all);
                    searches.arcs_left = MOST_COST * saved;
                }
                searches.gather(own)?
            }
            _ => copies.gather_undirected(own)?,
        };
        let work = new_reach.as_ref();
        let work = work.map(|reach| reach.work(&graph, false, &gathered[0].weight));
        // Per vertex, the sums I(v) and O(v) over the blocks so far.
        let mut passed = [0, 1].map(|_| vec![0.0; own[0].len()]);
        for (copy, &v) in copies.vertex.iter().enumerate() {
            let v = v as usize;
            let [into, out] = [0, 1].map(|kind| gathered[kind].through[copy]);
            let closed = &mut self.closed[self.input_vertex[v] as usize];
            *closed += passed[0][v] * out + into * passed[1][v];
            passed[0][v] += into;
            passed[1][v] += out;
        }
        if std::mem::take(&mut self.count_endpoints) {
            for (v, &input) in self.input_vertex.iter().enumerate() {
                self.closed[input as usize] += own[0][v] * passed[1][v] + own[1][v] * passed[0][v];
            }
        }
        let searched = &copies.vertex[..copies.searched];
        let lengths = self.lengths.as_ref();
        let lengths = lengths.map(|own| own.induced(&self.graph, &graph, searched));
        let weights = gathered.map(|gathered| gathered.weight);
        [self.source, self.weight] = [0, 1].map(|i| weights[i][..copies.searched].to_vec());
        (self.lengths, self.reverse) = (lengths, reverse);
        self.renumber(searched);
        self.set_graph(Some("blocks"), graph, copies.ranges(), work);
        self.blocks = Some(self.ranges.count());
        if let Some(edges) = &mut self.edges {
            copies.weights = weights;
            edges.copies = Some(copies);
        }
        new_reach
    }
}

/// Returns the graph of the arcs in both ways.
fn union([out, into]: [&Csr; 2]) -> Csr {
    Csr::of_rows(out.vertices(), |v, target| {
        let (mut out, mut into) = (out.neighbours(v as Vertex), into.neighbours(v as Vertex));
        while let Some(&next) = out.first().into_iter().chain(into.first()).min() {
            target(next);
            for row in [&mut out, &mut into] {
                *row = &row[usize::from(row.first() == Some(&next))..];
            }
        }
    })
}
