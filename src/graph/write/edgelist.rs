//! Edge lists: `label label [length]`. Vertices without edges leave no trace.

use std::io::{self, Write};

use super::for_each_edge;
use super::lengths::LengthTexts;
use super::quoted::write_label;
use crate::graph::Graph;

/// Writes one edge per line, as `label label`, and its length if edges have lengths. Vertices
/// without edges leave no trace. The first line is a comment with the counts.
///
/// # Errors
/// Those of `out`.
pub fn write_edgelist(graph: &Graph, out: &mut impl Write) -> io::Result<()> {
    write(graph, out)
}

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let labels = graph.labels();
    let kind = if graph.directed() {
        "directed"
    } else {
        "undirected"
    };
    let (vertices, edges) = (graph.vertices(), graph.edges());
    writeln!(out, "# {kind} graph: {vertices} vertices, {edges} edges")?;
    let lengths = LengthTexts::of(graph);
    for_each_edge(graph, |tail, head, arc| {
        write_label(labels, tail, out)?;
        out.write_all(b" ")?;
        write_label(labels, head, out)?;
        match &lengths {
            Some(lengths) => writeln!(out, " {}", lengths.text(arc)),
            None => out.write_all(b"\n"),
        }
    })
}
