//! Finds the copies of vertices and edges of the graph before it was split into blocks.

use super::numbering::Numbering;
use super::partition::{NONE, Partition};
use crate::graph::Vertex;

/// The mass of a vertex or of a branch: its sources and input vertices.
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

    pub fn less(self, other: Mass) -> Mass {
        Mass {
            sources: self.sources - other.sources,
            size: self.size - other.size,
        }
    }
}

/// The copies of each vertex.
#[derive(Debug, Clone)]
pub struct Copies {
    pub(super) partition: Partition,
    pub(super) numbering: Numbering,
    /// Per vertex, the mass of its copy in its own block, the only one of which it is not the top
    /// (see [`Partition`]).
    pub(super) own: Vec<Mass>,
    /// Per block, the mass of the copy of its top.
    pub(super) of_top: Vec<Mass>,
}

impl Copies {
    /// Returns the copies of the two ends of an edge of the original graph, or, if its block is not
    /// searched, `Err` with the number of ordered pairs whose paths use the edge.
    pub fn edge(&self, [a, b]: [Vertex; 2]) -> Result<[Vertex; 2], f64> {
        // An edge belongs to the block of its larger end. The smaller end may be its top.
        let (smaller, larger) = (a.min(b) as usize, a.max(b) as usize);
        let block = self.partition.block[larger];
        let is_top = self.partition.block[smaller] != block;
        let (copy, mass) = match is_top {
            true => (
                self.numbering.top[block as usize],
                self.of_top[block as usize],
            ),
            false => (self.numbering.own[smaller], self.own[smaller]),
        };
        if copy != NONE {
            return Ok([copy, self.numbering.own[larger]]);
        }
        let larger = self.own[larger];
        Err(mass.pairs(larger) as f64 + larger.pairs(mass) as f64)
    }
}
