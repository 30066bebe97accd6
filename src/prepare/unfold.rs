//! Conversion of the sums of all searches to the scores of the input's vertices and edges.

use xxhash_rust::xxh3::Xxh3;

use super::{Part, PartOf, Prepared};
use crate::engine::OwnSums;
use crate::graph::{Graph, Vertex};

/// The scale of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Pairs of vertices: unordered in undirected graphs, ordered in directed ones.
    #[default]
    Pairs,
    /// Pairs divided by the number of pairs whose paths could pass a vertex, as in networkx.
    Normalized,
}

impl Prepared {
    /// Removes all roots that are not in this part. The first part counts the closed forms.
    pub(crate) fn take_part(&mut self, part: Part, fingerprint: u64) {
        let (mut roots, mut grouped) = (Vec::new(), 0);
        for run in part.runs(self.roots.len(), self.root_group) {
            let end = run.end.min(self.grouped_roots);
            grouped += end.saturating_sub(run.start);
            roots.extend_from_slice(&self.roots[run]);
        }
        self.part = Some(PartOf {
            part,
            roots: self.roots.len(),
            fingerprint,
        });
        (self.roots, self.grouped_roots) = (roots, grouped);
        if self.closed_forms_elsewhere() {
            self.closed.fill(0.0);
        }
    }

    /// Returns whether another part of the search counts closed forms.
    fn closed_forms_elsewhere(&self) -> bool {
        self.part.is_some_and(|part| part.part.number() > 1)
    }

    /// Completes the sums of all searches, or of the searches of a part, if sources inside chains
    /// are served. Otherwise they are complete already.
    pub fn complete(&self, sums: &mut OwnSums) {
        if let Some(chains) = &self.chains {
            chains.undo(self, sums, self.closed_forms_elsewhere());
            // Rounding errors of differences may be negative. Sums of a part may be negative too.
            if self.part.is_none() {
                let arcs = sums.arcs.iter_mut().flatten();
                let all = sums.vertices.iter_mut().chain(arcs);
                // `max` would turn NaN into 0.
                all.filter(|sum| **sum < 0.0).for_each(|sum| *sum = 0.0);
            }
        }
    }

    /// Returns the scores per input vertex from the [complete](Prepared::complete) sums of all
    /// searches (`searched`, one per prepared vertex).
    pub fn scores(&self, searched: &[f64], scale: Scale) -> Vec<f64> {
        let factor = self.scale_factor(scale, self.endpoints);
        let scores = self.add_to_members(searched, self.closed.clone());
        scores.into_iter().map(|score| score * factor).collect()
    }

    /// Returns the scores of edges from the complete sums of all searches (`arcs`, one per prepared
    /// arc), in the order of [`Graph::for_each_edge`]; `None` without
    /// [`super::PrepareOptions::edges`].
    pub fn edge_scores(&self, graph: &Graph, arcs: &[f64], scale: Scale) -> Option<Vec<f64>> {
        if self.edges.is_empty() {
            return None;
        }
        // As in networkx, the ends of a path count for the scale of edges.
        let factor = self.scale_factor(scale, true);
        let sum = |ends: [Vertex; 2]| {
            let mut undo = self.edges.iter();
            match undo.try_fold(ends, |ends, undo| undo(ends)) {
                Ok([tail, head]) => arcs[self.graph.arc(tail, head)],
                Err(_) if self.closed_forms_elsewhere() => 0.0,
                Err(pairs) => pairs,
            }
        };
        let mut scores = Vec::with_capacity(graph.edges());
        graph.for_each_edge(|tail, head| {
            let mut pairs = sum([tail, head]);
            if !graph.directed() {
                pairs += sum([head, tail]);
            }
            scores.push(pairs * factor);
        });
        Some(scores)
    }

    /// Returns the factor that converts ordered pairs to the scale; `endpoints` says whether the
    /// ends of a path count. As in networkx, a graph that is too small for any pair is not
    /// normalised.
    pub(super) fn scale_factor(&self, scale: Scale, endpoints: bool) -> f64 {
        let n = self.closed.len() as f64;
        let pairs = (n - 1.0) * if endpoints { n } else { n - 2.0 };
        // Trips of an undirected graph have a direction, pairs have none.
        let both = if self.reverse.is_none() { 2.0 } else { 1.0 };
        let has_demand = self.any_query().demand.is_some();
        let both_count = if has_demand { both } else { 1.0 };
        let factor = match scale {
            Scale::Normalized if pairs > 0.0 => both_count / pairs,
            Scale::Normalized => 1.0,
            Scale::Pairs => both_count / both,
        };
        self.rescale * factor
    }

    /// Returns the factors from scores in pairs to normalised scores, of vertices and of edges.
    pub(crate) fn normalizing_factors(&self) -> [f64; 2] {
        [self.endpoints, true].map(|ends| {
            self.scale_factor(Scale::Normalized, ends) / self.scale_factor(Scale::Pairs, ends)
        })
    }

    /// Hashes everything that the scores of the input's vertices depend on, apart from the search.
    pub(crate) fn input_hash(&self, hash: &mut Xxh3) {
        hash.update(bytemuck::cast_slice(&self.input_vertex));
        hash.update(bytemuck::cast_slice(&self.closed));
        for &(input, class) in &self.merged {
            hash.update(bytemuck::cast_slice(&[input, class]));
        }
        hash.update(&[u8::from(self.endpoints)]);
    }

    /// Adds the sums of searches, one per prepared vertex, to the scores of input vertices. Each
    /// member of a class of twins gets the same part.
    pub(super) fn add_to_members(&self, searched: &[f64], mut scores: Vec<f64>) -> Vec<f64> {
        let first = (0..).zip(&self.input_vertex).map(|(v, &input)| (input, v));
        for (input, v) in first.chain(self.merged.iter().copied()) {
            scores[input as usize] += searched[v as usize] / self.multiplicity_of(v as usize);
        }
        scores
    }
}
