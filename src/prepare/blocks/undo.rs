//! Where the edges of the graph before are.

use super::mass::Mass;
use super::numbering::Numbering;
use super::partition::{NONE, Partition};
use crate::graph::Vertex;

/// Where the copies of each vertex are.
#[derive(Debug, Clone)]
pub struct Copies {
    pub(super) partition: Partition,
    pub(super) numbering: Numbering,
    /// Per vertex: what its copy in the block that it is not the top of stands for.
    pub(super) own: Vec<Mass>,
    /// Per block: what the copy of its top stands for.
    pub(super) of_top: Vec<Mass>,
}

impl Copies {
    /// The edge between two vertices of the graph before: the copies of its ends, or its pairs if
    /// its block is not searched.
    pub fn edge(&self, [a, b]: [Vertex; 2]) -> Result<[Vertex; 2], f64> {
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
        let others = self.own[larger];
        Err(mass.pairs(others) as f64 + others.pairs(mass) as f64)
    }

    /// Leaves no pairs of edges that are not searched.
    pub fn without_closed_forms(&mut self) {
        self.own.fill(Mass::default());
        self.of_top.fill(Mass::default());
    }
}
