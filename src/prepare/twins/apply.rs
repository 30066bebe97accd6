//! Merging of twins: the classes of a prepared graph become its vertices.

use std::time::Instant;

use super::super::{Prepared, Step};
use super::find::Twins;
use crate::engine::Root;
use crate::graph::Vertex;
use crate::prepare::order::{NO_PLACE, places};
use crate::span::Span;

impl Prepared {
    /// Finds twins to merge: `always`, or only if that makes less work. Returns `None` for directed
    /// graphs, lengths of edges, scores of edges and served chains, for which there is no closed
    /// form, and if twins were merged before.
    pub fn twins(&self, always: bool) -> Option<Twins> {
        let may_merge = !self.directed
            && self.lengths.is_none()
            && !self.count_edges
            && self.multiplicity.is_none()
            && self.chains.is_none();
        let find = || Twins::find(&self.graph, &self.ranges, always);
        may_merge.then(find).flatten()
    }

    /// Makes each class of twins one vertex, with the weights and sources of all its members. Pairs
    /// within a class are counted in closed form.
    pub fn merge(&mut self, twins: Twins) {
        let (classes, kept) = (&twins.classes, &twins.kept);
        let start = Instant::now();
        // Merging does not change distances, and so not depths.
        let deep = self.may_be_deep();
        let sources = self.sources_of_vertices();
        let number = places(self.graph.vertices(), kept);
        let of_kept = |values: &[f64]| kept.iter().map(|&v| values[v as usize]).collect::<Vec<_>>();
        let mut weight = of_kept(&self.weight);
        let mut roots: Vec<u32> = kept.iter().map(|&v| sources[v as usize]).collect();
        // The pairs of a source and an input vertex that one prepared vertex stands for are no
        // pairs of twins.
        let own = |v: Vertex| u128::from(sources[v as usize]) * self.weight[v as usize] as u128;
        let mut own_pairs: Vec<u128> = kept.iter().map(|&v| own(v)).collect();
        let mut multiplicity = vec![1.0; kept.len()];
        self.merged = Vec::with_capacity(classes.merged());
        for &v in classes.false_twins.iter().chain(&classes.true_twins) {
            let class = number[classes.first[v as usize] as usize];
            if class != NO_PLACE {
                let to = class as usize;
                multiplicity[to] += 1.0;
                weight[to] += self.weight[v as usize];
                roots[to] += sources[v as usize];
                own_pairs[to] += own(v);
                self.merged.push((self.input_vertex[v as usize], class));
            }
        }
        // A pair of false twins has a path of length 2 through each of their common neighbours.
        let firsts = classes
            .false_twins
            .iter()
            .map(|&v| classes.first[v as usize]);
        let mut firsts: Vec<Vertex> = firsts.collect();
        firsts.sort_unstable();
        firsts.dedup();
        for first in firsts {
            let class = number[first as usize] as usize;
            let pairs = u128::from(roots[class]) * weight[class] as u128 - own_pairs[class];
            let neighbours = self.graph.neighbours(first);
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
        (self.graph, self.ranges) = (twins.graph, twins.ranges);
        (self.weight, self.multiplicity) = (weight, Some(multiplicity));
        let arcs = self.ranges.root_arcs(&self.graph, &self.roots);
        let step = Step::new("twins", &self.graph, arcs);
        self.arcs_per_root = step.work / self.roots.len().max(1) as f64;
        self.steps.push(step);
        self.distance_bound.take();
        (self.root_group, self.grouped_roots) = (1, 0);
        self.order_roots(deep);
        let start = start.checked_sub(twins.duration).unwrap_or(start);
        self.spans.push(Span::since("twins", start));
    }
}
