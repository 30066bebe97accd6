//! The options of `brandes run` that say what to compute: measures, the pairs that count, and
//! estimates in place of exact scores.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::{ArgGroup, Args};

use super::values::{above_zero, between_0_and_1, not_negative, one_of};
use super::{UsageError, refuse};
use brandes::graph::{Graph, Source, read_demand, read_vertex_weights};
use brandes::output::suffix;
use brandes::{ClosenessScaling, Drawn, Estimate, Measure, Query, RootSelection};

/// The measures, and the pairs of vertices that count.
#[derive(Debug, Clone, Args)]
pub struct QueryArgs {
    /// What to compute, separated by commas: betweenness, stress, closeness, harmonic, reach,
    /// eccentricity
    ///
    /// Score files have a column for each measure and radius. Reductions apply only to betweenness
    /// of all pairs. Other measures, and pairs that the options below choose, are searched without
    /// them.
    #[arg(long, value_name = "LIST", default_value = "betweenness")]
    #[arg(value_delimiter = ',')]
    pub measures: Vec<Measure>,
    /// Count only pairs at most R apart; several radii give a column for each
    ///
    /// R is a number of edges, or with --weighted a length as in the file.
    #[arg(long, value_name = "R,...", value_delimiter = ',', value_parser = not_negative)]
    pub radius: Vec<f64>,
    /// Count a pair at distance d as exp(-BETA * d); for betweenness, stress and reach
    #[arg(long, value_name = "BETA", value_parser = not_negative)]
    pub decay: Option<f64>,
    /// Count paths only from the vertices in FILE, perhaps with weights
    ///
    /// Each row has a vertex, and may have its weight, a number of at least 0.
    #[arg(long, value_name = "FILE")]
    pub sources: Option<PathBuf>,
    /// Count paths only to the vertices in FILE, perhaps with weights
    #[arg(long, value_name = "FILE")]
    pub targets: Option<PathBuf>,
    /// Weights of vertices as sources and targets: a file as for --sources, or an attribute of
    /// GraphML, GEXF, GML, JSON or DOT
    #[arg(long, value_name = "FILE|ATTRIBUTE", conflicts_with_all = ["sources", "targets"])]
    pub vertex_weights: Option<String>,
    /// Count only the pairs in FILE. Each row has a source and a target, and may have a number of
    /// trips
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["sources", "targets", "vertex_weights"])]
    pub demand: Option<PathBuf>,
    /// How closeness treats vertices that not all sources reach
    ///
    /// In the formulas, r of the A other sources reach the vertex, at distances that add up to D.
    #[arg(long, value_name = "SCALING", default_value = "improved")]
    #[arg(value_parser = one_of::<ClosenessScaling>())]
    pub closeness_scaling: ClosenessScaling,
}

impl QueryArgs {
    /// Returns the query with empty lists in place of the contents of files, because reading the
    /// files needs the labels of the graph.
    pub(super) fn query(&self) -> Query {
        let (mut measures, mut radii) = (self.measures.clone(), self.radius.clone());
        measures.sort_unstable();
        measures.dedup();
        radii.sort_by(f64::total_cmp);
        radii.dedup();
        let weighs_both = self.vertex_weights.is_some();
        Query {
            measures,
            radii,
            decay: self.decay,
            sources: (weighs_both || self.sources.is_some()).then(|| [].into()),
            targets: (weighs_both || self.targets.is_some()).then(|| [].into()),
            demand: self.demand.is_some().then(|| [].into()),
            closeness_scaling: self.closeness_scaling,
        }
    }

    /// Returns the query for a graph that was read from `source`.
    pub(super) fn read(&self, graph: &Graph, source: &Source) -> Result<Query> {
        let labels = graph.labels();
        let weights = |path: &PathBuf| read_vertex_weights(path, labels).map(Into::into);
        let mut query = self.query();
        query.sources = self.sources.as_ref().map(weights).transpose()?;
        query.targets = self.targets.as_ref().map(weights).transpose()?;
        if self.vertex_weights.is_some() {
            query.sources = match self.weights_file() {
                Some(path) => Some(weights(&path.into())?),
                None => source.vertex_weights.as_deref().map(Into::into),
            };
            query.targets.clone_from(&query.sources);
        }
        let demand = self.demand.as_deref();
        let demand = demand.map(|path| read_demand(path, labels)).transpose()?;
        query.demand = demand.map(Into::into);
        Ok(query)
    }

    /// Returns the value of `--vertex-weights` if it is a file: if it exists, is `-`, or has the
    /// suffix of a text file.
    fn weights_file(&self) -> Option<&Path> {
        let path = Path::new(self.vertex_weights.as_deref()?);
        let is_text = suffix(path).is_some_and(|suffix| TEXT_SUFFIXES.contains(&&suffix[..]));
        (path == Path::new("-") || path.exists() || is_text).then_some(path)
    }

    /// Returns the attribute that `--vertex-weights` names, if it names no file.
    pub(super) fn attribute(&self) -> Option<String> {
        let no_file = self.weights_file().is_none();
        self.vertex_weights.clone().filter(|_| no_file)
    }

    /// Returns the files that are given, each after its option.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [
            ("--sources", self.sources.as_deref()),
            ("--targets", self.targets.as_deref()),
            ("--vertex-weights", self.weights_file()),
            ("--demand", self.demand.as_deref()),
        ];
        let files = files.into_iter();
        files.filter_map(|(option, path)| Some((option, path?)))
    }
}

/// Suffixes by which `--vertex-weights` recognizes the name of a file that does not exist.
const TEXT_SUFFIXES: [&str; 4] = ["csv", "tsv", "txt", "dat"];

/// The options of estimates.
#[derive(Debug, Clone, Args)]
#[command(
    group = ArgGroup::new("ends").args(["epsilon", "time", "top"]).multiple(true),
    group = ArgGroup::new("estimates").args(["epsilon", "time", "confidence"]).multiple(true),
    group = ArgGroup::new("random")
        .args(["epsilon", "time", "confidence", "rescale"])
        .multiple(true)
)]
pub struct EstimateArgs {
    /// Estimate normalised scores to within E, by few searches (docs/estimates.md)
    ///
    /// With the probability of --confidence, all scores are in their intervals (columns lower and
    /// upper), which are at most 2 E wide. With --top K the search also ends when the K highest
    /// scores are separated from all others; '--top K --confidence P', without E, is for these
    /// scores alone.
    #[arg(long, value_name = "E", value_parser = between_0_and_1)]
    pub epsilon: Option<f64>,
    /// The least probability that all scores are in their intervals [default: 0.9]
    #[arg(long, value_name = "P", requires = "ends", value_parser = between_0_and_1)]
    pub confidence: Option<f64>,
    /// The kind of random draws [default: the one that takes less time on this machine]
    #[arg(long, requires = "estimates", value_parser = one_of::<Drawn>())]
    pub draws: Option<Drawn>,
    /// The number that fixes the draws [default: 1]
    #[arg(long, value_name = "N", requires = "random")]
    pub seed: Option<u64>,
    /// Search for this long, as in 60, 60s, 5m or 1h, and write the intervals reached
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Draw the K sources of --roots at random, and multiply scores by n / K
    ///
    /// This is the sampling of networkx and cuGraph. It has no error bound; --epsilon gives one.
    #[arg(long, conflicts_with_all = ["estimates", "part"])]
    pub rescale: bool,
}

impl EstimateArgs {
    /// Returns the options of the estimate, if one is requested. `top` is the value of `--top`.
    pub(super) fn estimate(&self, top: Option<usize>) -> Option<Estimate> {
        let requested = self.epsilon.or(self.confidence).is_some() || self.time.is_some();
        let default = Estimate::default();
        requested.then(|| Estimate {
            epsilon: self.epsilon.unwrap_or(0.0),
            confidence: self.confidence.unwrap_or(default.confidence),
            seed: self.seed.unwrap_or(default.seed),
            draws: self.draws,
            top: top.filter(|&count| count > 0),
            time: self.time,
        })
    }

    /// Returns the sources of `--roots`. With `--rescale`, they are drawn at random.
    pub(super) fn roots(&self, roots: RootSelection) -> Result<RootSelection, UsageError> {
        match roots {
            _ if !self.rescale => Ok(roots),
            RootSelection::Sample(count) => Ok(RootSelection::Random {
                count,
                seed: self.seed.unwrap_or(Estimate::default().seed),
            }),
            _ => refuse(
                "--rescale multiplies the scores of a sample of sources; give its size with \
                 --roots K",
            ),
        }
    }
}

/// Reads a time in seconds, minutes or hours.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let with_unit = units.iter().find_map(|(unit, seconds)| {
        let number = text.strip_suffix(unit)?;
        Some((number, *seconds))
    });
    let (number, unit) = with_unit.unwrap_or((text, 1.0));
    let seconds = above_zero(number).ok().map(|number| number * unit);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("'{text}' is not a time above 0, such as 60, 60s, 5m or 1h"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [("60", 60.0), ("1.5s", 1.5), ("5m", 300.0), ("2h", 7200.0)] {
            assert_eq!(time(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "s", "0", "-1", "5 m", "1d", "inf", "1e300h"] {
            assert!(time(text).unwrap_err().contains("5m or 1h"), "{text}");
        }
    }
}
