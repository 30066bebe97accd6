//! Queues of vertices by their distance.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::length::Length;
use crate::graph::Vertex;

/// Hands vertices out so that none comes before one that it depends on. A vertex may be in it with several
/// distances; who takes it out looks which one is right.
pub(super) trait Queue<L> {
    /// Adds a vertex at this distance, which is not before what was taken out last.
    fn push(&mut self, v: Vertex, dist: L);
    /// Takes the next vertex out.
    fn pop(&mut self) -> Option<(Vertex, L)>;
}

/// By distance exactly, for lengths of all sizes.
#[derive(Default)]
pub(super) struct Heap(BinaryHeap<Reverse<(u64, Vertex)>>);

impl<L: Length> Queue<L> for Heap {
    #[inline(always)]
    fn push(&mut self, v: Vertex, dist: L) {
        self.0.push(Reverse((dist.key(), v)));
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Vertex, L)> {
        let Reverse((key, v)) = self.0.pop()?;
        Some((v, L::of_key(key)))
    }
}
