//! Copies of vertices, one for each block that a vertex belongs to. Searches run on copies, which
//! are numbered block by block, the largest block first, and in each block the top first.

use std::cmp::Reverse;

use super::super::component_ranges::ComponentRanges;
use super::partition::{NONE, Partition};
use crate::graph::{Csr, Vertex};

/// The mass of a vertex, or of a part of the graph: its sources and input vertices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mass {
    /// The number of chosen sources.
    pub sources: u64,
    /// The number of input vertices.
    pub size: u64,
}

impl Mass {
    /// Returns the number of pairs of a source of this mass and an input vertex of the other.
    pub fn pairs(self, other: Mass) -> u64 {
        self.sources * other.size
    }

    pub fn add(&mut self, other: Mass) {
        self.sources += other.sources;
        self.size += other.size;
    }

    /// Returns this mass without the other, which is a part of it.
    pub fn without(self, other: Mass) -> Mass {
        Mass {
            sources: self.sources - other.sources,
            size: self.size - other.size,
        }
    }
}

/// The copies of each vertex.
#[derive(Debug, Clone)]
pub struct Copies {
    partition: Partition,
    /// Per vertex, the mass of its copy in its own block, the only one whose top it is not (see
    /// [`Partition`]).
    own_mass: Vec<Mass>,
    /// Per block, the mass of the copy of its top.
    top_mass: Vec<Mass>,
    /// Per copy, the vertex that is copied.
    pub vertex: Vec<Vertex>,
    /// Per copy, its block.
    block: Vec<u32>,
    /// Per block, the copy of its top, or [`NONE`] if the block is not searched.
    top: Vec<Vertex>,
    /// Per vertex, its copy in its own block, or [`NONE`].
    own: Vec<Vertex>,
}

impl Copies {
    /// Numbers the copies in the blocks that have to be searched, in a graph with or without
    /// `lengths`. The masses are those of vertices in their own blocks, and of the tops of blocks.
    pub fn new(
        partition: Partition,
        [own_mass, top_mass]: [Vec<Mass>; 2],
        lengths: bool,
    ) -> Copies {
        let mut order: Vec<usize> = partition.searched(lengths).collect();
        order.sort_by_key(|&b| Reverse(partition.vertices[b]));
        let mut top = vec![NONE; partition.top.len()];
        let (mut vertex, mut block) = (Vec::new(), Vec::new());
        for b in order {
            let start = vertex.len();
            let end = start + partition.vertices[b] as usize;
            top[b] = start as Vertex;
            vertex.resize(end, partition.top[b]);
            block.resize(end, b as u32);
        }
        // Per block, the copy that was numbered last; at first the top.
        let mut last_of_block = top.clone();
        let number = |(v, &b): (Vertex, &u32)| {
            let last = last_of_block
                .get_mut(b as usize)
                .filter(|last| **last != NONE);
            last.map_or(NONE, |last| {
                *last += 1;
                vertex[*last as usize] = v;
                *last
            })
        };
        let own = (0..).zip(&partition.block).map(number).collect();
        Copies {
            partition,
            own_mass,
            top_mass,
            vertex,
            block,
            top,
            own,
        }
    }

    /// Returns the range of copies of each block.
    pub fn ranges(&self) -> ComponentRanges {
        ComponentRanges::from_numbers(self.block.iter().copied())
    }

    /// Returns the block of a copy, and whether the copy is the top of the block.
    fn place(&self, copy: usize) -> (usize, bool) {
        let block = self.block[copy] as usize;
        (block, self.top[block] as usize == copy)
    }

    /// Returns the mass of a copy.
    pub fn mass(&self, copy: usize) -> Mass {
        match self.place(copy) {
            (block, true) => self.top_mass[block],
            (_, false) => self.own_mass[self.vertex[copy] as usize],
        }
    }

    /// Returns the graph of the copies.
    pub fn graph(&self, graph: &Csr) -> Csr {
        let partition = &self.partition;
        let of_top = |copy: usize, block: usize| {
            // In the row of a neighbour of the top, no vertex is smaller than the top: the top is
            // the smallest vertex of this block, and the neighbour is itself the top of its other
            // blocks. So the top comes first in that row.
            let size = partition.vertices[block] as usize;
            let first = |other: usize| graph.neighbours(self.vertex[other])[0];
            let others = copy + 1..copy + size;
            others.filter(move |&other| first(other) == partition.top[block])
        };
        let own = |copy: usize, block: usize| {
            let v = self.vertex[copy];
            // A smaller neighbour whose own block is another one is the top of this block. A larger
            // one is in a block whose top is `v`, and the edge belongs there.
            let in_block = move |&u: &Vertex| match partition.block[u as usize] as usize == block {
                true => Some(self.own[u as usize]),
                false => (u < v).then_some(self.top[block]),
            };
            graph.neighbours(v).iter().filter_map(in_block)
        };
        let row = |copy, row: &mut dyn FnMut(Vertex)| match self.place(copy) {
            (block, true) => of_top(copy, block).for_each(|other| row(other as Vertex)),
            (block, false) => own(copy, block).for_each(row),
        };
        Csr::of_rows(self.vertex.len(), row)
    }

    /// Returns the copies of the two ends of an edge of the original graph, or, if its block is not
    /// searched, `Err` with the number of ordered pairs whose paths use the edge.
    pub fn edge(&self, [a, b]: [Vertex; 2]) -> Result<[Vertex; 2], f64> {
        // An edge belongs to the block of its larger end. The smaller end may be the block's top.
        let (smaller, larger) = (a.min(b) as usize, a.max(b) as usize);
        let block = self.partition.block[larger];
        let (copy, mass) = match self.partition.block[smaller] == block {
            true => (self.own[smaller], self.own_mass[smaller]),
            false => (self.top[block as usize], self.top_mass[block as usize]),
        };
        if copy != NONE {
            return Ok([copy, self.own[larger]]);
        }
        let larger = self.own_mass[larger];
        Err(mass.pairs(larger) as f64 + larger.pairs(mass) as f64)
    }
}
