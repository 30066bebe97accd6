//! Where the edges of the graph before are.

use super::mass::Mass;
use super::numbering::Numbering;
use super::partition::Partition;
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
        let ends = (a.min(b), a.max(b));
        let copies = self.numbering.ends(&self.partition, ends);
        copies.ok_or_else(|| {
            let block = self.partition.block[ends.1 as usize];
            let is_top = self.partition.block[ends.0 as usize] != block;
            let smaller = match is_top {
                true => self.of_top[block as usize],
                false => self.own[ends.0 as usize],
            };
            let larger = self.own[ends.1 as usize];
            smaller.pairs(larger) as f64 + larger.pairs(smaller) as f64
        })
    }

    /// Leaves no pairs of edges that are not searched.
    pub fn without_closed_forms(&mut self) {
        self.own.fill(Mass::default());
        self.of_top.fill(Mass::default());
    }
}
