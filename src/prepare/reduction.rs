//! The interface of reductions, and the graph that they make smaller.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use super::Prepared;
use super::component_ranges::ComponentRanges;
use super::order::PER_TASK;
use super::reach::Reach;
use super::steps::Step;
use crate::graph::{Csr, Lengths, Vertex};
use crate::span::Span;
use rayon::prelude::*;

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
    /// The weight of each vertex as a target: the number of input vertices that it stands for, or
    /// the sum of their weights as targets. With a demand it is zero: engines set the trips of each
    /// root.
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
    /// An estimate of the arcs that all searches look at. A reduction may set it to zero, which
    /// stands for the sum of the arcs of the components of all sources.
    pub work: f64,
    /// What searches of a directed graph reach, if reductions need it.
    pub(super) reach: Option<Reach>,
}

/// A reduction: replaces a graph by a smaller one with the same shortest paths, but for ordered
/// pairs of vertices that it counts in closed form.
pub trait Reduction: fmt::Debug + Sync {
    /// Returns the name in reports.
    fn name(&self) -> &'static str;

    /// Makes a graph smaller: `always`, or only if that saves work. Returns how to compute the sums
    /// of the larger graph from those of the smaller one. `None` if the graph has not changed: the
    /// reduction does not apply, saves too little, or does not support arcs or ends of paths, which
    /// the graph counts.
    fn reduce(&self, graph: &mut WeightedGraph, always: bool) -> Option<Undo>;
}

/// How the sums of a larger graph follow from those of a smaller one.
#[derive(Default)]
pub struct Undo {
    /// Per vertex of the smaller graph, a vertex of the larger one. The sum of a vertex of the
    /// larger graph is that of all such vertices; without any, it is zero.
    pub vertex: Vec<Vertex>,
    /// More vertices of the larger graph that a vertex of the smaller graph stands for, as pairs of
    /// both. All of them get the sum, divided by its multiplicity.
    pub merged: Vec<(Vertex, Vertex)>,
    /// Per vertex of the larger graph, the ordered pairs whose paths pass it, of those that no
    /// search of the smaller graph counts; empty if there are none.
    pub closed: Vec<f64>,
    /// The arcs of the larger graph, if it counts edges.
    pub arcs: Option<Arc<dyn UndoArcs>>,
}

/// The arcs of a larger graph in a smaller one.
pub trait UndoArcs: Send + Sync {
    /// Returns the ends of the arc of the smaller graph that has the sum of an arc of the larger
    /// one. If no search passes the arc, returns the ordered pairs whose paths use it as `Err`.
    fn arc(&self, ends: [Vertex; 2]) -> Result<[Vertex; 2], f64>;
}

impl WeightedGraph {
    /// Returns the graph, and the reversed graph; both are the same if it is undirected.
    pub fn ways(&self) -> [&Csr; 2] {
        [&self.graph, self.reverse.as_ref().unwrap_or(&self.graph)]
    }

    /// Finds what searches of a directed graph reach, and estimates the work by it.
    pub(super) fn find_reach(&mut self) {
        let reach = Reach::new(self.ways());
        self.work = reach.work(&self.graph, false, &self.source);
        self.reach = Some(reach);
    }
}

impl Prepared {
    /// Makes a reduction: `always`, or only if that saves work. Returns whether it was made.
    pub(super) fn reduce(&mut self, reduction: &dyn Reduction, always: bool) -> bool {
        let start = Instant::now();
        let undo = reduction.reduce(&mut self.searched, always);
        self.spans.push(Span::since(reduction.name(), start));
        let Some(undo) = undo else {
            return false;
        };
        for (&input, pairs) in self.input_vertex.iter().zip(undo.closed) {
            self.closed[input as usize] += pairs;
        }
        let input = |v: Vertex| self.input_vertex[v as usize];
        let merged = undo.merged.into_iter().map(|(v, class)| (input(v), class));
        self.merged.extend(merged);
        let vertices = undo.vertex.par_iter().with_min_len(PER_TASK);
        self.input_vertex = vertices.map(|&v| input(v)).collect();
        if let Some(edges) = &mut self.edges {
            edges.extend(undo.arcs);
        }
        self.set_roots();
        let (name, graph) = (reduction.name(), &self.searched.graph);
        self.steps.push(Step {
            after: name.into(),
            vertices: graph.vertices(),
            arcs: graph.arcs(),
            roots: self.roots.len(),
            work: self.work,
        });
        true
    }
}
