//! The query of a prepared graph, and the columns of measures from the sums of its searches.

use std::sync::Arc;

use super::query::{DistanceColumn, DistanceSum, Pass, PreparedQuery, ends, mark, sums_of};
use super::{PrepareOptions, Prepared, Reductions, Scale, TooManyRoots, prepare, prepare_sources};
use crate::engine::Root;
use crate::graph::{Graph, Lengths, Vertex};
use crate::query::{Measure, Query};

/// A distance that is this close to an integer, relatively, is one: radii are decimals, and lengths
/// are multiples of a decimal unit.
const NEAR_INTEGER: f64 = 1e-14;

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

/// Prepares a graph for a query. Only plain betweenness is searched with reductions.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_query(
    graph: &Graph,
    options: &PrepareOptions,
    query: &Query,
) -> Result<Prepared, TooManyRoots> {
    if query.is_plain() {
        return prepare(graph, options);
    }
    let options = PrepareOptions {
        reduce: Reductions::NONE,
        ..*options
    };
    let mut chosen = options.roots.mark(graph.vertices())?;
    for (chosen, counts) in chosen.iter_mut().zip(mark(query, graph)) {
        *chosen &= counts;
    }
    let mut prepared = prepare_sources(graph, &options, &chosen);
    prepared.set_query(query, graph);
    Ok(prepared)
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

impl Prepared {
    /// Makes the query of a prepared graph, and sets the weights of its vertices as targets.
    pub(super) fn set_query(&mut self, query: &Query, graph: &Graph) {
        let unit = graph.weights().and_then(|info| info.unit).unwrap_or(1.0);
        let decay = query.decay.unwrap_or(0.0) * unit;
        let (mut passes, mut distances) = (Vec::new(), Vec::new());
        for (measure, radius) in query.columns() {
            let limit = limit(self, radius, unit);
            if measure.counts_paths() {
                passes.push(Pass {
                    limit,
                    decay,
                    stress: measure == Measure::Stress,
                    squares: false,
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
            self.input_vertex.iter().map(weight).collect()
        };
        let [sources, targets] = ends(query, graph.directed());
        let demand = query.demand.as_ref().map(|demand| {
            let mut number = vec![Vertex::MAX; graph.vertices()];
            for (new, &old) in (0..).zip(&self.input_vertex) {
                number[old as usize] = new;
            }
            let mut rows = vec![Vec::new(); self.graph.vertices()];
            for &(source, target, trips) in demand.iter() {
                let (source, target) = (number[source as usize], number[target as usize]);
                // Vertices without any arc are not searched.
                if source != Vertex::MAX && target != Vertex::MAX && source != target {
                    rows[source as usize].push((target, trips));
                }
            }
            rows
        });
        let mut is_outside = vec![true; graph.vertices()];
        for &v in &self.input_vertex {
            is_outside[v as usize] = false;
        }
        let weight = |v: usize| sources.map_or(1.0, |all| all[v]);
        let outside = (0..graph.vertices()).filter(|&v| is_outside[v]);
        let outside = outside.map(weight).fold(0.0, |sum, weight| sum + weight);
        let limits = passes.iter().map(|pass| pass.limit);
        let limits = limits.chain(distances.iter().map(|column| column.limit));
        let limit = limits.fold(0.0, f64::max);
        let made = PreparedQuery {
            squares: false,
            limit,
            share: self.share_within(limit),
            sources: at_vertices(sources),
            outside,
            demand,
            passes,
            distances,
            unit,
            query: query.clone(),
        };
        self.weight = match &made.demand {
            // Engines set the trips of each root.
            Some(_) => vec![0.0; self.graph.vertices()],
            None => at_vertices(targets),
        };
        self.arcs_per_root *= made.share;
        self.query = Some(Arc::new(made));
    }

    /// Adds squares to the betweenness of a prepared graph.
    pub(super) fn set_squares(&mut self) {
        let query = PreparedQuery {
            passes: vec![
                Pass::ALL_PAIRS,
                Pass {
                    squares: true,
                    ..Pass::ALL_PAIRS
                },
            ],
            distances: Vec::new(),
            squares: true,
            limit: f64::INFINITY,
            share: 1.0,
            sources: vec![1.0; self.graph.vertices()],
            demand: None,
            outside: 0.0,
            unit: 1.0,
            query: Query::default(),
        };
        self.query = Some(Arc::new(query));
    }

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

    /// Returns the columns of edges from the complete sums of all searches (`arcs`), in the order
    /// of [`Graph::for_each_edge`]; `None` without [`super::PrepareOptions::edges`].
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
