//! Graphs with scores at their vertices and edges, as GraphML and GEXF.
//!
//! Vertices are numbered, since not every name is allowed for an identifier; the name is their
//! label. Edges have their length as weight where the search had lengths.

use std::io::{self, Write};

use quick_xml::escape::escape;

use brandes::graph::{Graph, LengthTexts, Vertex};

/// Whether XML can hold these characters at all.
pub(super) fn can_hold(text: &str) -> bool {
    text.chars()
        .all(|c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..))
}

/// The graph as GraphML.
///
/// # Errors
/// Those of `out`.
pub(super) fn graphml(
    out: &mut impl Write,
    graph: &Graph,
    (scores, edge_scores): (&[f64], Option<&[f64]>),
) -> io::Result<()> {
    out.write_all(GRAPHML.as_bytes())?;
    if edge_scores.is_some() {
        out.write_all(GRAPHML_EDGES.as_bytes())?;
    }
    if graph.lengths().is_some() {
        out.write_all(GRAPHML_WEIGHT.as_bytes())?;
    }
    writeln!(out, " <graph edgedefault=\"{}\">", graph.direction())?;
    for (v, score) in scores.iter().enumerate() {
        let label = graph.labels().display(v as Vertex).to_string();
        writeln!(out, "  <node id=\"n{v}\">")?;
        writeln!(out, "   <data key=\"label\">{}</data>", escape(label))?;
        writeln!(out, "   <data key=\"betweenness\">{score}</data>")?;
        writeln!(out, "  </node>")?;
    }
    for (number, (tail, head, weight)) in edges(graph).enumerate() {
        let score = edge_scores.map(|scores| scores[number]);
        let close = match (&weight, score) {
            (None, None) => "/>",
            _ => ">",
        };
        writeln!(out, "  <edge source=\"n{tail}\" target=\"n{head}\"{close}")?;
        if let Some(weight) = weight {
            writeln!(out, "   <data key=\"weight\">{weight}</data>")?;
        }
        if let Some(score) = score {
            writeln!(out, "   <data key=\"edge-betweenness\">{score}</data>")?;
        }
        if close == ">" {
            writeln!(out, "  </edge>")?;
        }
    }
    writeln!(out, " </graph>\n</graphml>")
}

/// The graph as GEXF.
///
/// # Errors
/// Those of `out`.
pub(super) fn gexf(
    out: &mut impl Write,
    graph: &Graph,
    (scores, edge_scores): (&[f64], Option<&[f64]>),
) -> io::Result<()> {
    out.write_all(GEXF.as_bytes())?;
    writeln!(out, " <graph defaultedgetype=\"{}\">", graph.direction())?;
    out.write_all(GEXF_ATTRIBUTES.as_bytes())?;
    if edge_scores.is_some() {
        out.write_all(GEXF_EDGES.as_bytes())?;
    }
    writeln!(out, "  <nodes>")?;
    for (v, score) in scores.iter().enumerate() {
        let label = graph.labels().display(v as Vertex).to_string();
        // Readers make blanks of these otherwise.
        let label = escape(label).replace('\t', "&#9;").replace('\n', "&#10;");
        writeln!(out, "   <node id=\"{v}\" label=\"{label}\">")?;
        writeln!(out, "{}\n   </node>", attvalues("betweenness", *score))?;
    }
    writeln!(out, "  </nodes>\n  <edges>")?;
    for (number, (tail, head, weight)) in edges(graph).enumerate() {
        let ends = format!("source=\"{tail}\" target=\"{head}\"");
        let weight = weight.map_or(String::new(), |weight| format!(" weight=\"{weight}\""));
        write!(out, "   <edge id=\"{number}\" {ends}{weight}")?;
        match edge_scores {
            None => writeln!(out, "/>")?,
            Some(scores) => {
                let values = attvalues("edge-betweenness", scores[number]);
                writeln!(out, ">\n{values}\n   </edge>")?;
            }
        }
    }
    writeln!(out, "  </edges>\n </graph>\n</gexf>")
}

/// A score as an attribute.
fn attvalues(id: &str, score: f64) -> String {
    format!("    <attvalues>\n     <attvalue for=\"{id}\" value=\"{score}\"/>\n    </attvalues>")
}

const GRAPHML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="label" for="node" attr.name="label" attr.type="string"/>
 <key id="betweenness" for="node" attr.name="betweenness" attr.type="double"/>
"#;
const GRAPHML_WEIGHT: &str = r#" <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
"#;
const GRAPHML_EDGES: &str = concat!(
    r#" <key id="edge-betweenness" for="edge" attr.name="betweenness" attr.type="double"/>"#,
    "\n"
);
// The version that most programs read.
const GEXF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
"#;
const GEXF_ATTRIBUTES: &str = r#"  <attributes class="node">
   <attribute id="betweenness" title="betweenness" type="double"/>
  </attributes>
"#;
const GEXF_EDGES: &str = r#"  <attributes class="edge">
   <attribute id="edge-betweenness" title="betweenness" type="double"/>
  </attributes>
"#;

/// Both ends of each edge and, if there are any, its length.
fn edges(graph: &Graph) -> impl Iterator<Item = (Vertex, Vertex, Option<String>)> {
    let lengths = LengthTexts::of(graph);
    let edges = graph.edges_and_arcs();
    edges.map(move |(tail, head, arc)| {
        let length = lengths.as_ref().map(|lengths| lengths.text(arc));
        (tail, head, length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_known() {
        assert!(can_hold("a\tb\nc <&>\"'ü\u{1f600}"));
        for text in ["\0", "\u{1b}[1m", "\u{fffe}", "\u{ffff}"] {
            assert!(!can_hold(text), "{text:?}");
        }
    }
}
