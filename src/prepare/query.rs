//! A [`Query`] in terms of a prepared graph: the backward phases of a search, and the sums of
//! distances.
//!
//! A pair (s, t) that counts a(s) b(t) g(d) in place of 1 changes Brandes' recursion in one place:
//! the coefficient of t becomes (b(t) g(d) + delta(t)) / sigma(t), and the dependencies of a root
//! have the factor a(s). So each radius is a backward phase of its own ([`Pass`]) over the same
//! forward phase, which stops at the largest radius. Stress leaves the division by sigma out.
//! Distances are summed at the vertices that the forward phase reaches ([`DistanceColumn`]).
//!
//! Engines add pass p to `sums.vertices[p * n..]` and `sums.arcs[p * arcs..]`, and distances to
//! further columns of `sums.vertices`.

use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use super::{Prepared, Scale};
use crate::engine::Root;
use crate::graph::{Graph, Lengths, Vertex};
use crate::query::{ClosenessScaling, Measure, Query};

/// A distance that is this close to an integer, relatively, is one: radii are decimals, and lengths
/// are multiples of a decimal unit.
const NEAR_INTEGER: f64 = 1e-9;

/// One backward phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    /// The largest distance of pairs that count, in units of the prepared lengths; infinite without
    /// a radius.
    pub limit: f64,
    /// The decay per unit.
    pub decay: f64,
    /// Whether paths are counted, not shares of pairs: the coefficient is then b(t) g(d) + the sum
    /// of the coefficients of the successors, without the division by sigma.
    pub stress: bool,
}

impl Pass {
    /// The backward phase of the betweenness of all pairs.
    pub const ALL_PAIRS: Pass = Pass {
        limit: f64::INFINITY,
        decay: 0.0,
        stress: false,
    };

    /// Returns g(d), the factor of pairs at this distance.
    #[inline]
    pub fn factor(&self, distance: f64) -> f64 {
        if distance > self.limit {
            0.0
        } else if self.decay == 0.0 {
            1.0
        } else {
            (-self.decay * distance).exp()
        }
    }
}

/// A sum of distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DistanceSum {
    /// The sum of a(s).
    Count,
    /// The sum of a(s) exp(-decay d).
    Decayed(f64),
    /// The sum of a(s) d.
    Distance,
    /// The sum of a(s) / d.
    Inverse,
    /// The largest distance from a root, in the entry of the root itself.
    Eccentricity,
}

impl DistanceSum {
    /// Returns the amount that a source of weight 1 adds at this distance; 0 for eccentricities.
    #[inline(always)]
    pub fn amount(self, distance: f64) -> f64 {
        match self {
            DistanceSum::Count => 1.0,
            DistanceSum::Decayed(decay) => (-decay * distance).exp(),
            DistanceSum::Distance => distance,
            DistanceSum::Inverse => 1.0 / distance,
            DistanceSum::Eccentricity => 0.0,
        }
    }
}

/// A column of sums of distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistanceColumn {
    /// What is summed.
    pub sum: DistanceSum,
    /// The largest distance that counts.
    pub limit: f64,
}

/// A [`Query`] for a prepared graph. Distances are in units of the prepared lengths.
#[derive(Debug, Clone)]
pub struct PreparedQuery {
    /// The backward phases.
    pub passes: Vec<Pass>,
    /// The sums of distances. Their columns follow those of the passes.
    pub distances: Vec<DistanceColumn>,
    /// Whether squares are summed too, for an estimate: the last column of vertices has the sums of
    /// sources * dependency^2, of the only pass.
    pub squares: bool,
    /// The largest distance that any pass or sum needs: searches stop there.
    pub limit: f64,
    /// The part of the arcs that a search looks at, by an estimate: those within the radius.
    pub share: f64,
    /// The weight a of each prepared vertex as a source.
    sources: Vec<f64>,
    /// The trips from each prepared vertex, if single pairs count.
    demand: Option<Vec<Vec<(Vertex, f64)>>>,
    /// The sum of a over all vertices of the input.
    total: f64,
    /// The length of a unit.
    unit: f64,
    query: Query,
}

/// A measure of all vertices, or of all edges, for a radius.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The measure.
    pub measure: Measure,
    /// The radius, if there is one.
    pub radius: Option<f64>,
    /// The values, one per vertex of the graph, or per edge in the order of
    /// [`Graph::for_each_edge`].
    pub values: Vec<f64>,
}

impl Column {
    /// Returns the name in files: the measure, and the radius behind it.
    pub fn name(&self) -> String {
        crate::query::column_name(self.measure, self.radius)
    }
}

/// Returns the weights of sources and targets. Pairs of an undirected graph have no direction, so
/// that targets alone become sources, from which fewer searches start.
fn ends(query: &Query, directed: bool) -> [Option<&Arc<[f64]>>; 2] {
    let (sources, targets) = (query.sources.as_ref(), query.targets.as_ref());
    match (sources, targets) {
        (None, Some(_)) if !directed => [targets, None],
        _ => [sources, targets],
    }
}

/// Marks the vertices that are sources.
pub(super) fn mark(query: &Query, graph: &Graph) -> Vec<bool> {
    let mut chosen = vec![true; graph.vertices()];
    if let Some(demand) = &query.demand {
        chosen.fill(false);
        for &(source, _, trips) in demand.iter() {
            chosen[source as usize] |= trips > 0.0;
        }
    }
    if let Some(sources) = ends(query, graph.directed())[0] {
        chosen = sources.iter().map(|&weight| weight > 0.0).collect();
    }
    chosen
}

impl PreparedQuery {
    /// Makes the query of a prepared graph, and sets the weights of its vertices as targets.
    pub(super) fn set(prepared: &mut Prepared, query: &Query, graph: &Graph) {
        let unit = graph.weights().and_then(|info| info.unit).unwrap_or(1.0);
        let decay = query.decay.unwrap_or(0.0) * unit;
        let (mut passes, mut distances) = (Vec::new(), Vec::new());
        for (measure, radius) in query.columns() {
            let limit = limit(prepared, radius, unit);
            if measure.counts_paths() {
                passes.push(Pass {
                    limit,
                    decay,
                    stress: measure == Measure::Stress,
                });
            }
            for &sum in sums_of(measure, decay).iter().flatten() {
                let column = DistanceColumn { sum, limit };
                if !distances.contains(&column) {
                    distances.push(column);
                }
            }
        }
        let at_vertices = |weights: Option<&Arc<[f64]>>| -> Vec<f64> {
            let weight = |&v: &Vertex| weights.map_or(1.0, |all| all[v as usize]);
            prepared.input_vertex.iter().map(weight).collect()
        };
        let [sources, targets] = ends(query, graph.directed());
        let demand = query.demand.as_ref().map(|demand| {
            let mut number = vec![Vertex::MAX; graph.vertices()];
            for (new, &old) in (0..).zip(&prepared.input_vertex) {
                number[old as usize] = new;
            }
            let mut rows = vec![Vec::new(); prepared.graph.vertices()];
            for &(source, target, trips) in demand.iter() {
                let (source, target) = (number[source as usize], number[target as usize]);
                // Vertices without any arc are not searched.
                if source != Vertex::MAX && target != Vertex::MAX && source != target {
                    rows[source as usize].push((target, trips));
                }
            }
            rows
        });
        let limits = passes.iter().map(|pass| pass.limit);
        let limits = limits.chain(distances.iter().map(|column| column.limit));
        let limit = limits.fold(0.0, f64::max);
        let made = PreparedQuery {
            squares: false,
            limit,
            share: prepared.share_within(limit),
            sources: at_vertices(sources),
            total: sources.map_or(graph.vertices() as f64, |all| all.iter().sum()),
            demand,
            passes,
            distances,
            unit,
            query: query.clone(),
        };
        prepared.weight = match &made.demand {
            // Engines set the trips of each root.
            Some(_) => vec![0.0; prepared.graph.vertices()],
            None => at_vertices(targets),
        };
        prepared.arcs_per_root *= made.share;
        prepared.query = Some(Arc::new(made));
    }

    /// Adds squares to the betweenness of a prepared graph.
    pub(super) fn set_squares(prepared: &mut Prepared) {
        let query = PreparedQuery {
            passes: vec![Pass {
                limit: f64::INFINITY,
                decay: 0.0,
                stress: false,
            }],
            distances: Vec::new(),
            squares: true,
            limit: f64::INFINITY,
            share: 1.0,
            sources: vec![1.0; prepared.graph.vertices()],
            demand: None,
            total: prepared.closed.len() as f64,
            unit: 1.0,
            query: Query::default(),
        };
        prepared.query = Some(Arc::new(query));
    }

    /// Returns whether coefficients are in the range of f32: if all pairs that count do so equally,
    /// for betweenness.
    pub fn fits_floats(&self) -> bool {
        let fits = |pass: &Pass| !pass.stress && pass.decay == 0.0;
        self.passes.iter().all(fits) && self.query.targets.is_none() && !self.has_demand()
    }

    /// Returns the number of columns of vertices.
    pub fn columns(&self) -> usize {
        self.passes.len() + self.distances.len() + usize::from(self.squares)
    }

    /// Returns the most levels below a root that searches without lengths need.
    pub fn deepest(&self) -> usize {
        self.limit as usize
    }

    /// Returns whether a largest distance of each root is needed.
    pub fn has_eccentricity(&self) -> bool {
        let mut sums = self.distances.iter().map(|column| column.sum);
        sums.any(|sum| sum == DistanceSum::Eccentricity)
    }

    /// Returns whether only single pairs count.
    pub fn has_demand(&self) -> bool {
        self.demand.is_some()
    }

    /// Returns the trips from a prepared vertex, if single pairs count.
    pub fn trips(&self, root: Vertex) -> Option<&[(Vertex, f64)]> {
        let rows = self.demand.as_ref()?;
        Some(&rows[root as usize])
    }

    /// Replaces `amounts` by the columns, and what a source of weight 1 adds to each of them, at
    /// vertices at this distance, other than the root.
    pub fn amounts(&self, distance: f64, amounts: &mut Vec<(usize, f64)>) {
        amounts.clear();
        for (number, column) in self.distances.iter().enumerate() {
            let amount = match column.sum {
                _ if distance > column.limit => continue,
                DistanceSum::Eccentricity => continue,
                sum => sum.amount(distance),
            };
            amounts.push((self.passes.len() + number, amount));
        }
    }

    /// Calls `add` with each column of eccentricities and its radius.
    pub fn eccentricities(&self, mut add: impl FnMut(usize, f64)) {
        for (number, column) in self.distances.iter().enumerate() {
            if column.sum == DistanceSum::Eccentricity {
                add(self.passes.len() + number, column.limit);
            }
        }
    }

    /// Returns the decay per unit.
    pub fn decay(&self) -> f64 {
        self.query.decay.unwrap_or(0.0) * self.unit
    }

    /// Returns the closeness of prepared vertices from the sums of sources and of distances.
    fn closeness(&self, count: &[f64], distance: &[f64]) -> Vec<f64> {
        let all = count.iter().zip(distance).zip(&self.sources);
        let closeness = all.map(|((&count, &distance), &own)| {
            let mean = count / (distance * self.unit);
            match self.query.closeness_scaling {
                _ if distance == 0.0 => 0.0,
                ClosenessScaling::Component => mean,
                // In the order of networkx, for the same bits.
                ClosenessScaling::Improved => mean * (count / (self.total - own)),
            }
        });
        closeness.collect()
    }

    /// Returns the mean distance of sources and the vertices that they reach, if closeness was
    /// computed without a radius.
    pub(crate) fn mean_distance(&self, sums: &[f64]) -> Option<f64> {
        let n = self.sources.len();
        let total = |sum: DistanceSum| {
            let mut columns = self.distances.iter();
            let limit = f64::INFINITY;
            let number = columns.position(|&one| one == DistanceColumn { sum, limit })?;
            let sums = &sums[(self.passes.len() + number) * n..][..n];
            Some(sums.iter().sum::<f64>())
        };
        let distance = total(DistanceSum::Distance)? * self.unit;
        total(DistanceSum::Count)
            .filter(|&count| count > 0.0)
            .map(|count| distance / count)
    }

    /// Hashes everything that sums depend on.
    pub(crate) fn hash(&self, hash: &mut Xxh3) {
        let phases = (&self.passes, &self.distances, &self.demand);
        hash.update(format!("{phases:?}").as_bytes());
        hash.update(bytemuck::cast_slice(&self.sources));
    }

    /// Returns the query as it was asked.
    pub fn asked(&self) -> &Query {
        &self.query
    }
}

/// Returns a radius in units of the prepared lengths.
fn limit(prepared: &Prepared, radius: Option<f64>, unit: f64) -> f64 {
    let Some(radius) = radius else {
        return f64::INFINITY;
    };
    let units = radius / unit;
    match &prepared.lengths {
        Some(Lengths::F64(_)) => units * (1.0 + prepared.tie_tolerance),
        _ if (units - units.round()).abs() <= NEAR_INTEGER * units => units.round(),
        _ => units,
    }
}

/// Returns the sums of distances that a measure is made of.
fn sums_of(measure: Measure, decay: f64) -> [Option<DistanceSum>; 2] {
    match measure {
        Measure::Betweenness | Measure::Stress => [None, None],
        Measure::Closeness => [Some(DistanceSum::Count), Some(DistanceSum::Distance)],
        Measure::Harmonic => [Some(DistanceSum::Inverse), None],
        Measure::Reach if decay > 0.0 => [Some(DistanceSum::Decayed(decay)), None],
        Measure::Reach => [Some(DistanceSum::Count), None],
        Measure::Eccentricity => [Some(DistanceSum::Eccentricity), None],
    }
}

impl Prepared {
    /// Returns the factor a(s) of the dependencies of a root.
    #[inline]
    pub fn factor(&self, root: Root) -> f64 {
        let sources = f64::from(root.sources);
        match &self.query {
            None => sources,
            Some(query) => sources * query.sources[root.vertex as usize],
        }
    }

    /// Returns the backward phases of a search.
    pub fn passes(&self) -> &[Pass] {
        match &self.query {
            None => &[Pass::ALL_PAIRS],
            Some(query) => &query.passes,
        }
    }

    /// Returns the number of columns of sums of vertices and of arcs.
    pub(crate) fn sum_columns(&self) -> [usize; 2] {
        match &self.query {
            None => [1, 1],
            Some(query) => [query.columns(), query.passes.len()],
        }
    }

    /// Returns the columns per input vertex from the [complete](Prepared::complete) sums of all
    /// searches.
    pub fn columns(&self, sums: &[f64], scale: Scale) -> Vec<Column> {
        let Some(query) = self.query.as_ref().filter(|query| !query.squares) else {
            return vec![Column {
                measure: Measure::Betweenness,
                radius: None,
                values: self.scores(&sums[..self.graph.vertices()], scale),
            }];
        };
        let n = self.graph.vertices();
        let column = |number: usize| &sums[number * n..][..n];
        let mut passes = 0..query.passes.len();
        let columns = query.query.columns().map(|(measure, radius)| {
            let limit = limit(self, radius, query.unit);
            let sum = |sum: DistanceSum| {
                let wanted = DistanceColumn { sum, limit };
                let found = query.distances.iter().position(|&one| one == wanted);
                column(query.passes.len() + found.unwrap_or_default())
            };
            let times = |sums: &[f64], factor: f64| sums.iter().map(|sum| sum * factor).collect();
            let searched: Vec<f64> = match (measure, sums_of(measure, query.decay())) {
                (Measure::Closeness, _) => {
                    query.closeness(sum(DistanceSum::Count), sum(DistanceSum::Distance))
                }
                (_, [Some(DistanceSum::Inverse), _]) => {
                    times(sum(DistanceSum::Inverse), 1.0 / query.unit)
                }
                (_, [Some(DistanceSum::Eccentricity), _]) => {
                    times(sum(DistanceSum::Eccentricity), query.unit)
                }
                (_, [Some(other), _]) => times(sum(other), 1.0),
                (_, [None, _]) => {
                    let factor = self.scale_factor(scale, self.endpoints);
                    times(column(passes.next().unwrap_or_default()), factor)
                }
            };
            let mut values = vec![0.0; self.closed.len()];
            self.add_to_members(&searched, &mut values);
            Column {
                measure,
                radius,
                values,
            }
        });
        columns.collect()
    }

    /// Returns the columns of edges from the complete sums of all searches (`arcs`), in the order of
    /// [`Graph::for_each_edge`]; `None` without [`super::PrepareOptions::edges`].
    pub fn edge_columns(&self, graph: &Graph, arcs: &[f64], scale: Scale) -> Option<Vec<Column>> {
        let columns = match &self.query {
            None => vec![(Measure::Betweenness, None)],
            Some(query) => query.query.columns().collect(),
        };
        let columns = columns
            .into_iter()
            .filter(|(measure, _)| measure.counts_paths());
        let own = arcs
            .chunks(self.graph.arcs().max(1))
            .chain(std::iter::repeat(&arcs[..0]));
        let columns = columns.zip(own).map(|((measure, radius), arcs)| {
            let values = self.edge_scores(graph, arcs, scale)?;
            Some(Column {
                measure,
                radius,
                values,
            })
        });
        columns.collect()
    }
}
