//! Preparation of the graph for searches, and conversion of the sums of searches to scores of the
//! input.
//!
//! Preparation chooses the sources, folds trees ([`fold`]), orders and renumbers the other vertices
//! ([`order`], [`landmarks`]), splits the graph into [`blocks`], reverses its arcs ([`direction`]),
//! and merges [`twins`] or serves [`chains`]. Each reduction has a module, which finds the places
//! where the reduction applies, makes the smaller graph, counts in closed form the ordered pairs
//! that no search needs to count, and turns sums of the smaller graph into sums of the larger one.
//! Some strategies also divide the arcs of the prepared graph into [`chunks`].

mod blocks;
mod bound;
pub mod chains;
pub mod chunks;
pub(crate) mod columns;
mod component_ranges;
pub mod depth;
mod direction;
mod draws;
mod fold;
pub mod hierarchy;
mod landmarks;
mod order;
mod part;
mod query;
mod reach;
mod reduction;
mod reductions;
mod root_order;
mod roots;
mod sampled;
mod steps;
#[cfg(test)]
mod tests;
mod twins;
mod unfold;

pub use chains::Chains;
pub use columns::{Column, prepare_query};
pub use component_ranges::ComponentRanges;
pub use draws::{Batch, Draws, prepare_estimate};
pub use order::Order;
pub use part::{Part, PartOf};
pub use query::{Amount, DistanceSum, Pass, PreparedQuery};
pub use reduction::{ArcMap, Reduction, Undo, WeightedGraph};
pub use reductions::{Reductions, When};
pub use root_order::ROOT_GROUP;
pub use roots::RootSelection;
pub use sampled::WORKERS_OF_DEVICE;
pub use steps::Step;
pub use unfold::Scale;

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rayon::prelude::*;

use crate::engine::Root;
use crate::error::Error;
use crate::graph::components::components;
use crate::graph::{Csr, Graph, Lengths, Vertex};
use crate::span::Span;
use fold::Trees;
use order::{PER_TASK, places};
use reach::Reach;

/// Options of preparation.
#[derive(Debug, Clone, Copy)]
pub struct PrepareOptions {
    /// The reductions. With `chains` [`When::Auto`], preparation makes neither
    /// this reduction nor that of `twins` with [`When::Auto`]: [`crate::plan::reduce`] then decides
    /// about the two, by the workers and devices.
    pub reduce: Reductions,
    /// The numbering of the searched vertices.
    pub order: Order,
    /// Whether the ends of a path count as lying on it.
    pub endpoints: bool,
    /// The vertices that are sources.
    pub roots: RootSelection,
    /// The relative difference up to which the lengths of two paths tie; see
    /// [`Prepared::tie_tolerance`]. With `None`, integer lengths are compared exactly and doubles
    /// with [`TIE_TOLERANCE`].
    pub tie_tolerance: Option<f64>,
    /// Whether scores of edges are wanted too.
    pub edges: bool,
    /// Reductions in addition to those of this crate, made before twins and chains where they save
    /// work. Estimates, and measures that need all vertices, make none of them.
    pub more: &'static [&'static dyn Reduction],
}

/// The default tie tolerance. Two sums of k lengths that are equal as decimals differ as doubles by
/// at most about 2 k 2^-53 of their size, so this tolerance suffices for paths of 4500 edges, and
/// distinguishes paths whose lengths differ in the first 12 digits.
pub const TIE_TOLERANCE: f64 = 1e-12;

/// The fewest roots with which directed graphs are split or reversed by default.
const FEWEST_ROOTS: usize = 256;

impl Default for PrepareOptions {
    fn default() -> Self {
        PrepareOptions {
            reduce: Reductions::folding(true),
            order: Order::Bfs,
            endpoints: false,
            roots: RootSelection::All,
            tie_tolerance: None,
            edges: false,
            more: &[],
        }
    }
}

/// A graph ready to be searched, with the data that turn the sums of its searches into scores.
#[derive(Clone, Default)]
pub struct Prepared {
    /// The graph to search. `Prepared` dereferences to it.
    pub searched: WeightedGraph,
    /// The length of each arc of `reverse`.
    pub reverse_lengths: Option<Lengths>,
    /// The number of bits by which lengths are shifted to the left if some edges have length zero,
    /// for which arcs have length 1; otherwise 0.
    pub zero_bits: u32,
    /// The tolerance for lengths that are doubles: u precedes v on a shortest path if it is nearer
    /// to the root, and d(u) + length <= d(v) (1 + tolerance). Zero compares doubles exactly.
    pub tie_tolerance: f64,
    /// The roots to search from. In deep graphs, groups of neighbours come first; in others, roots
    /// of all components are mixed. If sources inside chains are served, the roots are the groups
    /// of [`Chains`]. In an estimate, they are in the order of draws.
    pub roots: Vec<Root>,
    /// The number of roots in a group of neighbours, or in a group of [`Chains`]; 1 without groups.
    pub root_group: usize,
    /// The number of roots in such groups, which come first.
    pub grouped_roots: usize,
    /// The chains whose inner sources are served by searches from their ends. Every engine has to
    /// serve them.
    pub chains: Option<Arc<Chains>>,
    /// The query, unless it is the betweenness of all pairs. Every engine has to support it.
    pub query: Option<Arc<PreparedQuery>>,
    /// The number of chosen sources among the input vertices.
    pub sources: usize,
    /// The factor of scores: n / `sources` if the sources were drawn at random, otherwise 1.
    pub rescale: f64,
    /// The number of vertices that were folded away.
    pub folded: usize,
    /// The number of (weakly) connected components of the input.
    pub components: usize,
    /// An estimate of the arcs that a search looks at: the mean number of arcs in the component of
    /// a root, or, in a directed graph with many roots, of those that a root reaches. With a
    /// radius, only the arcs within the radius count.
    pub arcs_per_root: f64,
    /// The part of a search that this is, if it is not a whole search.
    pub part: Option<PartOf>,
    /// The size of the input and of the graph after each reduction.
    pub steps: Vec<Step>,
    /// The times of the steps.
    pub spans: Vec<Span>,
    /// See [`Prepared::depths`].
    depths: OnceLock<Vec<u32>>,
    /// See [`Prepared::hierarchy`].
    hierarchy: OnceLock<Result<Arc<hierarchy::Hierarchy>, hierarchy::HierarchyError>>,
    /// The hierarchy, if it is small enough for fast sweeps.
    likely_hierarchy: OnceLock<Option<Arc<hierarchy::Hierarchy>>>,
    /// See [`Prepared::distance_bound`].
    distance_bound: OnceLock<Option<u64>>,
    /// The input vertex of each prepared one.
    input_vertex: Vec<Vertex>,
    /// Input vertices of twins that are not in `input_vertex`, with their prepared vertices.
    merged: Vec<(Vertex, Vertex)>,
    /// The reductions of arcs; empty if no scores of edges are wanted.
    edges: Vec<Arc<ArcMap>>,
    /// Per input vertex, the ordered pairs that no search needs to count.
    closed: Vec<f64>,
    /// Whether the ends of a path count as lying on it.
    endpoints: bool,
}

impl Deref for Prepared {
    type Target = WeightedGraph;

    fn deref(&self) -> &WeightedGraph {
        &self.searched
    }
}

impl DerefMut for Prepared {
    fn deref_mut(&mut self) -> &mut WeightedGraph {
        &mut self.searched
    }
}

/// Prepares a graph.
///
/// # Errors
/// `options.roots` has vertices that do not exist.
pub fn prepare(graph: &Graph, options: &PrepareOptions) -> Result<Prepared, Error> {
    let chosen = options.roots.mark(graph.vertices())?;
    Ok(prepare_sources(graph, options, &chosen, [None; 2]))
}

/// Prepares a graph for searches from the chosen vertices. The weights of sources and targets are 1
/// if none are given; trees are not folded if they are.
fn prepare_sources(
    graph: &Graph,
    options: &PrepareOptions,
    chosen: &[bool],
    given_weights: [Option<&[f64]>; 2],
) -> Prepared {
    let (csr, n, directed) = (graph.csr(), graph.vertices(), graph.directed());
    let mut spans = Vec::new();
    let reverse = directed.then(|| Span::time(&mut spans, "reverse arcs", || csr.reversed()));
    let components = Span::time(&mut spans, "components", || components(csr, directed));
    let own = |v: usize| {
        let [source, target] = given_weights.map(|given| given.map_or(1.0, |given| given[v]));
        [if chosen[v] { source } else { 0.0 }, target]
    };
    let inward = |v| reverse.as_ref().map_or(0, |reverse| reverse.degree(v));
    let is_source = |v: usize| own(v)[0] > 0.0;
    let mut trees = Trees::none(components, own, |v| csr.degree(v) + inward(v));
    let is_weighted = given_weights.iter().any(Option::is_some);
    if !directed && !is_weighted && options.reduce.fold != When::Never {
        Span::time(&mut spans, "fold", || trees.fold(csr, own));
    }
    let number = || numbered(graph, reverse.as_ref(), &trees, options.order);
    let input_vertex = Span::time(&mut spans, "order", number);
    let searched = Span::time(&mut spans, "renumber", || csr.induced(&input_vertex));
    let given = graph.lengths();
    let induced = |lengths: &Lengths| lengths.induced(csr, &searched, &input_vertex);
    let lengths = given.map(|given| Span::time(&mut spans, "lengths", || induced(given)));
    let [source, weight] = [0, 1].map(|kind| {
        let vertices = input_vertex.par_iter().with_min_len(PER_TASK);
        let weight = |&v: &Vertex| trees.weights[v as usize][kind];
        vertices.map(weight).collect()
    });
    let component = |&v: &Vertex| trees.components.of[v as usize];
    let ranges = ComponentRanges::from_numbers(input_vertex.iter().map(component));
    let searched = WeightedGraph {
        weight,
        source,
        reverse: directed.then(|| searched.reversed()),
        graph: searched,
        lengths,
        ranges,
        count_edges: options.edges,
        count_endpoints: options.endpoints && directed,
        ..WeightedGraph::default()
    };
    let mut prepared = Prepared {
        searched,
        tie_tolerance: options.tie_tolerance.unwrap_or(TIE_TOLERANCE),
        sources: (0..n).filter(|&v| is_source(v)).count(),
        rescale: options.roots.factor(n),
        folded: trees.removed,
        components: trees.components.count(),
        steps: vec![Step::input(csr, &trees.components, is_source)],
        spans,
        closed: trees.closed(own, options.endpoints && !directed),
        edges: Vec::from_iter(options.edges.then(|| trees.arcs(places(n, &input_vertex)))),
        endpoints: options.endpoints,
        input_vertex,
        ..Prepared::default()
    };
    prepared.set_roots();
    if prepared.folded > 0 {
        prepared.push_step("fold");
    }
    prepared.make_reductions(options);
    prepared
}

/// Returns the vertices that are not folded in the order of their new numbers.
fn numbered(graph: &Graph, reverse: Option<&Csr>, trees: &Trees, order: Order) -> Vec<Vertex> {
    let mut remaining = trees.remaining();
    if order == Order::None {
        remaining.sort_by_key(|&v| trees.components.of[v as usize]);
        return remaining;
    }
    let (mut vertices, levels) = order::bfs_order(graph.csr(), reverse, &remaining);
    if graph.lengths().is_none() {
        let component = |v: Vertex| trees.components.of[v as usize];
        let (csr, order) = (graph.csr(), (&mut vertices[..], &levels[..]));
        landmarks::sort(csr, reverse, component, order, false);
    }
    vertices
}

impl Prepared {
    /// Sets the lengths of arcs: without zeros, and in the type that searches use.
    fn set_lengths(&mut self, given: Lengths, exact_ties: bool) {
        let (lengths, bits) = bound::without_zeros(self.graph.vertices(), given);
        let lengths = match exact_ties {
            true => bound::narrowed(&self.graph, lengths, self.reverse.is_some()),
            false => lengths.into_doubles(),
        };
        let reversed = |reverse| lengths.reversed(&self.graph, reverse);
        self.reverse_lengths = self.reverse.as_ref().map(reversed);
        (self.lengths, self.zero_bits) = (Some(lengths), bits);
    }

    /// Makes the reductions of a renumbered graph, and orders the roots.
    fn make_reductions(&mut self, options: &PrepareOptions) {
        // True if lengths that tie also tie in the reversed graph.
        let exact_ties = options.tie_tolerance.is_none_or(|part| part == 0.0);
        let mut reduce = options.reduce;
        if options.order == Order::None {
            reduce.blocks = When::Never;
        }
        if !exact_ties && reduce.reverse == When::Auto {
            reduce.reverse = When::Never;
        }
        // A few searches of a directed graph take less time than to find what they reach, by which
        // work is estimated.
        let pays = self.reverse.is_none() || self.roots.len() >= FEWEST_ROOTS;
        let made = |when| when == When::Always || (when == When::Auto && pays);
        let list = reduce.list().into_iter();
        let list: Vec<_> = list.filter(|&(_, when)| made(when)).collect();
        if self.reverse.is_some() && (pays || !list.is_empty()) {
            let find = || Reach::new(self.searched.ways());
            let reach = Span::time(&mut self.spans, "reach", find);
            self.searched.work = reach.work(&self.graph, false, &self.source);
            self.searched.reach = Some(reach);
            self.steps[0].work = self.work;
            self.arcs_per_root = self.work / self.roots.len().max(1) as f64;
        }
        for (reduction, when) in list {
            self.reduce(reduction, when == When::Always);
        }
        self.searched.reach = None;
        for &reduction in options.more {
            self.reduce(reduction, false);
        }
        if let Some(given) = self.lengths.take() {
            let start = Instant::now();
            self.set_lengths(given, exact_ties);
            self.spans.push(Span::since("lengths", start));
        }
        let Reductions { chains, twins, .. } = reduce;
        let merges = twins == When::Always || (twins == When::Auto && chains == When::Never);
        if chains == When::Always
            && let Some(found) = self.find_chains()
        {
            self.serve_chains(found);
        } else if !(merges && self.merge_twins(twins == When::Always)) {
            self.order_roots();
        }
    }

    /// Makes a reduction: `always`, or only if that saves work. Returns whether it was made.
    fn reduce(&mut self, reduction: &dyn Reduction, always: bool) -> bool {
        if self.multiplicity.is_some() {
            return false;
        }
        let (name, before) = (reduction.name(), self.graph.vertices());
        let reduce = || reduction.reduce(&mut self.searched, always);
        let Some(undo) = Span::time(&mut self.spans, name, reduce) else {
            return false;
        };
        let is_complete = undo.closed.is_empty() || undo.closed.len() == before;
        assert!(is_complete, "{name} has no closed form for some vertices");
        assert!(
            self.edges.is_empty() || undo.arcs.is_some(),
            "{name} has no arcs"
        );
        for (&input, pairs) in self.input_vertex.iter().zip(undo.closed) {
            self.closed[input as usize] += pairs;
        }
        let input = |v: Vertex| self.input_vertex[v as usize];
        let merged = undo.merged.into_iter().map(|(v, class)| (input(v), class));
        self.merged.extend(merged);
        let vertices = undo.vertex.par_iter().with_min_len(PER_TASK);
        self.input_vertex = vertices.map(|&v| input(v)).collect();
        if !self.edges.is_empty() {
            self.edges.extend(undo.arcs);
        }
        self.set_roots();
        self.push_step(name);
        true
    }

    /// Replaces the roots by the vertices with weights as sources, and estimates the work anew if
    /// it is unknown.
    fn set_roots(&mut self) {
        // A root without outgoing arcs in a directed graph reaches nothing.
        let roots = (0..).zip(&self.source);
        let roots = roots.filter(|&(v, &source)| source > 0.0 && self.graph.degree(v) > 0);
        // With weights, `set_query` replaces the numbers of sources.
        let roots = roots.map(|(vertex, &source)| Root {
            vertex,
            sources: source as u32,
        });
        self.roots = roots.collect();
        (self.root_group, self.grouped_roots) = (1, 0);
        if self.work == 0.0 {
            self.searched.work = self.work_of(&self.roots);
        }
        self.arcs_per_root = self.work / self.roots.len().max(1) as f64;
    }

    /// Estimates the work of searches from these roots as the sum of the arcs of their components,
    /// or of the part of them that is within the radius of the query.
    pub fn work_of(&self, roots: &[Root]) -> f64 {
        let arcs = self.ranges.root_arcs(&self.graph, roots);
        self.any_query().arc_share * arcs.fold(0.0, |sum, arcs| sum + arcs as f64)
    }

    /// Returns the mean of [`Self::work_of`] over all roots.
    pub fn component_arcs_per_root(&self) -> f64 {
        self.work_of(&self.roots) / self.roots.len().max(1) as f64
    }

    /// Returns whether the reductions after folding took longer than they saved, given the start
    /// and the end of the search.
    pub fn took_longer_than_saved(&self, (start, end): (Instant, Instant)) -> bool {
        let names = Reductions::NONE.named().map(|(name, _)| name);
        let is_later = |name| names[1..].contains(&name);
        let spans = self.spans.iter().filter(|span| is_later(span.name));
        let folded = self.steps.iter().rfind(|step| !is_later(&*step.after));
        let folded_work = folded.map_or(0.0, |step| step.work);
        spans.map(Span::seconds).sum::<f64>()
            > (end - start).as_secs_f64() * (folded_work / self.work - 1.0)
    }

    /// Adds the present size and work as a step after this reduction.
    fn push_step(&mut self, after: &str) {
        self.steps.push(Step {
            after: after.into(),
            vertices: self.graph.vertices(),
            arcs: self.graph.arcs(),
            roots: self.roots.len(),
            work: self.work,
        });
    }

    /// Returns the number of blocks to search, if the graph was split.
    pub fn blocks(&self) -> Option<usize> {
        let is_split = self.steps.iter().any(|step| step.after == "blocks");
        is_split.then(|| self.ranges.count())
    }

    /// Returns the input vertex of a prepared one.
    pub fn input_vertex(&self, v: Vertex) -> Vertex {
        self.input_vertex[v as usize]
    }
}
