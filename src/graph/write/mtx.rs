//! Matrix Market: the lower triangle of an undirected graph, or all arcs; with values if edges have
//! lengths.

use std::io::{self, Write};

use super::for_each_edge;
use super::lengths::LengthTexts;
use crate::graph::Graph;

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let (n, m) = (graph.vertices(), graph.edges());
    let symmetry = if graph.directed() {
        "general"
    } else {
        "symmetric"
    };
    let lengths = LengthTexts::of(graph);
    let field = match &lengths {
        None => "pattern",
        Some(lengths) if lengths.integers() => "integer",
        Some(_) => "real",
    };
    writeln!(out, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
    writeln!(out, "{n} {n} {m}")?;
    for_each_edge(graph, |tail, head, arc| {
        let (row, column) = if graph.directed() {
            (tail, head)
        } else {
            (head, tail)
        };
        write!(out, "{} {}", u64::from(row) + 1, u64::from(column) + 1)?;
        match &lengths {
            Some(lengths) => writeln!(out, " {}", lengths.text(arc)),
            None => out.write_all(b"\n"),
        }
    })
}
