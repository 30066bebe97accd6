//! What can be typed about files of scores.

use std::path::PathBuf;

use clap::Args;

use super::scores::{Column, ScoresFormat};

/// Which scores of vertices are written, and how.
#[derive(Debug, Clone, Args)]
pub struct ScoreArgs {
    /// Write the score of every vertex, compressed if the name ends in .gz, .bz2, .xz or .zst; -
    /// writes standard output
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
    /// Format of the scores [default: by the suffix of the file; csv without one]
    #[arg(long, value_name = "FORMAT", value_enum, requires = "scores")]
    pub format_out: Option<ScoresFormat>,
    /// Columns behind the score, in this order, separated by commas; for CSV, TSV and JSON
    #[arg(long, value_name = "COLUMNS", value_enum, value_delimiter = ',')]
    #[arg(requires = "scores")]
    pub score_columns: Vec<Column>,
    /// Write the highest score first, equal ones in the order of the input; for CSV, TSV and JSON
    #[arg(long, requires = "scores")]
    pub sort: bool,
}
