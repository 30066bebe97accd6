//! Adds scores to the GraphML or GEXF file that a graph was read from.
//!
//! The copy of the file has the score of each vertex, and perhaps of each edge, as an attribute
//! `betweenness`. Ids, labels, other attributes, positions and comments do not change. If the file
//! has an attribute of this name already, its values are replaced.

use std::io::{self, Write};
use std::sync::Arc;

use quick_xml::escape::escape;
use quick_xml::events::{BytesEnd, BytesStart, Event};
use quick_xml::{Reader, Writer};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Format;
use super::attributes::Asked;
use super::xml::{Element, problem};
use super::xml_graph::{Attribute, Owner, Place, XmlGraph};
use crate::error::Problem;
use crate::input::{LineReader, Stream};
use crate::{Graph, LabelChoice, Vertex};

/// The name of the attribute that holds scores.
const NAME: &str = "betweenness";

/// Copies `input`, which `graph` was read from, to `out`, with these scores.
///
/// # Errors
/// The errors of `input` and `out`, `InvalidInput` if `format` is neither GraphML nor GEXF, and
/// `InvalidData` if the file is not the one that the graph was read from.
pub(crate) fn decorate(
    input: Stream<'_>,
    format: Format,
    graph: &Graph,
    (vertices, edges): (&[f64], Option<&[f64]>),
    out: &mut dyn Write,
) -> io::Result<()> {
    if !matches!(format, Format::Graphml | Format::Gexf) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut lines = LineReader::new(input, Arc::default())?;
    let mut reader = Reader::from_reader(&mut lines);
    // End tags are copied with their blanks. Their names were checked when the graph was read.
    reader.config_mut().trim_markup_names_in_closing_tags = false;
    reader.config_mut().check_end_names = false;
    let asked = Asked {
        weights: None,
        labels: &LabelChoice::Id,
        vertex_weights: None,
    };
    let mut copy = Copy {
        body: XmlGraph::new(asked, format == Format::Gexf)?,
        scores: Scores {
            directed: graph.directed(),
            vertices,
            edges: edges.map(|edges| graph.ends().zip(edges.iter().copied()).collect()),
        },
        ids: FxHashSet::default(),
        attributes: [None, None],
        open: Vec::new(),
        out: Writer::new(out),
    };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        match event.map_err(|error| problem(&error))? {
            Event::Start(start) => copy.start(&start, false)?,
            Event::Empty(start) => copy.start(&start, true)?,
            Event::End(end) => copy.end(&end)?,
            Event::Eof => break,
            other if copy.copies() => copy.out.write_event(other)?,
            _ => {}
        }
    }
    match copy.body.graph.vertices() == graph.vertices() {
        true => Ok(()),
        false => Err(changed()),
    }
}

fn changed() -> io::Error {
    let text = "the file of the graph has changed since it was read (run again)";
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// The scores of a graph.
struct Scores<'a> {
    directed: bool,
    vertices: &'a [f64],
    /// The scores of edges by their ends in the graph, if there are some.
    edges: Option<FxHashMap<[Vertex; 2], f64>>,
}

impl Scores<'_> {
    /// Returns the score of an edge of the file, if edges have scores.
    fn edge_score(&self, [tail, head]: [Vertex; 2], undirected: bool) -> io::Result<Option<f64>> {
        let Some(scores) = &self.edges else {
            return Ok(None);
        };
        let score = |tail, head| scores.get(&[tail, head]).copied().ok_or_else(changed);
        Ok(Some(match (self.directed, undirected) {
            _ if tail == head => 0.0,
            (false, _) => score(tail.min(head), tail.max(head))?,
            (true, false) => score(tail, head)?,
            (true, true) => score(tail, head)? + score(head, tail)?,
        }))
    }
}

/// An element that is open.
struct Open {
    place: Place,
    /// Whether it is copied.
    copied: bool,
    /// The score of a vertex or an edge that has not been written yet.
    score: Option<f64>,
}

/// A copy of a file while it is written.
struct Copy<'a, W: Write> {
    body: XmlGraph,
    scores: Scores<'a>,
    /// The ids of all declared attributes.
    ids: FxHashSet<String>,
    /// The ids of the attributes that hold scores of vertices and of edges.
    attributes: [Option<String>; 2],
    open: Vec<Open>,
    out: Writer<W>,
}

impl<W: Write> Copy<'_, W> {
    /// Returns the kinds of elements that have scores.
    fn scored(&self) -> &'static [Owner] {
        match self.scores.edges {
            Some(_) => &[Owner::Vertices, Owner::Edges],
            None => &[Owner::Vertices],
        }
    }

    /// Returns whether the content of the open element is copied.
    fn copies(&self) -> bool {
        self.open.last().is_none_or(|open| open.copied)
    }

    fn start(&mut self, start: &BytesStart<'_>, is_empty: bool) -> io::Result<()> {
        let element = Element(start);
        let name = start.name();
        let prefix = prefix(name.as_ref());
        let outer = self.open.last().map(|open| open.place);
        let place = self.body.start(outer, &element)?;
        if let Some(attribute) = self.body.declared.take() {
            self.note_attribute(attribute);
        }
        let starts_graph = match self.body.is_gexf {
            true => matches!(element.name(), "nodes" | "edges") && place == Place::Graph,
            false => outer == Some(Place::Root) && place == Place::Graph,
        };
        if starts_graph {
            self.declare(prefix)?;
        }
        // The values of a vertex of GraphML stand in front of its graph.
        if !self.body.is_gexf && (outer, place) == (Some(Place::Node), Place::Graph) {
            self.add_to_last(prefix, Owner::Vertices)?;
        }
        let is_old = self.is_old(outer, &element)?;
        let open = Open {
            place,
            copied: self.copies() && !is_old,
            score: self.score(place)?,
        };
        let outer_waits = || self.open.last().is_some_and(|outer| outer.score.is_some());
        let grows = open.score.is_some() || matches!(place, Place::Values(_)) && outer_waits();
        let copied = open.copied;
        self.open.push(open);
        match is_empty && !grows {
            _ if !copied => {}
            true => self.out.write_event(Event::Empty(start.borrow()))?,
            false => self.out.write_event(Event::Start(start.borrow()))?,
        }
        match is_empty {
            true if grows => self.end(&start.to_end()),
            true => self.close(),
            false => Ok(()),
        }
    }

    fn end(&mut self, end: &BytesEnd<'_>) -> io::Result<()> {
        let name = end.name();
        let prefix = prefix(name.as_ref());
        match self.open.last().map(|open| open.place) {
            Some(Place::Node) => self.add_to_last(prefix, Owner::Vertices)?,
            Some(Place::Edge) => self.add_to_last(prefix, Owner::Edges)?,
            Some(Place::Values(owner)) => {
                let outer = self.open.iter_mut().rev().nth(1);
                let score = outer.and_then(|outer| outer.score.take());
                score.map_or(Ok(()), |score| self.add(prefix, owner, score))?;
            }
            _ => {}
        }
        if self.copies() {
            self.out.write_event(Event::End(end.borrow()))?;
        }
        self.close()
    }

    /// Closes the open element.
    fn close(&mut self) -> io::Result<()> {
        if let Some(open) = self.open.pop() {
            self.body.end(open.place, 0)?;
        }
        Ok(())
    }

    /// Keeps the id of a declared attribute, and whether it holds scores.
    fn note_attribute(&mut self, attribute: Attribute) {
        let is_number = matches!(attribute.kind.as_deref(), Some("double" | "float"));
        if is_number && attribute.name.as_deref() == Some(NAME) {
            let scored = self
                .scored()
                .iter()
                .filter(|owner| attribute.owners.contains(owner));
            for &owner in scored {
                self.attributes[owner as usize] = Some(attribute.id.clone());
            }
        }
        self.ids.insert(attribute.id);
    }

    /// Declares the attributes of scores that the file does not declare.
    fn declare(&mut self, prefix: &str) -> io::Result<()> {
        for &owner in self.scored() {
            if self.attributes[owner as usize].is_some() {
                continue;
            }
            let (class, usual) = match owner {
                Owner::Vertices => ("node", NAME),
                Owner::Edges => ("edge", "edge-betweenness"),
            };
            let (mut id, mut number) = (usual.to_string(), 1);
            while !self.ids.insert(id.clone()) {
                number += 1;
                id = format!("{usual}-{number}");
            }
            let attribute = match self.body.is_gexf {
                true => format!(
                    "<{prefix}attributes class=\"{class}\"><{prefix}attribute id=\"{id}\" \
                     title=\"{NAME}\" type=\"double\"/></{prefix}attributes>"
                ),
                false => format!(
                    "<{prefix}key id=\"{id}\" for=\"{class}\" attr.name=\"{NAME}\" \
                     attr.type=\"double\"/>"
                ),
            };
            let indent = 2 * self.open.len();
            write!(self.out.get_mut(), "{attribute}\n{:indent$}", "")?;
            self.attributes[owner as usize] = Some(id);
        }
        Ok(())
    }

    /// Returns whether an element is an earlier score, which is left out.
    fn is_old(&self, outer: Option<Place>, element: &Element<'_>) -> Result<bool, Problem> {
        let (owner, id) = match (outer, element.name()) {
            (Some(Place::Node), "data") => (Owner::Vertices, element.attribute("key")?),
            (Some(Place::Edge), "data") => (Owner::Edges, element.attribute("key")?),
            (Some(Place::Values(owner)), "attvalue") => (owner, Some(element.value_id()?)),
            _ => return Ok(false),
        };
        Ok(id.is_some() && id == self.attributes[owner as usize])
    }

    /// Returns the score of the vertex or the edge that starts.
    fn score(&mut self, place: Place) -> io::Result<Option<f64>> {
        match place {
            Place::Node => {
                let vertex = self.body.vertices.last().copied().unwrap_or_default();
                let score = self.scores.vertices.get(vertex as usize);
                score.copied().map(Some).ok_or_else(changed)
            }
            Place::Edge => {
                let Some(edge) = self.body.edge.take() else {
                    return Ok(None);
                };
                // Vertices have the same numbers as in the graph.
                let mut end = |id: &str| self.body.graph.mention(id.as_bytes(), 1);
                let ends = [end(&edge.source)?, end(&edge.target)?];
                self.scores.edge_score(ends, edge.undirected)
            }
            _ => Ok(None),
        }
    }

    /// Writes the score of the open vertex or edge, if it is not written yet.
    fn add_to_last(&mut self, prefix: &str, owner: Owner) -> io::Result<()> {
        let Some(score) = self.open.last_mut().and_then(|open| open.score.take()) else {
            return Ok(());
        };
        if !self.body.is_gexf {
            return self.add(prefix, owner, score);
        }
        write!(self.out.get_mut(), "<{prefix}attvalues>")?;
        self.add(prefix, owner, score)?;
        write!(self.out.get_mut(), "</{prefix}attvalues>")
    }

    /// Writes a score.
    fn add(&mut self, prefix: &str, owner: Owner, score: f64) -> io::Result<()> {
        let id = escape(self.attributes[owner as usize].as_deref().unwrap_or(NAME)).into_owned();
        let gexf = self.body.is_gexf;
        let out = self.out.get_mut();
        match gexf {
            true => write!(out, "<{prefix}attvalue for=\"{id}\" value=\"{score}\"/>"),
            false => write!(out, "<{prefix}data key=\"{id}\">{score}</{prefix}data>"),
        }
    }
}

/// Returns the prefix of a name, with its colon.
fn prefix(name: &str) -> &str {
    name.rfind(':').map_or("", |colon| &name[..=colon])
}
