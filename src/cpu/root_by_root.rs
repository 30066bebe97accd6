//! The engine that searches from one root at a time, with any [`RootSearch`].

use std::time::Instant;

use super::claim_size::ClaimSize;
use super::halt;
use super::weighted::arcs::Arc;
use super::weighted::count::Count;
use crate::engine::{Engine, EngineError, OwnSums, Root, Sums};
use crate::graph::{Lengths, Vertex};
use crate::prepare::{Pass, Prepared, PreparedQuery};

/// The parameters of a backward phase, and the sums that it adds to. The coefficient of a vertex is
/// ([`Self::weight`] + delta) / [`Self::divisor`]. If `IS_ALL_PAIRS`, the pass is
/// [`Pass::ALL_PAIRS`], which needs no decisions at run time.
pub(super) struct BackwardPass<'a, const IS_ALL_PAIRS: bool> {
    pass: Pass,
    /// The weight of each vertex as a target.
    weights: &'a [f64],
    /// The weight of the root as a source: all its dependencies are multiplied by it.
    pub(super) factor: f64,
    /// The sums of dependencies of vertices, and in a second column those of their squares.
    scores: &'a mut [f64],
    /// The sums of dependencies of arcs; empty if they are not wanted.
    pub(super) arcs: &'a mut [f64],
}

impl<const IS_ALL_PAIRS: bool> BackwardPass<'_, IS_ALL_PAIRS> {
    /// Returns the weight of a vertex as a target, at this distance from the root.
    #[inline(always)]
    pub(super) fn weight<N: Count>(&self, v: usize, distance: impl FnOnce() -> f64) -> N {
        let weight = self.weights[v];
        match IS_ALL_PAIRS || weight == 0.0 {
            true => N::from(weight),
            false => N::from(weight) * self.pass.factor_by(distance(), N::exp),
        }
    }

    /// Returns the number that the weight is divided by, if there are `paths` paths.
    #[inline(always)]
    pub(super) fn divisor<N: From<f64>>(&self, paths: N) -> N {
        match !IS_ALL_PAIRS && self.pass.stress {
            true => N::from(1.0),
            false => paths,
        }
    }

    /// Adds `dependency`, which is [`Self::factor`] times the dependency delta of a vertex, to its
    /// score. If the pass sums squares, adds the factor times delta squared to their sum.
    #[inline(always)]
    pub(super) fn add(&mut self, v: Vertex, dependency: f64) {
        self.scores[v as usize] += dependency;
        if !IS_ALL_PAIRS && self.pass.squares {
            let squares = &mut self.scores[self.weights.len()..];
            squares[v as usize] += dependency * dependency / self.factor;
        }
    }
}

/// A search from one root, whose arrays over the prepared vertices are reused for every root.
pub(super) trait RootSearch {
    /// Finds distances and path counts from the root, up to the limit of the query if there is one.
    /// Returns whether all path counts are in range; if not, the backward phase is skipped.
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError>;

    /// Adds the dependencies of the last search. This may be called several times.
    fn backward<const IS_ALL_PAIRS: bool>(
        &mut self,
        root: Vertex,
        pass: BackwardPass<'_, IS_ALL_PAIRS>,
    ) -> Result<(), EngineError>;

    /// Returns the vertices that the last search has reached, the root first.
    fn reached(&self) -> &[Vertex];

    /// Returns the distance from the root to `self.reached()[place]`. This is called only with a
    /// query.
    fn distance(&self, place: usize) -> f64;

    /// Resets the arrays for the next root.
    fn clear(&mut self);
}

/// An arc on a shortest path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step {
    pub(super) from: Vertex,
    pub(super) to: Vertex,
}

/// Returns the most steps that a search can have: all arcs of a directed graph, or one of the two
/// arcs of each undirected edge.
pub(super) fn most_steps(prepared: &Prepared) -> usize {
    prepared.graph.arcs() / if prepared.reverse.is_some() { 1 } else { 2 }
}

/// Estimates the bytes that an engine for one root at a time holds for this graph, without the
/// queues of its search.
pub fn bytes(prepared: &Prepared) -> usize {
    let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
    // A vertex has a distance, path count, coefficient, and a place in the order.
    let per_vertex = 3 * size_of::<f64>() + size_of::<Vertex>();
    let arc = match prepared.lengths {
        None => 0,
        Some(Lengths::U32(_)) => size_of::<Arc<u32>>(),
        Some(Lengths::U64(_) | Lengths::F64(_)) => size_of::<Arc<u64>>(),
    };
    let step = size_of::<Step>() + usize::from(prepared.count_edges) * size_of::<u32>();
    n * per_vertex + arcs * arc + most_steps(prepared) * step + prepared.sum_bytes()
}

/// The engine for one kind of search.
pub(super) struct RootByRoot<'g, S> {
    prepared: &'g Prepared,
    pub(super) search: S,
    sums: OwnSums,
    claim: ClaimSize,
    /// With a demand between pairs, the demand from the current root to each vertex; else empty.
    demand: Vec<f64>,
}

impl<'g, S: RootSearch + 'g> RootByRoot<'g, S> {
    /// Makes an engine, with all memory allocated.
    pub(super) fn boxed(prepared: &'g Prepared, search: S) -> Box<dyn Engine + 'g> {
        let has_demand = prepared.any_query().demand.is_some();
        let trips = prepared.graph.vertices() * usize::from(has_demand);
        Box::new(RootByRoot {
            prepared,
            search,
            sums: prepared.zero_sums(),
            claim: ClaimSize::default(),
            demand: vec![0.0; trips],
        })
    }

    /// Adds the dependencies of a root in all passes.
    fn add_dependencies<const IS_ALL_PAIRS: bool>(
        &mut self,
        root: Root,
    ) -> Result<(), EngineError> {
        for (number, &pass) in self.prepared.passes().iter().enumerate() {
            let mut sums = self.sums.lend();
            let sums = sums.of_pass(number, &self.prepared.graph);
            let pass = BackwardPass::<IS_ALL_PAIRS> {
                pass,
                weights: match self.demand.is_empty() {
                    true => &self.prepared.weight,
                    false => &self.demand,
                },
                factor: self.prepared.factor(root),
                scores: sums.vertices,
                arcs: sums.arcs.unwrap_or_default(),
            };
            self.search.backward(root.vertex, pass)?;
        }
        Ok(())
    }

    /// Adds the sums of a query: dependencies, sums of distances, and the eccentricity of the root.
    fn count_query(&mut self, root: Root, query: &PreparedQuery) -> Result<(), EngineError> {
        for &(v, trips) in query.trips(root.vertex) {
            self.demand[v as usize] += trips;
        }
        self.add_dependencies::<false>(root)?;
        for &(v, _) in query.trips(root.vertex) {
            self.demand[v as usize] = 0.0;
        }
        if !query.distances.is_empty() {
            self.add_distances(self.prepared.factor(root), query);
        }
        let n = self.prepared.graph.vertices();
        for (column, limit) in query.eccentricity_columns() {
            let places = 0..self.search.reached().len();
            let distances = places.map(|place| self.search.distance(place));
            let near = distances.filter(|&distance| distance <= limit);
            self.sums.vertices[column * n + root.vertex as usize] += near.fold(0.0, f64::max);
        }
        Ok(())
    }

    /// Adds the distances of all vertices reached but the root to the columns of a query: for each
    /// column, `factor` times the amount of the distance.
    fn add_distances(&mut self, factor: f64, query: &PreparedQuery) {
        let n = self.prepared.graph.vertices();
        let (mut amounts, mut last) = (Vec::new(), f64::NAN);
        for (place, &v) in self.search.reached().iter().enumerate().skip(1) {
            let distance = self.search.distance(place);
            if distance != last {
                query.amounts(distance, &mut amounts);
                last = distance;
            }
            for &(column, amount) in &amounts {
                self.sums.vertices[column * n + v as usize] += factor * amount;
            }
        }
    }

    /// Counts path ends, for `--endpoints` of a directed graph: each pair of the root and a
    /// vertex reached counts at both vertices.
    fn count_endpoints(&mut self, root: Root) {
        let (scores, sources) = (&mut self.sums.vertices, f64::from(root.sources));
        let targets = &self.search.reached()[1..];
        scores[root.vertex as usize] += sources * targets.len() as f64;
        for &v in targets {
            scores[v as usize] += sources;
        }
    }
}

impl<'g, S: RootSearch + 'g> Engine for RootByRoot<'g, S> {
    fn roots_wanted(&self) -> usize {
        self.claim.size
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let prepared = self.prepared;
        let mut uncounted = Vec::new();
        for &root in roots {
            halt::check()?;
            if self.search.forward(root.vertex)? {
                match &prepared.query {
                    None => self.add_dependencies::<true>(root)?,
                    Some(query) => self.count_query(root, query)?,
                }
                if prepared.count_endpoints {
                    self.count_endpoints(root);
                }
            } else {
                uncounted.push(root);
            }
            self.search.clear();
        }
        self.claim.adjust(start);
        EngineError::of_uncounted(uncounted)
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.sums.move_to(sums);
        Ok(())
    }
}
