//! Copies the GraphML or GEXF file that a graph was read from, and adds scores.
//!
//! The copy has the scores of each vertex, and perhaps of each edge, as attributes. Ids, labels,
//! other attributes, positions and comments do not change. A score whose name the file already uses
//! for an attribute gets a number behind its name.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use quick_xml::events::{BytesEnd, BytesStart, Event};
use quick_xml::{Reader, Writer};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Format;
use super::xml::{Element, problem};
use super::xml_graph::{ElementKind, Owner, XmlGraph};
use crate::input::{LineReader, Stream};
use crate::write::Shortest;
use crate::{Graph, LabelChoice, NamedScores, ReadOptions, Vertex};

/// The names of vertices and of edges in declarations, and the prefixes of the ids of attributes
/// that hold their scores.
const CLASSES: [(&str, &str); 2] = [("node", ""), ("edge", "edge-")];

/// Copies `input`, which `graph` was read from, to `out`, with these scores.
///
/// # Errors
/// The errors of `input` and `out`, `InvalidInput` if `format` is neither GraphML nor GEXF, and
/// `InvalidData` if the file is not the one that the graph was read from.
pub(crate) fn decorate(
    input: Stream<'_>,
    format: Format,
    graph: &Graph,
    columns: [&[NamedScores]; 2],
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
    let options = ReadOptions {
        labels: LabelChoice::Id,
        ..ReadOptions::default()
    };
    let mut copy = ScoredCopy {
        xml_graph: XmlGraph::new(&options, format == Format::Gexf)?,
        directed: graph.directed(),
        columns,
        edge_numbers: match columns[1] {
            [] => FxHashMap::default(),
            _ => graph.ends().zip(0..).collect(),
        },
        taken: FxHashSet::default(),
        score_ids: Default::default(),
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
            other => copy.out.write_event(other)?,
        }
    }
    match copy.xml_graph.graph.vertices() == graph.vertices() {
        true => Ok(()),
        false => Err(changed()),
    }
}

fn changed() -> io::Error {
    let text = "the file of the graph has changed since it was read (run again)";
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// The copy of a file while it is written.
struct ScoredCopy<'a, W: Write> {
    /// The part of the file that was read so far.
    xml_graph: XmlGraph,
    /// Whether the graph is directed.
    directed: bool,
    /// The scores of vertices and of edges.
    columns: [&'a [NamedScores<'a>]; 2],
    /// The numbers of edges by their ends in the graph, if edges have scores.
    edge_numbers: FxHashMap<[Vertex; 2], usize>,
    /// The ids and the names of all attributes that the file declares.
    taken: FxHashSet<String>,
    /// The ids of the attributes that hold the scores of vertices and of edges, once declared.
    score_ids: [Vec<String>; 2],
    /// The scores of each open element, the innermost last, that have not been written yet. Only
    /// vertices and edges have some.
    open: Vec<Vec<f64>>,
    out: Writer<W>,
}

impl<W: Write> ScoredCopy<'_, W> {
    fn start(&mut self, start: &BytesStart<'_>, is_empty: bool) -> io::Result<()> {
        let element = Element(start);
        let name = start.name();
        let prefix = prefix(name.as_ref());
        let outer = self.xml_graph.innermost();
        let kind = self.xml_graph.start(&element)?;
        match (outer, kind, self.xml_graph.is_gexf) {
            (_, ElementKind::Attribute, _) => {
                for name in ["id", "attr.name", "title"] {
                    self.taken.extend(element.attribute(name)?);
                }
            }
            (ElementKind::Root, ElementKind::Graph, false)
            | (ElementKind::Graph, ElementKind::Graph, true) => self.declare(prefix)?,
            // In GraphML, the values of a vertex come before the graph inside it.
            (ElementKind::Node, ElementKind::Graph, false) => {
                self.write_scores(prefix, Owner::Vertices, false)?;
            }
            _ => {}
        }
        let scores = self.scores(kind)?;
        let is_holder = matches!(kind, ElementKind::Values(_));
        let stays_empty = is_empty && scores.is_empty() && !is_holder;
        self.out.write_event(match stays_empty {
            true => Event::Empty(start.borrow()),
            false => Event::Start(start.borrow()),
        })?;
        if let ElementKind::Values(owner) = kind {
            self.write_scores(prefix, owner, true)?;
        }
        self.open.push(scores);
        match is_empty {
            true if stays_empty => self.close(),
            true => self.end(&start.to_end()),
            false => Ok(()),
        }
    }

    fn end(&mut self, end: &BytesEnd<'_>) -> io::Result<()> {
        let name = end.name();
        let prefix = prefix(name.as_ref());
        match self.xml_graph.innermost() {
            ElementKind::Node => self.write_scores(prefix, Owner::Vertices, false)?,
            ElementKind::Edge => self.write_scores(prefix, Owner::Edges, false)?,
            _ => {}
        }
        self.out.write_event(Event::End(end.borrow()))?;
        self.close()
    }

    /// Closes the open element.
    fn close(&mut self) -> io::Result<()> {
        self.open.pop();
        Ok(self.xml_graph.end(0)?)
    }

    /// Declares the attributes of scores, under names that the file does not use yet.
    fn declare(&mut self, prefix: &str) -> io::Result<()> {
        if self.score_ids.iter().any(|ids| !ids.is_empty()) {
            return Ok(());
        }
        for (owner, (class, id_prefix)) in CLASSES.into_iter().enumerate() {
            for (usual, _) in self.columns[owner] {
                let (mut name, mut number) = (usual.clone(), 1);
                while self.taken.contains(&name)
                    || self.taken.contains(&format!("{id_prefix}{name}"))
                {
                    number += 1;
                    name = format!("{usual}-{number}");
                }
                let id = format!("{id_prefix}{name}");
                let attribute = match self.xml_graph.is_gexf {
                    true => format!(
                        "<{prefix}attributes class=\"{class}\"><{prefix}attribute id=\"{id}\" \
                         title=\"{name}\" type=\"double\"/></{prefix}attributes>"
                    ),
                    false => format!(
                        "<{prefix}key id=\"{id}\" for=\"{class}\" attr.name=\"{name}\" \
                         attr.type=\"double\"/>"
                    ),
                };
                let indent = 2 * self.open.len();
                write!(self.out.get_mut(), "{attribute}\n{:indent$}", "")?;
                self.score_ids[owner].push(id);
            }
        }
        Ok(())
    }

    /// Returns the scores of the vertex or the edge that starts: zeros for a loop. Other elements
    /// have none.
    fn scores(&mut self, kind: ElementKind) -> io::Result<Vec<f64>> {
        match (kind, self.xml_graph.open_edge.take()) {
            (ElementKind::Node, _) => {
                let vertex = self.xml_graph.open_vertices.last().copied();
                self.scores_at(Owner::Vertices, vertex.unwrap_or_default() as usize)
            }
            (ElementKind::Edge, Some(edge)) => {
                // Vertices have the same numbers as in the graph.
                let mut end = |id: &str| self.xml_graph.graph.mention(id.as_bytes(), 1);
                let (tail, head) = (end(&edge.ends[0])?, end(&edge.ends[1])?);
                let columns = self.columns[Owner::Edges as usize].len();
                let scores = |tail, head| {
                    let number = self.edge_numbers.get(&[tail, head]).ok_or_else(changed)?;
                    self.scores_at(Owner::Edges, *number)
                };
                match (self.directed, edge.undirected) {
                    _ if columns == 0 || tail == head => Ok(vec![0.0; columns]),
                    (false, _) => scores(tail.min(head), tail.max(head)),
                    (true, false) => scores(tail, head),
                    (true, true) => {
                        let sums = scores(tail, head)?.into_iter().zip(scores(head, tail)?);
                        Ok(sums.map(|(there, back)| there + back).collect())
                    }
                }
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the scores of the vertex or the edge with this number.
    fn scores_at(&self, owner: Owner, number: usize) -> io::Result<Vec<f64>> {
        let scores = self.columns[owner as usize].iter();
        let scores: Option<Vec<f64>> = scores.map(|(_, list)| list.get(number).copied()).collect();
        scores.ok_or_else(changed)
    }

    /// Writes the scores of the open vertex or edge as attributes, if they are not written yet. In
    /// GEXF, an element `attvalues` holds them, which the file may have (`is_held`).
    fn write_scores(&mut self, prefix: &str, owner: Owner, is_held: bool) -> io::Result<()> {
        let scores = self.open.last_mut().map(mem::take).unwrap_or_default();
        let (gexf, out) = (self.xml_graph.is_gexf, self.out.get_mut());
        let needs_holder = gexf && !is_held && !scores.is_empty();
        if needs_holder {
            write!(out, "<{prefix}attvalues>")?;
        }
        for (id, score) in self.score_ids[owner as usize].iter().zip(scores) {
            let score = Shortest(score);
            match gexf {
                true => write!(out, "<{prefix}attvalue for=\"{id}\" value=\"{score}\"/>"),
                false => write!(out, "<{prefix}data key=\"{id}\">{score}</{prefix}data>"),
            }?;
        }
        if needs_holder {
            write!(out, "</{prefix}attvalues>")?;
        }
        Ok(())
    }
}

/// Returns the prefix of a name, with its colon; empty if there is none.
fn prefix(name: &str) -> &str {
    name.rfind(':').map_or("", |colon| &name[..=colon])
}
