//! The trees of a graph that can be folded.

use rayon::prelude::*;

use crate::graph::{Csr, Vertex};

/// The entry in [`Trees::parent`] of a vertex that is not folded.
pub const KEPT: Vertex = Vertex::MAX;

/// The trees that hang off a graph. The vectors have an entry per vertex.
pub struct Trees {
    /// The vertex that the vertex is folded into, or [`KEPT`].
    pub parent: Vec<Vertex>,
    /// The number of vertices that the vertex stands for; if it was folded, the number at that
    /// time.
    pub size: Vec<u32>,
    /// The number of chosen sources among these.
    pub sources: Vec<u32>,
    /// The sum B of the closed form, which is at most C * N and fits 64 bits.
    pub products: Vec<u64>,
    /// The number of neighbours that are not folded.
    pub degree: Vec<u32>,
    /// The number of folded vertices.
    pub removed: usize,
}

impl Trees {
    /// Makes no trees: each vertex stands for itself. `degree` returns its number of neighbours,
    /// `chosen` says which vertices are sources.
    pub fn none(n: usize, chosen: &[bool], degree: impl Fn(Vertex) -> usize + Sync) -> Trees {
        let vertices = (0..n as Vertex).into_par_iter();
        Trees {
            parent: vec![KEPT; n],
            size: vec![1; n],
            sources: chosen.iter().map(|&c| u32::from(c)).collect(),
            products: vec![0; n],
            degree: vertices.map(|v| degree(v) as u32).collect(),
            removed: 0,
        }
    }

    /// Finds the trees of an undirected graph.
    pub fn find(csr: &Csr, chosen: &[bool]) -> Trees {
        let n = csr.vertices();
        let mut trees = Trees::none(n, chosen, |v| csr.degree(v));
        let is_leaf = |&v: &Vertex| trees.degree[v as usize] == 1;
        let vertices = (0..n as Vertex).into_par_iter();
        let mut leaves: Vec<Vertex> = vertices.filter(is_leaf).collect();
        while let Some(leaf) = leaves.pop() {
            let l = leaf as usize;
            if trees.degree[l] != 1 {
                continue; // It is the last vertex of a component that is a tree.
            }
            let mut row = csr.neighbours(leaf).iter();
            let Some(&parent) = row.find(|&&u| trees.parent[u as usize] == KEPT) else {
                continue;
            };
            let p = parent as usize;
            trees.parent[l] = parent;
            trees.removed += 1;
            trees.degree[l] = 0;
            trees.degree[p] -= 1;
            trees.products[p] += u64::from(trees.sources[l]) * u64::from(trees.size[l]);
            trees.size[p] += trees.size[l];
            trees.sources[p] += trees.sources[l];
            if trees.degree[p] == 1 {
                leaves.push(parent);
            }
        }
        trees
    }
}
