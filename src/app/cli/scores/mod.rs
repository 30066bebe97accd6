//! Files of scores: CSV, TSV, JSON, NumPy arrays, and graphs with scores at their vertices.

mod format;
mod read;
mod table;
mod write;

use std::io;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::refuse;
use brandes::graph::{Format, Graph, Labels, NamedScores, Source, WriteFormat};
use brandes::output::{Output, OutputError, Sink};

pub use format::ScoresFormat;
pub(super) use read::{Scores, read, text};
use table::Table;
pub(super) use table::{BETWEENNESS, LOWER, UPPER, with_headings};
pub(super) use write::{write_edges, write_ends};

/// The options of scores.
#[derive(Debug, Clone, Args)]
pub struct ScoreArgs {
    /// Write the score of every vertex; - writes standard output
    ///
    /// The output is compressed if the name ends in .gz, .bz2, .xz or .zst.
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
    /// Format of the scores [default: by the suffix of the file; csv without one]
    #[arg(long, value_name = "FORMAT", value_enum, requires = "scores")]
    pub score_format: Option<ScoresFormat>,
    /// Write the highest score first, equal ones in the order of the input; for CSV, TSV and JSON
    #[arg(long, requires = "scores")]
    pub sort: bool,
    /// Write the score of every edge as CSV; - writes standard output
    #[arg(long, value_name = "FILE")]
    pub edges: Option<PathBuf>,
    /// Divide scores by the number of pairs whose paths could contain the vertex
    ///
    /// Estimates are always normalized.
    #[arg(long)]
    pub normalized: bool,
}

/// The file of `--scores`.
pub(super) struct ScoresFile {
    /// The output, which replaces the file when it is finished.
    pub(super) out: Output,
    format: ScoresFormat,
    sort: bool,
}

impl ScoresFile {
    /// Opens the file, if `--scores` is given. Its suffix decides the compression and, without
    /// `--score-format`, the format.
    pub(super) fn open(args: &ScoreArgs) -> Result<Option<ScoresFile>> {
        let Some(path) = &args.scores else {
            return Ok(None);
        };
        let given = args.score_format.map(Ok);
        let format = given.unwrap_or_else(|| ScoresFormat::from_suffix(path))?;
        let has_rows = [ScoresFormat::Csv, ScoresFormat::Tsv, ScoresFormat::Json].contains(&format);
        if !has_rows && args.sort {
            return refuse("--sort is for CSV, TSV and JSON; write one of them, or leave it out");
        }
        Ok(Some(ScoresFile {
            out: Output::open(path)?,
            format,
            sort: args.sort,
        }))
    }

    /// Refuses names of vertices that the format cannot hold, before scores are computed for it.
    pub(super) fn check(&self, labels: &Labels) -> Result<()> {
        write::check(self.format, labels)
    }

    /// Refuses an input that has to be copied but cannot be read again.
    pub(super) fn check_source(&self, source: &Source) -> Result<()> {
        if self.copied_format() == Some(source.format) && !source.can_be_copied() {
            return refuse(
                "a copy of the graph with scores needs a file that can be read twice; save the \
                 graph to a file, and give its name",
            );
        }
        Ok(())
    }

    /// Returns whether the format is one of graphs.
    pub(super) fn is_graph(&self) -> bool {
        self.copied_format().is_some()
    }

    /// Returns the format of graphs that are copied with scores, if the format is one.
    fn copied_format(&self) -> Option<Format> {
        match self.format {
            ScoresFormat::Graphml => Some(Format::Graphml),
            ScoresFormat::Gexf => Some(Format::Gexf),
            _ => None,
        }
    }

    /// Writes the scores of all vertices, and in a graph format those of `edges`, if there are any.
    /// `input` is the graph, which must be given if [`Self::is_graph`]. A graph that was read from
    /// a file of this format is written as a copy of that file.
    pub(super) fn write(
        &mut self,
        labels: &Labels,
        input: Option<(&Graph, &Source)>,
        scores: &[NamedScores],
        edges: &[NamedScores],
    ) -> Result<(), OutputError> {
        let sort = self.sort;
        let table = || Table::new(labels, scores, sort);
        let scored_graph = |read_format, format: WriteFormat, out: &mut Sink| match input {
            Some((graph, source)) if source.format == read_format => {
                source.write_scored(graph, (scores, edges), out)
            }
            Some((graph, _)) => format.write_scored(graph, (scores, edges), out),
            None => Err(io::ErrorKind::InvalidInput.into()),
        };
        self.out.write(|out| match self.format {
            ScoresFormat::Csv => write::separated(out, b',', &table()),
            ScoresFormat::Tsv => write::separated(out, b'\t', &table()),
            ScoresFormat::Json => write::json(out, &table()),
            ScoresFormat::Npy => write::npy(out, scores),
            ScoresFormat::Graphml => scored_graph(Format::Graphml, WriteFormat::Graphml, out),
            ScoresFormat::Gexf => scored_graph(Format::Gexf, WriteFormat::Gexf, out),
        })
    }
}
