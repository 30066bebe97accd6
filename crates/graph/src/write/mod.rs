//! Writes graphs to files.

mod lengths;
mod lines;
mod npz;
mod quoted;
mod xml;

use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use super::formats::{WriteFormat, list};
use super::{Graph, Labels, stats};
use crate::output::{Output, OutputError};

pub use lengths::LengthTexts;
pub use npz::write_labels;
pub use quoted::write_quoted;
pub(crate) use xml::EDGE;
pub use xml::{NamedScores, is_xml_text};

/// The reason why a graph could not be written. The message is one line.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The file cannot be written, or its format cannot hold the graph.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// METIS files hold undirected graphs only.
    #[error(
        "{file}: a METIS file cannot hold a directed graph (write .npz, .graphml, .mtx, .gr or an \
         edge list)"
    )]
    DirectedMetis {
        /// The path of the output.
        file: String,
    },
    /// The suffix stands for a format that cannot be written.
    #[error("{file}: {name} cannot be written (write {})", writable())]
    Format {
        /// The path of the output.
        file: String,
        /// The name of the format.
        name: &'static str,
    },
}

/// Returns the suffixes that can be written, for messages.
fn writable() -> String {
    let is_named = |row: &&list::Row| !matches!(row.write, None | Some(WriteFormat::Edgelist));
    let rows = list::rows().filter(is_named);
    let suffixes: Vec<String> = rows.map(|row| format!(".{}", row.suffixes[0])).collect();
    format!("{} or an edge list", suffixes.join(", "))
}

impl WriteFormat {
    /// Returns the format of the suffix of a file name, without the suffix of compression. A name
    /// without a known suffix stands for an edge list.
    ///
    /// # Errors
    /// [`WriteError`] when that format cannot be written.
    pub fn from_name(name: &str) -> Result<WriteFormat, WriteError> {
        let Some(row) = list::by_suffix(name) else {
            return Ok(WriteFormat::Edgelist);
        };
        row.write.ok_or_else(|| WriteError::Format {
            file: name.into(),
            name: row.name,
        })
    }

    /// Returns the name of the format in messages.
    pub fn name(self) -> &'static str {
        let row = list::rows().find(|row| row.write == Some(self));
        row.map_or("a graph", |row| row.name)
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
            WriteFormat::Graphml => xml::graphml(graph, (&[], &[]), out),
            WriteFormat::Gexf => xml::gexf(graph, (&[], &[]), out),
            WriteFormat::Npz => npz::write(graph, out),
        }
    }

    /// Writes `graph` to `out` as GraphML or GEXF, with the scores of vertices, and perhaps of
    /// edges, as attributes. The ids of vertices are numbers, since not every name is allowed as an
    /// id; names are written as labels.
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
        match self {
            WriteFormat::Graphml => xml::graphml(graph, scores, out),
            WriteFormat::Gexf => xml::gexf(graph, scores, out),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// Returns a sentence for each property of `graph` that the format does not hold.
    pub fn losses(self, graph: &Graph) -> Vec<String> {
        let mut losses = Vec::new();
        match self {
            WriteFormat::Edgelist | WriteFormat::Csv => {
                let isolated = stats(graph).components.isolated;
                if isolated > 0 {
                    let (vertices, have) = match isolated {
                        1 => ("vertex", "has"),
                        _ => ("vertices", "have"),
                    };
                    losses.push(format!(
                        "{isolated} {vertices} without edges {have} no place in {} (.graphml, .npz \
                         and .mtx keep them)",
                        self.name()
                    ));
                }
            }
            WriteFormat::Mtx | WriteFormat::Metis | WriteFormat::Dimacs => {
                if *graph.labels() != Labels::consecutive(1, graph.vertices()) {
                    losses.push(format!(
                        "{} numbers vertices from 1: their labels are lost (.graphml, .npz and \
                         edge lists keep them)",
                        self.name()
                    ));
                }
                let decimals =
                    LengthTexts::from_graph(graph).is_some_and(|lengths| !lengths.integers());
                if decimals && self != WriteFormat::Mtx {
                    losses.push(format!(
                        "lengths are written as decimals, where other programs expect integers in \
                         {}",
                        self.name()
                    ));
                }
            }
            WriteFormat::Graphml | WriteFormat::Gexf | WriteFormat::Npz => {}
        }
        losses
    }
}

/// Writes one edge per line, as `label label`, and its length if edges have lengths. Vertices
/// without edges are left out. The first line is a comment with the counts.
///
/// # Errors
/// Those of `out`.
pub fn write_edgelist(graph: &Graph, out: &mut impl Write) -> io::Result<()> {
    lines::edgelist(graph, out)
}

/// Writes `graph` to `path` in the format of its suffix: `.graphml`, `.gexf`, `.npz`, `.mtx`,
/// `.graph` or `.metis`, `.gr`, `.csv`, or else an edge list; compressed when `.gz`, `.zst`, `.bz2`
/// or `.xz` follows.
///
/// A new file takes the place of an old one at the end, so no half-written file is ever seen at
/// `path`. Pipes and devices are written to directly.
///
/// # Errors
/// [`WriteError`] when the format cannot hold the graph or the file cannot be written.
pub fn write_graph(graph: &Graph, path: &Path) -> Result<(), WriteError> {
    write_graph_as(
        graph,
        path,
        WriteFormat::from_name(&path.display().to_string())?,
    )
}

/// Writes `graph` to `path` in a given format; the suffix only says whether to compress.
///
/// # Errors
/// As for [`write_graph`].
pub fn write_graph_as(graph: &Graph, path: &Path, format: WriteFormat) -> Result<(), WriteError> {
    let file = path.display().to_string();
    if format == WriteFormat::Metis && graph.directed() {
        return Err(WriteError::DirectedMetis { file });
    }
    let mut out = Output::open(path)?;
    out.write(|out| format.write(graph, out))?;
    out.finish()?;
    Ok(())
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
    fn an_edge_list_names_each_edge_once() {
        let graph = generate::path(3).expect("a small path");
        let mut bytes = Vec::new();
        write_edgelist(&graph, &mut bytes).expect("memory can be written");
        let text = "# undirected graph: 3 vertices, 2 edges\n0 1\n1 2\n";
        assert_eq!(String::from_utf8_lossy(&bytes), text);
    }

    #[test]
    fn errors_of_writing_are_explained() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let graph = generate::path(3).expect("a small path");
        let path = folder.path().join("missing").join("a.txt");
        let expected = format!(
            "{}: cannot be written: there is no such folder (make it, or write elsewhere)",
            path.display()
        );
        assert_eq!(write_error(&graph, &path), expected);
        let expected = "a.gml: GML cannot be written (write .csv, .mtx, .graph, .gr, .graphml, \
                        .gexf, .npz or an edge list)";
        assert_eq!(write_error(&graph, Path::new("a.gml")), expected);
        let mut directed = graph;
        directed.directed = true;
        let expected = "a.graph.gz: a METIS file cannot hold a directed graph (write .npz, \
                        .graphml, .mtx, .gr or an edge list)";
        assert_eq!(write_error(&directed, Path::new("a.graph.gz")), expected);
    }
}
