//! Merging *twins* of an undirected graph without lengths: vertices with the same neighbours.
//!
//! Twins are *apart*, two steps from each other by way of any neighbour, or *joined*, neighbours
//! that have all others in common. No twin is between another one and anything, and all of a class
//! are as far from every other vertex, with as many paths. So a class of k twins is searched as a
//! vertex x of *multiplicity* k(x) = k, with the sum of their weights and of their sources.
//! (Sariyuce, Saule, Kaya, Catalyurek: "Shattering and Compressing Networks for Betweenness
//! Centrality", SDM 2013, who call them identical vertices.)
//!
//! Engines hold for each vertex the paths to all of its class, k(v) times those to one of them, and
//! 1 at the root, which is one source of its class at a time. Then sums over neighbours stay as
//! they are, and there is one factor more where a vertex is settled:
//!
//! ```text
//! sigma(v) = k(v) * sum of sigma(u) over the predecessors u
//! coefficient(v) = k(v) * (weight(v) / sigma(v) + S(v)), S(v) = sum of coefficient(w) over the
//!                                                              successors w
//! ```
//!
//! What a search adds to v, sigma(v) S(v), are the dependencies of all of its class, which are the
//! same: each member gets its part of it.
//!
//! # Pairs inside a class
//! Twins that are joined have nothing between them. Between twins apart there is a path by each of
//! their neighbours. With A and B, sources and weights of all members added up, each neighbour
//! gets, from ordered pairs of different members,
//!
//! ```text
//! (A B - sum a(i) b(i)) / neighbours
//! ```

mod find;

use std::time::{Duration, Instant};

use super::component_ranges::ComponentRanges;
use super::{Prepared, Step};
use crate::engine::Root;
use crate::graph::{Csr, Vertex};
use crate::span::Span;
use find::Classes;

/// So much of the work is left at most: what a vertex takes beside its arcs stays, and merging
/// takes time.
const LESS: f64 = 0.95;

/// In place of the number of a vertex that is not searched.
const NONE: Vertex = Vertex::MAX;

/// The twins of a graph, and the graph with a vertex for each class.
pub struct Twins {
    classes: Classes,
    /// The vertices of the smaller graph: the first of each class.
    kept: Vec<Vertex>,
    graph: Csr,
    ranges: ComponentRanges,
    /// What part of the work is left, about.
    share: f64,
    /// How long it took to find them.
    found: Duration,
}

impl Twins {
    /// Of an undirected graph of these components: always, or if merging them makes less work.
    pub fn find(graph: &Csr, ranges: &ComponentRanges, always: bool) -> Option<Twins> {
        let start = Instant::now();
        let classes = Classes::of(graph);
        let before = ranges.work(graph);
        if !always && classes.least_left(graph, ranges) >= LESS * before {
            return None;
        }
        let mut beside = vec![0; graph.vertices()];
        for &v in &classes.joined {
            beside[classes.first[v as usize] as usize] += 1;
        }
        // Nothing is searched from a complete component, which is one class.
        let searched = |&v: &Vertex| {
            let i = v as usize;
            classes.first[i] == v && beside[i] < graph.degree(v)
        };
        let kept: Vec<Vertex> = (0..graph.vertices() as Vertex).filter(searched).collect();
        let smaller = graph.induced(&kept);
        let component = |&v: &Vertex| ranges.component(v) as u32;
        let of_smaller = ComponentRanges::of(kept.iter().map(component));
        let left = of_smaller.work(&smaller);
        (always || left < LESS * before).then(|| Twins {
            classes,
            kept,
            graph: smaller,
            ranges: of_smaller,
            share: left / before.max(1.0),
            found: start.elapsed(),
        })
    }

    /// What part of the work is left, about.
    pub fn share(&self) -> f64 {
        self.share
    }
}

impl Classes {
    /// At least so much work is left, as [`ComponentRanges::work`] counts it.
    fn least_left(&self, graph: &Csr, ranges: &ComponentRanges) -> f64 {
        let left = |component: usize| {
            let vertices = ranges.vertices(component);
            let (mut kept, mut arcs) = (0, ranges.arcs(graph, component));
            for v in vertices {
                if self.first[v] as usize == v {
                    kept += 1;
                } else {
                    arcs = arcs.saturating_sub(2 * graph.degree(v as Vertex));
                }
            }
            f64::from(kept) * arcs as f64
        };
        (0..ranges.count()).map(left).sum()
    }
}

impl Prepared {
    /// Whether its twins can be merged: no form is known for directed graphs, contracted ones and
    /// scores of edges.
    pub fn may_merge(&self) -> bool {
        self.may_contract() && self.chains.is_none()
    }

    /// Its twins, if they can be merged: always, or if that makes less work.
    pub fn twins(&self, always: bool) -> Option<Twins> {
        let find = || Twins::find(&self.graph, &self.ranges, always);
        self.may_merge().then(find).flatten()
    }

    /// Merges the twins that were found in it. `deep` tells whether neighbouring roots may be worth
    /// searching together.
    pub fn merge(&mut self, twins: Twins, deep: bool) {
        let Twins {
            classes,
            kept,
            graph,
            ranges,
            found,
            ..
        } = twins;
        let start = Instant::now();
        let mut sources = vec![0u32; self.graph.vertices()];
        for root in &self.roots {
            sources[root.vertex as usize] = root.sources;
        }
        let mut number = vec![NONE; self.graph.vertices()];
        for (new, &v) in (0..).zip(&kept) {
            number[v as usize] = new;
        }
        let of_kept = |of: &[f64]| kept.iter().map(|&v| of[v as usize]).collect::<Vec<_>>();
        let mut weight = of_kept(&self.weight);
        let mut roots: Vec<u32> = kept.iter().map(|&v| sources[v as usize]).collect();
        // The pairs of a vertex and itself.
        let own = |v: Vertex| u128::from(sources[v as usize]) * self.weight[v as usize] as u128;
        let mut own_pairs: Vec<u128> = kept.iter().map(|&v| own(v)).collect();
        let mut multiplicity = vec![1.0; kept.len()];
        self.merged = Vec::with_capacity(classes.merged());
        for &v in classes.apart.iter().chain(&classes.joined) {
            let class = number[classes.first[v as usize] as usize];
            if class != NONE {
                let to = class as usize;
                multiplicity[to] += 1.0;
                weight[to] += self.weight[v as usize];
                roots[to] += sources[v as usize];
                own_pairs[to] += own(v);
                self.merged.push((self.input_vertex[v as usize], class));
            }
        }
        let leaders = classes.apart.iter().map(|&v| classes.first[v as usize]);
        let mut leaders: Vec<Vertex> = leaders.collect();
        leaders.sort_unstable();
        leaders.dedup();
        for leader in leaders {
            let class = number[leader as usize] as usize;
            let pairs = u128::from(roots[class]) * weight[class] as u128 - own_pairs[class];
            let neighbours = self.graph.neighbours(leader);
            let share = pairs as f64 / neighbours.len() as f64;
            for &w in neighbours {
                self.closed[self.input_vertex[w as usize] as usize] += share;
            }
        }
        let roots = (0..).zip(roots).filter(|&(_, sources)| sources > 0);
        self.roots = roots
            .map(|(vertex, sources)| Root { vertex, sources })
            .collect();
        self.input_vertex = kept
            .iter()
            .map(|&v| self.input_vertex[v as usize])
            .collect();
        (self.graph, self.ranges) = (graph, ranges);
        (self.weight, self.multiplicity) = (weight, Some(multiplicity));
        let step = Step::of(&self.graph, &self.ranges, &self.roots, "twins");
        self.arcs_per_root = step.work / self.roots.len().max(1) as f64;
        self.steps.push(step);
        // Depths stay as they are, since distances do.
        self.distance_bound.take();
        (self.root_group, self.grouped_roots) = (1, 0);
        self.order_roots(deep);
        self.spans.push(Span {
            name: "twins",
            start: start.checked_sub(found).unwrap_or(start),
            end: Instant::now(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;
    use crate::prepare::{PrepareOptions, Reductions, prepare};

    fn merged(graph: &crate::graph::Graph) -> Prepared {
        let options = PrepareOptions {
            reduce: Reductions::NONE,
            ..PrepareOptions::default()
        };
        let mut prepared = prepare(graph, &options).unwrap();
        let twins = prepared.twins(true).unwrap();
        prepared.merge(twins, false);
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
        // What one side has between each two of the other one.
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
