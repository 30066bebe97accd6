//! GraphML and GEXF. The labels of vertices are the ids of their `node` elements or the values of
//! an attribute. Weights of edges are values of an attribute, or its default.
//!
//! GraphML declares attributes by `key`, GEXF by `attribute`. In GEXF, a `node` may also have its
//! label, and an `edge` its weight, as an XML attribute of the element. An edge may state whether
//! it is directed; the graph states this for all other edges. Vertices may hold graphs or vertices,
//! as groups of yEd do: these are read as parts of the one graph, beside the vertices that hold
//! them. Vertices and edges of a dynamic GEXF file, which exist for some time, are read like all
//! others.

use quick_xml::Reader;
use quick_xml::events::Event;
use rustc_hash::FxHashMap;

use super::attributes::AttributedGraph;
use super::parsed::Parsed;
use super::xml::{Element, problem, text};
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::shown;
use crate::{ReadOptions, Vertex};

const GROUPS: &str = "some vertices hold graphs: their vertices and edges were read as parts of \
                      the one graph, beside the vertices that hold them";

const TIMES: &str = "vertices and edges have times: those of all times were read as one graph \
                     (export one time for the graph of that time)";

/// The kind of an open element.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ElementKind {
    /// The document, in which the outermost element is.
    Document,
    Root,
    /// Declarations of attributes.
    Attributes(&'static [Owner]),
    Attribute,
    /// The default of the attribute that was declared last, which is read if it is a weight.
    Default,
    /// The graph, or a list of vertices or edges in it.
    Graph,
    Node,
    Edge,
    /// The values of attributes of the open vertex or edge, in GEXF.
    Values(Owner),
    /// Text that is the weight of the open edge.
    Weight,
    /// Text that is an attribute of the open vertex, with the index of the attribute.
    Value(usize),
    /// Text that yEd shows in the open vertex, with the index of the attribute that it is read as.
    NodeLabel(usize),
    /// An element that is skipped with all its content.
    Other,
}

impl ElementKind {
    /// Returns whether the text in this element is read.
    fn has_text(self) -> bool {
        matches!(self, ElementKind::Weight | ElementKind::Default)
            || matches!(self, ElementKind::Value(_) | ElementKind::NodeLabel(_))
    }
}

/// The kind of elements that have an attribute.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Owner {
    Vertices,
    Edges,
}

/// An edge that is being read.
pub(super) struct OpenEdge {
    /// The ids of both ends.
    pub ends: [String; 2],
    pub undirected: bool,
    weight: Option<String>,
}

/// A graph while its file is read.
#[derive(Default)]
pub(super) struct XmlGraph {
    pub graph: AttributedGraph,
    pub is_gexf: bool,
    /// Whether vertices, edges and values may exist for some time only.
    is_dynamic: bool,
    /// The open elements, the innermost last, each with its text without that of elements inside
    /// it. Only the text of some kinds is kept.
    open: Vec<(ElementKind, String)>,
    /// Whether the attribute that was declared last is the weight of edges.
    declares_weight: bool,
    /// Whether the attribute of edges with this id is the weight.
    edge_attributes: FxHashMap<String, bool>,
    /// The index of the attribute of vertices with this id, if it is read.
    vertex_attributes: FxHashMap<String, usize>,
    /// The text of the weight of edges without a value.
    default_weight: Option<String>,
    /// The vertices that are open, one inside the other.
    pub open_vertices: Vec<Vertex>,
    pub open_edge: Option<OpenEdge>,
}

/// Reads the one graph of the file.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    options: &ReadOptions,
    is_gexf: bool,
) -> Result<Parsed, Problem> {
    let mut xml_graph = XmlGraph::new(options, is_gexf)?;
    let mut reader = Reader::from_reader(lines);
    reader.config_mut().expand_empty_elements = true;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        match event.map_err(|error| problem(&error))? {
            Event::Start(start) => drop(xml_graph.start(&Element(&start))?),
            Event::End(_) => xml_graph.end(reader.get_ref().number)?,
            Event::Eof if xml_graph.open.is_empty() => break,
            Event::Eof => {
                refuse!("the file ends while an element is open (fetch or export the file again)")
            }
            other => {
                let part = text(other)?;
                let open = xml_graph.open.last_mut();
                if let Some((_, text)) = open.filter(|(kind, _)| kind.has_text()) {
                    text.extend(part);
                }
            }
        }
    }
    let name = if is_gexf { "GEXF" } else { "GraphML" };
    xml_graph.graph.finish(name, "export it again")
}

impl XmlGraph {
    /// Makes an empty graph for a file of GEXF or GraphML.
    ///
    /// # Errors
    /// As for [`AttributedGraph::new`].
    pub fn new(options: &ReadOptions, is_gexf: bool) -> Result<XmlGraph, Problem> {
        // igraph and Cytoscape write a name, Gephi writes a label.
        let names = match is_gexf {
            true => ["label", "name"],
            false => ["name", "label"],
        };
        let mut graph = AttributedGraph::new(options, &names)?;
        graph.missing_weight_is_one = is_gexf;
        Ok(XmlGraph {
            graph,
            is_gexf,
            ..XmlGraph::default()
        })
    }

    /// Returns the kind of the innermost open element.
    pub fn innermost(&self) -> ElementKind {
        let innermost = self.open.last();
        innermost.map_or(ElementKind::Document, |&(kind, _)| kind)
    }

    /// Reads the start of an element and returns its kind.
    pub fn start(&mut self, element: &Element<'_>) -> Result<ElementKind, Problem> {
        let root = if self.is_gexf { "gexf" } else { "graphml" };
        let kind = match (self.innermost(), element.name()) {
            (ElementKind::Document, name) if name == root => ElementKind::Root,
            (ElementKind::Document, name) => refuse!(
                "the outermost element is {}, not {root} (choose another --format)",
                shown(name.as_bytes())
            ),
            (ElementKind::Root, "key") => {
                let owners = owners(element.attribute("for")?.as_deref().unwrap_or("all"));
                self.declare(owners, element, "attr.name")?
            }
            (ElementKind::Graph, "attributes") => {
                let class = element.attribute("class")?;
                ElementKind::Attributes(owners(class.as_deref().unwrap_or_default()))
            }
            (ElementKind::Attributes(owners), "attribute") => {
                self.declare(owners, element, "title")?
            }
            (ElementKind::Attribute, "default") => ElementKind::Default,
            (ElementKind::Root, "graph") => {
                if self.graph.directed.is_some() {
                    refuse!("there is a second graph (keep one graph per file)")
                }
                let name = ["edgedefault", "defaultedgetype"][usize::from(self.is_gexf)];
                self.graph.directed = Some(is_directed(element.attribute(name)?, false)?);
                self.is_dynamic = element.attribute("mode")?.as_deref() == Some("dynamic");
                if self.is_dynamic {
                    self.graph.note(TIMES);
                }
                ElementKind::Graph
            }
            (ElementKind::Node, "graph") => {
                self.graph.note(GROUPS);
                ElementKind::Graph
            }
            (ElementKind::Edge | ElementKind::Graph, name @ ("graph" | "hyperedge")) => refuse!(
                "a {name} is not supported here (keep one flat graph, and edges with two ends)"
            ),
            (ElementKind::Graph | ElementKind::Node, "nodes" | "edges") => ElementKind::Graph,
            (ElementKind::Graph, "node") => self.node(element)?,
            (ElementKind::Graph, "edge") => self.edge(element)?,
            (ElementKind::Node, "data") => {
                let key = element.attribute("key")?;
                let attribute = key.and_then(|key| self.vertex_attributes.get(&key).copied());
                attribute.map_or(ElementKind::Other, ElementKind::Value)
            }
            (ElementKind::Other, "NodeLabel") if !self.open_vertices.is_empty() => {
                let attribute = self.graph.attribute(b"label");
                attribute.map_or(ElementKind::Other, ElementKind::NodeLabel)
            }
            (ElementKind::Edge, "data") if self.is_weight(&element.required("key")?)? => {
                ElementKind::Weight
            }
            (ElementKind::Node, "attvalues") => ElementKind::Values(Owner::Vertices),
            (ElementKind::Edge, "attvalues") => ElementKind::Values(Owner::Edges),
            (ElementKind::Values(owner), "attvalue") => {
                self.attribute_value(owner, element)?;
                ElementKind::Other
            }
            _ => ElementKind::Other,
        };
        self.open.push((kind, String::new()));
        Ok(kind)
    }

    /// Reads the value of an attribute of the open vertex or edge, in GEXF.
    fn attribute_value(&mut self, owner: Owner, element: &Element<'_>) -> Result<(), Problem> {
        // Older versions of the format have `id` in place of `for`.
        let id = element.attribute("for")?;
        let id = id.map_or_else(|| element.required("id"), Ok)?;
        if owner == Owner::Vertices {
            if let Some(&attribute) = self.vertex_attributes.get(&id) {
                self.set_attribute(attribute, &element.required("value")?);
            }
        } else if self.is_weight(&id)? {
            // The first weight counts; an attribute of the element `edge` comes before all others.
            let first = self.set_weight(element.required("value")?);
            if !first && self.graph.asks_for_weights() && self.is_dynamic {
                refuse!(
                    "the edge has several weights, of different times (export one time, or leave \
                     --weighted out)"
                );
            }
        }
        Ok(())
    }

    /// Declares an attribute. If it has no name, its id serves as the name.
    fn declare(
        &mut self,
        owners: &'static [Owner],
        element: &Element<'_>,
        name: &str,
    ) -> Result<ElementKind, Problem> {
        let id = element.required("id")?;
        let name = element.attribute(name)?;
        let known_as = name.as_ref().unwrap_or(&id).as_bytes();
        self.declares_weight = false;
        if owners.contains(&Owner::Edges) {
            self.declares_weight = self.graph.is_weight(known_as);
            (self.edge_attributes).insert(id.clone(), self.declares_weight);
        }
        if owners.contains(&Owner::Vertices) {
            let index = self.graph.attribute(known_as);
            let read = index.map(|index| (id, index));
            self.vertex_attributes.extend(read);
        }
        Ok(ElementKind::Attribute)
    }

    fn node(&mut self, element: &Element<'_>) -> Result<ElementKind, Problem> {
        let id = element.required("id")?;
        let vertex = self.graph.declare(id.as_bytes())?;
        self.open_vertices.push(vertex);
        if self.is_gexf
            && let Some(label) = element.attribute("label")?
            && let Some(attribute) = self.graph.attribute(b"label")
        {
            self.set_attribute(attribute, &label);
        }
        Ok(ElementKind::Node)
    }

    fn edge(&mut self, element: &Element<'_>) -> Result<ElementKind, Problem> {
        let mut weight = None;
        let kind = if self.is_gexf {
            weight = element.attribute("weight")?;
            weight = weight.filter(|_| self.graph.is_weight(b"weight"));
            element.attribute("type")?
        } else {
            element.attribute("directed")?
        };
        let directed = is_directed(kind, self.graph.directed == Some(true))?;
        self.open_edge = Some(OpenEdge {
            ends: [element.required("source")?, element.required("target")?],
            undirected: !directed,
            weight,
        });
        Ok(ElementKind::Edge)
    }

    /// Returns whether values of the attribute `id` are weights.
    fn is_weight(&self, id: &str) -> Result<bool, Problem> {
        match self.edge_attributes.get(id) {
            None if self.graph.asks_for_weights() => Err(malformed!(
                "the attribute {} of edges is not declared (declare it before the edges by an \
                 element {})",
                shown(id.as_bytes()),
                if self.is_gexf { "attribute" } else { "key" }
            )),
            is_weight => Ok(is_weight == Some(&true)),
        }
    }

    /// Sets an attribute of the open vertex.
    fn set_attribute(&mut self, attribute: usize, value: &str) {
        if let Some(&vertex) = self.open_vertices.last() {
            self.graph
                .set_attribute(vertex, attribute, value.as_bytes());
        }
    }

    /// Sets the weight of the open edge if it has none, and returns whether it had none.
    fn set_weight(&mut self, weight: String) -> bool {
        let Some(edge) = &mut self.open_edge else {
            return true;
        };
        let first = edge.weight.is_none();
        edge.weight.get_or_insert(weight);
        first
    }

    /// Reads the end of the innermost open element, which is in `line`.
    pub fn end(&mut self, line: u64) -> Result<(), Problem> {
        let Some((kind, text)) = self.open.pop() else {
            return Ok(());
        };
        match kind {
            ElementKind::Default if self.declares_weight => self.default_weight = Some(text),
            ElementKind::Weight => {
                let is_first = self.set_weight(text);
                if !is_first {
                    refuse!("the edge has a second weight (state it once)");
                }
            }
            ElementKind::Value(attribute) => self.set_attribute(attribute, &text),
            ElementKind::NodeLabel(attribute) => self.set_attribute(attribute, text.trim()),
            ElementKind::Node => {
                self.open_vertices.pop();
            }
            ElementKind::Edge => {
                if let Some(edge) = self.open_edge.take() {
                    let mut end = |id: &String| self.graph.mention(id.as_bytes(), line);
                    let ends = [end(&edge.ends[0])?, end(&edge.ends[1])?];
                    let weight = edge.weight.as_ref().or(self.default_weight.as_ref());
                    let weight = weight.map(|text| text.trim().as_bytes());
                    self.graph.add_edge(ends, weight, edge.undirected, line)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the kinds of elements that an attribute is declared for.
fn owners(class: &str) -> &'static [Owner] {
    match class {
        "all" => &[Owner::Vertices, Owner::Edges],
        "edge" => &[Owner::Edges],
        "node" => &[Owner::Vertices],
        _ => &[],
    }
}

/// Returns whether edges of a type are arcs, or `default` if there is no type.
fn is_directed(kind: Option<String>, default: bool) -> Result<bool, Problem> {
    match kind.as_deref() {
        None => Ok(default),
        Some("directed" | "true" | "1") => Ok(true),
        Some("undirected" | "mutual" | "false" | "0") => Ok(false),
        Some(kind) => Err(malformed!(
            "the type of edges is {} (write directed or undirected, and in an edge of GraphML true \
             or false)",
            shown(kind.as_bytes())
        )),
    }
}
