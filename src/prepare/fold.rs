//! Degree-1 folding: trees hanging off the graph are removed and accounted for exactly.
//!
//! A vertex with one neighbour lies on no shortest path between others, so it can be *folded* into
//! that neighbour, which then stands for one vertex more. Repeated folding removes every tree. The
//! remaining vertices (the 2-core: a component that is a tree leaves none) are searched with
//! *weights*: weight(v) is the number of input vertices that v stands for, itself included. Every
//! pair of vertices that the trees themselves separate is counted here, in closed form. (Sariyuce,
//! Saule, Kaya, Catalyurek: "Shattering and Compressing Networks for Betweenness Centrality", SDM
//! 2013; linear-time form.)
//!
//! # The closed form
//! Let N be the size of v's component and C the number of chosen sources in it. Removing v splits
//! the component into branches: one for each neighbour that was folded into v, and the rest of the
//! graph. A source in a branch of size b meets v on every shortest path to the N - 1 - b vertices
//! of the other branches. Let A be the sum of the chosen sources in the folded branches, and B the
//! sum of chosen sources times size over these branches. Let `size` and `sources` be the totals of
//! v and everything folded into it. Then the ordered pairs with ends in different branches are
//!
//! ```text
//! (N - 1) A - B + (C - sources) (size - 1)
//! ```
//!
//! The searches count the pairs with both ends in the rest.

use rayon::prelude::*;

use super::UndoArcs;
use crate::graph::components::Components;
use crate::graph::{Csr, Vertex};

/// The entry in [`Trees::parent`] of a vertex that is not folded. If a component is a tree, one
/// vertex remains when all others are folded; it has this entry, but no search starts from it.
pub const NO_PARENT: Vertex = Vertex::MAX;

/// The trees that hang off a graph. The vectors have an entry per vertex.
pub struct Trees {
    /// The vertex that the vertex is folded into, or [`NO_PARENT`].
    pub parent: Vec<Vertex>,
    /// The number of vertices that the vertex stands for; if it was folded, the number at that
    /// time.
    pub size: Vec<u32>,
    /// The number of chosen sources among the vertices that the vertex stands for.
    pub sources: Vec<u32>,
    /// The sum B of the closed form, which is at most C * N and fits 64 bits.
    pub products: Vec<u64>,
    /// The number of neighbours that are not folded.
    pub degree: Vec<u32>,
    /// The number of folded vertices.
    pub removed: usize,
}

impl Trees {
    /// Makes no trees: each vertex stands for itself. `chosen` says which vertices are sources, and
    /// `reverse` is given for directed graphs.
    pub fn none(csr: &Csr, reverse: Option<&Csr>, chosen: &[bool]) -> Trees {
        let n = csr.vertices();
        let degree = |v| (csr.degree(v) + reverse.map_or(0, |r| r.degree(v))) as u32;
        Trees {
            parent: vec![NO_PARENT; n],
            size: vec![1; n],
            sources: chosen.iter().map(|&c| u32::from(c)).collect(),
            products: vec![0; n],
            degree: (0..n as Vertex).into_par_iter().map(degree).collect(),
            removed: 0,
        }
    }

    /// Finds the trees of an undirected graph.
    pub fn find(csr: &Csr, chosen: &[bool]) -> Trees {
        let mut trees = Trees::none(csr, None, chosen);
        let is_leaf = |&v: &Vertex| trees.degree[v as usize] == 1;
        let vertices = (0..csr.vertices() as Vertex).into_par_iter();
        let mut leaves: Vec<Vertex> = vertices.filter(is_leaf).collect();
        while let Some(leaf) = leaves.pop() {
            let l = leaf as usize;
            if trees.degree[l] != 1 {
                continue; // It is the last vertex of a component that is a tree.
            }
            let mut row = csr.neighbours(leaf).iter();
            let Some(&parent) = row.find(|&&u| trees.parent[u as usize] == NO_PARENT) else {
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

    /// Returns the vertices that are left: those with at least one neighbour that is not folded,
    /// ascending.
    pub fn remaining(&self) -> Vec<Vertex> {
        let vertices = (0..self.degree.len() as Vertex).into_par_iter();
        vertices.filter(|&v| self.degree[v as usize] > 0).collect()
    }

    /// Returns the ordered pairs counted in closed form, per input vertex. With `endpoints`, the
    /// ends of a path count too: a source is an end of the paths to all other vertices of its
    /// component, and every vertex is the end of a path from each other source.
    pub fn closed(&self, components: &Components, chosen: &[bool], endpoints: bool) -> Vec<f64> {
        let component_sources = components.sources(chosen);
        let pairs = |v: usize| {
            let component = components.of[v] as usize;
            let others = u64::from(components.sizes[component]) - 1;
            let all_sources = component_sources[component];
            let own = u64::from(chosen[v]);
            let inner = u128::from(self.sources[v]) - u128::from(own);
            let outer = u128::from(all_sources - u64::from(self.sources[v]));
            let size = u128::from(self.size[v] - 1);
            let passing = u128::from(others) * inner - u128::from(self.products[v]) + outer * size;
            let ends = own * others + all_sources - own;
            passing as f64 + if endpoints { ends as f64 } else { 0.0 }
        };
        let vertices = (0..chosen.len()).into_par_iter();
        vertices.map(pairs).collect()
    }

    /// Returns, per input vertex, the ordered pairs that the edge to its parent separates; 0
    /// without a parent. The edge by which a branch was folded is on every path between the branch
    /// and the rest of its component, and on no other.
    pub fn separated(&self, components: &Components, chosen: &[bool]) -> Vec<f64> {
        let all_sources = components.sources(chosen);
        let pairs = |v: usize| {
            if self.parent[v] == NO_PARENT {
                return 0.0;
            }
            let component = components.of[v] as usize;
            let inside = u128::from(self.sources[v]);
            let outside = u128::from(all_sources[component]) - inside;
            let size = u128::from(self.size[v]);
            let others = u128::from(components.sizes[component]) - size;
            (inside * others + outside * size) as f64
        };
        (0..chosen.len()).map(pairs).collect()
    }
}

/// The arcs of the input after folding and renumbering.
pub struct Folded {
    /// See [`Trees::parent`].
    pub parent: Vec<Vertex>,
    /// See [`Trees::separated`].
    pub separated: Vec<f64>,
    /// Per input vertex, its number, unless the vertex was removed.
    pub number: Vec<Vertex>,
}

impl UndoArcs for Folded {
    fn arc(&self, [tail, head]: [Vertex; 2]) -> Result<[Vertex; 2], f64> {
        for (v, above) in [(tail, head), (head, tail)] {
            if self.parent[v as usize] == above {
                // Half of the pairs use each of the two arcs of the edge.
                return Err(self.separated[v as usize] / 2.0);
            }
        }
        Ok([tail, head].map(|v| self.number[v as usize]))
    }
}
