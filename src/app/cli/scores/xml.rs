//! Graphs with scores at their vertices, as GraphML and GEXF.
//!
//! Vertices are numbered, since not every name is allowed for an identifier; the name is their
//! label. Edges have their length as weight where the search had lengths.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use brandes::graph::{Graph, Lengths, Vertex};

/// What the scores are called.
const ATTRIBUTE: &str = "betweenness";

/// Whether XML can hold these characters at all.
pub(super) fn can_hold(text: &str) -> bool {
    text.chars()
        .all(|c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..))
}

/// The graph as GraphML.
///
/// # Errors
/// Those of `out`.
pub(super) fn graphml(out: &mut impl Write, graph: &Graph, scores: &[f64]) -> io::Result<()> {
    document(out, |xml| {
        let root = xml.create_element("graphml");
        let root = root.with_attribute(("xmlns", "http://graphml.graphdrawing.org/xmlns"));
        root.write_inner_content(|xml| {
            key(xml, "label", "node", "string")?;
            key(xml, ATTRIBUTE, "node", "double")?;
            if graph.lengths().is_some() {
                key(xml, "weight", "edge", "double")?;
            }
            let element = xml.create_element("graph");
            let element = element.with_attribute(("edgedefault", direction(graph)));
            element.write_inner_content(|xml| {
                for (v, score) in scores.iter().enumerate() {
                    let node = xml.create_element("node");
                    let node = node.with_attribute(("id", format!("n{v}").as_str()));
                    node.write_inner_content(|xml| {
                        data(
                            xml,
                            "label",
                            &graph.labels().display(v as Vertex).to_string(),
                        )?;
                        data(xml, ATTRIBUTE, &score.to_string())
                    })?;
                }
                each_edge(graph, |_, (tail, head), weight| {
                    let ends = (format!("n{tail}"), format!("n{head}"));
                    let edge = xml.create_element("edge");
                    let edge =
                        edge.with_attributes([("source", ends.0.as_str()), ("target", &ends.1)]);
                    match weight {
                        None => edge.write_empty()?,
                        Some(weight) => edge
                            .write_inner_content(|xml| data(xml, "weight", &weight.to_string()))?,
                    };
                    Ok(())
                })
            })?;
            Ok(())
        })?;
        Ok(())
    })
}

/// The graph as GEXF.
///
/// # Errors
/// Those of `out`.
pub(super) fn gexf(out: &mut impl Write, graph: &Graph, scores: &[f64]) -> io::Result<()> {
    document(out, |xml| {
        let root = xml.create_element("gexf");
        // The version that most programs read.
        let root = root.with_attribute(("xmlns", "http://www.gexf.net/1.2draft"));
        root.with_attribute(("version", "1.2"))
            .write_inner_content(|xml| {
                let element = xml.create_element("graph");
                let element = element.with_attribute(("defaultedgetype", direction(graph)));
                element.write_inner_content(|xml| gexf_graph(xml, graph, scores))?;
                Ok(())
            })?;
        Ok(())
    })
}

fn gexf_graph<W: Write>(xml: &mut Writer<W>, graph: &Graph, scores: &[f64]) -> io::Result<()> {
    let attributes = xml.create_element("attributes");
    attributes
        .with_attribute(("class", "node"))
        .write_inner_content(|xml| {
            let attribute = xml.create_element("attribute");
            attribute
                .with_attributes([("id", "0"), ("title", ATTRIBUTE), ("type", "double")])
                .write_empty()?;
            Ok(())
        })?;
    xml.create_element("nodes").write_inner_content(|xml| {
        for (v, score) in scores.iter().enumerate() {
            let label = graph.labels().display(v as Vertex).to_string();
            let node = xml.create_element("node");
            node.with_attributes([("id", v.to_string().as_str()), ("label", &label)])
                .write_inner_content(|xml| {
                    xml.create_element("attvalues").write_inner_content(|xml| {
                        xml.create_element("attvalue")
                            .with_attributes([("for", "0"), ("value", &score.to_string())])
                            .write_empty()?;
                        Ok(())
                    })?;
                    Ok(())
                })?;
        }
        Ok(())
    })?;
    xml.create_element("edges").write_inner_content(|xml| {
        each_edge(graph, |number, (tail, head), weight| {
            let [number, tail, head] =
                [number as u64, tail.into(), head.into()].map(|n| n.to_string());
            let edge = xml.create_element("edge").with_attributes([
                ("id", number.as_str()),
                ("source", &tail),
                ("target", &head),
            ]);
            match weight {
                None => edge,
                Some(weight) => edge.with_attribute(("weight", weight.to_string().as_str())),
            }
            .write_empty()?;
            Ok(())
        })
    })?;
    Ok(())
}

fn document<W: Write>(
    out: W,
    content: impl FnOnce(&mut Writer<W>) -> io::Result<()>,
) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(out, b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    content(&mut xml)?;
    xml.into_inner().write_all(b"\n")
}

fn direction(graph: &Graph) -> &'static str {
    match graph.directed() {
        true => "directed",
        false => "undirected",
    }
}

fn key<W: Write>(xml: &mut Writer<W>, name: &str, of: &str, kind: &str) -> io::Result<()> {
    xml.create_element("key")
        .with_attributes([
            ("id", name),
            ("for", of),
            ("attr.name", name),
            ("attr.type", kind),
        ])
        .write_empty()?;
    Ok(())
}

fn data<W: Write>(xml: &mut Writer<W>, key: &str, value: &str) -> io::Result<()> {
    let data = xml.create_element("data").with_attribute(("key", key));
    data.write_text_content(BytesText::new(value))?;
    Ok(())
}

/// Calls `f` with the number, the ends and, if there are any, the length of each edge.
fn each_edge(
    graph: &Graph,
    mut f: impl FnMut(usize, (Vertex, Vertex), Option<f64>) -> io::Result<()>,
) -> io::Result<()> {
    let unit = graph.weights().and_then(|info| info.unit).unwrap_or(1.0);
    let length = |arc: usize| {
        Some(match graph.lengths()? {
            Lengths::U32(lengths) => f64::from(lengths[arc]) * unit,
            Lengths::U64(lengths) => lengths[arc] as f64 * unit,
            Lengths::F64(lengths) => lengths[arc],
        })
    };
    let mut number = 0;
    let mut result = Ok(());
    graph.for_each_edge(|tail, head| {
        if result.is_ok() {
            let length = length(graph.csr().arc(tail, head));
            result = f(number, (tail, head), length);
            number += 1;
        }
    });
    result
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
