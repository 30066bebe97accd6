//! Graphs with named attributes, as in GML, GraphML, GEXF, JSON and DOT. A weight is an attribute
//! of its edge.

use std::collections::BTreeSet;

use super::names::{VertexLabels, compact_labels, distinct};
use super::parsed::{Parsed, new_edge_list};
use super::vertex_file::parse_weight;
use crate::error::Problem;
use crate::labels::NameInterner;
use crate::tokens::shown;
use crate::weights::Weight;
use crate::{EdgeList, LabelChoice, Labels, ReadOptions, Vertex, WeightChoice};

/// The attribute that holds weights unless the user names another.
const WEIGHT: &str = "weight";

/// A graph with attributes while its file is read.
#[derive(Default)]
pub(super) struct AttributedGraph {
    /// The ids of all vertices. An edge may come before the vertices it joins.
    ids: NameInterner,
    /// Per vertex: the line of the edge that first names it, or 0 once it is declared.
    first_mentions: Vec<u64>,
    /// The attributes of vertices that are read, with the value of each vertex. The first
    /// `label_candidates` of them may be the labels, the preferred one first.
    attributes: Vec<(String, VertexLabels)>,
    label_candidates: usize,
    /// Whether the user named the attribute for labels, which is the only candidate then.
    label_is_required: bool,
    /// The index in `attributes` of the weights of vertices, if the user asked for them.
    vertex_weight: Option<usize>,
    pub edges: EdgeList,
    /// Whether edges are arcs unless they say otherwise; `None` until the graph starts.
    pub directed: Option<bool>,
    /// The attribute that holds weights.
    weight_name: String,
    /// Whether an edge without the attribute [`WEIGHT`] has weight 1: Gephi omits weights of 1.
    pub missing_weight_is_one: bool,
    /// The line of the first edge that lacks a required weight.
    first_missing_line: Option<u64>,
    /// Whether some edge has a weight.
    has_weights: bool,
    /// The attributes of vertices and of edges that are not read, for messages.
    other_vertex_attributes: BTreeSet<String>,
    other_edge_attributes: BTreeSet<String>,
    /// The reader's assumptions, a sentence each, and those that may be wrong.
    notes: Vec<String>,
    pub warnings: Vec<String>,
}

/// Adds a name to those that the user may have meant.
fn add_other(names: &mut BTreeSet<String>, name: &[u8]) {
    const MOST: usize = 20;
    if names.len() < MOST {
        names.insert(shown(name));
    }
}

/// Returns the end of a message about a missing attribute, with the names of the others.
fn others(names: &BTreeSet<String>) -> String {
    let list: Vec<&str> = names.iter().map(String::as_str).collect();
    match list.is_empty() {
        true => ", nor any other".into(),
        false => format!(", but they have {}", list.join(", ")),
    }
}

/// Returns the error for a key that a vertex or an edge has twice.
pub(super) fn repeated(key: &[u8]) -> Problem {
    malformed!("there is a second {} (state it once)", shown(key))
}

impl AttributedGraph {
    /// Makes an empty graph for these attributes. By default, labels are the values of one of the
    /// `usual` attributes.
    ///
    /// # Errors
    /// [`Problem`] if the options name a column of weights, or the default weight is not positive.
    pub fn new(options: &ReadOptions, usual: &[&str]) -> Result<Self, Problem> {
        let weight_name = match options.weights.as_ref().map(|weights| &weights.choice) {
            None | Some(WeightChoice::Usual) => WEIGHT.to_string(),
            Some(WeightChoice::Named(name)) => name.clone(),
            Some(WeightChoice::Column(_)) => return Err(Problem::weight_column()),
        };
        let attribute = |name: &str| (name.to_string(), VertexLabels::new());
        let mut attributes = match &options.labels {
            LabelChoice::Usual => usual.iter().copied().map(attribute).collect(),
            LabelChoice::Id => Vec::new(),
            LabelChoice::Named(name) => vec![attribute(name)],
        };
        let label_candidates = attributes.len();
        let vertex_weight = options.vertex_weights.as_ref().map(|name| {
            let found = attributes.iter().position(|(known, _)| known == name);
            found.unwrap_or_else(|| {
                attributes.push(attribute(name));
                label_candidates
            })
        });
        Ok(AttributedGraph {
            attributes,
            label_candidates,
            label_is_required: matches!(options.labels, LabelChoice::Named(_)),
            vertex_weight,
            edges: new_edge_list(0, options)?,
            weight_name,
            ..AttributedGraph::default()
        })
    }

    /// Adds a note once.
    pub fn note(&mut self, text: &str) {
        if !self.notes.iter().any(|known| known == text) {
            self.notes.push(text.into());
        }
    }

    /// Returns the number of vertices that were declared or named by edges.
    pub fn vertices(&self) -> usize {
        self.first_mentions.len()
    }

    /// Declares the vertex `id`.
    ///
    /// # Errors
    /// [`Problem`] if it is declared already.
    pub fn declare(&mut self, id: &[u8]) -> Result<Vertex, Problem> {
        let seen = self.vertices();
        let vertex = self.mention(id, 0)?;
        let first = std::mem::take(&mut self.first_mentions[vertex as usize]);
        if (vertex as usize) < seen && first == 0 {
            let id = shown(id);
            refuse!("there is a second vertex {id} (give each vertex an id of its own)");
        }
        Ok(vertex)
    }

    /// Returns the vertex `id`, which an edge in `line` names.
    pub fn mention(&mut self, id: &[u8], line: u64) -> Result<Vertex, Problem> {
        let vertex = self.ids.intern(id)?;
        if vertex as usize == self.first_mentions.len() {
            self.first_mentions.push(line);
        }
        Ok(vertex)
    }

    /// Returns the index of an attribute of vertices if it is read. Otherwise keeps its name for
    /// messages.
    pub fn attribute(&mut self, attribute: &[u8]) -> Option<usize> {
        let mut attributes = self.attributes.iter();
        let found = attributes.position(|(name, _)| name.as_bytes() == attribute);
        if found.is_none() && (self.label_is_required || self.vertex_weight.is_some()) {
            add_other(&mut self.other_vertex_attributes, attribute);
        }
        found
    }

    /// Sets the value that a vertex has of the attribute with this index, which [`Self::attribute`]
    /// returned. The first of several values counts.
    pub fn set_attribute(&mut self, vertex: Vertex, attribute: usize, value: &[u8]) {
        let known = self.attributes[attribute].1.get(vertex as usize);
        if known.is_none_or(Vec::is_empty) {
            self.replace_attribute(vertex, attribute, value);
        }
    }

    /// Sets the value as [`Self::set_attribute`] does, but the last of several values counts.
    pub fn replace_attribute(&mut self, vertex: Vertex, attribute: usize, value: &[u8]) {
        let (vertex, values) = (vertex as usize, &mut self.attributes[attribute].1);
        values.resize(values.len().max(vertex + 1), Vec::new());
        values[vertex] = value.to_vec();
    }

    /// Sets the attributes of a vertex that are read.
    pub fn set_attributes<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &mut self,
        vertex: Vertex,
        item: &[(K, V)],
    ) {
        for (key, value) in item {
            if let Some(attribute) = self.attribute(key.as_ref()) {
                self.set_attribute(vertex, attribute, value.as_ref());
            }
        }
    }

    /// Returns whether the user asked for weights.
    pub fn asks_for_weights(&self) -> bool {
        self.edges.is_weighted()
    }

    /// Returns whether an attribute of this name holds the weights. If not, keeps its name for
    /// messages.
    pub fn is_weight(&mut self, name: &[u8]) -> bool {
        let is_weight = name == self.weight_name.as_bytes();
        if !is_weight && self.asks_for_weights() {
            add_other(&mut self.other_edge_attributes, name);
        }
        is_weight
    }

    /// Returns the weight among the attributes of an edge, if it has one.
    ///
    /// # Errors
    /// [`Problem`] if there are two.
    pub fn weight<'i, K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &mut self,
        item: &'i [(K, V)],
    ) -> Result<Option<&'i [u8]>, Problem> {
        let mut weight = None;
        for (key, value) in item {
            let (key, value) = (key.as_ref(), value.as_ref());
            if self.is_weight(key) {
                if weight.replace(value).is_some() {
                    return Err(repeated(key));
                }
            } else if key == b"value" && !self.asks_for_weights() && !Weight::is_one(value) {
                // Newman's collection of networks and D3 store weights as `value`.
                self.edges.weights_dropped = true;
            }
        }
        Ok(weight)
    }

    /// Adds the edge in `line` between two vertices, with the text of its weight, if it has one. An
    /// `undirected` edge stands for both arcs even in a directed graph.
    pub fn add_edge(
        &mut self,
        ends: [Vertex; 2],
        mut text: Option<&[u8]>,
        undirected: bool,
        line: u64,
    ) -> Result<(), Problem> {
        self.has_weights |= text.is_some();
        if text.is_none() && self.edges.needs_weights() {
            self.first_missing_line.get_or_insert(line);
            text = Some(b"1");
        }
        let weight = self.edges.weight_of(text)?;
        self.edges.push_mixed(ends, weight, undirected);
        Ok(())
    }

    /// Returns the graph after its file was read. `format` and `remedy` are for messages.
    ///
    /// # Errors
    /// [`Problem`] if there was no graph, if an edge names a vertex that is not declared, or if a
    /// requested weight or label is missing or not valid.
    pub fn finish(mut self, format: &str, remedy: &str) -> Result<Parsed, Problem> {
        if self.directed.is_none() {
            return Err(unfit!("there is no graph in this {format} file ({remedy})"));
        }
        // The weights come first because method `labels` empties the ids and the attributes.
        let vertex_weights = self.vertex_weights();
        let labels = self.labels()?;
        let weight = shown(self.weight_name.as_bytes());
        if self.asks_for_weights() && !self.has_weights && self.edges.entries() > 0 {
            let others = others(&self.other_edge_attributes);
            return Err(unfit!(
                "no edge has an attribute {weight}{others} (name one that is there, or leave \
                 --weighted out)"
            ));
        }
        if let Some(line) = self.first_missing_line {
            if !self.missing_weight_is_one || self.weight_name != WEIGHT {
                return Err(Problem::weight_missing(&weight, "attribute").at(line));
            }
            self.note("edges without a weight got 1, because Gephi omits a weight of 1");
        }
        Ok(Parsed {
            notes: self.notes,
            warnings: self.warnings,
            vertex_weights: vertex_weights?,
            ..Parsed::new(self.edges, labels)
        })
    }

    /// Returns the weights of all vertices, if the user asked for them.
    ///
    /// # Errors
    /// [`Problem`] if a vertex has none, or if one is not a finite number of at least zero.
    fn vertex_weights(&self) -> Result<Option<Vec<f64>>, Problem> {
        let Some((name, texts)) = self.vertex_weight.map(|place| &self.attributes[place]) else {
            return Ok(None);
        };
        let name = shown(name.as_bytes());
        if texts.is_empty() && self.vertices() > 0 {
            let others = others(&self.other_vertex_attributes);
            return Err(unfit!(
                "no vertex has an attribute {name}{others} (name one that is there)"
            ));
        }
        let weight = |(vertex, id): (usize, &[u8])| {
            let text = texts.get(vertex).filter(|text| !text.is_empty());
            let text = text.map(|text| text.trim_ascii());
            let weight = text.and_then(parse_weight);
            weight.ok_or_else(|| match (shown(id), text.map(shown)) {
                (id, None) => unfit!(
                    "vertex {id} has no attribute {name} (give every vertex one, or name another \
                     attribute)"
                ),
                (id, Some(text)) => unfit!(
                    "the attribute {name} of vertex {id} is {text}, which is not a finite number \
                     of at least zero (correct it, or name another attribute)"
                ),
            })
        };
        let weights = self.ids.names().enumerate().map(weight);
        weights.collect::<Result<_, _>>().map(Some)
    }

    /// Returns the labels of all vertices: the values of the first attribute that has a different
    /// value for each vertex; else the ids, with a note if some vertices have labels.
    ///
    /// # Errors
    /// [`Problem`] if a vertex is named by edges only, or if the values of the attribute that the
    /// user named are missing or equal.
    fn labels(&mut self) -> Result<Labels, Problem> {
        let ids = std::mem::take(&mut self.ids).into_labels();
        let id = |vertex| shown(ids.name(vertex));
        let mentions = self.first_mentions.iter().zip(0..);
        if let Some((&line, vertex)) = mentions.filter(|(line, _)| **line > 0).min() {
            let problem = malformed!(
                "the edge names vertex {}, which the file does not declare (declare the vertex, \
                 or correct the edge)",
                id(vertex)
            );
            return Err(problem.at(line));
        }
        let mut reason = None;
        for (attribute, labels) in self.attributes.drain(..self.label_candidates) {
            match distinct(labels, ids.len(), id) {
                Ok(labels) => return Ok(labels),
                Err(_) if ids.is_empty() => {}
                Err(why) if self.label_is_required => {
                    let none =
                        || format!("no vertex has it{}", others(&self.other_vertex_attributes));
                    let (name, why) = (shown(attribute.as_bytes()), why.unwrap_or_else(none));
                    return Err(unfit!(
                        "the attribute {name} cannot be the label of vertices: {why} (name another \
                         one, or leave --labels out)"
                    ));
                }
                Err(why) => reason = reason.or(why),
            }
        }
        self.notes.extend(reason.map(|why| {
            format!(
                "the labels of vertices are their ids, because {why} (--labels NAME takes another \
                 attribute)"
            )
        }));
        Ok(compact_labels(ids))
    }
}
