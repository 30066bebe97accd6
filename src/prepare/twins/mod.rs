//! Merging *twins* of a graph without lengths: vertices with the same neighbours, in a directed
//! graph both out of them and into them.
//!
//! *False twins* are not neighbours, and have a path of length 2 through each of their neighbours;
//! *true twins* are neighbours that have all other neighbours in common. No twin is on a shortest
//! path from another one of its class, and all twins of a class have the same distance from every
//! other vertex, with equally many paths. So a class of k twins is searched as a vertex x of
//! *multiplicity* k(x) = k, with the sum of their weights and of their sources. (Sariyuce, Saule,
//! Kaya, Catalyurek: "Shattering and Compressing Networks for Betweenness Centrality", SDM 2013,
//! who call them identical vertices.)
//!
//! Engines store for each vertex the number of paths to all members of its class: k(v) times the
//! number of paths to one member, and 1 at the root, since a search counts for one source of the
//! class at a time. Then sums over neighbours do not change, and a vertex has one more factor when
//! it is settled:
//!
//! ```text
//! sigma(v) = k(v) * sum of sigma(u) over the predecessors u
//! coefficient(v) = k(v) * (weight(v) / sigma(v) + S(v)), S(v) = sum of coefficient(w) over the
//!                                                              successors w
//! ```
//!
//! A search adds to v the dependencies of all members of its class, sigma(v) S(v). They are equal,
//! so each member gets the same part.
//!
//! # Pairs inside a class
//! No shortest path between true twins has inner vertices. False twins have a path through each of
//! their neighbours, in a directed graph through each vertex that they have arcs both from and to.
//! (Without such a vertex, twins are merged only if no path begins or no path ends at them.) Let
//! member i have a(i) sources and weight b(i), with the sums A and B. Then each neighbour gets from
//! ordered pairs of different members
//!
//! ```text
//! (A B - sum a(i) b(i)) / neighbours
//! ```

mod classes;

use super::order::{NO_PLACE, places};
use super::{Prepared, Reduction, Undo, WeightedGraph};
use crate::graph::{Csr, Vertex};
use classes::{Classes, common_neighbours};

/// Twins are merged only if less than this part of the work remains, since merging takes time too.
const MOST_WORK_LEFT: f64 = 0.95;

/// The reduction. It is for graphs without lengths. Where searches count arcs or the ends of paths,
/// it is not made, because there is no closed form for those of the pairs in a class.
#[derive(Debug)]
pub struct Twins;

impl Reduction for Twins {
    fn name(&self) -> &'static str {
        "twins"
    }

    fn reduce(&self, graph: &mut WeightedGraph, always: bool) -> Option<Undo> {
        let before = graph.ranges.work(&graph.graph);
        let is_counted = graph.count_endpoints || graph.count_edges;
        if graph.lengths.is_some() || is_counted || before == 0.0 {
            return None;
        }
        let classes = Classes::find(graph.ways());
        if !always && classes.least_left(graph) >= MOST_WORK_LEFT * before {
            return None;
        }
        let undo = classes.merge(graph);
        // The work of directed graphs is an estimate by what searches reach.
        let left = graph.ranges.work(&graph.graph) / before;
        graph.work *= if graph.reverse.is_some() { left } else { 0.0 };
        Some(undo)
    }
}

impl Classes {
    /// Returns a lower bound on the work after merging, in the unit of [`ComponentRanges::work`].
    fn least_left(&self, graph: &WeightedGraph) -> f64 {
        let (graph, ranges) = (&graph.graph, &graph.ranges);
        let left = |component: usize| {
            let vertices = ranges.vertices(component);
            let merged = vertices.clone().filter(|&v| self.first[v] as usize != v);
            let arcs: usize = merged.clone().map(|v| 2 * graph.degree(v as Vertex)).sum();
            let arcs = ranges.arcs(graph, component).saturating_sub(arcs);
            (vertices.len() - merged.count()) as f64 * arcs as f64
        };
        (0..ranges.count()).map(left).sum()
    }

    /// Returns the vertices of the smaller graph: the first vertex of each class. A component that
    /// consists of true twins needs no search, so none of its vertices is here.
    fn kept(&self, ways: [&Csr; 2]) -> Vec<Vertex> {
        let is_searched = |&v: &Vertex| {
            let is_other = |&u: &Vertex| self.first[u as usize] != v;
            let has_others = |way: &Csr| way.neighbours(v).iter().any(is_other);
            self.first[v as usize] == v && ways.into_iter().any(has_others)
        };
        let vertices = 0..self.first.len() as Vertex;
        vertices.filter(is_searched).collect()
    }

    /// Makes each class one vertex, with the weights of all its members. Pairs within a class are
    /// counted in closed form.
    fn merge(&self, graph: &mut WeightedGraph) -> Undo {
        let n = self.first.len();
        let kept = self.kept(graph.ways());
        let (source, weight) = (&mut graph.source, &mut graph.weight);
        // Per class of false twins, the pairs of different members.
        let (mut pairs, mut multiplicity) = (vec![0.0; n], vec![1.0; n]);
        for (twins, part) in self.twins.iter().zip([1.0, 0.0]) {
            for v in twins.iter().map(|&v| v as usize) {
                let to = self.first[v] as usize;
                multiplicity[to] += 1.0;
                pairs[to] += part * (source[v] * weight[to] + source[to] * weight[v]);
                weight[to] += weight[v];
                source[to] += source[v];
            }
        }
        // A pair of false twins has a path of length 2 through each of their common neighbours.
        let mut closed = vec![0.0; n];
        for (v, pairs) in (0..).zip(pairs).filter(|&(_, pairs)| pairs > 0.0) {
            let neighbours: Vec<_> = common_neighbours(graph.ways(), v).collect();
            for &w in &neighbours {
                closed[w as usize] += pairs / neighbours.len() as f64;
            }
        }
        graph.keep(&kept);
        let multiplicity = kept.iter().map(|&v| multiplicity[v as usize]);
        graph.multiplicity = Some(multiplicity.collect());
        let number = places(n, &kept);
        let merged = self.twins.iter().flatten();
        let merged = merged.map(|&v| (v, number[self.first[v as usize] as usize]));
        Undo {
            merged: merged.filter(|&(_, class)| class != NO_PLACE).collect(),
            vertex: kept,
            closed,
            arcs: None,
        }
    }
}

impl Prepared {
    /// Merges twins: `always`, or only if that makes less work. Returns whether they were merged.
    /// Searches for queries and from the ends of chains do not support it.
    pub fn merge_twins(&mut self, always: bool) -> bool {
        let may_merge = self.query.is_none() && self.chains.is_none();
        let is_merged = may_merge && self.reduce(&Twins, always);
        if is_merged {
            self.order_roots();
        }
        is_merged
    }
}
