//! Graphs with named attributes, as in GML, GraphML and GEXF: vertices are declared, and a weight
//! is an attribute of its edge.

use std::collections::BTreeSet;

use super::names::{Declared, MOST_NAMES};
use super::parsed::{Parsed, list_for};
use crate::error::Problem;
use crate::tokens::shown;
use crate::weights::Weight;
use crate::{EdgeList, LabelChoice, WeightChoice, WeightOptions};

/// What the attribute is called unless another is named.
const USUAL: &str = "weight";

/// What was read of such a graph.
pub(super) struct AttributedGraph {
    pub vertices: Declared,
    pub edges: EdgeList,
    /// Whether edges are arcs unless they say otherwise; `None` before the graph.
    pub directed: Option<bool>,
    /// The attribute that holds weights.
    weight: String,
    /// The line of the first edge without it.
    first_without: Option<u64>,
    seen: bool,
    /// Edges without a weight, where those have one of 1: Gephi leaves it out of GEXF.
    ones: Option<u64>,
    others: BTreeSet<String>,
    /// What was understood of the input beyond its elements, a sentence each.
    notes: Vec<String>,
}

impl AttributedGraph {
    /// Prepares for the weights that are asked for, and for vertices that are called as `labels`
    /// says, by default by one of the `usual` attributes.
    ///
    /// # Errors
    /// [`Problem`] if weights are asked for in a column.
    pub fn new(
        weights: Option<&WeightOptions>,
        labels: &LabelChoice,
        usual: &[&str],
    ) -> Result<Self, Problem> {
        let weight = match weights.map(|weights| &weights.choice) {
            None | Some(WeightChoice::Usual) => USUAL.to_string(),
            Some(WeightChoice::Named(name)) => name.clone(),
            Some(WeightChoice::Column(_)) => return Err(Problem::weight_column()),
        };
        Ok(AttributedGraph {
            vertices: Declared::new(labels, usual),
            edges: list_for(0, weights)?,
            directed: None,
            weight,
            first_without: None,
            seen: false,
            ones: None,
            others: BTreeSet::new(),
            notes: Vec::new(),
        })
    }

    /// From now on edges without a weight have one of 1, if others have one and no default is
    /// given.
    pub fn take_missing_for_1(&mut self) {
        self.ones = (self.weight == USUAL).then_some(0);
    }

    /// Keeps a note, once.
    pub fn note(&mut self, text: &str) {
        if !self.notes.iter().any(|known| known == text) {
            self.notes.push(text.into());
        }
    }

    /// Whether weights are wanted at all.
    pub fn weights_asked(&self) -> bool {
        self.edges.is_weighted()
    }

    /// Whether an attribute of this name holds the weights. If not, the name is kept for messages.
    pub fn is_weight(&mut self, name: &[u8]) -> bool {
        if name == self.weight.as_bytes() {
            return true;
        }
        if self.weights_asked() && self.others.len() < MOST_NAMES {
            self.others.insert(shown(name));
        }
        false
    }

    /// Adds the edge in `line` between two ids, with its weight, if it has one. An undirected edge
    /// stands for both arcs although others may not.
    pub fn edge(
        &mut self,
        [source, target]: [&[u8]; 2],
        text: Option<&[u8]>,
        undirected: bool,
        line: u64,
    ) -> Result<(), Problem> {
        let tail = self.vertices.mention(source, line)?;
        let head = self.vertices.mention(target, line)?;
        if let (Some(_), Some(first)) = (text, self.first_without) {
            return Err(self.missing().at(first));
        }
        let weight = match (text, &mut self.ones) {
            (None, Some(ones)) if self.edges.needs_weights() => {
                *ones += 1;
                Some(Weight::parse(b"1")?)
            }
            (None, None) if self.edges.needs_weights() && !self.seen => {
                self.first_without.get_or_insert(line);
                None
            }
            (None, None) if self.edges.needs_weights() => return Err(self.missing()),
            _ => {
                self.seen |= text.is_some();
                self.edges.weight_of(text)?
            }
        };
        self.edges.push_mixed([tail, head], weight, undirected);
        Ok(())
    }

    fn missing(&self) -> Problem {
        Problem::attribute_missing(&shown(self.weight.as_bytes()))
    }

    /// All of it, now that the file of this format has been read.
    ///
    /// # Errors
    /// [`Problem`] if there was no graph, if an edge names a vertex that is not declared, or if
    /// weights are asked for and no edge has one.
    pub fn finish(self, format: &str, remedy: &str) -> Result<Parsed, Problem> {
        if self.directed.is_none() {
            return Err(unfit!("there is no graph in this {format} file ({remedy})"));
        }
        let (labels, by_ids) = self.vertices.into_labels()?;
        let ones = self.ones.filter(|&ones| ones > 0);
        if self.edges.is_weighted() && !self.seen && self.edges.entries() > 0 {
            let others: Vec<String> = self.others.into_iter().collect();
            let others = match others.len() {
                0 => ", nor any other".into(),
                _ => format!(", but they have {}", others.join(", ")),
            };
            return Err(unfit!(
                "no edge has an attribute {}{others} (name one that is there, or leave --weighted \
                 out)",
                shown(self.weight.as_bytes())
            ));
        }
        let mut parsed = Parsed::new(self.edges, labels);
        parsed.notes = self.notes;
        parsed.notes.extend(by_ids);
        if let Some(ones) = ones {
            let edges = match ones {
                1 => "1 edge has".into(),
                _ => format!("{ones} edges have"),
            };
            parsed.notes.push(format!(
                "{edges} no weight, and get 1, which Gephi does not write"
            ));
        }
        Ok(parsed)
    }
}
