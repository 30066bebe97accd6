//! Whether all path counts of a search are numbers that f64 can count to, before the way back begins.

use super::heap::{Dijkstra, Node};
use super::length::Length;
use crate::engine::SIGMA_LIMIT_F64;

/// A search that settled at least this part of all vertices is looked at in the order of memory.
const MOST: usize = 4;

impl<L: Length> Dijkstra<'_, L> {
    /// Whether all path counts of the search just made are in range.
    pub(super) fn in_range(&self) -> bool {
        // No branch, so that many are compared at a time.
        let check = |all: bool, node: &Node<L>| all & (node.value <= SIGMA_LIMIT_F64);
        if self.settled.len() >= self.nodes.len() / MOST {
            // Vertices that it did not reach keep a value of an earlier search, which was in range.
            self.nodes.iter().fold(true, check)
        } else {
            let nodes = self.settled.iter().map(|&v| &self.nodes[v as usize]);
            nodes.fold(true, check)
        }
    }

    /// Takes back what a search has left at vertices whose path counts are not in range.
    pub(super) fn forget(&mut self) {
        for &v in &self.settled {
            self.nodes[v as usize] = Node {
                dist: L::FAR,
                value: 0.0,
            };
        }
    }
}
