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
pub(crate) mod cluster;
mod columns;
mod component_ranges;
pub mod depth;
mod direction;
mod draws;
mod edges;
mod fold;
pub mod hierarchy;
mod landmarks;
mod order;
mod part;
mod query;
mod reach;
mod reductions;
mod roots;
mod sampled;
mod steps;
#[cfg(test)]
mod tests;
mod twins;
mod unfold;
mod weights;

pub use chains::Chains;
pub use cluster::ROOT_GROUP;
pub use columns::{Column, prepare_query};
pub use component_ranges::ComponentRanges;
pub use draws::{Batch, Draws, NO_ROOT, prepare_estimate};
pub use part::{Part, PartOf};
pub use query::{Amount, DistanceSum, Pass, PreparedQuery};
pub use reductions::{Reductions, When};
pub use roots::{RootSelection, TooManyRoots};
pub use steps::Step;
pub use twins::Twins;
pub use weights::Weights;

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine::{OwnSums, Root};
use crate::graph::components::components;
use crate::graph::{Csr, Graph, Lengths, Vertex};
use crate::span::Span;
use edges::Edges;
use fold::Trees;
use order::PER_TASK;

/// How prepared vertices are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Breadth-first, from a vertex of the highest degree of each component; shallow components
    /// without lengths by distances to the vertices of highest degree.
    #[default]
    Bfs,
    /// As in the input.
    None,
}

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
}

/// The default tie tolerance. Two sums of k lengths that are equal as decimals differ as doubles by
/// at most about 2 k 2^-53 of their size, so this tolerance suffices for paths of 4500 edges, and
/// distinguishes paths whose lengths differ in the first 12 digits.
pub const TIE_TOLERANCE: f64 = 1e-12;

/// The fewest roots with which directed graphs are reduced by default.
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
        }
    }
}

/// A graph ready to be searched, with the data that turn the sums of its searches into scores.
#[derive(Clone, Default)]
pub struct Prepared {
    /// The graph of the searched vertices, renumbered; every vertex has an outgoing or incoming
    /// arc.
    pub graph: Csr,
    /// The reversed arcs of directed graphs.
    pub reverse: Option<Csr>,
    /// The length of each arc of `graph`, if the graph is weighted; only engines for weights may
    /// then search it.
    pub lengths: Option<Lengths>,
    /// The length of each arc of `reverse`.
    pub reverse_lengths: Option<Lengths>,
    /// The number of bits by which lengths are shifted to the left if some edges have length zero,
    /// for which arcs have length 1; otherwise 0.
    pub zero_bits: u32,
    /// The tolerance for lengths that are doubles: u precedes v on a shortest path if it is nearer
    /// to the root, and d(u) + length <= d(v) (1 + tolerance). Zero compares doubles exactly.
    pub tie_tolerance: f64,
    /// Whether engines must also add up the dependencies of arcs.
    pub count_edges: bool,
    /// The weight of each prepared vertex as a target: the number of input vertices that it stands
    /// for, or the sum of their weights as targets. With a demand it is zero: engines set the trips
    /// of each root.
    pub weight: Vec<f64>,
    /// Per prepared vertex, the number of twins that it stands for, if [twins](Twins) are merged.
    pub multiplicity: Option<Vec<f64>>,
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
    /// Whether searches must also count path ends, for `--endpoints` of a directed graph.
    /// (Undirected graphs have a closed form.)
    pub count_endpoints: bool,
    /// The number of chosen sources among the input vertices.
    pub sources: usize,
    /// The factor of scores: n / `sources` if the sources were drawn at random, otherwise 1.
    pub rescale: f64,
    /// The number of vertices that were folded away.
    pub folded: usize,
    /// The number of (weakly) connected components of the input.
    pub components: usize,
    /// The number of blocks to search, if the graph was split.
    pub blocks: Option<usize>,
    /// The components that searches stay in. A graph in the order of the input counts as one
    /// component.
    pub ranges: ComponentRanges,
    /// An estimate of the arcs that a search looks at: the mean number of arcs in the component of
    /// a root, or in a directed graph of those that a root reaches. With a radius, only the arcs
    /// within the radius count.
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
    hierarchy: OnceLock<Result<Arc<hierarchy::Hierarchy>, hierarchy::Unfit>>,
    /// Whether the hierarchy is small enough for fast sweeps.
    small_overlay: OnceLock<bool>,
    /// See [`Prepared::distance_bound`].
    distance_bound: OnceLock<Option<u64>>,
    /// The input vertex of each prepared one.
    input_vertex: Vec<Vertex>,
    /// Input vertices of twins that are not in `input_vertex`, with their prepared vertices.
    merged: Vec<(Vertex, Vertex)>,
    /// The data for [`Prepared::edge_scores`], if scores of edges are wanted.
    edges: Option<Edges>,
    /// The weight of each prepared vertex as a source.
    source: Vec<f64>,
    /// Per input vertex, the ordered pairs that no search needs to count.
    closed: Vec<f64>,
    /// Whether another part of the search counts closed forms.
    closed_forms_elsewhere: bool,
    /// Whether the ends of a path count as lying on it.
    endpoints: bool,
}

/// The scale of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Pairs of vertices: unordered in undirected graphs, ordered in directed ones.
    #[default]
    Pairs,
    /// Pairs divided by the number of pairs whose paths could pass a vertex, as in networkx.
    Normalized,
}

/// Prepares a graph.
///
/// # Errors
/// `options.roots` has vertices that do not exist.
pub fn prepare(graph: &Graph, options: &PrepareOptions) -> Result<Prepared, TooManyRoots> {
    let chosen = options.roots.mark(graph.vertices())?;
    Ok(prepare_sources(graph, options, &chosen, [None; 2]))
}

/// Prepares a graph for searches from the chosen vertices. The weights of sources and targets are 1
/// if none are given; trees are not folded if they are.
fn prepare_sources(
    graph: &Graph,
    options: &PrepareOptions,
    chosen: &[bool],
    given_weights: [Option<&Arc<[f64]>>; 2],
) -> Prepared {
    let (csr, n, directed) = (graph.csr(), graph.vertices(), graph.directed());
    let Reductions {
        fold,
        blocks,
        reverse: turn,
        twins,
        chains,
    } = options.reduce;
    let mut spans = Vec::new();
    let reverse = || Span::time(&mut spans, "reverse arcs", || csr.reversed());
    let reverse = directed.then(reverse);
    let find = || components(csr, directed);
    let components = Span::time(&mut spans, "components", find);
    let is_weighted = given_weights.iter().any(Option::is_some);
    let trees = match directed || is_weighted || fold == When::Never {
        true => Trees::none(csr, reverse.as_ref(), chosen),
        false => Span::time(&mut spans, "fold", || Trees::find(csr, chosen)),
    };
    let remaining = trees.remaining();
    let input_vertex = Span::time(&mut spans, "order", || match options.order {
        Order::None => remaining,
        Order::Bfs => {
            let mut order = order::bfs_order(csr, reverse.as_ref(), &remaining);
            if graph.lengths().is_none() {
                let component = |v| components.of[v as usize];
                landmarks::sort(csr, reverse.as_ref(), component, &mut order);
            }
            order
        }
    });
    let searched = Span::time(&mut spans, "renumber", || csr.induced(&input_vertex));
    let lengths = graph.lengths().map(|lengths| {
        Span::time(&mut spans, "lengths", || {
            lengths.induced(csr, &searched, &input_vertex)
        })
    });
    let weights = |counts: &[u32], given: Option<&Arc<[f64]>>| -> Vec<f64> {
        let remaining = input_vertex.par_iter().with_min_len(PER_TASK);
        let weight = |v: usize| f64::from(counts[v]) * given.map_or(1.0, |given| given[v]);
        remaining.map(|&v| weight(v as usize)).collect()
    };
    let source = weights(&trees.sources, given_weights[0]);
    let component = |v: usize| components.of[v];
    let new_component = |v: usize| component(input_vertex[v] as usize);
    let mut steps = vec![Step::unordered("input", csr, component, |v| chosen[v])];
    if trees.removed > 0 {
        let step = Step::unordered("fold", &searched, new_component, |v| source[v] > 0.0);
        steps.push(step);
    }
    let ranges = match options.order {
        Order::None => ComponentRanges::one(input_vertex.len()),
        Order::Bfs => ComponentRanges::from_numbers((0..input_vertex.len()).map(new_component)),
    };
    let edges = options.edges.then(|| Edges {
        parent: trees.parent.clone(),
        separated: trees.separated(&components, chosen),
        number: order::places(n, &input_vertex),
        copies: None,
        is_reversed: false,
    });
    let mut prepared = Prepared {
        weight: weights(&trees.size, given_weights[1]),
        source,
        reverse: directed.then(|| searched.reversed()),
        lengths,
        tie_tolerance: options.tie_tolerance.unwrap_or(TIE_TOLERANCE),
        count_edges: options.edges,
        count_endpoints: options.endpoints && directed,
        sources: chosen.par_iter().filter(|&&c| c).count(),
        rescale: options.roots.factor(n),
        folded: trees.removed,
        components: components.sizes.len(),
        steps,
        edges,
        closed: trees.closed(&components, chosen, options.endpoints && !directed),
        endpoints: options.endpoints,
        root_group: 1,
        input_vertex,
        ..Prepared::default()
    };
    prepared.set_graph(None, searched, ranges, None);
    // A few searches of a directed graph take less time than to find what they reach.
    let pays = !directed || prepared.roots.len() >= FEWEST_ROOTS;
    let made = |when| when == When::Always || (when == When::Auto && pays);
    let splits = options.order == Order::Bfs && made(blocks);
    // Near ties depend on the direction.
    let ties = options.tie_tolerance.is_some_and(|part| part > 0.0);
    let turns = made(turn) && !(ties && turn == When::Auto);
    let mut reach = None;
    if directed && (splits || turns) {
        reach = Span::time(&mut spans, "reach", || prepared.find_reach());
    }
    if splits {
        let split = || prepared.split(blocks == When::Always, reach.as_ref());
        reach = Span::time(&mut spans, "blocks", split).or(reach);
    }
    if let Some(reach) = reach.filter(|_| turns) {
        Span::time(&mut spans, "direction", || {
            prepared.turn(turn == When::Always, &reach)
        });
    }
    if let Some(given) = prepared.lengths.take() {
        let lengths = Span::time(&mut spans, "lengths", || {
            let (lengths, bits) = bound::without_zeros(prepared.graph.vertices(), given);
            prepared.zero_bits = bits;
            match options.tie_tolerance.is_some_and(|part| part > 0.0) {
                true => lengths.into_doubles(),
                false => bound::narrowed(&prepared.graph, lengths, directed),
            }
        });
        let reversed = |reverse| lengths.reversed(&prepared.graph, reverse);
        prepared.reverse_lengths = prepared.reverse.as_ref().map(reversed);
        prepared.lengths = Some(lengths);
    }
    prepared.spans = spans;
    let found = (chains == When::Always).then(|| prepared.find_chains());
    if let Some(found) = found.flatten() {
        prepared.serve_chains(found);
        return prepared;
    }
    let merges = twins == When::Always || (twins == When::Auto && chains == When::Never);
    let found = merges.then(|| prepared.twins(twins == When::Always));
    match found.flatten() {
        Some(found) => prepared.merge(found),
        None => prepared.order_roots(prepared.is_deeper_than(depth::MAY_BE_DEEP)),
    }
    prepared
}

impl Prepared {
    /// Wraps an undirected graph without changes. Every vertex is a root with weight one.
    pub fn bare(graph: Csr) -> Prepared {
        let n = graph.vertices();
        let arcs_per_root = graph.arcs() as f64;
        Prepared {
            weight: vec![1.0; n],
            roots: (0..n as Vertex)
                .map(|vertex| Root { vertex, sources: 1 })
                .collect(),
            source: vec![1.0; n],
            graph,
            root_group: 1,
            tie_tolerance: TIE_TOLERANCE,
            sources: n,
            rescale: 1.0,
            components: 1,
            ranges: ComponentRanges::one(n),
            arcs_per_root,
            input_vertex: (0..n as Vertex).collect(),
            closed: vec![0.0; n],
            ..Prepared::default()
        }
    }

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
        self.closed_forms_elsewhere = part.number() > 1;
        if self.closed_forms_elsewhere {
            self.closed.fill(0.0);
        }
    }

    /// Replaces the graph and its components, and the roots by the vertices with weights as
    /// sources. If `after` names a reduction, adds a step of that name, with an estimate of the
    /// `work` if there is a better one than the sum of the arcs of components.
    fn set_graph(
        &mut self,
        after: Option<&str>,
        graph: Csr,
        ranges: ComponentRanges,
        work: Option<f64>,
    ) {
        (self.graph, self.ranges) = (graph, ranges);
        // A root without outgoing arcs in a directed graph reaches nothing.
        let roots = (0..).zip(&self.source);
        let roots = roots.filter(|&(v, &source)| source > 0.0 && self.graph.degree(v) > 0);
        // With weights, `set_query` replaces the numbers of sources.
        let roots = roots.map(|(vertex, &source)| Root {
            vertex,
            sources: source as u32,
        });
        self.roots = roots.collect();
        let arcs = self.ranges.root_arcs(&self.graph, &self.roots);
        let mut step = Step::new(after.unwrap_or_default(), &self.graph, arcs);
        step.work = work.unwrap_or(step.work);
        self.arcs_per_root = step.work / self.roots.len().max(1) as f64;
        self.steps.extend(after.map(|_| step));
    }

    /// Returns the graph, and the reversed graph; both are the same if it is undirected.
    fn ways(&self) -> [&Csr; 2] {
        [&self.graph, self.reverse.as_ref().unwrap_or(&self.graph)]
    }

    /// Sets the prepared vertices, given by their numbers so far.
    fn renumber(&mut self, vertices: &[Vertex]) {
        let input = vertices.par_iter().map(|&v| self.input_vertex[v as usize]);
        self.input_vertex = input.collect();
    }

    /// Orders the roots, which are ascending, for the search: in groups of neighbours if the graph
    /// is `deep`, otherwise mixed from all components.
    fn order_roots(&mut self, deep: bool) {
        if deep {
            let start = Instant::now();
            let reverse = self.reverse.as_ref();
            (self.roots, self.grouped_roots) =
                cluster::cluster_roots(&self.graph, reverse, &self.roots);
            self.root_group = ROOT_GROUP;
            self.spans.push(Span::since("cluster roots", start));
        } else if self.ranges.count() > 1 {
            self.roots = self.ranges.mixed(&self.roots, part::LONGEST_RUN);
        }
    }

    /// Estimates the work of searches from these roots as the sum of the arcs of their components,
    /// or of the part of them that is within the radius of the query.
    pub fn work(&self, roots: &[Root]) -> f64 {
        let arcs = self.ranges.root_arcs(&self.graph, roots);
        self.arc_share() * arcs.map(|arcs| arcs as f64).sum::<f64>()
    }

    /// Returns sums of zero for searches of this graph.
    pub fn zero_sums(&self) -> OwnSums {
        let [vertices, arcs] = self.sum_lengths();
        OwnSums {
            vertices: vec![0.0; vertices],
            arcs: self.count_edges.then(|| vec![0.0; arcs]),
        }
    }

    /// Returns the bytes of [`Self::zero_sums`].
    pub(crate) fn sum_bytes(&self) -> usize {
        let [vertices, arcs] = self.sum_lengths();
        (vertices + usize::from(self.count_edges) * arcs) * size_of::<f64>()
    }

    /// Returns the number of entries of the sums of vertices, and that of the sums of arcs.
    fn sum_lengths(&self) -> [usize; 2] {
        let [vertices, arcs] = self.sum_columns();
        [vertices * self.graph.vertices(), arcs * self.graph.arcs()]
    }

    /// Returns the input vertex of a prepared one.
    pub fn input_vertex(&self, v: Vertex) -> Vertex {
        self.input_vertex[v as usize]
    }
}
