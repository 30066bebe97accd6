//! Files of scores: CSV, TSV, JSON, NumPy arrays, and graphs with scores at their vertices.

mod read;
mod table;
mod write;
mod xml;

use std::path::Path;

use anyhow::Result;

use super::UsageError;
use super::run_args::RunArgs;
use brandes::graph::{Graph, Labels};
use brandes::output::{Output, OutputError, SUFFIXES, suffix};

pub(super) use read::{Rows, Scores, read};
pub use table::Column;
use table::Table;
pub(super) use write::write_edges;

/// What a file of scores looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ScoresFormat {
    /// vertex,score with a header
    Csv,
    /// The same with tabs
    Tsv,
    /// An array of {"vertex": ..., "score": ...}
    Json,
    /// A NumPy array of float64 in the order of the input, without the vertices' names
    Npy,
    /// The graph as GraphML, with the scores as attribute betweenness of its vertices
    Graphml,
    /// The same as GEXF, for Gephi
    Gexf,
}

impl ScoresFormat {
    /// What the suffix of a file name stands for, that of its compression left out. CSV without
    /// any, and in what is no regular file.
    pub(super) fn of(path: &Path) -> Result<ScoresFormat, UsageError> {
        match suffix(path).as_deref() {
            None | Some("csv") => Ok(ScoresFormat::Csv),
            Some("tsv") => Ok(ScoresFormat::Tsv),
            Some("json") => Ok(ScoresFormat::Json),
            Some("npy") => Ok(ScoresFormat::Npy),
            Some("graphml") => Ok(ScoresFormat::Graphml),
            Some("gexf") => Ok(ScoresFormat::Gexf),
            Some(other) => Err(UsageError(format!(
                "{}: scores have no format .{other}; use .csv, .tsv, .json, .npy, .graphml or \
                 .gexf, each with {SUFFIXES} behind it to compress, or give --format-out",
                path.display()
            ))),
        }
    }

    /// Whether it has a row for each vertex, in some order, with columns.
    fn has_rows(self) -> bool {
        match self {
            ScoresFormat::Csv | ScoresFormat::Tsv | ScoresFormat::Json => true,
            ScoresFormat::Npy | ScoresFormat::Graphml | ScoresFormat::Gexf => false,
        }
    }
}

/// A file that scores will be written to.
pub(super) struct ScoresFile {
    out: Output,
    format: ScoresFormat,
    columns: Vec<Column>,
    sort: bool,
}

impl ScoresFile {
    /// Opens it, if scores are wanted; the suffix of the file decides what `--format-out` does not,
    /// and how it is compressed.
    pub(super) fn open(args: &RunArgs) -> Result<Option<ScoresFile>> {
        let Some(path) = &args.scores else {
            return Ok(None);
        };
        let given = args.format_out.map(Ok);
        let format = given.unwrap_or_else(|| ScoresFormat::of(path))?;
        if !format.has_rows() && (args.sort || !args.score_columns.is_empty()) {
            let text = "--score-columns and --sort are for CSV, TSV and JSON; write one of \
                        them, or leave these options out";
            return Err(UsageError(text.into()).into());
        }
        let columns = args.score_columns.clone();
        if let Some(twice) = (1..columns.len()).find(|&at| columns[..at].contains(&columns[at])) {
            let name = columns[twice].name();
            let text = format!("--score-columns names {name} twice; leave it out once");
            return Err(UsageError(text).into());
        }
        Ok(Some(ScoresFile {
            out: Output::open(path)?,
            format,
            columns,
            sort: args.sort,
        }))
    }

    /// Refuses names of vertices that the format cannot hold, before scores are computed for it.
    pub(super) fn check(&self, labels: &Labels) -> Result<()> {
        write::check(self.format, labels)
    }

    /// Whether [`ScoresFile::write`] needs normalised scores too.
    pub(super) fn wants_normalized(&self) -> bool {
        self.columns.contains(&Column::Normalized)
    }

    /// Writes all scores.
    pub(super) fn write(
        &mut self,
        graph: &Graph,
        scores: &[f64],
        normalized: &[f64],
    ) -> Result<(), OutputError> {
        let format = self.format;
        let table = || Table::new(graph, scores, normalized, (&self.columns, self.sort));
        match format {
            ScoresFormat::Csv => self.out.write(|out| write::separated(out, b',', &table())),
            ScoresFormat::Tsv => self.out.write(|out| write::separated(out, b'\t', &table())),
            ScoresFormat::Json => self.out.write(|out| write::json(out, &table())),
            ScoresFormat::Npy => self.out.write(|out| write::npy(out, scores)),
            ScoresFormat::Graphml => self.out.write(|out| xml::graphml(out, graph, scores)),
            ScoresFormat::Gexf => self.out.write(|out| xml::gexf(out, graph, scores)),
        }
    }

    /// Puts the file in place.
    pub(super) fn finish(self) -> Result<(), OutputError> {
        self.out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suffix_decides() {
        for (name, format) in [
            ("scores.csv", ScoresFormat::Csv),
            ("scores", ScoresFormat::Csv),
            ("scores.gz", ScoresFormat::Csv),
            (".scores", ScoresFormat::Csv),
            ("-", ScoresFormat::Csv),
            ("/dev/null", ScoresFormat::Csv),
            ("a.json/scores", ScoresFormat::Csv),
            ("scores.TSV", ScoresFormat::Tsv),
            ("scores.json.zst", ScoresFormat::Json),
            ("scores.npy.gz", ScoresFormat::Npy),
            ("scores.graphml.xz", ScoresFormat::Graphml),
            ("scores.gexf", ScoresFormat::Gexf),
        ] {
            assert_eq!(ScoresFormat::of(Path::new(name)).unwrap(), format, "{name}");
        }
        for name in [
            "scores.xlsx",
            "scores.txt",
            "scores.parquet.gz",
            "scores-1.5",
        ] {
            let error = ScoresFormat::of(Path::new(name)).unwrap_err();
            assert!(error.0.contains("use .csv, .tsv, .json"), "{name}");
        }
    }
}
