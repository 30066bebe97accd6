//! The graph without its trees, and the pairs that the trees separate.

use rayon::prelude::*;

use super::find::Trees;
use crate::graph::components::Components;
use crate::graph::{Csr, Vertex};

/// A graph with trees folded away.
pub struct Folded {
    /// The vertices that are left: those with at least one neighbour that is not folded, ascending.
    pub kept: Vec<Vertex>,
    /// The trees that were folded away.
    pub trees: Trees,
    /// Per input vertex, the ordered pairs counted in closed form.
    pub closed: Vec<f64>,
}

impl Folded {
    /// Folds an undirected graph. `chosen` says which vertices are sources.
    ///
    /// If `enabled` is false, nothing is folded, and only vertices without neighbours are removed.
    /// `reverse` is given for directed graphs, which cannot be folded.
    pub fn new(
        (csr, reverse): (&Csr, Option<&Csr>),
        components: &Components,
        chosen: &[bool],
        enabled: bool,
    ) -> Folded {
        let arcs = |v: Vertex| csr.degree(v) + reverse.map_or(0, |r| r.degree(v));
        let trees = match enabled {
            true => Trees::find(csr, chosen),
            false => Trees::none(csr.vertices(), chosen, arcs),
        };
        let component_sources = components.sources(chosen);
        let pairs = |v: usize| {
            let component = components.of[v] as usize;
            let others = u128::from(components.sizes[component]) - 1;
            let inner = u128::from(trees.sources[v] - u32::from(chosen[v]));
            let outer = u128::from(component_sources[component] - u64::from(trees.sources[v]));
            let size = u128::from(trees.size[v] - 1);
            (others * inner - u128::from(trees.products[v]) + outer * size) as f64
        };
        let closed = (0..csr.vertices()).into_par_iter().map(pairs).collect();
        let vertices = (0..csr.vertices() as Vertex).into_par_iter();
        Folded {
            kept: vertices.filter(|&v| trees.degree[v as usize] > 0).collect(),
            trees,
            closed,
        }
    }

    /// Adds path ends: a source is an end of the paths to all other vertices of its component, and
    /// every vertex is the end of a path from each other source.
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
}
