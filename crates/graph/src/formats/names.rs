//! Labels that vertices have beside their ids or numbers.

use rustc_hash::FxHashSet;

use super::parsed::Parsed;
use crate::error::Problem;
use crate::labels::{LabelChoice, NameInterner};
use crate::numbering::labels_of_numbers;
use crate::tokens::{shown, whole_number};
use crate::{EdgeList, Labels, ReadOptions, Vertex};

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
            return Err(Some(format!(
                "two vertices have the label {}",
                shown(label)
            )));
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

/// Returns edges between vertices with these labels. If some labels are equal or missing, or the
/// user chose ids, the numbers from 1 are the labels.
///
/// # Errors
/// [`Problem`] if the user asked for an attribute, which these files do not have.
pub(super) fn labelled(
    edges: EdgeList,
    labels: VertexLabels,
    vertices: u64,
    options: &ReadOptions,
) -> Result<Parsed, Problem> {
    let number = |vertex| (u64::from(vertex) + 1).to_string();
    let mut parsed = Parsed::numbered(edges, vertices);
    match options.labels {
        LabelChoice::Usual => match distinct(labels, vertices as usize, number) {
            Ok(labels) => parsed.labels = labels,
            Err(why) => {
                let note = |why| format!("the labels of vertices are their numbers, because {why}");
                parsed.notes.extend(why.map(note));
            }
        },
        LabelChoice::Id => {}
        LabelChoice::Named(_) => {
            return Err(unfit!(
                "vertices have a number and a label here, and no attributes (give --labels id for \
                 the numbers, or leave --labels out)"
            ));
        }
    }
    Ok(parsed)
}

/// Converts labels to numbers, which take less memory, if all of them are plain numbers.
pub(super) fn compact_labels(labels: Labels) -> Labels {
    let vertices = 0..labels.len() as Vertex;
    let numbers: Option<Vec<u64>> = vertices.map(|v| whole_number(labels.name(v))).collect();
    numbers.map_or(labels, labels_of_numbers)
}
