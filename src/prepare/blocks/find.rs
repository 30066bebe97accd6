//! The blocks of a graph, and the work of searching them.

use super::partition::{NONE, Partition};
use crate::graph::Csr;

/// The blocks of a graph.
pub struct Blocks {
    pub partition: Partition,
    /// The number of edges per block.
    pub edges: Vec<u32>,
    /// The number of vertices per block, including the top.
    pub vertices: Vec<u32>,
}

impl Blocks {
    /// Finds the blocks of an undirected graph. [`Partition::find`] says how it has to be numbered.
    pub fn find(graph: &Csr) -> Blocks {
        let partition = Partition::find(graph);
        let count = partition.top.len();
        let (mut edges, mut vertices) = (vec![0; count], vec![1; count]);
        for (v, &block) in (0..).zip(&partition.block) {
            if block != NONE {
                let row = graph.neighbours(v);
                edges[block as usize] += row.partition_point(|&u| u < v) as u32;
                vertices[block as usize] += 1;
            }
        }
        Blocks {
            partition,
            edges,
            vertices,
        }
    }

    /// Returns the number of blocks.
    pub fn count(&self) -> usize {
        self.edges.len()
    }

    /// Returns a function that says whether a block has to be searched.
    pub fn searched(&self, lengths: bool) -> impl Fn(usize) -> bool {
        move |block| {
            let (edges, vertices) = (self.edges[block] as u64, self.vertices[block] as u64);
            match lengths {
                true => vertices > 2,
                false => 2 * edges < vertices * (vertices - 1),
            }
        }
    }

    /// Estimates the work of searching the blocks: the sum of vertices times arcs, as if every
    /// vertex were a root.
    pub fn work(&self, lengths: bool) -> f64 {
        let searched = self.searched(lengths);
        let of_blocks = (0..self.count()).filter(|&block| searched(block));
        let work = |b: usize| f64::from(self.vertices[b]) * 2.0 * f64::from(self.edges[b]);
        of_blocks.map(work).sum()
    }
}
