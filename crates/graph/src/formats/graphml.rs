//! GraphML. Weights are the data of a key whose `attr.name` is asked for. Whether an edge is an arc
//! is what it says itself, else what `edgedefault` says.
//!
//! A vertex may hold a graph, as groups of yEd do: the vertices and edges in it are parts of the
//! one graph, beside the vertex that holds them.

use super::xml::Element;
use super::xml_graph::{Attribute, Body, Dialect, Of, Place};
use crate::error::Problem;
use crate::tokens::shown;

/// How it is read.
pub(crate) const DIALECT: Dialect = Dialect {
    name: "GraphML",
    root: "graphml",
    missing_is_1: false,
    // igraph and Cytoscape have a name, Gephi a label.
    names: &["name", "label"],
    start,
};

fn start(body: &mut Body, place: Place, element: &Element<'_>) -> Result<Place, Problem> {
    let unsupported = |what: &str, remedy| Err(malformed!("{what} are not supported ({remedy})"));
    match (place, element.name()) {
        (Place::Root, "key") => Ok(body.declare(Attribute {
            id: element.required("id")?,
            of: match element.attribute("for")?.as_deref() {
                None | Some("all") => &[Of::Vertices, Of::Edges],
                Some("edge") => &[Of::Edges],
                Some("node") => &[Of::Vertices],
                Some(_) => &[],
            },
            name: element.attribute("attr.name")?,
            kind: element.attribute("attr.type").ok().flatten(),
        })),
        (Place::Attribute, "default") => Ok(Place::Default),
        (Place::Root, "graph") if body.graph.directed.is_some() => {
            unsupported("several graphs", "keep one graph per file")
        }
        (Place::Root, "graph") => {
            body.graph.directed = match element.attribute("edgedefault")?.as_deref() {
                None | Some("undirected") => Some(false),
                Some("directed") => Some(true),
                Some(other) => refuse!(
                    "edgedefault is {} (write directed or undirected)",
                    shown(other.as_bytes())
                ),
            };
            Ok(Place::Graph)
        }
        (Place::Graph, "node") => body.vertex(element),
        (Place::Node, "graph") => {
            body.graph.note(
                "some vertices hold graphs: their vertices and edges were read as parts of the \
                 one graph, beside the vertices that hold them",
            );
            Ok(Place::Graph)
        }
        (Place::Graph, "edge") => {
            let undirected = match element.attribute("directed")?.as_deref() {
                None => body.graph.directed == Some(false),
                Some("true" | "1") => false,
                Some("false" | "0") => true,
                Some(other) => refuse!(
                    "directed is {} (write true or false)",
                    shown(other.as_bytes())
                ),
            };
            body.edge(element, undirected, None)
        }
        (Place::Graph, "hyperedge") => unsupported("hyperedges", "write them as edges"),
        (Place::Edge | Place::Graph, "graph") => {
            unsupported("graphs in edges and graphs", "keep one flat graph per file")
        }
        (Place::Node, "data") => {
            let key = element.attribute("key")?;
            let candidate = key.and_then(|key| body.candidate(&key));
            Ok(candidate.map_or(Place::Other, Place::Label))
        }
        (Place::Edge, "data") => {
            let key = element.required("key")?;
            let remedy = "declare it before the graph: <key id=... for=\"edge\" attr.name=... />";
            Ok(match body.is_weight(&key, "key", remedy)? {
                true => Place::Weight,
                false => Place::Other,
            })
        }
        _ => Ok(Place::Other),
    }
}
