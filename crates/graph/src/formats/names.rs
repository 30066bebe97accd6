//! Names of vertices that a file declares one by one: ids, and labels beside them.

use std::collections::BTreeSet;

use super::parsed::Parsed;
use crate::error::Problem;
use crate::labels::{LabelChoice, NameInterner};
use crate::numbering::labels_of_numbers;
use crate::tokens::{Scan, Tokens, shown};
use crate::{EdgeList, Labels, Vertex};

/// Names of attributes that are kept for messages.
pub(super) const MOST_NAMES: usize = 20;

/// Vertices by the id that the file gives them. An edge may come before the vertices it joins.
pub(super) struct Declared {
    ids: NameInterner,
    /// Per vertex seen: the line of the edge that first names it, or 0 once it is declared.
    named: Vec<u64>,
    /// The attributes that vertices may be called by, the preferred one first.
    candidates: Vec<(String, NodeLabels)>,
    /// Whether vertices have to be called by the one candidate.
    required: bool,
    /// Other attributes that vertices have, for messages.
    others: BTreeSet<String>,
}

/// Labels beside the ids, while no two vertices have the same.
pub(super) struct NodeLabels {
    names: NameInterner,
    /// Per vertex: the number of its label, or [`Self::NONE`].
    of: Vec<u32>,
    /// A label that was given twice. No more labels are kept then.
    twice: Option<String>,
}

impl NodeLabels {
    const NONE: u32 = u32::MAX;

    pub fn new() -> Self {
        NodeLabels {
            names: NameInterner::new(),
            of: Vec::new(),
            twice: None,
        }
    }

    /// The vertex has this label. An empty one is none, and the first of several counts.
    pub fn add(&mut self, vertex: Vertex, label: &[u8]) {
        if label.is_empty() || self.twice.is_some() {
            return;
        }
        let vertex = vertex as usize;
        if self.of.len() <= vertex {
            self.of.resize(vertex + 1, Self::NONE);
        }
        if self.of[vertex] != Self::NONE {
            return;
        }
        let count = self.names.len();
        match self.names.intern(label) {
            Ok(name) if name as usize == count => self.of[vertex] = name,
            _ => {
                *self = NodeLabels::new();
                self.twice = Some(shown(label));
            }
        }
    }

    /// A graph whose vertices are called by these labels, if each has one of its own, else by their
    /// numbers from 1.
    ///
    /// # Errors
    /// [`Problem`] if an attribute is asked for, which these files do not have.
    pub fn of_numbers(
        self,
        edges: EdgeList,
        vertices: usize,
        choice: &LabelChoice,
    ) -> Result<Parsed, Problem> {
        let number = |vertex| (u64::from(vertex) + 1).to_string();
        let labels = match choice {
            LabelChoice::Usual => self.of_all(vertices, number),
            LabelChoice::Id => Err(None),
            LabelChoice::Named(_) => {
                return Err(unfit!(
                    "vertices have a number and a label here, and no attributes (give --labels id \
                     for the numbers, or leave --labels out)"
                ));
            }
        };
        Ok(match labels {
            Ok(labels) => Parsed::new(edges, labels),
            Err(why) => {
                let mut parsed = Parsed::numbered(edges, vertices as u64);
                let note = |why| format!("vertices are called by their numbers, since {why}");
                parsed.notes.extend(why.map(note));
                parsed
            }
        })
    }

    /// The labels of all `count` vertices, if each has one of its own.
    ///
    /// # Errors
    /// What is in the way, in words; `None` if no vertex has a label.
    fn of_all(
        mut self,
        count: usize,
        id: impl Fn(Vertex) -> String,
    ) -> Result<Labels, Option<String>> {
        if let Some(label) = self.twice {
            return Err(Some(format!("two of them have the label {label}")));
        }
        if self.of.is_empty() {
            return Err(None);
        }
        self.of.resize(count, Self::NONE);
        if let Some(vertex) = self.of.iter().position(|&name| name == Self::NONE) {
            return Err(Some(format!(
                "vertex {} has no label",
                id(vertex as Vertex)
            )));
        }
        let names = self.names.into_labels();
        Ok(tidy(match self.of.is_sorted() {
            true => names,
            false => names.reordered(&self.of),
        }))
    }
}

impl Declared {
    /// Vertices that are called by the attribute that `choice` names, or by one of the `usual`
    /// attributes.
    pub fn new(choice: &LabelChoice, usual: &[&str]) -> Self {
        let candidate = |name: &str| (name.to_string(), NodeLabels::new());
        Declared {
            ids: NameInterner::new(),
            named: Vec::new(),
            candidates: match choice {
                LabelChoice::Usual => usual.iter().copied().map(candidate).collect(),
                LabelChoice::Id => Vec::new(),
                LabelChoice::Named(name) => vec![candidate(name)],
            },
            required: matches!(choice, LabelChoice::Named(_)),
            others: BTreeSet::new(),
        }
    }

    /// The file declares the vertex `id`.
    ///
    /// # Errors
    /// [`Problem`] if it has done so before.
    pub fn declare(&mut self, id: &[u8]) -> Result<Vertex, Problem> {
        let seen = self.named.len();
        let vertex = self.mention(id, 0)?;
        let first = std::mem::take(&mut self.named[vertex as usize]);
        if (vertex as usize) < seen && first == 0 {
            refuse!(
                "there is a second vertex {} (give each vertex an id of its own)",
                shown(id)
            );
        }
        Ok(vertex)
    }

    /// The vertex that an edge in `line` calls `id`.
    pub fn mention(&mut self, id: &[u8], line: u64) -> Result<Vertex, Problem> {
        let vertex = self.ids.intern(id)?;
        if vertex as usize == self.named.len() {
            self.named.push(line);
        }
        Ok(vertex)
    }

    /// The number of vertices seen.
    pub fn len(&self) -> usize {
        self.named.len()
    }

    /// The position of an attribute of this name among those that vertices may be called by. If
    /// there is none, the name is kept for messages.
    pub fn candidate(&mut self, attribute: &[u8]) -> Option<usize> {
        let mut candidates = self.candidates.iter();
        let found = candidates.position(|(name, _)| name.as_bytes() == attribute);
        if found.is_none() && self.required && self.others.len() < MOST_NAMES {
            self.others.insert(shown(attribute));
        }
        found
    }

    /// The vertex has this label, as its attribute in the position that [`Self::candidate`] gives.
    pub fn label(&mut self, vertex: Vertex, candidate: usize, label: &[u8]) {
        self.candidates[candidate].1.add(vertex, label);
    }

    /// The labels of all vertices: those of the first attribute that each vertex has, and no two
    /// with the same value; else the ids, and a note if there are some labels.
    ///
    /// # Errors
    /// [`Problem`] if some vertex is named by edges only, or lacks the attribute that is asked for.
    pub fn into_labels(self) -> Result<(Labels, Option<String>), Problem> {
        let ids = self.ids.into_labels();
        let id = |vertex| shown(ids.display(vertex).to_string().as_bytes());
        let undeclared = (0..).zip(&self.named).filter(|(_, line)| **line > 0);
        if let Some((vertex, &line)) = undeclared.min_by_key(|(_, line)| **line) {
            let problem = malformed!(
                "the edge names vertex {}, which the file does not declare (declare the vertex, \
                 or correct the edge)",
                id(vertex)
            );
            return Err(problem.at(line));
        }
        let mut note = None;
        for (attribute, labels) in self.candidates {
            match labels.of_all(ids.len(), id) {
                Ok(labels) => return Ok((labels, None)),
                Err(_) if ids.is_empty() => {}
                Err(why) if self.required => {
                    let attribute = shown(attribute.as_bytes());
                    let others = Vec::from_iter(self.others).join(", ");
                    let why = why.unwrap_or_else(|| match &others[..] {
                        "" => "no vertex has it, nor another".into(),
                        _ => format!("no vertex has it, but they have {others}"),
                    });
                    return Err(unfit!(
                        "vertices cannot be called by their attribute {attribute}: {why} (name \
                         another one, or leave --labels out)"
                    ));
                }
                Err(why) => note = note.or(why.map(|why| by_ids(&why))),
            }
        }
        Ok((tidy(ids), note))
    }
}

/// That labels are not what vertices are called by.
fn by_ids(why: &str) -> String {
    format!("vertices are called by their ids, since {why} (--labels NAME takes another attribute)")
}

/// Labels as numbers if all of them are plain ones, which takes less memory.
pub(super) fn tidy(labels: Labels) -> Labels {
    let mut numbers = Vec::new();
    for v in 0..labels.len() as Vertex {
        let mut tokens = Tokens::new(labels.name(v));
        let whole = labels.name(v).iter().all(u8::is_ascii_digit);
        match tokens.number() {
            Scan::Number(number) if whole => numbers.push(number),
            _ => return labels,
        }
    }
    labels_of_numbers(numbers)
}
