//! CSV: an edge list with commas and a header. Vertices without edges leave no trace.

use std::io::{self, Write};

use super::for_each_edge;
use super::lengths::LengthTexts;
use super::quoted::write_label;
use crate::graph::Graph;

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let lengths = LengthTexts::of(graph);
    out.write_all(match lengths {
        Some(_) => b"source,target,weight\n",
        None => b"source,target\n",
    })?;
    for_each_edge(graph, |tail, head, arc| {
        write_label(graph.labels(), tail, out)?;
        out.write_all(b",")?;
        write_label(graph.labels(), head, out)?;
        match &lengths {
            Some(lengths) => writeln!(out, ",{}", lengths.text(arc)),
            None => out.write_all(b"\n"),
        }
    })
}
