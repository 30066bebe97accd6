//! Graphs with scores at their vertices and edges, as GraphML and GEXF.
//!
//! Vertices are numbered, since not every name is allowed for an identifier; the name is their
//! label. Edges have their length as weight where the search had lengths.

use std::io::{self, Write};

use quick_xml::escape::escape;

use brandes::graph::{Graph, LengthTexts, Vertex};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

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
    let namespace = "http://graphml.graphdrawing.org/xmlns";
    writeln!(out, "{HEAD}\n<graphml xmlns=\"{namespace}\">")?;
    let double = [
        (true, "betweenness", "node", "betweenness"),
        (
            edge_scores.is_some(),
            "edge-betweenness",
            "edge",
            "betweenness",
        ),
        (graph.lengths().is_some(), "weight", "edge", "weight"),
    ];
    let text = r#"<key id="label" for="node" attr.name="label" attr.type="string"/>"#;
    writeln!(out, " {text}")?;
    for (_, id, kind, name) in double.into_iter().filter(|(there, ..)| *there) {
        let ids = format!("id=\"{id}\" for=\"{kind}\"");
        writeln!(
            out,
            " <key {ids} attr.name=\"{name}\" attr.type=\"double\"/>"
        )?;
    }
    writeln!(out, " <graph edgedefault=\"{}\">", graph.direction())?;
    for (v, score) in scores.iter().enumerate() {
        let label = graph.labels().display(v as Vertex).to_string();
        writeln!(out, "  <node id=\"n{v}\">")?;
        writeln!(out, "   <data key=\"label\">{}</data>", escape(label))?;
        writeln!(
            out,
            "   <data key=\"betweenness\">{score}</data>\n  </node>"
        )?;
    }
    let data = |key: &str, value: String| format!("   <data key=\"{key}\">{value}</data>\n");
    for (number, (tail, head, weight)) in edges(graph).enumerate() {
        let score = edge_scores.map(|scores| data("edge-betweenness", scores[number].to_string()));
        let weight = weight.map(|weight| data("weight", weight));
        write!(out, "  <edge source=\"n{tail}\" target=\"n{head}\"")?;
        match weight.unwrap_or_default() + &score.unwrap_or_default() {
            none if none.is_empty() => writeln!(out, "/>")?,
            all => writeln!(out, ">\n{all}  </edge>")?,
        }
    }
    writeln!(out, " </graph>\n</graphml>")
}

/// The graph as GEXF, in the version that most programs read.
///
/// # Errors
/// Those of `out`.
pub(super) fn gexf(
    out: &mut impl Write,
    graph: &Graph,
    (scores, edge_scores): (&[f64], Option<&[f64]>),
) -> io::Result<()> {
    let namespace = "http://www.gexf.net/1.2draft";
    writeln!(out, "{HEAD}\n<gexf xmlns=\"{namespace}\" version=\"1.2\">")?;
    writeln!(out, " <graph defaultedgetype=\"{}\">", graph.direction())?;
    let classes = [("node", "betweenness"), ("edge", "edge-betweenness")];
    for (class, id) in classes
        .into_iter()
        .take(1 + usize::from(edge_scores.is_some()))
    {
        let attribute = format!("id=\"{id}\" title=\"betweenness\" type=\"double\"");
        writeln!(out, "  <attributes class=\"{class}\">")?;
        writeln!(out, "   <attribute {attribute}/>\n  </attributes>")?;
    }
    let values = |id: &str, score: f64| {
        let value = format!("<attvalue for=\"{id}\" value=\"{score}\"/>");
        format!("    <attvalues>\n     {value}\n    </attvalues>")
    };
    writeln!(out, "  <nodes>")?;
    for (v, score) in scores.iter().enumerate() {
        let label = graph.labels().display(v as Vertex).to_string();
        // Readers make blanks of these otherwise.
        let label = escape(label).replace('\t', "&#9;").replace('\n', "&#10;");
        writeln!(out, "   <node id=\"{v}\" label=\"{label}\">")?;
        writeln!(out, "{}\n   </node>", values("betweenness", *score))?;
    }
    writeln!(out, "  </nodes>\n  <edges>")?;
    for (number, (tail, head, weight)) in edges(graph).enumerate() {
        let ends = format!("source=\"{tail}\" target=\"{head}\"");
        let weight = weight.map_or(String::new(), |weight| format!(" weight=\"{weight}\""));
        write!(out, "   <edge id=\"{number}\" {ends}{weight}")?;
        match edge_scores.map(|scores| values("edge-betweenness", scores[number])) {
            None => writeln!(out, "/>")?,
            Some(values) => writeln!(out, ">\n{values}\n   </edge>")?,
        }
    }
    writeln!(out, "  </edges>\n </graph>\n</gexf>")
}

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
