//! GEXF: vertices by their labels, which are their ids too, lengths as weights of edges.

use std::io::{self, Write};

use super::graphml::id;
use super::lengths::LengthTexts;
use crate::{Graph, Vertex};

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let id = |v: Vertex| id(graph.labels(), v, "GEXF");
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    // The version that most programs read.
    out.write_all(b"<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n")?;
    writeln!(out, "<graph defaultedgetype=\"{}\">", graph.direction())?;
    out.write_all(b"<nodes>\n")?;
    for v in 0..graph.vertices() as Vertex {
        let id = id(v)?;
        writeln!(out, "<node id=\"{id}\" label=\"{id}\"/>")?;
    }
    out.write_all(b"</nodes>\n<edges>\n")?;
    let lengths = LengthTexts::of(graph);
    for (number, (tail, head, arc)) in graph.edges_and_arcs().enumerate() {
        let (tail, head) = (id(tail)?, id(head)?);
        write!(
            out,
            "<edge id=\"{number}\" source=\"{tail}\" target=\"{head}\""
        )?;
        if let Some(lengths) = &lengths {
            write!(out, " weight=\"{}\"", lengths.text(arc))?;
        }
        out.write_all(b"/>\n")?;
    }
    out.write_all(b"</edges>\n</graph>\n</gexf>\n")
}
