//! The partition of a graph into blocks, by Dong, Wang, Gu and Sun, "Provably Fast and
//! Space-Efficient Parallel Biconnectivity", PPoPP 2023. In a spanning tree, the edge from a vertex
//! v to its parent p is a *fence* if no edge leads out of the subtree of v to a vertex outside the
//! subtree of p. Remove all fences, and all edges from a vertex to an ancestor of its parent. The
//! connected components that remain are the blocks, each without its *top*, the vertex nearest to
//! the root of the tree. The top is the parent of the first vertex of the component.
//!
//! Here the numbering gives the tree: the parent of a vertex is its first neighbour, if that has a
//! smaller number. Then no edge leads from a vertex to an ancestor of its parent, since the parent
//! is the smallest neighbour. An edge belongs to the block of its larger end. The smaller end is in
//! the same component, or it is the top of the block.

use rayon::prelude::*;

use super::super::order::{PER_TASK, preorder};
use crate::graph::components::linked;
use crate::graph::{Csr, Vertex};

/// The entry for no block: the first vertex of a component is the top of all its blocks.
pub const NONE: u32 = u32::MAX;

/// The blocks of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Per vertex, the only one of its blocks whose top it is not, or [`NONE`].
    pub block: Vec<u32>,
    /// Per block, its top. All other vertices of the block have larger numbers.
    pub top: Vec<Vertex>,
    /// The number of arcs per block; an undirected edge is two arcs.
    pub arcs: Vec<u32>,
    /// The number of vertices per block, including the top.
    pub vertices: Vec<u32>,
}

/// Returns the parent of a vertex: its first neighbour, if that has a smaller number.
pub fn parent(graph: &Csr, v: Vertex) -> Option<Vertex> {
    graph.neighbours(v).first().copied().filter(|&u| u < v)
}

impl Partition {
    /// Partitions an undirected graph, the union of arcs in these `ways`. Each component must have
    /// a single vertex without a smaller neighbour, as in a breadth-first numbering. Blocks are
    /// numbered by the smallest vertices that are not their tops.
    pub fn find(graph: &Csr, ways: [&Csr; 2]) -> Partition {
        let fences = fences(graph);
        let row = |v| {
            let row = graph.neighbours(v);
            let smaller = row.partition_point(|&u| u < v);
            &row[usize::from(fences[v as usize]).min(smaller)..smaller]
        };
        let parts = linked(graph.vertices(), row, false);
        // Parts are numbered by their first vertices. The parent of a first vertex is in another
        // part.
        let mut top = Vec::new();
        let mut blocks = Vec::with_capacity(parts.count());
        let mut block = parts.of;
        for (v, part) in (0..).zip(&mut block) {
            if *part as usize == blocks.len() {
                let above = parent(graph, v);
                blocks.push(above.map_or(NONE, |_| top.len() as u32));
                top.extend(above);
            }
            *part = blocks[*part as usize];
        }
        let (mut arcs, mut vertices) = (vec![0; top.len()], vec![1; top.len()]);
        for (v, &block) in (0..).zip(&block).filter(|(_, block)| **block != NONE) {
            let smaller = |way: &Csr| way.neighbours(v).partition_point(|&u| u < v) as u32;
            arcs[block as usize] += ways.map(smaller).iter().sum::<u32>();
            vertices[block as usize] += 1;
        }
        Partition {
            block,
            top,
            arcs,
            vertices,
        }
    }

    /// Returns whether a block has to be searched, in a graph with or without `lengths`.
    pub fn is_searched(&self, block: usize, lengths: bool) -> bool {
        let (arcs, vertices) = (u64::from(self.arcs[block]), u64::from(self.vertices[block]));
        vertices > 2 && (lengths || arcs < vertices * (vertices - 1))
    }

    /// Estimates the work of searching the blocks: the sum of vertices times arcs, as if every
    /// vertex were a root.
    pub fn work(&self, lengths: bool) -> f64 {
        let searched = (0..self.top.len()).filter(|&b| self.is_searched(b, lengths));
        let work = |b: usize| f64::from(self.vertices[b]) * f64::from(self.arcs[b]);
        searched.map(work).sum()
    }
}

/// Returns for each vertex whether it has a parent and the edge to the parent is a fence.
fn fences(graph: &Csr) -> Vec<bool> {
    let n = graph.vertices();
    let above = |v: usize| parent(graph, v as Vertex).map(|p| p as usize);
    let (preorder, size) = preorder(n, above);
    // The smallest and largest numbers that the edges of each subtree reach.
    let reached = |v: usize| {
        let row = graph.neighbours(v as Vertex).iter();
        row.fold((preorder[v], preorder[v]), |(low, high), &u| {
            let number = preorder[u as usize];
            (low.min(number), high.max(number))
        })
    };
    let all = || (0..n).into_par_iter().with_min_len(PER_TASK);
    let mut reach: Vec<(u32, u32)> = all().map(reached).collect();
    for v in (0..n).rev() {
        if let Some(p) = above(v) {
            let (low, high) = reach[v];
            reach[p] = (reach[p].0.min(low), reach[p].1.max(high));
        }
    }
    let is_fence = |v: usize| {
        above(v).is_some_and(|p| {
            let (low, high) = reach[v];
            preorder[p] <= low && high - preorder[p] < size[p]
        })
    };
    all().map(is_fence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;
    use crate::prepare::order::bfs_order;

    /// Finds the blocks of a graph in breadth-first order.
    fn blocks(graph: &Csr) -> (Csr, Partition) {
        let all: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
        let graph = graph.induced(&bfs_order(graph, None, &all).0);
        let partition = Partition::find(&graph, [&graph; 2]);
        (graph, partition)
    }

    #[test]
    fn long_paths_and_cycles_need_no_stack() {
        let cycle = generate::cycle(300_000).unwrap();
        assert_eq!(blocks(cycle.csr()).1.top, [0]);
        let path = generate::path(300_000).unwrap();
        assert_eq!(blocks(path.csr()).1.top.len(), 299_999);
    }
}
