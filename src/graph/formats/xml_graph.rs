//! What GraphML and GEXF share: one graph, its vertices called by the ids of their `node` elements,
//! its edges with weights that are values of a declared attribute, or that attribute's default.

use rustc_hash::FxHashMap;

use super::attributes::AttributedGraph;
use super::parsed::Parsed;
use super::xml::{Element, Piece, Xml};
use crate::graph::WeightOptions;
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::tokens::shown;

/// An element that is open.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Root,
    /// Declarations of attributes of edges.
    Attributes,
    Attribute,
    /// The default of the attribute that is open.
    Default,
    Graph,
    Nodes,
    Node,
    Edges,
    Edge,
    Values,
    /// Text that is the weight of the edge that is open.
    Weight,
    /// Anything else, with all that is in it.
    Other,
}

/// How a format is called, and what its elements mean.
pub(in crate::graph) struct Dialect {
    pub(super) name: &'static str,
    /// The outermost element.
    pub(super) root: &'static str,
    /// Whether an edge without a weight has one of 1.
    pub(super) missing_is_1: bool,
    /// What an element in a place is.
    pub(super) start: fn(&mut Body, Place, &Element) -> Result<Place, Problem>,
}

/// An edge that is being read.
struct OpenEdge {
    source: String,
    target: String,
    undirected: bool,
    weight: Option<String>,
}

/// What was read so far.
pub(super) struct Body {
    pub graph: AttributedGraph,
    /// Declared attributes of edges: whether it is their weight.
    declared: FxHashMap<String, bool>,
    /// Whether the attribute that is open is the weight.
    open_weight: bool,
    /// The weight of edges without a value.
    default: Option<String>,
    edge: Option<OpenEdge>,
    text: String,
}

/// Reads the one graph of the file.
pub(in crate::graph) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
    dialect: &Dialect,
) -> Result<Parsed, Problem> {
    let mut graph = AttributedGraph::new(weights)?;
    if dialect.missing_is_1 {
        graph.take_missing_for_1();
    }
    let mut body = Body {
        graph,
        declared: FxHashMap::default(),
        open_weight: false,
        default: None,
        edge: None,
        text: String::new(),
    };
    let mut xml = Xml::new(lines);
    let mut places: Vec<Place> = Vec::new();
    loop {
        match xml.next()? {
            Piece::Start(element) => {
                let place = match places.last() {
                    Some(&place) => (dialect.start)(&mut body, place, &element)?,
                    None if element.name() == dialect.root => Place::Root,
                    None => return Err(dialect.wrong_root(element.name())),
                };
                if matches!(place, Place::Weight | Place::Default) {
                    body.text.clear();
                }
                places.push(place);
            }
            Piece::End => {
                if let Some(place) = places.pop() {
                    body.end(place, xml.line())?;
                }
            }
            Piece::Text(text) => {
                if let Some(Place::Weight | Place::Default) = places.last() {
                    body.text.push_str(&text);
                }
            }
            Piece::Eof => break,
        }
    }
    body.graph.finish(dialect.name, "export it again")
}

impl Dialect {
    fn wrong_root(&self, found: &str) -> Problem {
        malformed!(
            "the outermost element is {} (in {} it is {}; choose another --format)",
            shown(found.as_bytes()),
            self.name,
            self.root
        )
    }
}

impl Body {
    /// Declares an attribute of edges.
    pub fn declare(&mut self, id: String, name: Option<&str>) -> Place {
        self.open_weight = self.graph.is_weight(name.unwrap_or(&id).as_bytes());
        self.declared.insert(id, self.open_weight);
        Place::Attribute
    }

    /// Whether values of the attribute `id` are weights; `kind` is how messages call attributes.
    pub fn is_weight(&self, id: &str, kind: &str, remedy: &str) -> Result<bool, Problem> {
        match self.declared.get(id) {
            None if self.graph.weights_asked() => Err(malformed!(
                "the {kind} {} is not declared ({remedy})",
                shown(id.as_bytes())
            )),
            is_weight => Ok(is_weight == Some(&true)),
        }
    }

    /// Starts an edge.
    pub fn edge(
        &mut self,
        element: &Element,
        undirected: bool,
        weight: Option<String>,
    ) -> Result<Place, Problem> {
        self.edge = Some(OpenEdge {
            source: element.required("source")?,
            target: element.required("target")?,
            undirected,
            weight,
        });
        Ok(Place::Edge)
    }

    /// Gives the edge that is open a weight, and tells whether it had none.
    pub fn set_weight(&mut self, weight: &str) -> bool {
        let Some(edge) = &mut self.edge else {
            return true;
        };
        let first = edge.weight.is_none();
        edge.weight.get_or_insert_with(|| weight.into());
        first
    }

    fn end(&mut self, place: Place, line: u64) -> Result<(), Problem> {
        match place {
            Place::Default if self.open_weight => self.default = Some(self.text.clone()),
            Place::Weight => {
                let text = std::mem::take(&mut self.text);
                if !self.set_weight(&text) {
                    refuse!("the edge has a second weight (state it once)");
                }
            }
            Place::Edge => {
                if let Some(edge) = self.edge.take() {
                    let ends = [edge.source.as_bytes(), edge.target.as_bytes()];
                    let weight = edge.weight.as_ref().or(self.default.as_ref());
                    let weight = weight.map(|text| text.trim().as_bytes());
                    self.graph.edge(ends, weight, edge.undirected, line)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
