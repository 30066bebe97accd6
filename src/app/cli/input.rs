//! Reading the graph of a command: the options, which several commands share, warnings and notes.

use std::path::Path;

use clap::Args;
use clap::builder::BoolishValueParser;

use super::values::{above_zero, one_of};
use super::{UsageError, say, warn};
use crate::app::progress::{ProgressMode, read_with_progress};
use brandes::graph::{
    Columns, Delimiter, EdgeListOptions, Format, Graph, LabelChoice, ReadError, ReadOptions,
    Source, WeightChoice, WeightIs, WeightOptions,
};
use brandes::plan::SearchOptions;

/// The options of reading a graph.
#[derive(Debug, Clone, Args)]
pub struct InputArgs {
    /// Format of the graph file
    #[arg(long, default_value = "auto", value_parser = one_of::<Format>())]
    pub format: Format,
    /// Read edges as arcs; without this a directed file is symmetrised
    #[arg(long)]
    pub directed: bool,
    /// Read weights of edges, from the usual column or attribute or from WHICH
    ///
    /// The usual weights are the third column of an edge list, the column or attribute 'weight', or
    /// the values or lengths of other formats. WHICH is the number (from 1) or name of a column or
    /// attribute.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, default_missing_value = "auto")]
    #[arg(value_parser = weight_column)]
    pub weighted: Option<WeightChoice>,
    /// What weights mean: lengths, or similarities, whose inverses are lengths
    #[arg(long, value_name = "WHAT", requires = "weighted")]
    #[arg(default_value = "length", value_parser = one_of::<WeightIs>())]
    pub weight_is: WeightIs,
    /// The weight of edges for which the file has none; without it such an edge is an error
    #[arg(long, value_name = "X", value_parser = above_zero, requires = "weighted")]
    pub default_weight: Option<f64>,
    /// What vertices of GraphML, GEXF, GML, JSON, DOT and Pajek are called: id, or an attribute
    /// of this name [default: their names or labels if all vertices have different ones, else their
    /// ids]
    #[arg(long, value_name = "id|NAME", value_parser = labels)]
    pub labels: Option<LabelChoice>,
    /// What separates columns of an edge list: comma, semicolon, tab, blanks, or another character
    /// [default: by the first row]
    #[arg(long, value_name = "WHAT")]
    pub delimiter: Option<Delimiter>,
    /// Whether the first row of an edge list is a header: yes or no [default: by the rows]
    #[arg(long, value_name = "YES|NO", hide_possible_values = true)]
    #[arg(value_parser = BoolishValueParser::new())]
    pub header: Option<bool>,
    /// Columns of the sources, of the targets and perhaps of the weights of an edge list, by their
    /// numbers from 1 or their names in the header, such as 2,3 or source=from,target=to,weight=km
    #[arg(long, value_name = "WHICH")]
    pub columns: Option<Columns>,
    /// The vertices of an edge list are the numbers from 0 to N - 1, or from 1 to N if 0 does not
    /// occur, whether edges mention them or not
    #[arg(long, value_name = "N")]
    pub vertices: Option<u64>,
}

impl InputArgs {
    /// Returns the options as the readers take them.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format,
            directed: self.directed,
            weights: self.weighted.clone().map(|choice| WeightOptions {
                choice,
                meaning: self.weight_is,
                default: self.default_weight,
            }),
            labels: self.labels.clone().unwrap_or_default(),
            edge_list: EdgeListOptions {
                delimiter: self.delimiter,
                header: self.header,
                columns: self.columns.clone(),
                vertices: self.vertices,
            },
            ..ReadOptions::default()
        }
    }

    /// Reads a graph. Writes warnings about it, and notes on how its file was read, to standard
    /// error.
    pub fn read(&self, path: &Path, mode: ProgressMode) -> Result<(Graph, Source), ReadError> {
        let (graph, source) = read_with_progress(path, &self.options(), mode)?;
        graph_warnings(&graph, &source).iter().for_each(warn);
        say_notes(&source);
        Ok((graph, source))
    }

    /// Refuses options of a search that contradict each other or the kind of graph.
    pub fn check(&self, search: &SearchOptions) -> Result<(), UsageError> {
        Ok(search.check(self.directed, self.weighted.is_some())?)
    }
}

/// Reads `--labels`.
fn labels(text: &str) -> Result<LabelChoice, String> {
    match text {
        "" => Err("give the name of an attribute".into()),
        "id" => Ok(LabelChoice::Id),
        _ => Ok(LabelChoice::Named(text.into())),
    }
}

/// Reads the value of `--weighted`.
fn weight_column(text: &str) -> Result<WeightChoice, String> {
    match (text, text.parse::<usize>()) {
        ("auto", _) => Ok(WeightChoice::Usual),
        ("", _) => Err("give the number or the name of a column".into()),
        (_, Ok(column)) if column >= 3 => Ok(WeightChoice::Column(column)),
        (_, Ok(_)) => Err(
            "columns 1 and 2 are the vertices; if they are not, give --columns \
             source=2,target=3,weight=1"
                .into(),
        ),
        _ => Ok(WeightChoice::Named(text.into())),
    }
}

/// Returns the warnings about a graph and its file.
pub(super) fn graph_warnings(graph: &Graph, source: &Source) -> Vec<String> {
    let (path, simplified) = (&source.path, graph.simplified());
    let warnings = source.warnings.iter().map(|text| format!("{path}: {text}"));
    let mut warnings: Vec<String> = warnings.collect();
    if simplified.weights_dropped {
        warnings.push("the input has weights; without --weighted they are not used".into());
    }
    if simplified.symmetrised {
        let text = "the input has directed edges; without --directed their directions are not used";
        warnings.push(text.into());
    }
    let text = match (graph.vertices(), graph.edges()) {
        (0, _) => "the graph has no vertices; is this the right file?",
        (_, 0) => "the graph has no edges; is this the right file?",
        _ => return warnings,
    };
    warnings.push(format!("{path}: {text}"));
    warnings
}

/// Writes the notes on how a file was read to standard error.
pub(super) fn say_notes(source: &Source) {
    for note in &source.notes {
        say(format_args!("note: {}: {note}", source.path));
    }
}
