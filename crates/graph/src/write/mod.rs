//! Writes graphs to files.

mod lengths;
mod lines;
mod npz;
mod quoted;
mod xml;

use std::io::{self, Write};
use std::path::Path;

use super::formats::decorate::decorate;
use super::formats::{Format, WriteFormat, list};
use super::{Graph, Labels, stats};
use crate::output::{Output, OutputError, suffix};

pub use lengths::{LengthTexts, Shortest};
pub use npz::write_labels;
pub use quoted::write_quoted;
pub use xml::{NamedScores, is_xml_text};

impl WriteFormat {
    /// Returns the format that the suffix of a file name stands for, before any suffix of
    /// compression. A name without a suffix stands for an edge list.
    ///
    /// # Errors
    /// [`OutputError`] if no format that can be written has this suffix.
    pub fn from_name(name: &str) -> Result<WriteFormat, OutputError> {
        let Some(suffix) = suffix(Path::new(name)) else {
            return Ok(WriteFormat::Edgelist);
        };
        let format = list::by_suffix(name).and_then(|entry| entry.write_as);
        format.ok_or_else(|| {
            let written = list::entries().filter(|entry| entry.write_as.is_some());
            let suffixes: Vec<&str> = written.map(|entry| entry.suffixes[0]).collect();
            let suffixes = suffixes.join(", .");
            let text = format!("graphs are not written as .{suffix} (write one of .{suffixes})");
            OutputError::new(name, io::Error::other(text))
        })
    }

    /// Returns the name of the format in messages.
    pub fn name(self) -> &'static str {
        let entry = list::entries().find(|entry| entry.write_as == Some(self));
        entry.map_or("a graph", |entry| entry.name)
    }

    /// Writes `graph` to `out`, which should be buffered.
    ///
    /// # Errors
    /// Those of `out`, and `InvalidData` when the format cannot hold the graph.
    pub fn write(self, graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
        match self {
            WriteFormat::Edgelist => lines::edgelist(graph, out),
            WriteFormat::Csv => lines::csv(graph, out),
            WriteFormat::Mtx => lines::mtx(graph, out),
            WriteFormat::Metis => lines::metis(graph, out),
            WriteFormat::Dimacs => lines::dimacs(graph, out),
            WriteFormat::Graphml => xml::graphml(graph, out),
            WriteFormat::Gexf => xml::gexf(graph, out),
            WriteFormat::Npz => npz::write(graph, out),
        }
    }

    /// Writes `graph` to `out` as GraphML or GEXF, with scores of vertices and of edges as
    /// attributes. The file without scores is made in memory first.
    ///
    /// # Errors
    /// Those of `out`, `InvalidInput` for other formats, and `InvalidData` when the format cannot
    /// hold a name.
    pub fn write_scored(
        self,
        graph: &Graph,
        scores: (&[NamedScores], &[NamedScores]),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let format = match self {
            WriteFormat::Graphml => Format::Graphml,
            WriteFormat::Gexf => Format::Gexf,
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        };
        let mut plain = Vec::new();
        self.write(graph, &mut plain)?;
        decorate(Box::new(&plain[..]), format, graph, scores.into(), out)
    }

    /// Returns a sentence for each property of `graph` that the format does not hold.
    pub fn losses(self, graph: &Graph) -> Vec<String> {
        let mut losses = Vec::new();
        let name = self.name();
        match self {
            WriteFormat::Edgelist | WriteFormat::Csv => match stats(graph).components.isolated {
                0 => {}
                isolated => losses.push(format!(
                    "{name} has no place for vertices without edges: {isolated} of them are lost \
                     (.graphml, .npz and .mtx keep them)"
                )),
            },
            WriteFormat::Mtx | WriteFormat::Metis | WriteFormat::Dimacs => {
                if *graph.labels() != Labels::consecutive(1, graph.vertices()) {
                    losses.push(format!(
                        "{name} numbers vertices from 1: their labels are lost (.graphml, .npz and \
                         edge lists keep them)"
                    ));
                }
                let lengths = LengthTexts::from_graph(graph);
                if self != WriteFormat::Mtx && lengths.is_some_and(|all| !all.are_integers()) {
                    losses.push(format!(
                        "lengths are written as decimals, where other programs expect integers in \
                         {name}"
                    ));
                }
            }
            WriteFormat::Graphml | WriteFormat::Gexf | WriteFormat::Npz => {}
        }
        losses
    }
}

/// Writes `graph` to `path` in the format of its suffix: `.graphml`, `.gexf`, `.npz`, `.mtx`,
/// `.graph` or `.metis`, `.gr`, `.csv`, or `.txt` for an edge list; compressed when `.gz`, `.zst`,
/// `.bz2` or `.xz` follows.
///
/// A new file takes the place of an old one at the end, so no half-written file is ever seen at
/// `path`. Pipes and devices are written to directly.
///
/// # Errors
/// [`OutputError`] when the format cannot hold the graph or the file cannot be written.
pub fn write_graph(graph: &Graph, path: &Path) -> Result<(), OutputError> {
    let format = WriteFormat::from_name(&path.display().to_string())?;
    write_graph_as(graph, path, format)
}

/// Writes `graph` to `path` in a given format; the suffix only says whether to compress.
///
/// # Errors
/// As for [`write_graph`].
pub fn write_graph_as(graph: &Graph, path: &Path, format: WriteFormat) -> Result<(), OutputError> {
    let mut out = Output::open(path)?;
    out.write(|out| format.write(graph, out))?;
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::*;

    fn write_error(graph: &Graph, path: &Path) -> String {
        match write_graph(graph, path) {
            Ok(()) => panic!("{} was written", path.display()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn errors_of_writing_are_explained() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let graph = generate::path(3).expect("a small path");
        for suffix in ["gml", "foo"] {
            let expected = format!(
                "a.{suffix}: cannot be written: graphs are not written as .{suffix} (write one of \
                 .txt, .csv, .mtx, .graph, .gr, .graphml, .gexf, .npz)"
            );
            assert_eq!(
                write_error(&graph, Path::new(&format!("a.{suffix}"))),
                expected
            );
        }
        let mut directed = graph;
        directed.directed = true;
        let path = folder.path().join("a.graph.gz");
        let expected = format!(
            "{}: cannot be written: a METIS file cannot hold a directed graph (write .npz, \
             .graphml, .mtx, .gr or an edge list)",
            path.display()
        );
        assert_eq!(write_error(&directed, &path), expected);
    }
}
