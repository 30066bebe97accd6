//! The query of a prepared graph, and the columns of measures from the sums of its searches.

use std::array;
use std::sync::Arc;

use super::order::{NO_PLACE, places};
use super::query::{
    ALL_PAIRS, Amount, DistanceSum, Pass, PreparedQuery, source_and_target_weights,
};
use super::{PrepareOptions, Prepared, Reductions, Scale, When, prepare, prepare_sources};
use crate::engine::{OwnSums, Root};
use crate::error::Error;
use crate::graph::{Graph, Lengths};
use crate::query::{Measure, Query};

/// The relative difference from an integer up to which a radius counts as that integer: radii are
/// decimals, and lengths are multiples of a decimal unit.
const NEAR_INTEGER: f64 = 1e-14;

/// A measure of all vertices, or of all edges, for a radius.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The measure of the values.
    pub measure: Measure,
    /// The radius, if there is one.
    pub radius: Option<f64>,
    /// The values, one per vertex of the graph, or per edge in the order of
    /// [`Graph::for_each_edge`].
    pub values: Vec<f64>,
}

impl Column {
    pub(crate) fn new((measure, radius): (Measure, Option<f64>), values: Vec<f64>) -> Column {
        Column {
            measure,
            radius,
            values,
        }
    }

    /// Returns the name in files: the measure, followed by the radius.
    pub fn name(&self) -> String {
        crate::query::column_name(self.measure, self.radius)
    }
}

/// Prepares a graph for a query. Only betweenness without radius, decay and demand is searched with
/// reductions.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_query(
    graph: &Graph,
    options: &PrepareOptions,
    query: &Query,
) -> Result<Prepared, Error> {
    if query.is_plain() {
        return prepare(graph, options);
    }
    let mut options = *options;
    (options.reduce.twins, options.reduce.chains) = (When::Never, When::Never);
    if !query.is_reducible() {
        (options.reduce, options.more) = (Reductions::NONE, &[]);
    }
    let [sources, targets] = source_and_target_weights(query, graph.directed());
    // With a demand, the vertices with trips are sources.
    let starts = query.demand.as_ref().map(|demand| {
        let mut starts = vec![0.0; graph.vertices()];
        let trips = demand.iter().filter(|(.., trips)| *trips > 0.0);
        trips.for_each(|&(source, ..)| starts[source as usize] = 1.0);
        starts
    });
    let weights = [sources.or(starts.as_deref()), targets];
    let chosen = options.roots.mark(graph.vertices())?;
    let mut prepared = prepare_sources(graph, &options, &chosen, weights);
    prepared.set_query(query, graph);
    Ok(prepared)
}

/// Returns a radius in units of the prepared lengths; infinite if there is none.
fn limit(prepared: &Prepared, radius: Option<f64>, unit: f64) -> f64 {
    let units = radius.unwrap_or(f64::INFINITY) / unit;
    let units = match &prepared.lengths {
        Some(Lengths::F64(_)) => units * (1.0 + prepared.tie_tolerance),
        _ if (units - units.round()).abs() <= NEAR_INTEGER * units => units.round(),
        _ => units,
    };
    match prepared.zero_bits {
        0 => units,
        // Edges of length zero add less than half of a unit.
        bits => (units.floor() + 0.5) * 2f64.powi(bits as i32),
    }
}

impl Prepared {
    /// Makes the query of a prepared graph, and sets the arcs per root.
    pub(super) fn set_query(&mut self, query: &Query, graph: &Graph) {
        let unit = graph.weights().and_then(|info| info.unit).unwrap_or(1.0);
        let decay = query.decay.unwrap_or(0.0) * unit;
        let (mut passes, mut distances) = (Vec::new(), Vec::<DistanceSum>::new());
        let mut eccentricities = Vec::new();
        for (measure, radius) in query.columns() {
            let limit = limit(self, radius, unit);
            let mut sum = |amount| {
                let sum = DistanceSum { amount, limit };
                if !distances.contains(&sum) {
                    distances.push(sum);
                }
            };
            match measure {
                Measure::Betweenness | Measure::Stress => passes.push(Pass {
                    limit,
                    decay,
                    stress: measure == Measure::Stress,
                    squares: false,
                    zero_bits: self.zero_bits,
                }),
                Measure::Closeness => {
                    sum(Amount::Decayed(0.0));
                    sum(Amount::Distance);
                }
                Measure::Harmonic => sum(Amount::Inverse),
                Measure::Reach => sum(Amount::Decayed(decay)),
                Measure::Eccentricity => eccentricities.push(limit),
            }
        }
        let [sources, _] = source_and_target_weights(query, graph.directed());
        let number = places(graph.vertices(), &self.input_vertex);
        let demand = query.demand.as_ref().map(|demand| {
            let mut rows = vec![Vec::new(); self.graph.vertices()];
            for &(source, target, trips) in demand.iter() {
                let (source, target) = (number[source as usize], number[target as usize]);
                // Vertices without any arc are not searched.
                if source != NO_PLACE && target != NO_PLACE && source != target {
                    rows[source as usize].push((target, trips));
                }
            }
            rows
        });
        let weight = |v: usize| sources.map_or(1.0, |all| all[v]);
        let outside = (0..graph.vertices()).filter(|&v| number[v] == NO_PLACE);
        let outside = outside.map(weight).fold(0.0, |sum, weight| sum + weight);
        // Every radius has a column, so searches stop at the largest one.
        let limit = limit(self, query.radii.last().copied(), unit);
        let arc_share = self.arc_share_within(limit);
        let prepared_query = PreparedQuery {
            passes,
            distances,
            eccentricities,
            limit,
            arc_share,
            original: query.clone(),
            demand,
            outside,
            unit,
            zero_bits: self.zero_bits,
        };
        for root in &mut self.roots {
            root.sources = 1;
        }
        self.arcs_per_root *= arc_share;
        self.query = Some(Arc::new(prepared_query));
    }

    /// Makes searches sum squares of dependencies beside the betweenness, for an estimate.
    pub(super) fn set_squares(&mut self) {
        let mut query = ALL_PAIRS.clone();
        query.passes[0].squares = true;
        self.source.fill(1.0); // Roots have the numbers of draws.
        self.query = Some(Arc::new(query));
    }

    /// Returns the query, which may be the betweenness of all pairs.
    pub fn any_query(&self) -> &PreparedQuery {
        self.query.as_deref().unwrap_or(&ALL_PAIRS)
    }

    /// Returns the factor a(s) of the dependencies of a root.
    #[inline]
    pub fn factor(&self, root: Root) -> f64 {
        let weight = |_| self.source[root.vertex as usize];
        f64::from(root.sources) * self.query.as_ref().map_or(1.0, weight)
    }

    /// Returns the factors of at most N roots; zero in places without a root.
    pub(crate) fn factors<const N: usize>(&self, roots: &[Root]) -> [f64; N] {
        array::from_fn(|lane| roots.get(lane).map_or(0.0, |&root| self.factor(root)))
    }

    /// Returns the backward phases of a search.
    pub fn passes(&self) -> &[Pass] {
        &self.any_query().passes
    }

    /// Returns the largest distance from a root that searches need; infinite without a radius.
    pub fn search_limit(&self) -> f64 {
        self.any_query().limit
    }

    /// Returns whether coefficients fit the range of f32: in betweenness without decay, demand or
    /// weights of targets.
    pub fn fits_floats(&self) -> bool {
        let fits = |pass: &Pass| !pass.stress && pass.decay == 0.0;
        let query = self.any_query();
        // In a reversed graph, the weights of sources are weights of targets.
        let targets = query.original.targets.is_some()
            || self.reverse.is_some() && query.original.sources.is_some();
        query.passes.iter().all(fits) && query.demand.is_none() && !targets
    }

    /// Returns whether squares of dependencies are summed, for an estimate.
    pub fn sums_squares(&self) -> bool {
        self.passes().iter().any(|pass| pass.squares)
    }

    /// Returns the numbers of columns of the sums of vertices and of arcs.
    pub(crate) fn sum_columns(&self) -> [usize; 2] {
        [self.any_query().columns(), self.passes().len()]
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

    /// Returns the columns per input vertex from the [complete](Prepared::complete) sums of all
    /// searches.
    pub fn columns(&self, sums: &[f64], scale: Scale) -> Vec<Column> {
        let (n, query) = (self.graph.vertices(), self.any_query());
        let mut passes = (0..).map(|pass| &sums[pass * n..][..n]);
        let columns = query.original.columns().map(|(measure, radius)| {
            let values = match measure.counts_paths() {
                true => self.scores(passes.next()?, scale),
                false => {
                    let limit = limit(self, radius, query.unit);
                    let searched = query.values((measure, limit), sums, &self.source)?;
                    self.add_to_members(&searched, vec![0.0; self.closed.len()])
                }
            };
            Some(Column::new((measure, radius), values))
        });
        columns.flatten().collect()
    }

    /// Returns the columns of edges from the complete sums of all searches (`arcs`), in the order
    /// of [`Graph::for_each_edge`]; `None` without [`super::PrepareOptions::edges`].
    pub fn edge_columns(&self, graph: &Graph, arcs: &[f64], scale: Scale) -> Option<Vec<Column>> {
        let mut passes = (0..).map(|pass| &arcs[pass * self.graph.arcs()..][..self.graph.arcs()]);
        let columns = self.any_query().original.columns();
        let columns = columns.filter(|(measure, _)| measure.counts_paths());
        let values = |arcs| self.edge_scores(graph, arcs, scale);
        let columns = columns.map(|one| Some(Column::new(one, values(passes.next()?)?)));
        columns.collect()
    }
}
