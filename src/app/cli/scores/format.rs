//! The formats of score files.

use std::path::Path;

use clap::ValueEnum;

use crate::app::cli::UsageError;
use brandes::output::{SUFFIXES, suffix};

/// The format of a score file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScoresFormat {
    /// vertex,score with a header
    Csv,
    /// CSV with tabs
    Tsv,
    /// An array of {"vertex": ..., "score": ...}
    Json,
    /// A NumPy array of float64 in the order of the input, without the vertices' names
    Npy,
    /// The graph as GraphML, with the scores as attribute betweenness of its vertices and, with
    /// --edges, edges; all else of a GraphML file is kept
    Graphml,
    /// The graph as GEXF, for Gephi, with the same attribute; all else of a GEXF file is kept
    Gexf,
}

impl ScoresFormat {
    /// Returns the format that the suffix of a file name stands for, after the suffix of a
    /// compression is removed. Without a suffix it is CSV, as for standard output, devices and
    /// pipes.
    pub(in crate::app::cli) fn from_suffix(path: &Path) -> Result<ScoresFormat, UsageError> {
        let Some(suffix) = suffix(path) else {
            return Ok(ScoresFormat::Csv);
        };
        ScoresFormat::from_str(&suffix, false).map_err(|_| {
            UsageError(format!(
                "{}: scores have no format .{suffix}; use .csv, .tsv, .json, .npy, .graphml or \
                 .gexf, each with {SUFFIXES} after it to compress, or give --score-format",
                path.display()
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suffix_decides() {
        use ScoresFormat::{Csv, Gexf, Graphml, Json, Npy, Tsv};
        let found = |name: &str| ScoresFormat::from_suffix(Path::new(name));
        for name in "scores.csv scores scores.gz .scores - /dev/null a.json/scores".split(' ') {
            assert_eq!(found(name).unwrap(), Csv, "{name}");
        }
        let names = "a.TSV a.json.zst a.npy.gz a.graphml.xz a.gexf";
        let formats: Vec<_> = names.split(' ').map(|name| found(name).unwrap()).collect();
        assert_eq!(formats, [Tsv, Json, Npy, Graphml, Gexf]);
        for name in "a.xlsx a.txt a.parquet.gz scores-1.5".split(' ') {
            let error = found(name).unwrap_err();
            assert!(error.0.contains("use .csv, .tsv, .json"), "{name}");
        }
    }
}
