//! GraphML: vertices by their labels, lengths as data of edges.

use std::io::{self, Write};

use quick_xml::escape::escape;

use super::lengths::LengthTexts;
use crate::{Graph, Labels, Vertex};

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let id = |v: Vertex| id(graph.labels(), v, "GraphML");
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    out.write_all(b"<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n")?;
    let lengths = LengthTexts::of(graph);
    if let Some(lengths) = &lengths {
        let kind = if lengths.integers() { "long" } else { "double" };
        writeln!(
            out,
            "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"{kind}\"/>"
        )?;
    }
    writeln!(out, "<graph edgedefault=\"{}\">", graph.direction())?;
    for v in 0..graph.vertices() as Vertex {
        writeln!(out, "<node id=\"{}\"/>", id(v)?)?;
    }
    for (tail, head, arc) in graph.edges_and_arcs() {
        let (tail, head) = (id(tail)?, id(head)?);
        write!(out, "<edge source=\"{tail}\" target=\"{head}\"")?;
        match &lengths {
            Some(lengths) => writeln!(
                out,
                "><data key=\"weight\">{}</data></edge>",
                lengths.text(arc)
            )?,
            None => out.write_all(b"/>\n")?,
        }
    }
    out.write_all(b"</graph>\n</graphml>\n")
}

/// The label of `v` as the value of an attribute in a file of this format.
pub(super) fn id(labels: &Labels, v: Vertex, format: &str) -> io::Result<String> {
    if !matches!(labels, Labels::Names { .. }) {
        return Ok(labels.display(v).to_string());
    }
    let unfit = || {
        let text = format!(
            "{format} cannot hold the label '{}', which is no text of XML (write .npz or an edge \
             list)",
            labels.name(v).escape_ascii()
        );
        io::Error::new(io::ErrorKind::InvalidData, text)
    };
    let name = std::str::from_utf8(labels.name(v)).map_err(|_| unfit())?;
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..) && !matches!(c, '\u{fffe}' | '\u{ffff}');
    if !name.chars().all(allowed) {
        return Err(unfit());
    }
    let mut text = escape(name).into_owned();
    // Readers of XML make blanks of these, and some turn the last three into line ends.
    for (character, code) in [('\t', "&#9;"), ('\n', "&#10;"), ('\r', "&#13;")] {
        if text.contains(character) {
            text = text.replace(character, code);
        }
    }
    Ok(text)
}
