//! Whether all path counts of a search are in range of f64, before the way back begins.

use super::heap::{Dijkstra, Node};
use super::length::Length;
use crate::cpu::limit::in_range;
use crate::engine::SIGMA_LIMIT_F64;

/// A search that settled at least this part of all vertices is looked at in the order of memory.
const MOST: usize = 4;

/// Sums that do not wait for each other.
const SUMS: usize = 4;

impl<L: Length> Dijkstra<'_, L> {
    /// Whether all path counts of the search just made are in range.
    #[inline(never)]
    pub(super) fn in_range(&self) -> bool {
        // If their sum is, each of them is. Vertices that were not reached have a value of zero.
        if self.settled.len() >= self.nodes.len() / MOST && sum(&self.nodes) <= SIGMA_LIMIT_F64 {
            return true;
        }
        let nodes = self.settled.iter().map(|&v| &self.nodes[v as usize]);
        in_range(nodes.map(|node| node.value))
    }
}

fn sum<L>(nodes: &[Node<L>]) -> f64 {
    let (fours, rest) = nodes.as_chunks::<SUMS>();
    let mut sums = [0.0; SUMS];
    for four in fours {
        for i in 0..SUMS {
            sums[i] += four[i].value;
        }
    }
    let rest = rest.iter().map(|node| node.value);
    sums.into_iter().chain(rest).sum()
}
