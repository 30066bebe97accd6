//! Weights that are attributes of edges, found by their name, as in GML, GraphML and GEXF.

use std::collections::BTreeSet;

use crate::graph::error::Problem;
use crate::graph::tokens::shown;
use crate::graph::weights::Weight;
use crate::graph::{EdgeList, Vertex, WeightChoice, WeightOptions};

/// What the attribute is called unless another is named.
const USUAL: &str = "weight";

/// So many names of other attributes are kept for messages.
const MOST_NAMES: usize = 20;

/// The attribute that holds weights, and what was seen of it.
pub(super) struct WeightAttribute {
    name: String,
    asked: bool,
    /// The line of the first edge without it.
    first_without: Option<u64>,
    seen: bool,
    others: BTreeSet<String>,
}

/// An edge as a file states it.
pub(super) struct Entry {
    pub tail: Vertex,
    pub head: Vertex,
    /// Whether it stands for both arcs although others may not.
    pub undirected: bool,
    /// Where it is.
    pub line: u64,
}

impl WeightAttribute {
    /// Prepares `edges` for the weights that are asked for.
    ///
    /// # Errors
    /// [`Problem`] if they are asked for in a column.
    pub fn new(weights: Option<&WeightOptions>, edges: &mut EdgeList) -> Result<Self, Problem> {
        let name = match weights.map(|weights| &weights.choice) {
            None | Some(WeightChoice::Usual) => USUAL.to_string(),
            Some(WeightChoice::Named(name)) => name.clone(),
            Some(WeightChoice::Column(_)) => return Err(Problem::weight_column()),
        };
        if let Some(weights) = weights {
            edges.take_weights(weights.meaning);
        }
        Ok(WeightAttribute {
            name,
            asked: weights.is_some(),
            first_without: None,
            seen: false,
            others: BTreeSet::new(),
        })
    }

    /// Whether weights are wanted at all.
    pub fn asked(&self) -> bool {
        self.asked
    }

    /// Whether an attribute of this name holds the weights. If not, the name is kept for messages.
    pub fn is_called(&mut self, name: &[u8]) -> bool {
        if name == self.name.as_bytes() {
            return true;
        }
        if self.asked && self.others.len() < MOST_NAMES {
            self.others.insert(shown(name));
        }
        false
    }

    /// Adds an edge with its weight, if it has one.
    pub fn push(
        &mut self,
        edges: &mut EdgeList,
        entry: &Entry,
        text: Option<&[u8]>,
    ) -> Result<(), Problem> {
        let mut weight = None;
        match text {
            Some(text) if self.asked => {
                if let Some(line) = self.first_without {
                    return Err(self.missing().at(line));
                }
                self.seen = true;
                weight = Some(Weight::parse(text)?);
            }
            Some(text) if !is_one(text) => edges.set_weights_dropped(),
            Some(_) => {}
            None if self.asked && self.seen => return Err(self.missing()),
            None => self.first_without = self.first_without.or(Some(entry.line)),
        }
        if entry.undirected {
            edges.push_undirected(entry.tail, entry.head, weight);
        } else {
            edges.push_weighted(entry.tail, entry.head, weight);
        }
        Ok(())
    }

    fn missing(&self) -> Problem {
        Problem::attribute_missing(&shown(self.name.as_bytes()))
    }

    /// Called when all edges have been read.
    ///
    /// # Errors
    /// [`Problem`] if weights are asked for and no edge has one.
    pub fn finish(self) -> Result<(), Problem> {
        if !self.asked || self.first_without.is_none() {
            return Ok(());
        }
        let others: Vec<String> = self.others.into_iter().collect();
        let others = match others.len() {
            0 => ", nor any other".into(),
            _ => format!(", but they have {}", others.join(", ")),
        };
        Err(unfit!(
            "no edge has an attribute {}{others} (name one that is there, or leave --weighted out)",
            shown(self.name.as_bytes())
        ))
    }
}

/// The weight that may stand at the end of a row, if weights are asked for.
///
/// # Errors
/// [`Problem`] if it has to be there and is not, or is no weight.
pub(super) fn weight_at_end(
    text: Option<&[u8]>,
    asked: bool,
    edges: &mut EdgeList,
) -> Result<Option<Weight>, Problem> {
    match text {
        Some(text) if asked => return Weight::parse(text).map(Some),
        None if asked => return Err(Problem::attribute_missing("weight")),
        Some(text) if !is_one(text) => edges.set_weights_dropped(),
        _ => {}
    }
    Ok(None)
}

/// Whether a weight says nothing.
pub(super) fn is_one(text: &[u8]) -> bool {
    let one = Weight::Decimal {
        mantissa: 1,
        exponent: 0,
    };
    text == b"1" || Weight::parse(text) == Ok(one)
}
