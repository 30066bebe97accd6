//! Which vertices can be folded, and into which.

use rayon::prelude::*;

use crate::graph::{Csr, Vertex};

/// What a vertex that was not folded has in place of a parent.
pub const KEPT: Vertex = Vertex::MAX;

/// The trees that hang off a graph, per vertex of it.
pub struct Trees {
    /// The vertex that it is folded into, or [`KEPT`].
    pub parent: Vec<Vertex>,
    /// How many vertices it stands for, or stood for when it was folded, itself included.
    pub size: Vec<u32>,
    /// How many chosen sources are among those.
    pub sources: Vec<u32>,
    /// B of the closed form: at most C * N, so it fits 64 bits.
    pub products: Vec<u64>,
    /// Neighbours that are left, of those that are not folded.
    pub degree: Vec<u32>,
    /// How many vertices are folded.
    pub removed: usize,
}

impl Trees {
    /// No trees: each vertex with so many neighbours stands for itself. `chosen` tells which ones
    /// are sources.
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

    /// Of an undirected graph.
    pub fn find(csr: &Csr, chosen: &[bool]) -> Trees {
        let n = csr.vertices();
        let mut trees = Trees::none(n, chosen, |v| csr.degree(v));
        let is_leaf = |&v: &Vertex| trees.degree[v as usize] == 1;
        let vertices = (0..n as Vertex).into_par_iter();
        let mut leaves: Vec<Vertex> = vertices.filter(is_leaf).collect();
        while let Some(leaf) = leaves.pop() {
            let l = leaf as usize;
            if trees.degree[l] != 1 {
                continue; // its last neighbour was folded into it: the core of a tree
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
