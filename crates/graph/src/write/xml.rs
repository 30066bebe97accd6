//! Writes GraphML and GEXF, with or without scores. Lengths are weights of edges. The ids of
//! vertices are their labels, or numbers if there are scores, with the labels beside them.

use std::fmt;
use std::io::{self, Write};

use quick_xml::escape::escape;

use super::lengths::LengthTexts;
use crate::{Graph, Labels, Vertex};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// Scores of a graph. Those of edges are in the order of [`Graph::ends`].
#[derive(Clone, Copy, Default)]
pub(super) struct Scores<'s> {
    pub vertices: Option<&'s [f64]>,
    pub edges: Option<&'s [f64]>,
}

/// The elements that can have scores, and the ids of the attributes.
const SCORES: [(&str, &str); 2] = [("node", "betweenness"), ("edge", "edge-betweenness")];

pub(super) fn graphml(graph: &Graph, scores: Scores, out: &mut dyn Write) -> io::Result<()> {
    let namespace = "http://graphml.graphdrawing.org/xmlns";
    writeln!(out, "{HEAD}\n<graphml xmlns=\"{namespace}\">")?;
    let mut key = |id: &str, of: &str, name: &str, kind: &str| {
        let key = format!("id=\"{id}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"");
        writeln!(out, "<key {key}/>")
    };
    if scores.vertices.is_some() {
        key("label", "node", "label", "string")?;
    }
    for (of, id) in scores.attributes() {
        key(id, of, "betweenness", "double")?;
    }
    let lengths = LengthTexts::from_graph(graph);
    if let Some(lengths) = &lengths {
        let kind = if lengths.integers() { "long" } else { "double" };
        key("weight", "edge", "weight", kind)?;
    }
    writeln!(out, "<graph edgedefault=\"{}\">", graph.direction())?;
    let data = |key: &str, value: String| format!("<data key=\"{key}\">{value}</data>");
    let name = |v: Vertex| name(graph.labels(), v, "GraphML");
    let id = |v: Vertex| match scores.vertices {
        Some(_) => Ok(format!("n{v}")),
        None => name(v),
    };
    for v in 0..graph.vertices() as Vertex {
        let inner = match scores.vertices {
            Some(scores) => {
                let score = data("betweenness", scores[v as usize].to_string());
                data("label", name(v)?) + &score
            }
            None => String::new(),
        };
        element(out, "node", format_args!("id=\"{}\"", id(v)?), &inner)?;
    }
    for (number, (tail, head, arc)) in graph.edges_and_arcs().enumerate() {
        let length = lengths.as_ref().map(|all| data("weight", all.text(arc)));
        let score = scores
            .edges
            .map(|all| data("edge-betweenness", all[number].to_string()));
        let inner = length.unwrap_or_default() + &score.unwrap_or_default();
        let ends = format_args!("source=\"{}\" target=\"{}\"", id(tail)?, id(head)?);
        element(out, "edge", ends, &inner)?;
    }
    writeln!(out, "</graph>\n</graphml>")
}

/// Writes GEXF 1.2, the version that most programs read.
pub(super) fn gexf(graph: &Graph, scores: Scores, out: &mut dyn Write) -> io::Result<()> {
    let namespace = "http://www.gexf.net/1.2draft";
    writeln!(out, "{HEAD}\n<gexf xmlns=\"{namespace}\" version=\"1.2\">")?;
    writeln!(out, "<graph defaultedgetype=\"{}\">", graph.direction())?;
    for (class, id) in scores.attributes() {
        let attribute = format!("<attribute id=\"{id}\" title=\"betweenness\" type=\"double\"/>");
        writeln!(
            out,
            "<attributes class=\"{class}\">{attribute}</attributes>"
        )?;
    }
    let values = |id: &str, scores: Option<&[f64]>, number: usize| {
        let value =
            scores.map(|scores| format!("<attvalue for=\"{id}\" value=\"{}\"/>", scores[number]));
        value.map_or(String::new(), |value| {
            format!("<attvalues>{value}</attvalues>")
        })
    };
    let name = |v: Vertex| name(graph.labels(), v, "GEXF");
    let id = |v: Vertex| match scores.vertices {
        Some(_) => Ok(v.to_string()),
        None => name(v),
    };
    writeln!(out, "<nodes>")?;
    for v in 0..graph.vertices() as Vertex {
        let attributes = format_args!("id=\"{}\" label=\"{}\"", id(v)?, name(v)?);
        let inner = values("betweenness", scores.vertices, v as usize);
        element(out, "node", attributes, &inner)?;
    }
    writeln!(out, "</nodes>\n<edges>")?;
    let lengths = LengthTexts::from_graph(graph);
    for (number, (tail, head, arc)) in graph.edges_and_arcs().enumerate() {
        let weight = lengths
            .as_ref()
            .map(|all| format!(" weight=\"{}\"", all.text(arc)));
        let (tail, head, weight) = (id(tail)?, id(head)?, weight.unwrap_or_default());
        let ends = format_args!("id=\"{number}\" source=\"{tail}\" target=\"{head}\"{weight}");
        let inner = values("edge-betweenness", scores.edges, number);
        element(out, "edge", ends, &inner)?;
    }
    writeln!(out, "</edges>\n</graph>\n</gexf>")
}

impl Scores<'_> {
    /// Iterates over the elements that have scores, and the ids of the attributes.
    fn attributes(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let there = [self.vertices.is_some(), self.edges.is_some()];
        SCORES
            .into_iter()
            .zip(there)
            .filter_map(|(of, there)| there.then_some(of))
    }
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
            "{format} cannot hold the label '{}', which is no text of XML (write .npz or an edge \
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
    fn what_xml_cannot_hold_is_known() {
        assert!(is_xml_text("a\tb\nc <&>\"'ü\u{1f600}"));
        for text in ["\0", "\u{1b}[1m", "\u{fffe}", "\u{ffff}"] {
            assert!(!is_xml_text(text), "{text:?}");
        }
    }
}
