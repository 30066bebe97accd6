//! Writes GraphML and GEXF, with or without scores. Lengths are weights of edges. The ids of
//! vertices are their labels, or numbers if there are scores, with the labels beside them.

use std::fmt;
use std::io::{self, Write};

use quick_xml::escape::escape;

use super::lengths::LengthTexts;
use crate::{Graph, Labels, Vertex};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// Scores and their name. Those of vertices are in the order of the graph, and those of edges in
/// the order of [`Graph::ends`].
pub type NamedScores<'s> = (String, &'s [f64]);

/// The prefix of the ids of attributes of edges.
pub(crate) const EDGE: &str = "edge-";

/// Scores of vertices and of edges.
type Scores<'s> = (&'s [NamedScores<'s>], &'s [NamedScores<'s>]);

pub(super) fn graphml(
    graph: &Graph,
    (vertices, edges): Scores,
    out: &mut dyn Write,
) -> io::Result<()> {
    let namespace = "http://graphml.graphdrawing.org/xmlns";
    writeln!(out, "{HEAD}\n<graphml xmlns=\"{namespace}\">")?;
    let mut key = |id: &str, class: &str, name: &str, kind: &str| {
        let key = format!("id=\"{id}\" for=\"{class}\" attr.name=\"{name}\" attr.type=\"{kind}\"");
        writeln!(out, "<key {key}/>")
    };
    if !vertices.is_empty() {
        key("label", "node", "label", "string")?;
    }
    for (class, scores, prefix) in [("node", vertices, ""), ("edge", edges, EDGE)] {
        for (name, _) in scores {
            key(&format!("{prefix}{name}"), class, name, "double")?;
        }
    }
    let lengths = LengthTexts::from_graph(graph);
    if let Some(lengths) = &lengths {
        let kind = if lengths.integers() { "long" } else { "double" };
        key("weight", "edge", "weight", kind)?;
    }
    writeln!(out, "<graph edgedefault=\"{}\">", graph.direction())?;
    let data = |key: &str, value: &dyn fmt::Display| format!("<data key=\"{key}\">{value}</data>");
    let values = |scores: &[NamedScores], prefix: &str, at: usize| -> String {
        let values = scores.iter();
        values
            .map(|(name, list)| data(&format!("{prefix}{name}"), &list[at]))
            .collect()
    };
    let name = |v: Vertex| name(graph.labels(), v, "GraphML");
    let id = |v: Vertex| match vertices.is_empty() {
        false => Ok(format!("n{v}")),
        true => name(v),
    };
    for v in 0..graph.vertices() as Vertex {
        let inner = match vertices.is_empty() {
            false => data("label", &name(v)?) + &values(vertices, "", v as usize),
            true => String::new(),
        };
        element(out, "node", format_args!("id=\"{}\"", id(v)?), &inner)?;
    }
    for (number, (tail, head, arc)) in graph.edges_and_arcs().enumerate() {
        let length = lengths
            .as_ref()
            .map(|lengths| data("weight", &lengths.text(arc)));
        let inner = length.unwrap_or_default() + &values(edges, EDGE, number);
        let ends = format_args!("source=\"{}\" target=\"{}\"", id(tail)?, id(head)?);
        element(out, "edge", ends, &inner)?;
    }
    writeln!(out, "</graph>\n</graphml>")
}

/// Writes GEXF 1.2, the version that most programs read.
pub(super) fn gexf(
    graph: &Graph,
    (vertices, edges): Scores,
    out: &mut dyn Write,
) -> io::Result<()> {
    let namespace = "http://www.gexf.net/1.2draft";
    writeln!(out, "{HEAD}\n<gexf xmlns=\"{namespace}\" version=\"1.2\">")?;
    writeln!(out, "<graph defaultedgetype=\"{}\">", graph.direction())?;
    for (class, scores, prefix) in [("node", vertices, ""), ("edge", edges, EDGE)] {
        let attribute = |(name, _): &NamedScores| {
            format!("<attribute id=\"{prefix}{name}\" title=\"{name}\" type=\"double\"/>")
        };
        if !scores.is_empty() {
            let attributes: String = scores.iter().map(attribute).collect();
            element(
                out,
                "attributes",
                format_args!("class=\"{class}\""),
                &attributes,
            )?;
        }
    }
    let values = |scores: &[NamedScores], prefix: &str, at: usize| {
        let value = |(name, list): &NamedScores| {
            format!("<attvalue for=\"{prefix}{name}\" value=\"{}\"/>", list[at])
        };
        let values: String = scores.iter().map(value).collect();
        match values.is_empty() {
            true => values,
            false => format!("<attvalues>{values}</attvalues>"),
        }
    };
    let name = |v: Vertex| name(graph.labels(), v, "GEXF");
    let id = |v: Vertex| match vertices.is_empty() {
        false => Ok(v.to_string()),
        true => name(v),
    };
    writeln!(out, "<nodes>")?;
    for v in 0..graph.vertices() as Vertex {
        let attributes = format_args!("id=\"{}\" label=\"{}\"", id(v)?, name(v)?);
        let inner = values(vertices, "", v as usize);
        element(out, "node", attributes, &inner)?;
    }
    writeln!(out, "</nodes>\n<edges>")?;
    let lengths = LengthTexts::from_graph(graph);
    for (number, (tail, head, arc)) in graph.edges_and_arcs().enumerate() {
        let weight = lengths
            .as_ref()
            .map(|lengths| format!(" weight=\"{}\"", lengths.text(arc)));
        let (tail, head, weight) = (id(tail)?, id(head)?, weight.unwrap_or_default());
        let ends = format_args!("id=\"{number}\" source=\"{tail}\" target=\"{head}\"{weight}");
        let inner = values(edges, EDGE, number);
        element(out, "edge", ends, &inner)?;
    }
    writeln!(out, "</edges>\n</graph>\n</gexf>")
}

/// Writes an element and its content in a line.
fn element(
    out: &mut dyn Write,
    name: &str,
    attributes: fmt::Arguments,
    inner: &str,
) -> io::Result<()> {
    match inner {
        "" => writeln!(out, "<{name} {attributes}/>"),
        _ => writeln!(out, "<{name} {attributes}>{inner}</{name}>"),
    }
}

/// Returns whether XML can hold all characters of a text.
pub fn is_xml_text(text: &str) -> bool {
    text.chars()
        .all(|c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..))
}

/// Returns the label of `v`, escaped for an attribute or a text.
fn name(labels: &Labels, v: Vertex, format: &str) -> io::Result<String> {
    if !matches!(labels, Labels::Names { .. }) {
        return Ok(labels.display(v).to_string());
    }
    let name = std::str::from_utf8(labels.name(v))
        .ok()
        .filter(|name| is_xml_text(name));
    let name = name.ok_or_else(|| {
        let text = format!(
            "{format} cannot hold the label '{}', which XML does not allow (write .npz or an edge \
             list)",
            labels.name(v).escape_ascii()
        );
        io::Error::new(io::ErrorKind::InvalidData, text)
    })?;
    let mut text = escape(name).into_owned();
    // Readers of XML replace these characters by blanks or line ends unless they are escaped.
    for (character, code) in [('\t', "&#9;"), ('\n', "&#10;"), ('\r', "&#13;")] {
        if text.contains(character) {
            text = text.replace(character, code);
        }
    }
    Ok(text)
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
