//! GEXF: Gephi's format. The weight of an edge is its attribute of that name, or the value of the
//! declared attribute whose title is asked for. Whether an edge is an arc is its `type`, else what
//! `defaultedgetype` says. Vertices inside of others are read like all others, and so are vertices
//! and edges that exist for some time only.

use super::xml::Element;
use super::xml_graph::{Attribute, Body, Dialect, Of, Place};
use crate::error::Problem;
use crate::tokens::shown;

/// The attribute of the element itself that holds its weight.
const OWN: &str = "weight";

/// The attribute of the element itself that is the label of a vertex.
const LABEL: &str = "label";

/// How it is read.
pub(crate) const DIALECT: Dialect = Dialect {
    name: "GEXF",
    root: "gexf",
    missing_is_1: true,
    names: &[LABEL, "name"],
    start,
};

/// The note about a hierarchy of vertices.
const HIERARCHY: &str = "some vertices are inside of others: they were read as vertices like all";

/// The note about a graph that changes over time.
const TIMES: &str = "vertices and edges have times: those of all times were read as one graph \
                     (export one time for the graph of that time)";

/// Returns whether a vertex, an edge or a value exists for some time only.
fn has_times(element: &Element<'_>) -> Result<bool, Problem> {
    element.has_any(&[
        "start",
        "end",
        "startopen",
        "endopen",
        "timestamp",
        "timestamps",
        "intervals",
    ])
}

/// What an `attvalue` is of.
pub(super) fn attribute_of(element: &Element<'_>) -> Result<String, Problem> {
    match element.attribute("for")? {
        Some(id) => Ok(id),
        // As older versions call it.
        None => element.required("id"),
    }
}

/// Whether edges of a type are arcs.
fn is_directed(kind: &str) -> Result<bool, Problem> {
    match kind {
        "directed" => Ok(true),
        "undirected" | "mutual" => Ok(false),
        _ => Err(malformed!(
            "the type of edges is {} (write directed, undirected or mutual)",
            shown(kind.as_bytes())
        )),
    }
}

fn start(body: &mut Body, place: Place, element: &Element<'_>) -> Result<Place, Problem> {
    Ok(match (place, element.name()) {
        (Place::Node | Place::Edge, "spells" | "slices") => {
            body.graph.note(TIMES);
            Place::Other
        }
        (Place::Root, "graph") if body.graph.directed.is_some() => {
            refuse!("there is a second graph (keep one graph per file)")
        }
        (Place::Root, "graph") => {
            let kind = element.attribute("defaultedgetype")?;
            body.graph.directed = Some(is_directed(kind.as_deref().unwrap_or("undirected"))?);
            Place::Graph
        }
        (Place::Graph, "attributes") => match element.attribute("class")?.as_deref() {
            Some("edge") => Place::Attributes(&[Of::Edges]),
            Some("node") => Place::Attributes(&[Of::Vertices]),
            _ => Place::Other,
        },
        (Place::Attributes(of), "attribute") => body.declare(Attribute {
            id: element.required("id")?,
            of,
            name: element.attribute("title")?,
            kind: element.attribute("type").ok().flatten(),
        }),
        (Place::Attribute, "default") => Place::Default,
        (Place::Graph, "nodes") => Place::Nodes,
        (Place::Nodes, "node") => {
            if has_times(element)? {
                body.graph.note(TIMES);
            }
            let place = body.vertex(element)?;
            let label = element.attribute(LABEL)?;
            if let Some(label) = label
                && let Some(candidate) = body.graph.candidate(LABEL.as_bytes())
            {
                body.label(candidate, &label);
            }
            if element.attribute("pid")?.is_some() {
                body.graph.note(HIERARCHY);
            }
            place
        }
        (Place::Node, "nodes") => {
            body.graph.note(HIERARCHY);
            Place::Nodes
        }
        (Place::Node, "edges") => Place::Edges,
        (Place::Node, "attvalues") => Place::Values(Of::Vertices),
        (Place::Values(Of::Vertices), "attvalue") => {
            if let Some(candidate) = body.candidate(&attribute_of(element)?) {
                body.label(candidate, &element.required("value")?);
            }
            Place::Other
        }
        (Place::Graph, "edges") => Place::Edges,
        (Place::Edges, "edge") => {
            if has_times(element)? {
                body.graph.note(TIMES);
            }
            let directed = match element.attribute("type")? {
                Some(kind) => is_directed(&kind)?,
                None => body.graph.directed == Some(true),
            };
            let own = element.attribute(OWN)?;
            let own = own.filter(|_| body.graph.is_weight(OWN.as_bytes()));
            body.edge(element, !directed, own)?
        }
        (Place::Edge, "attvalues") => Place::Values(Of::Edges),
        (Place::Values(Of::Edges), "attvalue") => {
            let id = attribute_of(element)?;
            let remedy = "declare it before the edges: <attributes class=\"edge\"><attribute \
                          id=... title=... />";
            if body.is_weight(&id, "attribute", remedy)? {
                // The element's own weight counts more.
                let value = element.required("value")?;
                let first = body.set_weight(&value);
                if !first && body.graph.weights_asked() && has_times(element)? {
                    refuse!(
                        "the edge has several weights, of different times (export one time, or \
                         leave --weighted out)"
                    );
                }
            }
            Place::Other
        }
        _ => Place::Other,
    })
}
