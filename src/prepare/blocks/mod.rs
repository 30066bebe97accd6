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

use std::mem;
use std::sync::Arc;

use super::reach::Reach;
use super::{ArcMap, Reduction, Undo, WeightedGraph};
use copies::Copies;
use partition::Partition;
use weights::Searches;
pub(super) use weights::others;

/// The graph is split only if less than this part of the work remains.
const MOST_WORK_LEFT: f64 = 0.98;
/// The part of the saved work that finding the weights of copies may cost.
const MOST_COST: f64 = 0.1;

/// The reduction. Each component needs a numbering such as the breadth-first one: see
/// [`Partition::find`].
#[derive(Debug)]
pub struct Blocks;

impl Reduction for Blocks {
    fn name(&self) -> &'static str {
        "blocks"
    }

    fn reduce(&self, graph: &mut WeightedGraph, always: bool) -> Option<Undo> {
        let is_directed = graph.reverse.is_some();
        let (ways, lengths) = (graph.ways(), graph.lengths.is_some());
        let partition = Partition::find(&graph.undirected(), ways);
        let (left, all) = (partition.work(lengths), graph.ranges.work(&graph.graph));
        if !always && left >= MOST_WORK_LEFT * all {
            return None;
        }
        let mut copies = Copies::new(partition, lengths);
        let smaller = copies.graph(ways);
        let own = [&graph.source[..], &graph.weight];
        let reverse = is_directed.then(|| smaller.reversed());
        let split = [&smaller, reverse.as_ref().unwrap_or(&smaller)];
        let reach = is_directed.then(|| Reach::new(split));
        let mut wanted = copies.cut_vertices();
        if graph.count_endpoints {
            wanted.insert_range(..);
        }
        let most_arcs = MOST_COST * graph.work * (1.0 - left / all);
        let mut searches = Searches {
            copies: &copies,
            unsplit: ways,
            split,
            reach: reach.as_ref(),
            wanted,
            arcs_left: if always { f64::INFINITY } else { most_arcs },
            backwards: 0,
            bits: vec![0; copies.searched],
        };
        let gathered = searches.gather(own)?;
        let work = |reach: &Reach| reach.work(&smaller, false, &gathered[0].weight);
        graph.work = reach.as_ref().map_or(0.0, work);
        let mut closed = vec![0.0; own[0].len()];
        // Per vertex, the sums I(v) and O(v) over the blocks so far.
        let mut passed = [0, 1].map(|_| closed.clone());
        for (copy, &v) in copies.vertex.iter().enumerate() {
            let v = v as usize;
            let [into, out] = [0, 1].map(|kind| gathered[kind].through[copy]);
            closed[v] += passed[0][v] * out + into * passed[1][v];
            passed[0][v] += into;
            passed[1][v] += out;
        }
        if mem::take(&mut graph.count_endpoints) {
            for (v, closed) in closed.iter_mut().enumerate() {
                *closed += own[0][v] * passed[1][v] + own[1][v] * passed[0][v];
            }
        }
        let vertex = copies.vertex[..copies.searched].to_vec();
        let lengths = graph.lengths.as_ref();
        graph.lengths = lengths.map(|own| own.induced(&graph.graph, &smaller, &vertex));
        let weights = gathered.map(|gathered| gathered.weight);
        [graph.source, graph.weight] = [0, 1].map(|i| weights[i][..copies.searched].to_vec());
        (graph.graph, graph.reverse, graph.reach) = (smaller, reverse, reach);
        graph.ranges = copies.ranges();
        copies.weights = weights;
        let arcs: Arc<ArcMap> = Arc::new(move |ends| copies.arc(ends));
        Some(Undo {
            vertex,
            closed,
            arcs: graph.count_edges.then_some(arcs),
            ..Undo::default()
        })
    }
}
