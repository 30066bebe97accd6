//! What GraphML and GEXF share: one graph, its vertices called by the ids of their `node` elements
//! or by a declared attribute, its edges with weights that are values of a declared attribute, or
//! that attribute's default.

use quick_xml::Reader;
use quick_xml::events::Event;
use rustc_hash::FxHashMap;

use super::attributes::AttributedGraph;
use super::parsed::Parsed;
use super::xml::{Element, problem, text};
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::shown;
use crate::{LabelChoice, Vertex, WeightOptions};

/// An element that is open.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Root,
    /// Declarations of attributes.
    Attributes(&'static [Of]),
    Attribute,
    /// The default of the attribute that is open.
    Default,
    Graph,
    Nodes,
    Node,
    Edges,
    Edge,
    Values(Of),
    /// Text that is the weight of the edge that is open.
    Weight,
    /// Text that is a label of the vertex that is open: the position of its attribute among those
    /// that vertices may be called by.
    Label(usize),
    /// Anything else, with all that is in it.
    Other,
}

/// What an attribute is of.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Of {
    Vertices,
    Edges,
}

/// How a format is called, and what its elements mean.
pub(crate) struct Dialect {
    pub(super) name: &'static str,
    /// The outermost element.
    pub(super) root: &'static str,
    /// Whether an edge without a weight has one of 1.
    pub(super) missing_is_1: bool,
    /// Attributes that vertices are called by, the preferred one first.
    pub(super) names: &'static [&'static str],
    /// What an element in a place is.
    pub(super) start: fn(&mut Body, Place, &Element<'_>) -> Result<Place, Problem>,
}

/// An attribute that the file declares.
pub(super) struct Attribute {
    pub of: &'static [Of],
    pub id: String,
    pub name: Option<String>,
    /// The type of its values, which may be anything.
    pub kind: Option<String>,
}

/// An edge that is being read.
pub(super) struct OpenEdge {
    pub source: String,
    pub target: String,
    pub undirected: bool,
    weight: Option<String>,
}

/// What was read so far.
pub(super) struct Body {
    pub graph: AttributedGraph,
    /// The attribute that was declared last.
    pub declared: Option<Attribute>,
    /// Declared attributes of edges: whether it is their weight.
    weights: FxHashMap<String, bool>,
    /// Declared attributes that vertices may be called by, with their positions among these.
    names: FxHashMap<String, usize>,
    /// Whether the attribute that is open is the weight.
    open_weight: bool,
    /// The weight of edges without a value.
    default: Option<String>,
    /// Vertices that are open, one inside the other.
    pub vertices: Vec<Vertex>,
    pub edge: Option<OpenEdge>,
    text: String,
}

/// Reads the one graph of the file.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
    labels: &LabelChoice,
    dialect: &Dialect,
) -> Result<Parsed, Problem> {
    let mut body = Body::new(weights, labels, dialect)?;
    let mut reader = Reader::from_reader(lines);
    reader.config_mut().expand_empty_elements = true;
    let mut buffer = Vec::new();
    let mut places: Vec<Place> = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        match event.map_err(|error| problem(&error))? {
            Event::Start(start) => {
                let place = dialect.place(&mut body, places.last(), &Element(&start))?;
                if is_text(place) {
                    body.text.clear();
                }
                places.push(place);
            }
            Event::End(_) => {
                if let Some(place) = places.pop() {
                    body.end(place, reader.get_ref().number())?;
                }
            }
            Event::Eof if places.is_empty() => break,
            Event::Eof => {
                refuse!("the file ends while an element is open (fetch or export the file again)")
            }
            other => {
                let text = text(other)?.filter(|_| places.last().copied().is_some_and(is_text));
                body.text.extend(text);
            }
        }
    }
    body.graph.finish(dialect.name, "export it again")
}

/// Whether the text in an element counts.
fn is_text(place: Place) -> bool {
    matches!(place, Place::Weight | Place::Default | Place::Label(_))
}

impl Dialect {
    /// What an element is inside of another one, or outside of all.
    pub(super) fn place(
        &self,
        body: &mut Body,
        outer: Option<&Place>,
        element: &Element<'_>,
    ) -> Result<Place, Problem> {
        match outer {
            Some(&place) => (self.start)(body, place, element),
            None if element.name() == self.root => Ok(Place::Root),
            None => Err(self.wrong_root(element.name())),
        }
    }

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
    /// Prepares for a file of this dialect.
    ///
    /// # Errors
    /// [`Problem`] if weights are asked for in a column.
    pub fn new(
        weights: Option<&WeightOptions>,
        labels: &LabelChoice,
        dialect: &Dialect,
    ) -> Result<Body, Problem> {
        let mut graph = AttributedGraph::new(weights, labels, dialect.names)?;
        if dialect.missing_is_1 {
            graph.take_missing_for_one();
        }
        Ok(Body {
            graph,
            declared: None,
            weights: FxHashMap::default(),
            names: FxHashMap::default(),
            open_weight: false,
            default: None,
            vertices: Vec::new(),
            edge: None,
            text: String::new(),
        })
    }

    /// Declares an attribute. One without a name is called by its id.
    pub fn declare(&mut self, attribute: Attribute) -> Place {
        let Attribute { of, id, name, .. } = &attribute;
        let name = name.as_ref().unwrap_or(id).as_bytes();
        self.open_weight = of.contains(&Of::Edges) && self.graph.is_weight(name);
        if of.contains(&Of::Edges) {
            self.weights.insert(id.clone(), self.open_weight);
        }
        if of.contains(&Of::Vertices)
            && let Some(candidate) = self.graph.candidate(name)
        {
            self.names.insert(id.clone(), candidate);
        }
        self.declared = Some(attribute);
        Place::Attribute
    }

    /// Whether values of the attribute `id` are weights; `kind` is how messages call attributes.
    pub fn is_weight(&self, id: &str, kind: &str, remedy: &str) -> Result<bool, Problem> {
        match self.weights.get(id) {
            None if self.graph.weights_asked() => Err(malformed!(
                "the {kind} {} is not declared ({remedy})",
                shown(id.as_bytes())
            )),
            is_weight => Ok(is_weight == Some(&true)),
        }
    }

    /// The position of the attribute `id` among those that vertices may be called by.
    pub fn candidate(&self, id: &str) -> Option<usize> {
        self.names.get(id).copied()
    }

    /// Starts a vertex.
    pub fn vertex(&mut self, element: &Element<'_>) -> Result<Place, Problem> {
        let id = element.required("id")?;
        let vertex = self.graph.declare(id.as_bytes())?;
        self.vertices.push(vertex);
        Ok(Place::Node)
    }

    /// Gives the vertex that is open a label.
    pub fn label(&mut self, candidate: usize, label: &str) {
        if let Some(&vertex) = self.vertices.last() {
            self.graph.label(vertex, candidate, label.as_bytes());
        }
    }

    /// Starts an edge.
    pub fn edge(
        &mut self,
        element: &Element<'_>,
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

    /// Ends the element that is open, in this line.
    pub fn end(&mut self, place: Place, line: u64) -> Result<(), Problem> {
        match place {
            Place::Default if self.open_weight => self.default = Some(self.text.clone()),
            Place::Weight => {
                let text = std::mem::take(&mut self.text);
                if !self.set_weight(&text) {
                    refuse!("the edge has a second weight (state it once)");
                }
            }
            Place::Label(candidate) => {
                let text = std::mem::take(&mut self.text);
                self.label(candidate, &text);
            }
            Place::Node => {
                self.vertices.pop();
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
