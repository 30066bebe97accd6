//! Writes GraphML and GEXF, with or without scores. Lengths are weights of edges. The ids of
//! vertices are their labels; with scores of vertices, ids are numbers, and labels are attributes.

use std::fmt;
use std::io::{self, Write};

use quick_xml::escape::escape;

use super::lengths::{LengthTexts, Shortest};
use crate::{Graph, Labels, Vertex};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// Scores and their name. Those of vertices are in the order of the graph, and those of edges in
/// the order of [`Graph::ends`].
pub type NamedScores<'s> = (String, &'s [f64]);

/// The names of vertices and of edges in declarations, and the prefixes of the ids of attributes
/// that hold their scores.
pub(crate) const CLASSES: [(&str, &str); 2] = [("node", ""), ("edge", "edge-")];

/// The scores of vertices and the scores of edges.
type Scores<'s> = [&'s [NamedScores<'s>]; 2];

/// Writes a graph with these scores as GEXF or GraphML.
pub(super) fn write(
    graph: &Graph,
    scores: Scores,
    is_gexf: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let lengths = LengthTexts::from_graph(graph);
    match is_gexf {
        true => gexf_head(graph, scores, out)?,
        false => graphml_head(graph, scores, lengths.as_ref(), out)?,
    }
    let values = |class: usize, at: usize| {
        let prefix = CLASSES[class].1;
        let value = |(name, list): &NamedScores| match is_gexf {
            true => format!(
                "<attvalue for=\"{prefix}{name}\" value=\"{}\"/>",
                Shortest(list[at])
            ),
            false => data(&format!("{prefix}{name}"), &Shortest(list[at])),
        };
        let values: String = scores[class].iter().map(value).collect();
        match is_gexf && !values.is_empty() {
            true => format!("<attvalues>{values}</attvalues>"),
            false => values,
        }
    };
    let label =
        |v: Vertex| escaped_label(graph.labels(), v, if is_gexf { "GEXF" } else { "GraphML" });
    let id = |v: Vertex| match (scores[0].is_empty(), is_gexf) {
        (true, _) => label(v),
        (false, true) => Ok(v.to_string()),
        (false, false) => Ok(format!("n{v}")),
    };
    for v in 0..graph.vertices() as Vertex {
        let (mut attributes, mut inner) = (format!("id=\"{}\"", id(v)?), String::new());
        if is_gexf {
            attributes += &format!(" label=\"{}\"", label(v)?);
        } else if !scores[0].is_empty() {
            inner = data("label", &label(v)?);
        }
        inner += &values(0, v as usize);
        element(out, "node", &attributes, &inner)?;
    }
    if is_gexf {
        writeln!(out, "</nodes>\n<edges>")?;
    }
    for (number, (tail, head, arc)) in graph.edges_and_arcs().enumerate() {
        let mut attributes = format!("source=\"{}\" target=\"{}\"", id(tail)?, id(head)?);
        let mut inner = String::new();
        if is_gexf {
            attributes = format!("id=\"{number}\" {attributes}");
        }
        match lengths.as_ref().map(|lengths| lengths.text(arc)) {
            Some(length) if is_gexf => attributes += &format!(" weight=\"{length}\""),
            Some(length) => inner = data("weight", &length),
            None => {}
        }
        inner += &values(1, number);
        element(out, "edge", &attributes, &inner)?;
    }
    match is_gexf {
        true => writeln!(out, "</edges>\n</graph>\n</gexf>"),
        false => writeln!(out, "</graph>\n</graphml>"),
    }
}

/// Writes the start of GraphML, up to the first vertex.
fn graphml_head(
    graph: &Graph,
    scores: Scores,
    lengths: Option<&LengthTexts>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let namespace = "http://graphml.graphdrawing.org/xmlns";
    writeln!(out, "{HEAD}\n<graphml xmlns=\"{namespace}\">")?;
    let mut key = |id: &str, class: &str, name: &str, kind: &str| {
        let key = format!("id=\"{id}\" for=\"{class}\" attr.name=\"{name}\" attr.type=\"{kind}\"");
        writeln!(out, "<key {key}/>")
    };
    if !scores[0].is_empty() {
        key("label", "node", "label", "string")?;
    }
    for ((class, prefix), scores) in CLASSES.into_iter().zip(scores) {
        for (name, _) in scores {
            key(&format!("{prefix}{name}"), class, name, "double")?;
        }
    }
    if let Some(lengths) = lengths {
        let kind = ["double", "long"][usize::from(lengths.are_integers())];
        key("weight", "edge", "weight", kind)?;
    }
    writeln!(out, "<graph edgedefault=\"{}\">", graph.direction())
}

/// Writes the start of GEXF 1.2, the version that most programs read, up to the first vertex.
fn gexf_head(graph: &Graph, scores: Scores, out: &mut dyn Write) -> io::Result<()> {
    let namespace = "http://www.gexf.net/1.2draft";
    writeln!(out, "{HEAD}\n<gexf xmlns=\"{namespace}\" version=\"1.2\">")?;
    writeln!(out, "<graph defaultedgetype=\"{}\">", graph.direction())?;
    for ((class, prefix), scores) in CLASSES.into_iter().zip(scores) {
        let attribute = |(name, _): &NamedScores| {
            format!("<attribute id=\"{prefix}{name}\" title=\"{name}\" type=\"double\"/>")
        };
        if !scores.is_empty() {
            let attributes: String = scores.iter().map(attribute).collect();
            let class = format!("class=\"{class}\"");
            element(out, "attributes", &class, &attributes)?;
        }
    }
    writeln!(out, "<nodes>")
}

/// Returns the value of an attribute in GraphML.
fn data(key: &str, value: &dyn fmt::Display) -> String {
    format!("<data key=\"{key}\">{value}</data>")
}

/// Writes an element and its content in a line.
fn element(out: &mut dyn Write, name: &str, attributes: &str, inner: &str) -> io::Result<()> {
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
