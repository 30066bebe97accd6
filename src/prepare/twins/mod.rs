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

use std::time::Instant;

use super::Prepared;
use super::component_ranges::ComponentRanges;
use super::depth::MAY_BE_DEEP;
use super::order::{NO_PLACE, places};
use crate::graph::{Csr, Vertex};
use crate::span::Span;
use classes::{Classes, common_neighbours};

/// Twins are merged only if less than this part of the work remains, since merging takes time too.
const MOST_WORK_LEFT: f64 = 0.95;

/// The twins of a graph, and the graph with a vertex for each class.
pub struct Twins {
    classes: Classes,
    /// The vertices of the smaller graph: the first vertex of each class. A component that consists
    /// of true twins needs no search, so none of its vertices is here.
    kept: Vec<Vertex>,
    graph: Csr,
    ranges: ComponentRanges,
    /// The part of the work that remains.
    left: f64,
    /// The start of the search for twins.
    start: Instant,
}

impl Twins {
    /// Finds the twins of a graph with these components: `always`, or only if merging them makes
    /// less work.
    fn find(ways: [&Csr; 2], ranges: &ComponentRanges, always: bool) -> Option<Twins> {
        let (start, graph) = (Instant::now(), ways[0]);
        let classes = Classes::find(ways);
        let before = ranges.work(graph);
        if !always && classes.least_left(graph, ranges) >= MOST_WORK_LEFT * before {
            return None;
        }
        let mut true_twin_counts = vec![0; graph.vertices()];
        for &v in &classes.true_twins {
            true_twin_counts[classes.first[v as usize] as usize] += 1;
        }
        // A complete component, which is one class, is not searched.
        let searched = |&v: &Vertex| {
            let i = v as usize;
            let is_larger = |way: &Csr| way.degree(v) > true_twin_counts[i];
            classes.first[i] == v && ways.into_iter().any(is_larger)
        };
        let kept: Vec<Vertex> = (0..graph.vertices() as Vertex).filter(searched).collect();
        let smaller = graph.induced(&kept);
        let component = |&v: &Vertex| ranges.component(v) as u32;
        let of_smaller = ComponentRanges::from_numbers(kept.iter().map(component));
        let left = of_smaller.work(&smaller) / before;
        (always || left < MOST_WORK_LEFT).then_some(Twins {
            left,
            classes,
            kept,
            graph: smaller,
            ranges: of_smaller,
            start,
        })
    }
}

impl Classes {
    /// Returns a lower bound on the work after merging, in the unit of [`ComponentRanges::work`].
    fn least_left(&self, graph: &Csr, ranges: &ComponentRanges) -> f64 {
        let left = |component: usize| {
            let vertices = ranges.vertices(component);
            let merged = vertices.clone().filter(|&v| self.first[v] as usize != v);
            let arcs: usize = merged.clone().map(|v| 2 * graph.degree(v as Vertex)).sum();
            let arcs = ranges.arcs(graph, component).saturating_sub(arcs);
            (vertices.len() - merged.count()) as f64 * arcs as f64
        };
        (0..ranges.count()).map(left).sum()
    }
}

impl Prepared {
    /// Finds twins to merge: `always`, or only if that makes less work. Returns `None` for lengths
    /// of edges, scores of edges, ends of paths in directed graphs, weights of vertices and served
    /// chains, for which there is no closed form, and if twins were merged before.
    pub fn twins(&self, always: bool) -> Option<Twins> {
        let may_merge = self.lengths.is_none()
            && self.query.is_none()
            && !self.count_endpoints
            && !self.count_edges
            && self.multiplicity.is_none()
            && self.chains.is_none();
        let find = || Twins::find(self.ways(), &self.ranges, always);
        may_merge.then(find).flatten()
    }

    /// Makes each class of twins one vertex, with the weights and sources of all its members. Pairs
    /// within a class are counted in closed form.
    pub fn merge(&mut self, twins: Twins) {
        let (classes, kept) = (&twins.classes, &twins.kept);
        // Merging does not change distances, and so not depths.
        let deep = self.is_deeper_than(MAY_BE_DEEP);
        let number = places(self.graph.vertices(), kept);
        let of_kept = |all: &[f64]| -> Vec<f64> { kept.iter().map(|&v| all[v as usize]).collect() };
        let (mut weight, mut source) = (of_kept(&self.weight), of_kept(&self.source));
        // Per class, the pairs of different members.
        let mut pairs = vec![0.0; kept.len()];
        let mut multiplicity = vec![1.0; kept.len()];
        for &v in classes.false_twins.iter().chain(&classes.true_twins) {
            let class = number[classes.first[v as usize] as usize];
            if class != NO_PLACE {
                let to = class as usize;
                let (own_source, own_weight) = (self.source[v as usize], self.weight[v as usize]);
                multiplicity[to] += 1.0;
                pairs[to] += own_source * weight[to] + source[to] * own_weight;
                weight[to] += own_weight;
                source[to] += own_source;
                self.merged.push((self.input_vertex[v as usize], class));
            }
        }
        // A pair of false twins has a path of length 2 through each of their common neighbours.
        let false_twins = classes.false_twins.iter();
        let mut firsts: Vec<Vertex> = false_twins.map(|&v| classes.first[v as usize]).collect();
        firsts.sort_unstable();
        firsts.dedup();
        for first in firsts {
            let neighbours: Vec<_> = common_neighbours(self.ways(), first).collect();
            let share = pairs[number[first as usize] as usize] / neighbours.len() as f64;
            for w in neighbours {
                self.closed[self.input_vertex[w as usize] as usize] += share;
            }
        }
        self.renumber(kept);
        (self.source, self.weight, self.multiplicity) = (source, weight, Some(multiplicity));
        self.reverse = self.reverse.as_ref().map(|_| twins.graph.reversed());
        // The work of directed graphs is an estimate by what searches reach.
        let before = self.steps.last().filter(|_| self.reverse.is_some());
        let work = before.map(|step| twins.left * step.work);
        self.set_graph(Some("twins"), twins.graph, twins.ranges, work);
        self.distance_bound.take();
        (self.root_group, self.grouped_roots) = (1, 0);
        self.order_roots(deep);
        self.spans.push(Span::since("twins", twins.start));
    }

    /// Adds the sums of searches, one per prepared vertex, to the scores of input vertices. Each
    /// member of a class of twins gets the same part.
    pub(super) fn add_to_members(&self, searched: &[f64], scores: &mut [f64]) {
        let weights = self.weights();
        let first = (0..).zip(&self.input_vertex).map(|(v, &input)| (input, v));
        for (input, v) in first.chain(self.merged.iter().copied()) {
            scores[input as usize] += searched[v as usize] / weights.multiplicity(v as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::generate;
    use crate::prepare::{PrepareOptions, Prepared, Reductions, prepare};

    fn merged(graph: &crate::graph::Graph) -> Prepared {
        let options = PrepareOptions {
            reduce: Reductions::NONE,
            ..PrepareOptions::default()
        };
        let mut prepared = prepare(graph, &options).unwrap();
        let twins = prepared.twins(true).unwrap();
        prepared.merge(twins);
        prepared
    }

    #[test]
    fn sides_of_a_bipartite_graph_are_a_vertex_each() {
        let prepared = merged(&generate::complete_bipartite(3, 4).unwrap());
        assert_eq!((prepared.graph.vertices(), prepared.graph.arcs()), (2, 2));
        let mut multiplicity = prepared.multiplicity.clone().unwrap();
        multiplicity.sort_by(f64::total_cmp);
        assert_eq!(multiplicity, [3.0, 4.0]);
        let sources: Vec<u32> = prepared.roots.iter().map(|root| root.sources).collect();
        assert_eq!(sources.iter().sum::<u32>(), 7);
        assert_eq!(prepared.steps.last().unwrap().work, 4.0);
        // Each vertex of a side gets a share of the pairs of the other side.
        assert_eq!(prepared.closed, [4.0, 4.0, 4.0, 1.5, 1.5, 1.5, 1.5]);
    }

    #[test]
    fn nothing_is_left_of_complete_graphs() {
        let prepared = merged(&generate::complete(6).unwrap());
        assert_eq!((prepared.graph.vertices(), prepared.roots.len()), (0, 0));
    }

    #[test]
    fn few_twins_are_not_worth_it() {
        let graph = generate::grid(30, 30, 0.0, 1).unwrap();
        let prepared = prepare(&graph, &PrepareOptions::default()).unwrap();
        assert!(prepared.twins(false).is_none() && prepared.twins(true).is_some());
    }
}
