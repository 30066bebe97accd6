//! Files of scores: CSV, TSV, JSON and NumPy arrays.

mod read;
mod write;

use std::path::Path;

use anyhow::Result;

use crate::graph::Labels;
use crate::output::{Compression, Output, OutputError};

pub(super) use read::{Rows, Scores, read};
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
}

impl ScoresFormat {
    /// What the suffix of a file name stands for, that of its compression left out; else CSV.
    pub(super) fn of(path: &Path) -> ScoresFormat {
        let name = path.to_string_lossy().to_ascii_lowercase();
        match Compression::stem(&name).rsplit_once('.') {
            Some((_, "tsv")) => ScoresFormat::Tsv,
            Some((_, "json")) => ScoresFormat::Json,
            Some((_, "npy")) => ScoresFormat::Npy,
            _ => ScoresFormat::Csv,
        }
    }
}

/// A file that scores will be written to.
pub(super) struct ScoresFile {
    out: Output,
    format: ScoresFormat,
}

impl ScoresFile {
    /// Opens it; the suffix of `path` decides what `format` does not, and how it is compressed.
    pub(super) fn open(path: &Path, format: Option<ScoresFormat>) -> Result<ScoresFile> {
        Ok(ScoresFile {
            out: Output::open(path)?,
            format: format.unwrap_or_else(|| ScoresFormat::of(path)),
        })
    }

    /// Refuses names of vertices that the format cannot hold, before scores are computed for it.
    pub(super) fn check(&self, labels: &Labels) -> Result<()> {
        write::check(self.format, labels)
    }

    /// Writes all scores, in the order of the input.
    pub(super) fn write(&mut self, labels: &Labels, scores: &[f64]) -> Result<(), OutputError> {
        let format = self.format;
        self.out
            .write(|out| write::write(out, format, labels, scores))
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
            ("-", ScoresFormat::Csv),
            ("a.json/scores", ScoresFormat::Csv),
            ("scores.TSV", ScoresFormat::Tsv),
            ("scores.json.zst", ScoresFormat::Json),
            ("scores.npy.gz", ScoresFormat::Npy),
        ] {
            assert_eq!(ScoresFormat::of(Path::new(name)), format, "{name}");
        }
    }
}
