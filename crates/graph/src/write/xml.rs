//! Writes GraphML and GEXF 1.2, the version that most programs read. Lengths are weights of edges.
//! The ids of vertices are their labels.

use std::io::{self, Write};

use quick_xml::escape::escape;

use super::lengths::LengthTexts;
use crate::{Graph, Labels, Vertex};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// Scores and their name. Those of vertices are in the order of the graph, and those of edges in
/// the order of [`Graph::ends`].
pub type NamedScores<'s> = (String, &'s [f64]);

/// Writes a graph as GraphML.
pub(super) fn graphml(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let lengths = LengthTexts::from_graph(graph);
    let namespace = "http://graphml.graphdrawing.org/xmlns";
    writeln!(out, "{HEAD}\n<graphml xmlns=\"{namespace}\">")?;
    if let Some(lengths) = &lengths {
        let kind = ["double", "long"][usize::from(lengths.are_integers())];
        let name = "attr.name=\"weight\"";
        let key = format!("id=\"weight\" for=\"edge\" {name} attr.type=\"{kind}\"");
        writeln!(out, "<key {key}/>")?;
    }
    writeln!(out, "<graph edgedefault=\"{}\">", graph.direction())?;
    let id = |v| escaped_label(graph.labels(), v, "GraphML");
    for v in 0..graph.vertices() as Vertex {
        writeln!(out, "<node id=\"{}\"/>", id(v)?)?;
    }
    for (tail, head, arc) in graph.edges_and_arcs() {
        write!(
            out,
            "<edge source=\"{}\" target=\"{}\"",
            id(tail)?,
            id(head)?
        )?;
        match &lengths {
            Some(lengths) => {
                let length = lengths.text(arc);
                writeln!(out, "><data key=\"weight\">{length}</data></edge>")?;
            }
            None => writeln!(out, "/>")?,
        }
    }
    writeln!(out, "</graph>\n</graphml>")
}

/// Writes a graph as GEXF.
pub(super) fn gexf(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let lengths = LengthTexts::from_graph(graph);
    let namespace = "http://www.gexf.net/1.2draft";
    writeln!(out, "{HEAD}\n<gexf xmlns=\"{namespace}\" version=\"1.2\">")?;
    let direction = graph.direction();
    writeln!(out, "<graph defaultedgetype=\"{direction}\">\n<nodes>")?;
    let id = |v| escaped_label(graph.labels(), v, "GEXF");
    for v in 0..graph.vertices() as Vertex {
        let id = id(v)?;
        writeln!(out, "<node id=\"{id}\" label=\"{id}\"/>")?;
    }
    writeln!(out, "</nodes>\n<edges>")?;
    for (number, (tail, head, arc)) in graph.edges_and_arcs().enumerate() {
        let ends = format!("source=\"{}\" target=\"{}\"", id(tail)?, id(head)?);
        write!(out, "<edge id=\"{number}\" {ends}")?;
        if let Some(lengths) = &lengths {
            write!(out, " weight=\"{}\"", lengths.text(arc))?;
        }
        writeln!(out, "/>")?;
    }
    writeln!(out, "</edges>\n</graph>\n</gexf>")
}

/// Returns whether XML can hold all characters of a text.
pub fn is_xml_text(text: &str) -> bool {
    text.chars()
        .all(|c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..))
}

/// Returns the label of `v`, escaped for an attribute or a text.
fn escaped_label(labels: &Labels, v: Vertex, format: &str) -> io::Result<String> {
    if !matches!(labels, Labels::Names { .. }) {
        return Ok(labels.display(v).to_string());
    }
    let name = str::from_utf8(labels.name(v)).ok();
    let name = name.filter(|name| is_xml_text(name)).ok_or_else(|| {
        let text = format!(
            "{format} cannot hold the label '{}', which XML does not allow (write .npz or an edge \
             list)",
            labels.name(v).escape_ascii()
        );
        io::Error::new(io::ErrorKind::InvalidData, text)
    })?;
    let text = escape(name);
    // Readers of XML would replace these characters by blanks.
    Ok(text.replace('\t', "&#9;").replace('\n', "&#10;"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_does_not_allow_are_found() {
        assert!(is_xml_text("a\tb\nc <&>\"'ü\u{1f600}"));
        for text in ["\0", "\u{1b}[1m", "\u{fffe}", "\u{ffff}"] {
            assert!(!is_xml_text(text), "{text:?}");
        }
    }
}
