//! The interface of reductions, and the graph that they make smaller.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::component_ranges::ComponentRanges;
use super::reach::Reach;
use crate::graph::{Csr, Lengths, Vertex};

/// A graph with weights of sources and targets: the pair (s, t) counts `source[s] * weight[t]`
/// times. Reductions make it smaller, and engines search it.
#[derive(Clone, Default)]
pub struct WeightedGraph {
    /// The graph of the searched vertices; every vertex has an outgoing or incoming arc.
    pub graph: Csr,
    /// The reversed arcs of directed graphs.
    pub reverse: Option<Csr>,
    /// The length of each arc of `graph`, if the graph is weighted; only engines for weights may
    /// then search it.
    pub lengths: Option<Lengths>,
    /// The weight of each vertex as a source.
    pub source: Vec<f64>,
    /// The weight of each vertex as a target: the sum over the input vertices that it stands for,
    /// each with its weight in the query or 1. A demand between pairs replaces these weights.
    pub weight: Vec<f64>,
    /// Per vertex, the number of twins that it stands for, if twins are merged.
    pub multiplicity: Option<Vec<f64>>,
    /// The components that searches stay in. A graph in the order of the input counts as one
    /// component.
    pub ranges: ComponentRanges,
    /// Whether engines must also add up the dependencies of arcs.
    pub count_edges: bool,
    /// Whether searches must also count path ends, for `--endpoints` of a directed graph.
    /// (Undirected graphs have a closed form.)
    pub count_endpoints: bool,
    /// An estimate of the arcs that all searches look at; a reduction sets it to zero if it does
    /// not know. Then the arcs of the component of each root count.
    pub work: f64,
    /// How much of a directed graph searches reach, if reductions need it. A reduction that changes
    /// the graph sets it anew or to `None`.
    pub(super) reach: Option<Reach>,
}

/// A reduction: replaces a graph by one that is cheaper to search, and counts in closed form the
/// ordered pairs that its searches miss.
///
/// Rows of the graph are ascending, components are consecutive, and every vertex but the first of a
/// component has a smaller neighbour (along arcs in either direction), unless the order is that of
/// the input; so it must stay. Weights of sources are integers, unless a query gives others. A
/// graph with multiplicities is not reduced further.
pub trait Reduction: fmt::Debug + Sync {
    /// Returns the name in reports.
    fn name(&self) -> &'static str;

    /// Reduces a graph: `always`, or only if that saves work. Returns how to compute the sums of
    /// the larger graph from those of the smaller one. `None` if the graph has not changed: the
    /// reduction does not apply, saves too little, or does not support what the graph counts.
    fn reduce(&self, graph: &mut WeightedGraph, always: bool) -> Option<Undo>;
}

/// How the sums of a larger graph follow from those of a smaller one.
#[derive(Default)]
pub struct Undo {
    /// Per vertex of the smaller graph, a vertex of the larger one. The sum of a vertex of the
    /// larger graph is that of all such vertices; without any, it is zero.
    pub vertex: Vec<Vertex>,
    /// More vertices of the larger graph that a vertex of the smaller graph with a multiplicity
    /// stands for, as pairs of both. All get the same part of the sum.
    pub merged: Vec<(Vertex, Vertex)>,
    /// Per vertex of the larger graph, the ordered pairs whose paths pass it, of those that no
    /// search of the smaller graph counts; empty if there are none.
    pub closed: Vec<f64>,
    /// The arcs of the larger graph in the smaller one; needed if the graph counts edges.
    pub arcs: Option<Arc<ArcMap>>,
}

/// Returns, for the ends of an arc of a larger graph, the ends of the arc of the smaller graph that
/// has its sum, or as `Err` the ordered pairs whose paths use the arc, if no search counts them.
pub type ArcMap = dyn Fn([Vertex; 2]) -> Result<[Vertex; 2], f64> + Send + Sync;

impl WeightedGraph {
    /// Returns the graph, and the reversed graph; both are the same if it is undirected.
    #[inline]
    pub fn ways(&self) -> [&Csr; 2] {
        [&self.graph, self.reverse.as_ref().unwrap_or(&self.graph)]
    }

    /// Returns the graph without directions: both arcs of each edge.
    pub(super) fn undirected(&self) -> Cow<'_, Csr> {
        let Some(reverse) = &self.reverse else {
            return Cow::Borrowed(&self.graph);
        };
        Cow::Owned(Csr::of_rows(self.graph.vertices(), |v, target| {
            let mut rows = [&self.graph, reverse].map(|way| way.neighbours(v as Vertex));
            while let Some(&next) = rows.iter().filter_map(|row| row.first()).min() {
                target(next);
                rows = rows.map(|row| &row[usize::from(row.first() == Some(&next))..]);
            }
        }))
    }

    /// Returns the number of twins that a vertex stands for, a factor of its path count.
    #[inline(always)]
    pub fn multiplicity_of(&self, v: usize) -> f64 {
        self.multiplicity.as_ref().map_or(1.0, |twins| twins[v])
    }

    /// Returns the multiplicity of each vertex; one unused entry if no twins are merged.
    pub(crate) fn multiplicities(&self) -> &[f64] {
        self.multiplicity.as_deref().unwrap_or(&[1.0])
    }

    /// Keeps these vertices only, ascending, with their weights, and the arcs between them.
    pub fn keep(&mut self, kept: &[Vertex]) {
        let component = |&v: &Vertex| self.ranges.component(v) as u32;
        self.ranges = ComponentRanges::from_numbers(kept.iter().map(component));
        let smaller = self.graph.induced(kept);
        let lengths = self.lengths.as_ref();
        self.lengths = lengths.map(|all| all.induced(&self.graph, &smaller, kept));
        self.graph = smaller;
        self.reverse = self.reverse.as_ref().map(|_| self.graph.reversed());
        for weights in [&mut self.source, &mut self.weight] {
            *weights = kept.iter().map(|&v| weights[v as usize]).collect();
        }
    }
}
