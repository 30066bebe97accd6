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
//! Removing v splits its component into branches: one for each neighbour that was folded into v,
//! and the rest of the graph. Let a branch have A chosen sources and B vertices. The paths of A(i)
//! B(k) ordered pairs pass v, for every two branches i and k. The searches count the pairs with
//! both ends in the rest.

use std::array;
use std::sync::Arc;

use rayon::prelude::*;

use super::ArcMap;
use crate::graph::components::Components;
use crate::graph::{Csr, Vertex};

/// The entry in [`Trees::parent`] of a vertex that is not folded. If a component is a tree, one
/// vertex remains when all others are folded; it has this entry, but no search starts from it.
const NO_PARENT: Vertex = Vertex::MAX;

/// The weights of some vertices as sources and as targets.
type Pair = [f64; 2];

/// Returns the ordered pairs between two sets of vertices.
fn pairs(one: Pair, other: Pair) -> f64 {
    one[0] * other[1] + other[0] * one[1]
}

/// Returns the weights of a set without those of a part of it.
fn without(all: Pair, part: Pair) -> Pair {
    array::from_fn(|kind| all[kind] - part[kind])
}

/// The trees that hang off a graph. The vectors have an entry per vertex.
pub struct Trees {
    /// The components of the graph.
    pub components: Components,
    /// The weights of each component.
    all: Vec<Pair>,
    /// The weights of all that the vertex stands for; if it was folded, at that time.
    pub weights: Vec<Pair>,
    /// The vertex that the vertex is folded into, or [`NO_PARENT`].
    parent: Vec<Vertex>,
    /// The number of neighbours that are not folded.
    degree: Vec<u32>,
    /// The number of folded vertices.
    pub removed: usize,
    /// The ordered pairs between branches that were folded into the vertex.
    passing: Vec<f64>,
}

impl Trees {
    /// Makes no trees: each vertex stands for itself. `own` returns the weights of a vertex, and
    /// `degree` the number of arcs from it and to it.
    pub fn none(
        components: Components,
        own: impl Fn(usize) -> Pair,
        degree: impl Fn(Vertex) -> usize + Sync,
    ) -> Trees {
        let n = components.of.len();
        let weights: Vec<Pair> = (0..n).map(own).collect();
        let mut all = vec![[0.0; 2]; components.count()];
        for (&component, own) in components.of.iter().zip(&weights) {
            (0..2).for_each(|kind| all[component as usize][kind] += own[kind]);
        }
        let degrees = (0..n as Vertex).into_par_iter().map(|v| degree(v) as u32);
        Trees {
            components,
            all,
            weights,
            parent: vec![NO_PARENT; n],
            degree: degrees.collect(),
            removed: 0,
            passing: vec![0.0; n],
        }
    }

    /// Folds the trees of an undirected graph. `own` returns the weights of a vertex.
    pub fn fold(&mut self, csr: &Csr, own: impl Fn(usize) -> Pair) {
        let vertices = (0..csr.vertices() as Vertex).into_par_iter();
        let is_leaf = |&v: &Vertex| self.degree[v as usize] == 1;
        let mut leaves: Vec<Vertex> = vertices.filter(is_leaf).collect();
        while let Some(leaf) = leaves.pop() {
            let mut row = csr.neighbours(leaf).iter();
            // The last vertex of a component that is a tree has none.
            let Some(&parent) = row.find(|&&u| self.parent[u as usize] == NO_PARENT) else {
                continue;
            };
            let (l, p) = (leaf as usize, parent as usize);
            let (branch, folded) = (self.weights[l], without(self.weights[p], own(p)));
            self.passing[p] += pairs(branch, folded);
            (0..2).for_each(|kind| self.weights[p][kind] += branch[kind]);
            (self.parent[l], self.degree[l]) = (parent, 0);
            self.removed += 1;
            self.degree[p] -= 1;
            leaves.extend((self.degree[p] == 1).then_some(parent));
        }
    }

    /// Returns the vertices that are left: those with at least one neighbour that is not folded,
    /// ascending.
    pub fn remaining(&self) -> Vec<Vertex> {
        let vertices = (0..self.degree.len() as Vertex).into_par_iter();
        vertices.filter(|&v| self.degree[v as usize] > 0).collect()
    }

    /// Returns the weights of the rest of the component of a vertex.
    fn rest(&self, v: usize, part: Pair) -> Pair {
        without(self.all[self.components.of[v] as usize], part)
    }

    /// Returns the ordered pairs counted in closed form. With `endpoints`, the ends of a path in an
    /// undirected graph count too: a source is an end of the paths to all other vertices of its
    /// component, and every vertex is the end of a path from each other source.
    pub fn closed(&self, own: impl Fn(usize) -> Pair + Sync, endpoints: bool) -> Vec<f64> {
        let closed = |v: usize| {
            let (own, all) = (own(v), self.weights[v]);
            let ends = f64::from(endpoints) * pairs(own, self.rest(v, own));
            self.passing[v] + pairs(without(all, own), self.rest(v, all)) + ends
        };
        let vertices = (0..self.weights.len()).into_par_iter();
        vertices.map(closed).collect()
    }

    /// Returns the arcs of the input after folding and renumbering. `number` has the new number of
    /// each vertex that is left. The edge by which a branch was folded is on every path between the
    /// branch and the rest of its component, and on no other.
    pub fn arcs(self, number: Vec<Vertex>) -> Arc<ArcMap> {
        Arc::new(move |ends: [Vertex; 2]| {
            let [tail, head] = ends.map(|v| v as usize);
            let branch = |v: usize| (self.weights[v], self.rest(v, self.weights[v]));
            if self.parent[tail] == ends[1] {
                let (inside, outside) = branch(tail);
                Err(inside[0] * outside[1])
            } else if self.parent[head] == ends[0] {
                let (inside, outside) = branch(head);
                Err(outside[0] * inside[1])
            } else {
                Ok(ends.map(|v| number[v as usize]))
            }
        })
    }
}
