//! Labels that vertices have beside their ids or numbers.

use rustc_hash::FxHashSet;

use super::parsed::Parsed;
use crate::labels::NameInterner;
use crate::numbering::labels_of_numbers;
use crate::tokens::{shown, whole_number};
use crate::{EdgeList, Labels, Vertex};

/// The label of each vertex, empty for a vertex without one.
pub(super) type VertexLabels = Vec<Vec<u8>>;

/// Returns the labels of all `count` vertices, if each has a different one.
///
/// # Errors
/// The reason in words, or `None` if no vertex has a label.
pub(super) fn distinct(
    mut labels: VertexLabels,
    count: usize,
    id: impl Fn(Vertex) -> String,
) -> Result<Labels, Option<String>> {
    if labels.iter().all(Vec::is_empty) {
        return Err(None);
    }
    labels.resize(count, Vec::new());
    let mut known = FxHashSet::default();
    for label in labels.iter().filter(|label| !label.is_empty()) {
        if !known.insert(&label[..]) {
            let label = shown(label);
            return Err(Some(format!("two vertices have the label {label}")));
        }
    }
    if let Some(vertex) = labels.iter().position(Vec::is_empty) {
        let id = id(vertex as Vertex);
        return Err(Some(format!("vertex {id} has no label")));
    }
    let labels = labels.iter().map(|label| &label[..]);
    Ok(compact_labels(labels.collect()))
}

/// Returns edges between vertices whose labels are names, without notes.
pub(super) fn named(edges: EdgeList, names: NameInterner) -> Parsed {
    Parsed::new(edges, compact_labels(names.into_labels()))
}

/// Converts labels to numbers, which take less memory, if all of them are plain numbers.
pub(super) fn compact_labels(labels: Labels) -> Labels {
    let vertices = 0..labels.len() as Vertex;
    let numbers: Option<Vec<u64>> = vertices.map(|v| whole_number(labels.name(v))).collect();
    numbers.map_or(labels, labels_of_numbers)
}
