//! METIS: a line of neighbours for each vertex, each with the length of its edge if there are any.

use std::io::{self, Write};

use super::lengths::LengthTexts;
use crate::graph::{Graph, Vertex};

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let lengths = LengthTexts::of(graph);
    let code = if lengths.is_some() { " 1" } else { "" };
    writeln!(out, "{} {}{code}", graph.vertices(), graph.edges())?;
    let mut arc = 0;
    for v in 0..graph.vertices() as Vertex {
        for (i, &u) in graph.csr().neighbours(v).iter().enumerate() {
            let blank = if i == 0 { "" } else { " " };
            write!(out, "{blank}{}", u64::from(u) + 1)?;
            if let Some(lengths) = &lengths {
                write!(out, " {}", lengths.text(arc))?;
            }
            arc += 1;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
