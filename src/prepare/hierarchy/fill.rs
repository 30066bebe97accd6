//! The arcs that elimination adds.

use std::mem;

use super::overlay::Hierarchy;
use crate::graph::{Csr, Vertex};
use crate::prepare::order::{places, preorder};

/// Eliminates the vertices of an undirected graph in the order of `vertex`. Returns the overlay
/// without lengths; `None` if it has more than `most` arcs, or pairs of arcs with the same lower
/// end, in total.
///
/// The higher neighbours of an eliminated vertex become neighbours of each other. It is enough to
/// add them to the lowest one, which passes them on when it is eliminated.
pub(super) fn eliminated(graph: &Csr, vertex: Vec<Vertex>, most: [usize; 2]) -> Option<Hierarchy> {
    let n = vertex.len();
    let rank = places(n, &vertex);
    let (mut parent, mut offsets, mut heads) = (Vec::with_capacity(n), vec![0], Vec::new());
    // Per vertex, the neighbours that eliminated ones pass on, with repetitions.
    let mut passed_on = vec![Vec::new(); n];
    let ([most_arcs, most_pairs], mut pairs) = (most, 0);
    for r in 0..n as u32 {
        let mut row = mem::take(&mut passed_on[r as usize]);
        let neighbours = graph.neighbours(vertex[r as usize]).iter();
        row.extend(neighbours.map(|&u| rank[u as usize]).filter(|&u| u > r));
        row.sort_unstable();
        row.dedup();
        heads.extend_from_slice(&row);
        pairs += row.len() * row.len() / 2;
        if heads.len() > most_arcs.min(u32::MAX as usize) || pairs > most_pairs {
            return None;
        }
        offsets.push(heads.len() as u32);
        parent.push(row.first().copied().unwrap_or(r));
        if let [lowest, others @ ..] = &row[..] {
            passed_on[*lowest as usize].extend_from_slice(others);
        }
    }
    let eliminated = Hierarchy {
        filled: heads.len(),
        vertex,
        parent,
        offsets,
        heads,
        ..Hierarchy::default()
    };
    Some(eliminated.in_postorder())
}

impl Hierarchy {
    /// Renumbers the vertices in a postorder of the elimination tree, in which elimination adds the
    /// same arcs.
    fn in_postorder(self) -> Hierarchy {
        let n = self.vertices();
        // With ranks in descending order, parents are smaller and a postorder is a preorder.
        let flipped = |v: usize| n - 1 - v;
        let above = |v: usize| Some(flipped(self.parent[flipped(v)] as usize)).filter(|&p| p != v);
        let (preorder, _) = preorder(n, above);
        let flip = |&number: &u32| flipped(number as usize) as u32;
        let place: Vec<u32> = preorder.iter().rev().map(flip).collect();
        let order = places(n, &place);
        let mut offsets = Vec::with_capacity(n + 1);
        let mut heads = Vec::with_capacity(self.heads.len());
        offsets.push(0);
        for &v in &order {
            // Heads are ancestors, whose order does not change.
            let row = &self.heads[self.arcs_of(v)];
            heads.extend(row.iter().map(|&head| place[head as usize]));
            offsets.push(heads.len() as u32);
        }
        let in_order = |values: &[u32]| order.iter().map(|&v| values[v as usize]).collect();
        let vertex: Vec<Vertex> = in_order(&self.vertex);
        let parent: Vec<u32> = in_order(&self.parent);
        Hierarchy {
            rank: places(n, &vertex),
            vertex,
            parent: parent.iter().map(|&v| place[v as usize]).collect(),
            offsets,
            heads,
            ..self
        }
    }
}
