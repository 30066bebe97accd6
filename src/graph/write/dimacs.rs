//! DIMACS, shortest paths: every arc with its length, which is 1 if edges have none.

use std::io::{self, Write};

use super::lengths::LengthTexts;
use crate::graph::{Graph, Vertex};

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let csr = graph.csr();
    let lengths = LengthTexts::of(graph);
    writeln!(out, "p sp {} {}", csr.vertices(), csr.arcs())?;
    let mut arc = 0;
    for tail in 0..csr.vertices() as Vertex {
        for &head in csr.neighbours(tail) {
            let (tail, head) = (u64::from(tail) + 1, u64::from(head) + 1);
            match &lengths {
                Some(lengths) => writeln!(out, "a {tail} {head} {}", lengths.text(arc))?,
                None => writeln!(out, "a {tail} {head} 1")?,
            }
            arc += 1;
        }
    }
    Ok(())
}
