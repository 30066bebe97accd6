//! The numbers of the copies that are searched: block by block, the largest block first, and in
//! each block the top first.

use std::cmp::Reverse;

use super::super::component_ranges::ComponentRanges;
use super::partition::{NONE, Partition};
use crate::graph::{Csr, Vertex};

/// The numbers of the copies.
#[derive(Debug, Clone)]
pub struct Numbering {
    /// Per copy, the vertex that is copied.
    pub vertex: Vec<Vertex>,
    /// Per copy, its block.
    block: Vec<u32>,
    /// Per block, the copy of its top, or [`NONE`] if the block is not searched.
    pub top: Vec<Vertex>,
    /// Per vertex, its copy in the only block whose top it is not, or [`NONE`].
    pub own: Vec<Vertex>,
}

impl Numbering {
    /// Numbers the copies in the blocks that are to be searched. `vertices` is the size of each
    /// block.
    pub fn new(
        partition: &Partition,
        vertices: &[u32],
        searched: impl Fn(usize) -> bool,
    ) -> Numbering {
        let blocks = partition.top.len();
        let mut order: Vec<usize> = (0..blocks).filter(|&block| searched(block)).collect();
        order.sort_by_key(|&b| Reverse(vertices[b]));
        let mut top = vec![NONE; blocks];
        let copies: usize = order.iter().map(|&b| vertices[b] as usize).sum();
        let (mut vertex, mut block) = (vec![0; copies], vec![0; copies]);
        let mut start = 0;
        for b in order {
            top[b] = start as Vertex;
            vertex[start] = partition.top[b];
            let end = start + vertices[b] as usize;
            block[start..end].fill(b as u32);
            start = end;
        }
        let mut next = top.clone();
        let number = |(v, &b): (Vertex, &u32)| {
            let last = next.get_mut(b as usize).filter(|last| **last != NONE);
            last.map_or(NONE, |last| {
                *last += 1;
                vertex[*last as usize] = v;
                *last
            })
        };
        let own = (0..).zip(&partition.block).map(number).collect();
        Numbering {
            vertex,
            block,
            top,
            own,
        }
    }

    /// Returns the vertices of each block.
    pub fn ranges(&self) -> ComponentRanges {
        ComponentRanges::from_numbers(self.block.iter().copied())
    }

    /// Returns the block of a copy, and whether the copy is the top of the block.
    pub fn place(&self, copy: usize) -> (usize, bool) {
        let block = self.block[copy] as usize;
        (block, self.top[block] as usize == copy)
    }

    /// Returns the graph of the copies.
    pub fn graph(&self, graph: &Csr, partition: &Partition) -> Csr {
        let of_top = |copy: usize, block: usize| {
            // The top is the smallest vertex of its block, so it comes first in the rows of its
            // neighbours there.
            let size = self.block[copy..].partition_point(|&b| b as usize == block);
            let is_next = move |&other: &usize| {
                graph.neighbours(self.vertex[other])[0] == partition.top[block]
            };
            let others = (copy + 1..copy + size).filter(is_next);
            others.map(|other| other as Vertex)
        };
        let own = |copy: usize, block: usize| {
            let v = self.vertex[copy];
            let in_block = move |u: Vertex| {
                let below = partition.block[u as usize] as usize;
                if below == block {
                    Some(self.own[u as usize])
                } else if u < v {
                    Some(self.top[block])
                } else {
                    None
                }
            };
            graph.neighbours(v).iter().filter_map(move |&u| in_block(u))
        };
        Csr::of_rows(
            self.vertex.len(),
            |copy, row: &mut dyn FnMut(Vertex)| match self.place(copy) {
                (block, true) => of_top(copy, block).for_each(row),
                (block, false) => own(copy, block).for_each(row),
            },
        )
    }
}
