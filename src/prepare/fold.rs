//! Degree-1 folding: trees hanging off the graph are removed and accounted for exactly.
//!
//! A vertex with one neighbour lies on no shortest path between others, so it can be *folded*
//! into that neighbour, which then stands for one vertex more; repeated, this removes every
//! tree. What is left (the 2-core, and one vertex for each component that is a tree) is
//! searched with *weights*: weight(v) = number of input vertices that v stands for, itself
//! included. Every pair of vertices that the trees themselves separate is counted here, in
//! closed form. (Sariyuce, Saule, Kaya, Catalyurek: "Shattering and Compressing Networks for
//! Betweenness Centrality", SDM 2013; linear-time form.)
//!
//! # The closed form
//! Let N be the size of v's component and C the number of chosen sources in it. Removing v
//! splits the component into branches; those made of folded vertices are known completely, the
//! rest of the graph is one more branch. A source x in a branch of size b meets v on every
//! shortest path to the N - 1 - b vertices of the other branches. With A = sum of the chosen
//! sources in the folded branches, B = sum of (chosen sources * size) over them, and size and
//! sources the totals of everything folded into v, v included, this sums to
//!
//! ```text
//! (N - 1) A - B + (C - sources) (size - 1)
//! ```
//!
//! Pairs with both ends in "the rest" are what the searches count.

use rayon::prelude::*;

use crate::graph::components::Components;
use crate::graph::{Csr, Vertex};

/// What a vertex that was not folded has in place of a parent.
pub const KEPT: Vertex = Vertex::MAX;

/// A graph with trees folded away.
pub struct Folded {
    /// Vertices still to be searched: those with at least one neighbour left, ascending.
    pub kept: Vec<Vertex>,
    /// Number of vertices folded away.
    pub removed: usize,
    /// Per input vertex: the vertex it was folded into, or [`KEPT`].
    pub parent: Vec<Vertex>,
    /// Per input vertex: how many input vertices it stands for, or stood for when it was folded,
    /// itself included.
    pub size: Vec<u32>,
    /// Per input vertex: how many chosen sources are among those.
    pub sources: Vec<u32>,
    /// Per input vertex: ordered pairs counted in closed form.
    pub closed: Vec<f64>,
}

impl Folded {
    /// Folds an undirected graph. `chosen` tells which vertices are sources.
    ///
    /// With `enabled` false nothing is folded and only vertices without neighbours are left out.
    pub fn new(csr: &Csr, components: &Components, chosen: &[bool], enabled: bool) -> Folded {
        let n = csr.vertices();
        let vertices = || (0..n as Vertex).into_par_iter();
        let mut degree: Vec<u32> = vertices().map(|v| csr.degree(v) as u32).collect();
        let mut size = vec![1u32; n];
        let mut sources: Vec<u32> = chosen.iter().map(|&c| u32::from(c)).collect();
        // B of the closed form: at most C * N, so it fits 64 bits.
        let mut products = vec![0u64; n];
        let mut parents = vec![KEPT; n];
        let mut removed = 0;

        if enabled {
            let is_leaf = |&v: &Vertex| degree[v as usize] == 1;
            let mut leaves: Vec<Vertex> = vertices().filter(is_leaf).collect();
            while let Some(leaf) = leaves.pop() {
                let l = leaf as usize;
                if degree[l] != 1 {
                    continue; // its last neighbour was folded into it: the core of a tree
                }
                let Some(&parent) = csr
                    .neighbours(leaf)
                    .iter()
                    .find(|&&u| parents[u as usize] == KEPT)
                else {
                    continue;
                };
                let p = parent as usize;
                parents[l] = parent;
                removed += 1;
                degree[l] = 0;
                degree[p] -= 1;
                products[p] += u64::from(sources[l]) * u64::from(size[l]);
                size[p] += size[l];
                sources[p] += sources[l];
                if degree[p] == 1 {
                    leaves.push(parent);
                }
            }
        }

        let component_sources = components.sources(chosen);
        let closed = (0..n)
            .into_par_iter()
            .map(|v| {
                let component = components.of[v] as usize;
                let others = u128::from(components.sizes[component]) - 1;
                let inner = u128::from(sources[v] - u32::from(chosen[v]));
                let outer = u128::from(component_sources[component] - u64::from(sources[v]));
                (others * inner - u128::from(products[v]) + outer * u128::from(size[v] - 1)) as f64
            })
            .collect();
        let kept = vertices().filter(|&v| degree[v as usize] > 0).collect();
        Folded {
            kept,
            removed,
            parent: parents,
            size,
            sources,
            closed,
        }
    }

    /// Adds path ends: a source meets the rest of its component, and every vertex is met once from
    /// each other source.
    pub fn add_endpoints(&mut self, components: &Components, chosen: &[bool]) {
        let sources = components.sources(chosen);
        let closed = self.closed.par_iter_mut().enumerate();
        closed.for_each(|(v, score)| {
            let component = components.of[v] as usize;
            let own = u64::from(chosen[v]);
            let as_source = own * (u64::from(components.sizes[component]) - 1);
            *score += (as_source + sources[component] - own) as f64;
        });
    }

    /// A directed graph, which is not folded; only vertices without any arc are left out.
    pub fn none(csr: &Csr, reverse: Option<&Csr>, chosen: &[bool]) -> Folded {
        let n = csr.vertices();
        let arcs = |v: Vertex| csr.degree(v) + reverse.map_or(0, |r| r.degree(v));
        let vertices = (0..n as Vertex).into_par_iter();
        Folded {
            kept: vertices.filter(|&v| arcs(v) > 0).collect(),
            removed: 0,
            parent: vec![KEPT; n],
            size: vec![1; n],
            sources: chosen.iter().map(|&c| u32::from(c)).collect(),
            closed: vec![0.0; n],
        }
    }
}
