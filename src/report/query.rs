//! The query of a search, if it was not the betweenness of all pairs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{counted, number};
use crate::prepare::PreparedQuery;
use crate::query::{ClosenessScaling, Measure};
use crate::scores::Scores;

/// The measures and pairs of a search that computed other scores than the betweenness of all pairs.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct QueryPart {
    /// The columns of score files: a measure, followed by a radius if there are radii. Betweenness
    /// alone is called `score` there. `results` and `distributions` are those of the first column.
    pub columns: Vec<String>,
    /// The measures.
    pub measures: Vec<Measure>,
    /// The radii, ascending; empty if distances had no limit.
    pub radii: Vec<f64>,
    /// The decay of pairs per unit of distance; null without one.
    pub decay: Option<f64>,
    /// The number of vertices with a weight as a source; null if all are sources of weight 1.
    pub sources: Option<usize>,
    /// The number of vertices with a weight as a target; null if all are targets of weight 1.
    pub targets: Option<usize>,
    /// The number of pairs with trips; null if all pairs of sources and targets count.
    pub demand: Option<usize>,
    /// The scaling of closeness; null if it was not computed.
    pub closeness_scaling: Option<ClosenessScaling>,
    /// The largest eccentricity; null if none was computed, only within radii, or only those of
    /// some vertices.
    pub diameter: Option<f64>,
    /// The smallest eccentricity of a vertex that reaches another one; null like `diameter`.
    pub radius: Option<f64>,
    /// The mean distance from sources to the vertices that they reach, weighted by the weights of
    /// sources; null if closeness was not computed, or only within radii.
    pub mean_distance: Option<f64>,
}

impl QueryPart {
    /// Describes a query whose search computed `scores`.
    pub(super) fn new(query: &PreparedQuery, scores: &Scores) -> QueryPart {
        let original = &query.original;
        let weighted = |weights: &[f64]| weights.iter().filter(|&&weight| weight > 0.0).count();
        let columns = scores.columns();
        // Eccentricities of some vertices do not show the diameter.
        let all = scores.record().prepared.sources == scores.vertices().len();
        let mut distances = columns.iter().filter(|column| {
            all && column.measure == Measure::Eccentricity && column.radius.is_none()
        });
        let distances = distances.next().map_or(&[][..], |column| &column.values);
        let above_zero = distances.iter().copied().filter(|&distance| distance > 0.0);
        let has_closeness = original.measures.contains(&Measure::Closeness);
        QueryPart {
            columns: columns.iter().map(|column| column.name()).collect(),
            measures: original.measures.clone(),
            radii: original.radii.clone(),
            decay: original.decay,
            sources: original.sources.as_deref().map(weighted),
            targets: original.targets.as_deref().map(weighted),
            demand: original.demand.as_deref().map(<[_]>::len),
            closeness_scaling: has_closeness.then_some(original.closeness_scaling),
            diameter: above_zero.clone().reduce(f64::max),
            radius: above_zero.reduce(f64::min),
            mean_distance: query.mean_distance(&scores.record().outcome.sums.vertices),
        }
    }

    /// Returns the query in words, without a line end.
    pub fn words(&self) -> String {
        let measures: Vec<_> = self.measures.iter().map(ToString::to_string).collect();
        let radii: Vec<_> = self.radii.iter().copied().map(number).collect();
        let mut words = vec![measures.join(", ")];
        if !radii.is_empty() {
            words[0] += &format!(" within {}", radii.join(", "));
        }
        words.extend(self.decay.map(|decay| format!("decay {decay}")));
        words.extend(self.sources.map(|count| counted(count, "source")));
        words.extend(self.targets.map(|count| counted(count, "target")));
        words.extend(self.demand.map(|count| counted(count, "pair")));
        words.join("; ")
    }

    /// Returns the distances of the whole graph in words, if any was computed.
    pub fn distances(&self) -> Option<String> {
        let all = [
            ("diameter", self.diameter),
            ("radius", self.radius),
            ("mean distance", self.mean_distance),
        ];
        let all = all.into_iter();
        let words = all.filter_map(|(name, value)| Some(format!("{name} {}", number(value?))));
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}
