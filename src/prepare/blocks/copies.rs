//! Copies of vertices, one for each block that a vertex belongs to. Searches run on copies, which
//! are numbered block by block, the largest block first, and in each block the top first. Blocks
//! that need no search come last.

use std::cmp::Reverse;
use std::ops::Range;

use fixedbitset::FixedBitSet;

use super::super::component_ranges::ComponentRanges;
use super::partition::{NONE, Partition};
use crate::graph::{Csr, Vertex};

/// The copies of each vertex.
#[derive(Debug, Clone)]
pub struct Copies {
    partition: Partition,
    /// Per copy, the vertex that is copied.
    pub vertex: Vec<Vertex>,
    /// The number of copies in blocks that have to be searched.
    pub searched: usize,
    /// Per block, the copy of its top. The top of a block is in an earlier one, if it is in another
    /// block that it is not the top of.
    pub top: Vec<Vertex>,
    /// Per vertex, its copy in its own block, the only one whose top it is not, or [`NONE`].
    own: Vec<Vertex>,
    /// Per copy, its weight as a source and that as a target, when they are known.
    pub weights: [Vec<f64>; 2],
}

impl Copies {
    /// Numbers the copies, in a graph with or without `lengths`.
    pub fn new(partition: Partition, lengths: bool) -> Copies {
        let mut order: Vec<usize> = (0..partition.top.len()).collect();
        let is_searched = |b: usize| u32::from(partition.is_searched(b, lengths));
        order.sort_by_key(|&b| Reverse(is_searched(b) * partition.vertices[b]));
        let mut top = vec![0; order.len()];
        let (mut vertex, mut searched) = (Vec::new(), 0);
        for b in order {
            top[b] = vertex.len() as Vertex;
            let end = vertex.len() + partition.vertices[b] as usize;
            vertex.resize(end, partition.top[b]);
            if partition.is_searched(b, lengths) {
                searched = end;
            }
        }
        // Per block, the copy that was numbered last; at first the top.
        let mut last_of_block = top.clone();
        let number = |(v, &b): (Vertex, &u32)| {
            let last = last_of_block.get_mut(b as usize);
            last.map_or(NONE, |last| {
                *last += 1;
                vertex[*last as usize] = v;
                *last
            })
        };
        let own = (0..).zip(&partition.block).map(number).collect();
        Copies {
            partition,
            vertex,
            searched,
            top,
            own,
            weights: Default::default(),
        }
    }

    /// Returns the copies in a block.
    pub fn of_block(&self, block: usize) -> Range<usize> {
        let top = self.top[block] as usize;
        top..top + self.partition.vertices[block] as usize
    }

    /// Returns the range of copies of each searched block.
    pub fn ranges(&self) -> ComponentRanges {
        ComponentRanges::from_numbers((0..self.searched).map(|copy| self.place(copy).0 as u32))
    }

    /// Returns the block of a copy, and whether the copy is the top of the block.
    fn place(&self, copy: usize) -> (usize, bool) {
        let is_top = self.own[self.vertex[copy] as usize] as usize != copy;
        // A top is followed by another vertex of its block.
        let member = self.vertex[copy + usize::from(is_top)];
        (self.partition.block[member as usize] as usize, is_top)
    }

    /// Marks the vertices that are in several blocks.
    pub fn cut_vertices(&self) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(self.own.len());
        let mut is_cut = seen.clone();
        let vertices = self.vertex.iter().map(|&v| v as usize);
        is_cut.extend(vertices.filter(|&v| seen.put(v)));
        is_cut
    }

    /// Returns the graph of the searched copies; `into` has the arcs of `out` reversed.
    pub fn graph(&self, [out, into]: [&Csr; 2]) -> Csr {
        let partition = &self.partition;
        let of_top = |copy: usize, block: usize| {
            // In the row of a neighbour of the top, no vertex is smaller than the top: the top is
            // the smallest vertex of this block, and the neighbour is itself the top of its other
            // blocks. So the top comes first in that row.
            let first = |other: usize| into.neighbours(self.vertex[other]).first();
            let others = copy + 1..self.of_block(block).end;
            others.filter(move |&other| first(other) == Some(&partition.top[block]))
        };
        let own = |copy: usize, block: usize| {
            let v = self.vertex[copy];
            // A smaller neighbour whose own block is another one is the top of this block. A larger
            // one is in a block whose top is `v`, and the edge belongs there.
            let in_block = move |&u: &Vertex| match partition.block[u as usize] as usize == block {
                true => Some(self.own[u as usize]),
                false => (u < v).then_some(self.top[block]),
            };
            out.neighbours(v).iter().filter_map(in_block)
        };
        let row = |copy, row: &mut dyn FnMut(Vertex)| match self.place(copy) {
            (block, true) => of_top(copy, block).for_each(|other| row(other as Vertex)),
            (block, false) => own(copy, block).for_each(row),
        };
        Csr::of_rows(self.searched, row)
    }

    /// Returns the copies of the ends of an arc, or, if its block is not searched, as `Err` the
    /// ordered pairs whose paths use the arc.
    pub fn arc(&self, ends: [Vertex; 2]) -> Result<[Vertex; 2], f64> {
        // An edge belongs to the block of its larger end. The smaller end may be the block's top.
        let block = self.partition.block[ends[0].max(ends[1]) as usize];
        let copies = ends.map(|v| match self.partition.block[v as usize] == block {
            true => self.own[v as usize],
            false => self.top[block as usize],
        });
        let [source, target] = [0, 1].map(|i| self.weights[i][copies[i] as usize]);
        match (copies[0] as usize) < self.searched {
            true => Ok(copies),
            false => Err(source * target),
        }
    }
}
