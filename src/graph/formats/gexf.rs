//! GEXF: Gephi's format. Vertices are called by the ids of their `node` elements.
//!
//! The weight of an edge is its attribute of that name, or the value of the declared attribute
//! whose title is asked for. Whether an edge is an arc is its `type`, else what `defaultedgetype`
//! says.

use rustc_hash::FxHashMap;

use super::attributes::{Entry, WeightAttribute};
use super::names::Declared;
use super::parsed::Parsed;
use super::xml::{Element, Piece, Xml};
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::tokens::shown;
use crate::graph::{EdgeList, WeightOptions};

/// The attribute of the element itself that holds its weight.
const OWN: &str = "weight";

/// An element that is open.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Gexf,
    Graph,
    /// Declarations of attributes of edges.
    Attributes,
    Attribute,
    AttributeDefault,
    Nodes,
    Node,
    Edges,
    Edge,
    Values,
    /// Anything else, with all that is in it.
    Other,
}

/// An edge that is being read.
struct OpenEdge {
    source: String,
    target: String,
    undirected: bool,
    weight: Option<String>,
}

struct Body {
    vertices: Declared,
    edges: EdgeList,
    weight: WeightAttribute,
    /// Declared attributes of edges: whether it is their weight.
    declared: FxHashMap<String, bool>,
    /// The weight of edges without a value.
    default: Option<String>,
    /// Whether edges are arcs unless they say otherwise; `None` before the graph.
    directed: Option<bool>,
    /// Whether the attribute that is open is the weight.
    open_weight: bool,
    edge: Option<OpenEdge>,
    text: String,
}

/// Reads the one graph of the file.
pub(in crate::graph) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    let mut edges = EdgeList::default();
    let mut body = Body {
        vertices: Declared::new(),
        weight: WeightAttribute::new(weights, &mut edges)?,
        edges,
        declared: FxHashMap::default(),
        default: None,
        directed: None,
        open_weight: false,
        edge: None,
        text: String::new(),
    };
    let mut xml = Xml::new(lines);
    let mut places: Vec<Place> = Vec::new();
    loop {
        match xml.next()? {
            Piece::Start(element) => {
                let place = body.start(places.last().copied(), &element)?;
                places.push(place);
            }
            Piece::End => {
                if let Some(place) = places.pop() {
                    body.end(place, xml.line())?;
                }
            }
            Piece::Text(text) => {
                if places.last() == Some(&Place::AttributeDefault) {
                    body.text.push_str(&text);
                }
            }
            Piece::Eof => break,
        }
    }
    if body.directed.is_none() {
        return Err(Problem::Unfit {
            what: "there is no graph in this GEXF file".into(),
            remedy: "export it again",
        });
    }
    let labels = body.vertices.into_labels()?;
    body.weight.finish()?;
    Ok(Parsed::new(body.edges, labels))
}

fn dynamic() -> Problem {
    Problem::malformed(
        "dynamic graphs, which change over time, are not supported",
        "export a static graph, of one time or of all",
    )
}

fn hierarchy() -> Problem {
    Problem::malformed(
        "hierarchical graphs are not supported",
        "export a flat graph, without nodes in nodes",
    )
}

/// Whether edges of a type are arcs.
fn is_directed(kind: &str) -> Result<bool, Problem> {
    match kind {
        "directed" => Ok(true),
        "undirected" | "mutual" => Ok(false),
        _ => Err(Problem::malformed(
            format!("the type of edges is {}", shown(kind.as_bytes())),
            "write directed, undirected or mutual",
        )),
    }
}

impl Body {
    fn start(&mut self, place: Option<Place>, element: &Element) -> Result<Place, Problem> {
        Ok(match (place, element.name()) {
            (None, "gexf") => Place::Gexf,
            (None, name) => {
                return Err(Problem::malformed(
                    format!("the outermost element is {}", shown(name.as_bytes())),
                    "in GEXF it is gexf; choose another --format",
                ));
            }
            (_, "spells") => return Err(dynamic()),
            (Some(Place::Gexf), "graph") => self.graph(element)?,
            (Some(Place::Graph), "attributes") => match element.attribute("class")?.as_deref() {
                Some("edge") => Place::Attributes,
                _ => Place::Other,
            },
            (Some(Place::Attributes), "attribute") => {
                let id = element.required("id")?;
                let title = element.attribute("title")?;
                let title = title.as_deref().unwrap_or(&id);
                self.open_weight = self.weight.is_called(title.as_bytes());
                self.declared.insert(id, self.open_weight);
                Place::Attribute
            }
            (Some(Place::Attribute), "default") => {
                self.text.clear();
                Place::AttributeDefault
            }
            (Some(Place::Graph), "nodes") => Place::Nodes,
            (Some(Place::Nodes), "node") => {
                if element.attribute("pid")?.is_some() {
                    return Err(hierarchy());
                }
                self.vertices.declare(element.required("id")?.as_bytes())?;
                Place::Node
            }
            (Some(Place::Node), "nodes" | "edges" | "node") => return Err(hierarchy()),
            (Some(Place::Graph), "edges") => Place::Edges,
            (Some(Place::Edges), "edge") => self.edge(element)?,
            (Some(Place::Edge), "attvalues") => Place::Values,
            (Some(Place::Values), "attvalue") => self.value(element)?,
            _ => Place::Other,
        })
    }

    fn graph(&mut self, element: &Element) -> Result<Place, Problem> {
        if self.directed.is_some() {
            return Err(Problem::malformed(
                "there is a second graph",
                "keep one graph per file",
            ));
        }
        let kind = element.attribute("defaultedgetype")?;
        self.directed = Some(is_directed(kind.as_deref().unwrap_or("undirected"))?);
        if element.attribute("mode")?.as_deref() == Some("dynamic") {
            return Err(dynamic());
        }
        Ok(Place::Graph)
    }

    fn edge(&mut self, element: &Element) -> Result<Place, Problem> {
        let directed = match element.attribute("type")? {
            Some(kind) => is_directed(&kind)?,
            None => self.directed == Some(true),
        };
        let own = element.attribute(OWN)?;
        let is_weight = own.is_some() && self.weight.is_called(OWN.as_bytes());
        self.edge = Some(OpenEdge {
            source: element.required("source")?,
            target: element.required("target")?,
            undirected: !directed,
            weight: own.filter(|_| is_weight),
        });
        Ok(Place::Edge)
    }

    fn value(&mut self, element: &Element) -> Result<Place, Problem> {
        let id = match element.attribute("for")? {
            Some(id) => id,
            // As older versions call it.
            None => element.required("id")?,
        };
        let is_weight = self.declared.get(&id).copied();
        if is_weight.is_none() && self.weight.asked() {
            return Err(Problem::malformed(
                format!("the attribute {} is not declared", shown(id.as_bytes())),
                "declare it before the edges: <attributes class=\"edge\"><attribute id=... title=... />",
            ));
        }
        if let (Some(true), Some(edge)) = (is_weight, &mut self.edge)
            && edge.weight.is_none()
        {
            edge.weight = Some(element.required("value")?);
        }
        Ok(Place::Other)
    }

    fn end(&mut self, place: Place, line: u64) -> Result<(), Problem> {
        match place {
            Place::AttributeDefault if self.open_weight => {
                self.default = Some(self.text.trim().to_string());
            }
            Place::Edge => {
                if let Some(edge) = self.edge.take() {
                    let entry = Entry {
                        tail: self.vertices.mention(edge.source.as_bytes(), line)?,
                        head: self.vertices.mention(edge.target.as_bytes(), line)?,
                        undirected: edge.undirected,
                        line,
                    };
                    let weight = edge.weight.as_ref().or(self.default.as_ref());
                    let weight = weight.map(|text| text.trim().as_bytes());
                    self.weight.push(&mut self.edges, &entry, weight)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
