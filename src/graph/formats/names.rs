//! Names of vertices that a file declares one by one: ids, and labels beside them.

use crate::graph::error::Problem;
use crate::graph::labels::NameInterner;
use crate::graph::numbering::{labels_of_numbers, too_many};
use crate::graph::tokens::{Scan, Tokens, shown};
use crate::graph::{Labels, Vertex};

/// Vertices by the id that the file gives them. An edge may come before the vertices it joins.
pub(super) struct Declared {
    ids: NameInterner,
    /// Per vertex seen: the line of the edge that first names it, or 0 once it is declared.
    named: Vec<u64>,
    /// To be added for each vertex that is declared, if the format has labels.
    pub labels: NodeLabels,
}

/// Labels beside the ids and which vertex each is of, while all vertices have one and no two the
/// same.
pub(super) struct NodeLabels(Option<(NameInterner, Vec<Vertex>)>);

impl NodeLabels {
    pub fn new() -> Self {
        NodeLabels(Some((NameInterner::new(), Vec::new())))
    }

    /// The next vertex that is declared has this label, or none.
    pub fn add(&mut self, vertex: Vertex, label: Option<&[u8]>) {
        if let Some((names, vertices)) = &mut self.0 {
            let expected = vertices.len() as Vertex;
            if label.and_then(|label| names.intern(label)) == Some(expected) {
                vertices.push(vertex);
            } else {
                self.0 = None;
            }
        }
    }

    /// The labels if each of so many vertices has one.
    pub fn of_all(self, count: usize) -> Option<Labels> {
        let all = |(_, vertices): &(_, Vec<Vertex>)| count > 0 && vertices.len() == count;
        let (names, vertices) = self.0.filter(all)?;
        Some(tidy(reordered(names.into_labels(), &vertices)))
    }
}

impl Declared {
    pub fn new() -> Self {
        Declared {
            ids: NameInterner::new(),
            named: Vec::new(),
            labels: NodeLabels::new(),
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
        let vertex = self.ids.intern(id).ok_or_else(too_many)?;
        if vertex as usize == self.named.len() {
            self.named.push(line);
        }
        Ok(vertex)
    }

    /// The labels of all vertices: those beside the ids if each vertex has one of its own, else the
    /// ids.
    ///
    /// # Errors
    /// [`Problem`] if some vertex is named by edges only.
    pub fn into_labels(self) -> Result<Labels, Problem> {
        let ids = self.ids.into_labels();
        let undeclared = (0..).zip(&self.named).filter(|(_, line)| **line > 0);
        if let Some((vertex, &line)) = undeclared.min_by_key(|(_, line)| **line) {
            let id = shown(ids.display(vertex).to_string().as_bytes());
            let problem = malformed!(
                "the edge names vertex {id}, which the file does not declare (declare the vertex, \
                 or correct the edge)"
            );
            return Err(problem.at(line));
        }
        Ok(self.labels.of_all(ids.len()).unwrap_or_else(|| tidy(ids)))
    }
}

/// Names in the order of their vertices.
fn reordered(names: Labels, vertices: &[Vertex]) -> Labels {
    let in_order = |(i, &vertex): (usize, &Vertex)| i as Vertex == vertex;
    if vertices.iter().enumerate().all(in_order) {
        return names;
    }
    let mut of = vec![0; vertices.len()];
    for (i, &vertex) in vertices.iter().enumerate() {
        of[vertex as usize] = i as Vertex;
    }
    names.reordered(&of)
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
