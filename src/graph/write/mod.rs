//! Writing graphs, in the formats that can be read.

use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use super::formats::detect::{self, Detected};
use super::{Format, Graph, Labels, Vertex};
use crate::output::{Output, OutputError};

/// Why a graph could not be written. The message is one line.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The file or its folder refuses, or an edge list cannot hold a name.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// METIS files hold undirected graphs only.
    #[error("{file}: a METIS file cannot hold a directed graph (write .mtx, .gr or an edge list)")]
    DirectedMetis {
        /// Path of the output.
        file: String,
    },
    /// The suffix stands for a format that is not supported.
    #[error("{file}: {name} cannot be written (write .mtx, .graph, .gr or an edge list)")]
    Format {
        /// Path of the output.
        file: String,
        /// Name of the format.
        name: &'static str,
    },
}

/// Writes one edge per line, as `label label`. Vertices without edges leave no trace.
///
/// The first line is a comment with the counts. When an edge can be written either way round, a
/// label that would look like a comment goes second.
///
/// # Errors
/// Those of `out`, and `InvalidData` when the first label of a directed edge would look like a
/// comment.
pub fn write_edgelist(graph: &Graph, out: &mut impl Write) -> io::Result<()> {
    let labels = graph.labels();
    let kind = if graph.directed() {
        "directed"
    } else {
        "undirected"
    };
    let (vertices, edges) = (graph.vertices(), graph.edges());
    writeln!(out, "# {kind} graph: {vertices} vertices, {edges} edges")?;
    for_each_edge(graph, |mut tail, mut head| {
        if looks_like_comment(labels, tail) {
            if graph.directed() || looks_like_comment(labels, head) {
                let text = format!(
                    "an edge from '{}' would read as a comment",
                    labels.display(tail)
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
            }
            (tail, head) = (head, tail);
        }
        labels.write(tail, out)?;
        out.write_all(b" ")?;
        labels.write(head, out)?;
        out.write_all(b"\n")
    })
}

fn looks_like_comment(labels: &Labels, v: Vertex) -> bool {
    matches!(labels.name(v).first(), Some(b'#' | b'%'))
}

/// Calls `f` for each edge: both ends of an undirected one, smaller first, or tail and head.
fn for_each_edge(
    graph: &Graph,
    mut f: impl FnMut(Vertex, Vertex) -> io::Result<()>,
) -> io::Result<()> {
    for tail in 0..graph.vertices() as Vertex {
        for &head in graph.csr().neighbours(tail) {
            if graph.directed() || tail < head {
                f(tail, head)?;
            }
        }
    }
    Ok(())
}

/// Matrix Market, pattern: the lower triangle of an undirected graph, or all arcs.
fn write_mtx(graph: &Graph, out: &mut impl Write) -> io::Result<()> {
    let (n, m) = (graph.vertices(), graph.edges());
    let symmetry = if graph.directed() {
        "general"
    } else {
        "symmetric"
    };
    writeln!(out, "%%MatrixMarket matrix coordinate pattern {symmetry}")?;
    writeln!(out, "{n} {n} {m}")?;
    for_each_edge(graph, |tail, head| {
        let (row, column) = if graph.directed() {
            (tail, head)
        } else {
            (head, tail)
        };
        writeln!(out, "{} {}", u64::from(row) + 1, u64::from(column) + 1)
    })
}

/// METIS: a line of neighbours for each vertex.
fn write_metis(graph: &Graph, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} {}", graph.vertices(), graph.edges())?;
    for v in 0..graph.vertices() as Vertex {
        for (i, &u) in graph.csr().neighbours(v).iter().enumerate() {
            let blank = if i == 0 { "" } else { " " };
            write!(out, "{blank}{}", u64::from(u) + 1)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// DIMACS: every arc, with length 1.
fn write_dimacs(graph: &Graph, out: &mut impl Write) -> io::Result<()> {
    let csr = graph.csr();
    writeln!(out, "p sp {} {}", csr.vertices(), csr.arcs())?;
    for tail in 0..csr.vertices() as Vertex {
        for &head in csr.neighbours(tail) {
            writeln!(out, "a {} {} 1", u64::from(tail) + 1, u64::from(head) + 1)?;
        }
    }
    Ok(())
}

/// Writes `graph` to `path` in the format of its suffix: `.mtx`, `.graph` or `.metis`, `.gr`, or
/// else an edge list; compressed when `.gz`, `.bz2`, `.xz` or `.zst` follows.
///
/// Only edge lists keep the labels; the other formats number vertices from 1. A new file takes
/// the place of an old one at the end, so no half-written file is ever seen at `path`. What is
/// not a regular file, such as a pipe, is written to directly.
///
/// # Errors
/// [`WriteError`] when the format cannot hold the graph or the file cannot be written.
pub fn write_graph(graph: &Graph, path: &Path) -> Result<(), WriteError> {
    let file = path.display().to_string();
    let format = match detect::by_suffix(&file) {
        Detected::Known(format) => format,
        Detected::Foreign(name) => return Err(WriteError::Format { file, name }),
        Detected::Binary => Format::Edgelist,
    };
    if format == Format::Metis && graph.directed() {
        return Err(WriteError::DirectedMetis { file });
    }
    let mut out = Output::open(path)?;
    out.write(|out| match format {
        Format::Mtx => write_mtx(graph, out),
        Format::Metis => write_metis(graph, out),
        Format::Dimacs => write_dimacs(graph, out),
        Format::Auto | Format::Edgelist | Format::Labels => write_edgelist(graph, out),
    })?;
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
    fn what_cannot_be_written_is_explained() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let graph = generate::path(3).expect("a small path");
        let path = folder.path().join("missing").join("a.txt");
        let expected = format!(
            "{}: cannot be written: there is no such folder (make it, or write elsewhere)",
            path.display()
        );
        assert_eq!(write_error(&graph, &path), expected);
        let expected = "a.gml: GML cannot be written (write .mtx, .graph, .gr or an edge list)";
        assert_eq!(write_error(&graph, Path::new("a.gml")), expected);
        let mut directed = graph;
        directed.directed = true;
        let expected = "a.graph.gz: a METIS file cannot hold a directed graph (write .mtx, .gr or an edge list)";
        assert_eq!(write_error(&directed, Path::new("a.graph.gz")), expected);
    }
}
