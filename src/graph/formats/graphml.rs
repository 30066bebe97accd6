//! GraphML: one graph, its vertices called by the ids of their `node` elements.
//!
//! Weights are the data of a key whose `attr.name` is asked for, or that key's default. Whether an
//! edge is an arc is what it says itself, else what `edgedefault` says.

use rustc_hash::FxHashMap;

use super::attributes::{Entry, WeightAttribute};
use super::names::Declared;
use super::parsed::Parsed;
use super::xml::{Element, Piece, Xml};
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::tokens::shown;
use crate::graph::{EdgeList, WeightOptions};

/// An element that is open.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Graphml,
    Key,
    KeyDefault,
    Graph,
    Node,
    Edge,
    /// Data of an edge that is its weight.
    Weight,
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
    /// Keys of data of edges: whether it is their weight.
    keys: FxHashMap<String, bool>,
    /// The weight of edges without data.
    default: Option<String>,
    /// Whether edges are arcs unless they say otherwise; `None` before the graph.
    directed: Option<bool>,
    /// Whether the key that is open is that of the weight.
    key_of_weight: bool,
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
        keys: FxHashMap::default(),
        default: None,
        directed: None,
        key_of_weight: false,
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
                if let Some(Place::Weight | Place::KeyDefault) = places.last() {
                    body.text.push_str(&text);
                }
            }
            Piece::Eof => break,
        }
    }
    if body.directed.is_none() {
        return Err(Problem::Unfit {
            what: "there is no graph in this GraphML file".into(),
            remedy: "export it again",
        });
    }
    let labels = body.vertices.into_labels()?;
    body.weight.finish()?;
    Ok(Parsed::new(body.edges, labels))
}

fn unsupported(what: &str, remedy: &'static str) -> Problem {
    Problem::malformed(format!("{what} are not supported"), remedy)
}

impl Body {
    fn start(&mut self, place: Option<Place>, element: &Element) -> Result<Place, Problem> {
        Ok(match (place, element.name()) {
            (None, "graphml") => Place::Graphml,
            (None, name) => {
                return Err(Problem::malformed(
                    format!("the outermost element is {}", shown(name.as_bytes())),
                    "in GraphML it is graphml; choose another --format",
                ));
            }
            (Some(Place::Graphml), "key") => self.key(element)?,
            (Some(Place::Key), "default") => {
                self.text.clear();
                Place::KeyDefault
            }
            (Some(Place::Graphml), "graph") => self.graph(element)?,
            (Some(Place::Graph), "node") => {
                self.vertices.declare(element.required("id")?.as_bytes())?;
                Place::Node
            }
            (Some(Place::Graph), "edge") => self.edge(element)?,
            (Some(Place::Graph), "hyperedge") => {
                return Err(unsupported("hyperedges", "write them as edges"));
            }
            (Some(Place::Node | Place::Edge | Place::Graph), "graph") => {
                return Err(unsupported("nested graphs", "keep one flat graph per file"));
            }
            (Some(Place::Edge), "data") => self.data(element)?,
            _ => Place::Other,
        })
    }

    fn key(&mut self, element: &Element) -> Result<Place, Problem> {
        let id = element.required("id")?;
        let domain = element.attribute("for")?;
        if matches!(domain.as_deref(), None | Some("edge" | "all")) {
            let name = element.attribute("attr.name")?;
            self.key_of_weight = self
                .weight
                .is_called(name.as_deref().unwrap_or(&id).as_bytes());
            self.keys.insert(id, self.key_of_weight);
        } else {
            self.key_of_weight = false;
        }
        Ok(Place::Key)
    }

    fn graph(&mut self, element: &Element) -> Result<Place, Problem> {
        if self.directed.is_some() {
            return Err(unsupported("several graphs", "keep one graph per file"));
        }
        self.directed = match element.attribute("edgedefault")?.as_deref() {
            None | Some("undirected") => Some(false),
            Some("directed") => Some(true),
            Some(other) => {
                return Err(Problem::malformed(
                    format!("edgedefault is {}", shown(other.as_bytes())),
                    "write directed or undirected",
                ));
            }
        };
        Ok(Place::Graph)
    }

    fn edge(&mut self, element: &Element) -> Result<Place, Problem> {
        let undirected = match element.attribute("directed")?.as_deref() {
            None => self.directed == Some(false),
            Some("true" | "1") => false,
            Some("false" | "0") => true,
            Some(other) => {
                return Err(Problem::malformed(
                    format!("directed is {}", shown(other.as_bytes())),
                    "write true or false",
                ));
            }
        };
        self.edge = Some(OpenEdge {
            source: element.required("source")?,
            target: element.required("target")?,
            undirected,
            weight: None,
        });
        Ok(Place::Edge)
    }

    fn data(&mut self, element: &Element) -> Result<Place, Problem> {
        let key = element.required("key")?;
        match self.keys.get(&key) {
            Some(true) => {
                self.text.clear();
                Ok(Place::Weight)
            }
            None if self.weight.asked() => Err(Problem::malformed(
                format!("the key {} is not declared", shown(key.as_bytes())),
                "declare it before the graph: <key id=... for=\"edge\" attr.name=... />",
            )),
            Some(false) | None => Ok(Place::Other),
        }
    }

    fn end(&mut self, place: Place, line: u64) -> Result<(), Problem> {
        match (place, &mut self.edge) {
            (Place::KeyDefault, _) if self.key_of_weight => {
                self.default = Some(self.text.trim().to_string());
            }
            (Place::Weight, Some(edge)) if edge.weight.is_some() => {
                return Err(Problem::malformed(
                    "the edge has a second weight",
                    "state it once",
                ));
            }
            (Place::Weight, Some(edge)) => {
                edge.weight = Some(self.text.trim().to_string());
            }
            (Place::Edge, edge) => {
                if let Some(edge) = edge.take() {
                    let entry = Entry {
                        tail: self.vertices.mention(edge.source.as_bytes(), line)?,
                        head: self.vertices.mention(edge.target.as_bytes(), line)?,
                        undirected: edge.undirected,
                        line,
                    };
                    let weight = edge.weight.as_ref().or(self.default.as_ref());
                    let weight = weight.map(|text| text.as_bytes());
                    self.weight.push(&mut self.edges, &entry, weight)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
