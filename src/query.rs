//! The question that a search answers: the measures, the pairs of vertices that count, and whether
//! an estimate suffices.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, refuse_given, refuse_if};
use crate::graph::{Shortest, Vertex};

/// A measure of vertices. Sums are over the sources s, other than the vertex v itself, that reach
/// v within the radius; d is the distance from s to v, and a(s) the weight of the source.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The pairs whose shortest paths pass the vertex, each counted by the share of its paths that
    /// do (Freeman 1977).
    Betweenness,
    /// The number of shortest paths through the vertex (Shimbel 1953).
    Stress,
    /// The inverse of the mean distance from the sources, with a [`ClosenessScaling`] (Freeman
    /// 1979).
    Closeness,
    /// The sum of a(s) / d (Marchiori and Latora 2000).
    Harmonic,
    /// The sum of a(s) or, with [decay](Query::decay), of a(s) exp(-beta d).
    Reach,
    /// The largest distance from the vertex to a vertex that it reaches; 0 if the vertex is no
    /// source.
    Eccentricity,
}

impl Measure {
    /// All measures, in the order of columns.
    pub const ALL: [Measure; 6] = [
        Measure::Betweenness,
        Measure::Stress,
        Measure::Closeness,
        Measure::Harmonic,
        Measure::Reach,
        Measure::Eccentricity,
    ];

    /// Returns whether the measure counts paths, so that edges have it too.
    pub fn counts_paths(self) -> bool {
        matches!(self, Measure::Betweenness | Measure::Stress)
    }
}

/// Writes the name in options and files.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Measure::ALL.into_iter().find(|one| one.to_string() == name);
        found.ok_or_else(|| {
            let all = Measure::ALL.map(|one| one.to_string()).join(", ");
            format!("'{name}' is not a measure; use some of {all}")
        })
    }
}

/// The scaling of the closeness of a vertex. Of the A other sources, r reach the vertex, at
/// distances with the sum D. A, r and D count each source with its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClosenessScaling {
    /// (r / D) (r / A), for graphs in which not every vertex reaches every other one (Wasserman and
    /// Faust 1994); the default of networkx.
    #[default]
    Improved,
    /// r / D: `wf_improved=False` in networkx, `normalized=True` in igraph.
    Component,
}

/// A pair of vertices, and the number of trips from the first to the second.
pub type Trip = (Vertex, Vertex, f64);

/// The measures, and the pairs of vertices that count. The default is the betweenness of all pairs.
///
/// A pair (s, t) counts a(s) b(t) exp(-beta d) if its distance d is at most the radius. Distances
/// are numbers of edges, or lengths as in the input.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The measures, ascending.
    pub measures: Vec<Measure>,
    /// The radii, ascending; empty if distances have no limit. Each measure has a column for each
    /// radius.
    pub radii: Vec<f64>,
    /// The decay beta of betweenness, stress and reach.
    pub decay: Option<f64>,
    /// The weight a of each vertex as a source; a vertex of weight 0 is no source. `None` for 1
    /// each.
    pub sources: Option<Arc<[f64]>>,
    /// The weight b of each vertex as a target. `None` for 1 each. If only targets are given for an
    /// undirected graph, they become its sources, since pairs have no direction.
    pub targets: Option<Arc<[f64]>>,
    /// The only pairs that count, with their numbers of trips, for betweenness and stress.
    pub demand: Option<Arc<[Trip]>>,
    /// The scaling of closeness.
    pub closeness_scaling: ClosenessScaling,
}

impl Default for Query {
    fn default() -> Self {
        Query {
            measures: vec![Measure::Betweenness],
            radii: Vec::new(),
            decay: None,
            sources: None,
            targets: None,
            demand: None,
            closeness_scaling: ClosenessScaling::default(),
        }
    }
}

/// The largest weight of a vertex, and the largest number of trips of a pair.
const LARGEST_WEIGHT: f64 = 1e100;

impl Query {
    /// Returns whether this is the betweenness of all pairs.
    pub fn is_plain(&self) -> bool {
        self.given().is_empty()
    }

    /// Returns whether this is the betweenness of all pairs, with or without weights of vertices.
    pub(crate) fn is_reducible(&self) -> bool {
        let mut given = self.given().into_iter();
        given.all(|name| ["sources", "targets"].contains(&name))
    }

    /// Returns the names of the options that are given, for messages.
    pub fn given(&self) -> Vec<&'static str> {
        let all = [
            ("measures", self.measures != [Measure::Betweenness]),
            ("radius", !self.radii.is_empty()),
            ("decay", self.decay.is_some()),
            ("sources", self.sources.is_some()),
            ("targets", self.targets.is_some()),
            ("demand", self.demand.is_some()),
        ];
        let given = all.into_iter().filter(|(_, given)| *given);
        given.map(|(name, _)| name).collect()
    }

    /// Returns the columns of vertices: the measures, each for all radii.
    pub fn columns(&self) -> impl Iterator<Item = (Measure, Option<f64>)> + '_ {
        let radii = match self.radii.is_empty() {
            true => vec![None],
            false => self.radii.iter().copied().map(Some).collect(),
        };
        let measures = self.measures.iter();
        measures.flat_map(move |&one| radii.clone().into_iter().map(move |radius| (one, radius)))
    }

    /// Checks all values that can be checked without a graph.
    pub(crate) fn check(&self) -> Result<(), Error> {
        refuse_if(
            self.measures.is_empty() || !self.measures.is_sorted_by(|a, b| a < b),
            "`measures` needs at least one measure, each once and in the order of Measure::ALL",
        )?;
        let is_number = |value: f64| value.is_finite() && value >= 0.0;
        // Products of two weights, and sums of such products, are in the range of doubles.
        let is_weight = |value: f64| (0.0..=LARGEST_WEIGHT).contains(&value);
        let radii = self.radii.iter();
        let radii = radii.map(|&radius| (format!("radius {radius}"), !is_number(radius)));
        refuse_given(radii, "is no distance; use numbers from 0")?;
        let text = "`radius` needs different radii, the smallest first";
        refuse_if(!self.radii.is_sorted_by(|a, b| a < b), text)?;
        let decay = self.decay;
        let decays = decay.map(|decay| (format!("decay {decay}"), !is_number(decay)));
        refuse_given(decays, "is not usable; use a number from 0")?;
        for (name, weights) in self.weights() {
            if let Some(bad) = weights.iter().find(|&&weight| !is_weight(weight)) {
                let text = format!("`{name}` has weight {bad}; use numbers from 0 to 1e100");
                return refuse_if(true, text);
            }
        }
        let has = |measure| self.measures.contains(&measure);
        let decaying = [Measure::Betweenness, Measure::Stress, Measure::Reach];
        refuse_if(
            decay.is_some() && !decaying.into_iter().any(has),
            "`decay` changes only betweenness, stress and reach; leave it out, or add one of them \
             to `measures`",
        )?;
        refuse_if(
            self.closeness_scaling != ClosenessScaling::default() && !has(Measure::Closeness),
            "`closeness-scaling` changes only closeness; leave it out, or add closeness to \
             `measures`",
        )?;
        let Some(demand) = &self.demand else {
            return Ok(());
        };
        if let Some((.., bad)) = demand.iter().find(|(.., trips)| !is_weight(*trips)) {
            let text = format!("`demand` has {bad} trips; use numbers from 0 to 1e100");
            return refuse_if(true, text);
        }
        let text = "`demand` names the pairs that count; leave `sources` and `targets` out";
        refuse_if(self.sources.is_some() || self.targets.is_some(), text)?;
        match self.measures.iter().find(|one| !one.counts_paths()) {
            None => Ok(()),
            Some(other) => {
                let text = "`demand` is for betweenness and stress; leave `measures";
                refuse_if(true, format_args!("{text} {other}` out"))
            }
        }
    }

    /// Returns the given weights of sources and targets, with their names.
    fn weights(&self) -> impl Iterator<Item = (&'static str, &[f64])> {
        let all = [("sources", &self.sources), ("targets", &self.targets)];
        all.into_iter()
            .filter_map(|(name, weights)| Some((name, &**weights.as_ref()?)))
    }

    /// Checks that weights and trips fit a graph with `n` vertices.
    pub(crate) fn check_vertices(&self, n: usize) -> Result<(), Error> {
        for (name, weights) in self.weights() {
            let len = weights.len();
            let text = format!("`{name}` has {len} weights, but the graph has {n} vertices");
            refuse_if(len != n, text)?;
        }
        let trips = self.demand.iter().flat_map(|trips| trips.iter());
        let mut ends = trips.flat_map(|&(s, t, _)| [s, t]);
        ends.find(|&v| v as usize >= n).map_or(Ok(()), |v| {
            let text = format!("`demand` has vertex {v}, but the graph has {n} vertices");
            refuse_if(true, text)
        })
    }
}

/// A kind of graphs or searches that an engine or strategy may support, beside the betweenness of
/// undirected graphs without lengths. A refusal that is due to several of them names the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Graphs with lengths.
    Lengths,
    /// Sums of dependencies of arcs, for scores of edges.
    Edges,
    /// Graphs whose sources inside chains are served by searches from the ends of the chains.
    Chains,
    /// Graphs whose twins are merged, so that vertices have a
    /// [multiplicity](crate::prepare::Prepared::multiplicity).
    Twins,
    /// Sums of squares of dependencies, for estimates.
    Squares,
    /// Demand of single pairs.
    Demand,
    /// Eccentricity.
    Eccentricity,
    /// Radii, decay, weights of sources and targets, stress, closeness, harmonic and reach
    /// ([`Query`]).
    Query,
    /// Directed graphs.
    Directed,
}

impl Feature {
    /// Returns the features that a query needs, and those of `others` that are marked as needed.
    pub fn needed(
        query: &Query,
        others: impl IntoIterator<Item = (Feature, bool)>,
    ) -> Vec<Feature> {
        let eccentricity = query.measures.contains(&Measure::Eccentricity);
        let of_query = [
            (Feature::Query, !query.is_plain()),
            (Feature::Eccentricity, eccentricity),
            (Feature::Demand, query.demand.is_some()),
        ];
        let all = of_query.into_iter().chain(others);
        all.filter_map(|(feature, needed)| needed.then_some(feature))
            .collect()
    }

    /// Returns the reason why an engine or strategy without the feature cannot make a search that
    /// needs it, as the rest of a sentence about the engine or strategy.
    pub fn refusal(self) -> &'static str {
        match self {
            Feature::Lengths => "is for graphs without weights",
            Feature::Edges => "gives no scores of edges",
            Feature::Chains => "does not serve sources inside chains",
            Feature::Twins => "cannot search merged twins",
            Feature::Squares => "does not estimate",
            Feature::Demand => "does not compute `demand`",
            Feature::Eccentricity => "does not compute `measures eccentricity`",
            Feature::Query => "computes the betweenness of all pairs only",
            Feature::Directed => "is for undirected graphs",
        }
    }
}

/// A kind of random draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Drawn {
    /// Sources, each for a search of the whole graph.
    Sources,
    /// Single shortest paths between random pairs of vertices, on cores; not with lengths.
    Paths,
}

/// The precision at which an estimate ends, and its limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The largest half-width of an interval of a normalised score; 0 if only `time` or `top` ends
    /// the search.
    pub epsilon: f64,
    /// A lower bound of the probability that all scores are in their intervals.
    pub confidence: f64,
    /// The seed of the draws.
    pub seed: u64,
    /// The kind of draws; `None` for the kind that is expected to take less time, which depends on
    /// the machine.
    pub draws: Option<Drawn>,
    /// The search also ends when this many highest scores are separated from all others. Without an
    /// epsilon, intervals are aimed to be as narrow as this needs.
    pub top: Option<usize>,
    /// No batch of draws begins that would probably end after this time; the first two always run.
    pub time: Option<Duration>,
}

impl Default for Estimate {
    fn default() -> Self {
        Estimate {
            epsilon: 0.01,
            confidence: 0.9,
            seed: 1,
            draws: None,
            top: None,
            time: None,
        }
    }
}

impl Estimate {
    /// Checks the values.
    pub(crate) fn check(&self) -> Result<(), Error> {
        refuse_if(self.top == Some(0), "`top 0` asks for no vertex")?;
        let inside = |value: f64| value > 0.0 && value < 1.0;
        let has_end = self.time.is_some() || self.top.is_some();
        let epsilon = (self.epsilon != 0.0 || !has_end).then_some(self.epsilon);
        let epsilon = epsilon.map(|value| ("epsilon", value));
        let values = epsilon.into_iter().chain([("confidence", self.confidence)]);
        let values = values.map(|(name, value)| (format!("{name} {value}"), !inside(value)));
        refuse_given(values, "is not above 0 and below 1")
    }

    /// Returns the options for means, which this factor turns into scores.
    pub(crate) fn of_means(self, factor: f64) -> Estimate {
        Estimate {
            epsilon: self.epsilon / factor,
            ..self
        }
    }
}

/// Returns the name of a column: the measure, followed by the radius if there is one.
pub fn column_name(measure: Measure, radius: Option<f64>) -> String {
    match radius {
        None => measure.to_string(),
        Some(radius) => format!("{measure}_{}", Shortest(radius)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_checked() {
        let refused = |refusal: &str, change: &dyn Fn(&mut Query)| {
            let mut query = Query::default();
            assert!(query.is_plain() && query.check().is_ok());
            change(&mut query);
            let error = query.check().unwrap_err().to_string();
            assert!(error.contains(refusal), "{error}");
        };
        let trips = || Some([(0, 1, 1.0)].into());
        refused("at least one measure", &|query| query.measures.clear());
        refused("smallest first", &|query| query.radii = vec![2.0, 1.0]);
        refused("radius -1", &|query| query.radii = vec![-1.0]);
        refused("NaN", &|query| query.decay = Some(f64::NAN));
        refused("weight -2", &|query| {
            query.sources = Some([1.0, -2.0].into())
        });
        refused("leave `sources`", &|query| {
            (query.demand, query.targets) = (trips(), Some([1.0, 1.0].into()));
        });
        let query = Query {
            demand: trips(),
            ..Query::default()
        };
        assert!(query.check_vertices(2).is_ok() && query.check_vertices(1).is_err());
    }
}
