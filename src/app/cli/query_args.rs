//! The options of `brandes run` that say what to compute: measures, and the pairs that count.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use super::values::{CLOSENESS_SCALINGS, not_negative, one_of};
use brandes::graph::{Graph, Source, read_demand, read_vertex_weights};
use brandes::output::suffix;
use brandes::{ClosenessScaling, Measure, Query};

/// The measures, and the pairs of vertices that count.
#[derive(Debug, Clone, Args)]
pub struct QueryArgs {
    /// What to compute, separated by commas: betweenness, stress, closeness, harmonic, reach,
    /// eccentricity
    ///
    /// Score files have a column for each measure and radius. Other measures than betweenness are
    /// searched without reductions, as are the pairs that the options below choose.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "betweenness"
    )]
    pub measures: Vec<Measure>,
    /// Count only pairs at most R apart; several radii give columns for each
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
    /// GraphML, GEXF or GML
    #[arg(long, value_name = "FILE|ATTRIBUTE", conflicts_with_all = ["sources", "targets"])]
    pub vertex_weights: Option<String>,
    /// Count only the pairs in FILE. Each row has a source and a target, and may have a number of
    /// trips
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["sources", "targets", "vertex_weights"])]
    pub demand: Option<PathBuf>,
    /// How closeness treats vertices that not all sources reach
    #[arg(long, value_name = "SCALING", default_value = "improved")]
    #[arg(value_parser = one_of(CLOSENESS_SCALINGS))]
    pub closeness_scaling: ClosenessScaling,
}

impl QueryArgs {
    /// Returns the query without the contents of files, which need the labels of the graph to read.
    pub(super) fn query(&self) -> Query {
        let Self {
            mut measures,
            mut radius,
            ..
        } = self.clone();
        measures.sort_unstable();
        measures.dedup();
        radius.sort_by(f64::total_cmp);
        radius.dedup();
        let both = self.vertex_weights.is_some();
        Query {
            measures,
            radii: radius,
            decay: self.decay,
            sources: (both || self.sources.is_some()).then(|| [].into()),
            targets: (both || self.targets.is_some()).then(|| [].into()),
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

    /// Returns the value of `--vertex-weights` if it is a file: it exists, or has the suffix of a
    /// text file.
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

    /// Returns the files with their options.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [
            ("--sources", self.sources.as_deref()),
            ("--targets", self.targets.as_deref()),
            ("--vertex-weights", self.weights_file()),
            ("--demand", self.demand.as_deref()),
        ];
        files
            .into_iter()
            .filter_map(|(option, path)| Some((option, path?)))
    }
}

/// Suffixes of files of weights.
const TEXT_SUFFIXES: [&str; 4] = ["csv", "tsv", "txt", "dat"];
