//! The engine that searches from a root at a time, for all kinds of such searches.

use std::time::Instant;

use super::claim_size::ClaimSize;
use super::weighted::arcs::Arc;
use super::{halt, steps};
use crate::engine::{Engine, EngineError, OwnSums, Root, Sums};
use crate::graph::{Lengths, Vertex};
use crate::prepare::{Pass, Prepared, PreparedQuery};

/// The numerators and divisors of coefficients (weight + delta) / sigma.
pub(super) trait Targets {
    /// Returns the weight of a vertex as a target, at this distance from the root.
    fn weight(&self, v: usize, distance: impl FnOnce() -> f64) -> f64;

    /// Returns what is added for a dependency that is multiplied by the factor of the root.
    fn counted(&self, dependency: f64, factor: f64) -> f64;

    /// Returns the number that the weight is divided by, if there are `paths` paths.
    fn divisor<N: From<f64>>(&self, paths: N) -> N;
}

/// The weights of betweenness over all pairs.
pub(super) struct AllPairs<'a>(&'a [f64]);

impl Targets for AllPairs<'_> {
    #[inline(always)]
    fn weight(&self, v: usize, _: impl FnOnce() -> f64) -> f64 {
        self.0[v]
    }

    #[inline(always)]
    fn counted(&self, dependency: f64, _: f64) -> f64 {
        dependency
    }

    #[inline(always)]
    fn divisor<N: From<f64>>(&self, paths: N) -> N {
        paths
    }
}

/// The weights of one backward phase of a query.
pub(super) struct PassTargets<'a> {
    weights: &'a [f64],
    pass: Pass,
}

impl Targets for PassTargets<'_> {
    #[inline(always)]
    fn weight(&self, v: usize, distance: impl FnOnce() -> f64) -> f64 {
        match self.weights[v] {
            0.0 => 0.0,
            weight => weight * self.pass.factor(distance()),
        }
    }

    #[inline(always)]
    fn counted(&self, dependency: f64, factor: f64) -> f64 {
        match self.pass.squares {
            true => dependency * dependency / factor,
            false => dependency,
        }
    }

    #[inline(always)]
    fn divisor<N: From<f64>>(&self, paths: N) -> N {
        match self.pass.stress {
            true => N::from(1.0),
            false => paths,
        }
    }
}

/// The sums that one backward phase adds to.
pub(super) struct Target<'a> {
    /// The factor of the dependencies of the root.
    pub(super) sources: f64,
    /// Sums of dependencies of vertices.
    pub(super) scores: &'a mut [f64],
    /// Sums of dependencies of arcs; empty if they are not wanted.
    pub(super) arcs: &'a mut [f64],
}

impl Target<'_> {
    /// Adds the dependency of a vertex, already multiplied by the factor of the root.
    #[inline(always)]
    pub(super) fn add(&mut self, targets: &impl Targets, v: Vertex, dependency: f64) {
        self.scores[v as usize] += targets.counted(dependency, self.sources);
    }
}

/// A search from one root, whose arrays over the prepared vertices are reused for every root.
pub(super) trait RootSearch {
    /// Finds distances and path counts from the root, up to the limit of the query if there is one.
    /// Returns whether all path counts are in range; if not, the backward phase is skipped.
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError>;

    /// Adds the dependencies of the last search. This may be called several times.
    fn backward<T: Targets>(
        &mut self,
        root: Vertex,
        targets: &T,
        to: Target<'_>,
    ) -> Result<(), EngineError>;

    /// Returns the vertices that the last search has reached, the root first.
    fn reached(&self) -> &[Vertex];

    /// Returns the distance of vertex `place` in [`Self::reached`], for graphs with a query.
    fn distance(&self, place: usize) -> f64;

    /// Resets the arrays for the next root.
    fn clear(&mut self);
}

/// Estimates the bytes that such an engine holds for this graph, without queues.
pub fn bytes(prepared: &Prepared) -> usize {
    let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
    let [columns, arc_columns] = prepared.sum_columns();
    // A vertex has a distance, path count, coefficient, scores, and a place in the order.
    let per_vertex = (3 + columns) * size_of::<f64>() + size_of::<Vertex>();
    let length = match prepared.lengths {
        None => 0,
        Some(Lengths::U32(_)) => size_of::<Arc<u32>>(),
        Some(Lengths::U64(_) | Lengths::F64(_)) => size_of::<Arc<u64>>(),
    };
    let sum = usize::from(prepared.count_edges) * arc_columns * size_of::<f64>();
    n * per_vertex + arcs * (length + sum) + steps::bytes(prepared)
}

/// The engine for one kind of search.
pub(super) struct RootByRoot<'g, S> {
    prepared: &'g Prepared,
    pub(super) search: S,
    sums: OwnSums,
    claim: ClaimSize,
    /// The trips from the present root, if single pairs count; else empty.
    trips: Vec<f64>,
}

impl<'g, S: RootSearch + 'g> RootByRoot<'g, S> {
    /// Makes an engine, with all memory allocated.
    pub(super) fn boxed(prepared: &'g Prepared, search: S) -> Box<dyn Engine + 'g> {
        Box::new(RootByRoot {
            prepared,
            search,
            sums: prepared.zero_sums(),
            claim: ClaimSize::default(),
            trips: match &prepared.query {
                Some(query) if query.has_demand() => vec![0.0; prepared.graph.vertices()],
                _ => Vec::new(),
            },
        })
    }

    /// Adds the dependencies of all pairs.
    fn count_all(&mut self, root: Root) -> Result<(), EngineError> {
        let to = Target {
            sources: root.sources.into(),
            scores: &mut self.sums.vertices,
            arcs: self.sums.arcs.as_deref_mut().unwrap_or_default(),
        };
        let targets = AllPairs(&self.prepared.weight);
        self.search.backward(root.vertex, &targets, to)
    }

    /// Adds what the query counts.
    fn count_query(&mut self, root: Root, query: &PreparedQuery) -> Result<(), EngineError> {
        let (n, arcs) = (self.prepared.graph.vertices(), self.prepared.graph.arcs());
        let sources = self.prepared.factor(root);
        let trips = query.trips(root.vertex);
        for &(v, trips) in trips.unwrap_or_default() {
            self.trips[v as usize] += trips;
        }
        for (number, &pass) in query.passes.iter().enumerate() {
            let arc_sums = self.sums.arcs.as_deref_mut().unwrap_or_default();
            let to = Target {
                sources,
                scores: &mut self.sums.vertices[number * n..][..n],
                arcs: match arc_sums.is_empty() {
                    true => arc_sums,
                    false => &mut arc_sums[number * arcs..][..arcs],
                },
            };
            let weights = match trips {
                Some(_) => &self.trips,
                None => &self.prepared.weight,
            };
            let targets = PassTargets { weights, pass };
            self.search.backward(root.vertex, &targets, to)?;
        }
        for &(v, _) in trips.unwrap_or_default() {
            self.trips[v as usize] = 0.0;
        }
        if !query.distances.is_empty() {
            self.add_distances(root, sources, query);
        }
        Ok(())
    }

    /// Adds the sums of distances.
    fn add_distances(&mut self, root: Root, sources: f64, query: &PreparedQuery) {
        let n = self.prepared.graph.vertices();
        let (mut amounts, mut last) = (Vec::new(), f64::NAN);
        let reached = self.search.reached();
        for (place, &v) in reached.iter().enumerate().skip(1) {
            let distance = self.search.distance(place);
            if distance != last {
                query.amounts(distance, &mut amounts);
                last = distance;
            }
            for &(column, amount) in &amounts {
                self.sums.vertices[column * n + v as usize] += sources * amount;
            }
        }
        query.eccentricities(|column, limit| {
            let distances = (0..reached.len()).map(|place| self.search.distance(place));
            let farthest = distances
                .filter(|&distance| distance <= limit)
                .fold(0.0, f64::max);
            self.sums.vertices[column * n + root.vertex as usize] += farthest;
        });
    }

    /// Counts path ends, for `--endpoints` of a directed graph: one pair for each vertex reached,
    /// at the root and at the vertex.
    fn count_endpoints(&mut self, root: Root) {
        let (scores, sources) = (&mut self.sums.vertices, f64::from(root.sources));
        let below = &self.search.reached()[1..];
        scores[root.vertex as usize] += sources * below.len() as f64;
        for &v in below {
            scores[v as usize] += sources;
        }
    }
}

impl<'g, S: RootSearch + 'g> Engine for RootByRoot<'g, S> {
    fn roots_wanted(&self) -> usize {
        self.claim.wanted
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let prepared = self.prepared;
        let mut uncounted = Vec::new();
        for &root in roots {
            halt::check()?;
            if self.search.forward(root.vertex)? {
                match &prepared.query {
                    None => self.count_all(root)?,
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
