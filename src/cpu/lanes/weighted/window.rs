//! Which lanes are at a vertex at the distances around the one that a batch is at.

use crate::graph::Vertex;
use crate::pages::filled;

/// Per vertex a mask for each distance in a window that moves on: behind its middle the lanes that
/// settled the vertex there, ahead of it lanes that may.
pub(super) struct Window {
    pub(super) slots: usize,
    masks: Vec<u64>,
}

impl Window {
    /// For arcs of lengths up to `longest`, so that a window reaches as far to either side.
    pub(super) fn new(n: usize, longest: u32) -> Window {
        let slots = 2 * longest as usize + 1;
        Window {
            slots,
            masks: filled(n * slots, 0),
        }
    }

    pub(super) const fn bytes_per_vertex(longest: u32) -> usize {
        (2 * longest as usize + 1) * size_of::<u64>()
    }

    /// The slot of a distance.
    #[inline(always)]
    pub(super) fn slot(&self, dist: usize) -> usize {
        dist % self.slots
    }

    /// The slot `length` farther on.
    #[inline(always)]
    pub(super) fn after(&self, slot: usize, length: u32) -> usize {
        let after = slot + length as usize;
        if after >= self.slots {
            after - self.slots
        } else {
            after
        }
    }

    /// The slot `length` nearer.
    #[inline(always)]
    pub(super) fn before(&self, slot: usize, length: u32) -> usize {
        let length = length as usize;
        if slot >= length {
            slot - length
        } else {
            slot + self.slots - length
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, v: Vertex, slot: usize) -> u64 {
        self.masks[v as usize * self.slots + slot]
    }

    #[inline(always)]
    pub(super) fn at_mut(&mut self, v: Vertex, slot: usize) -> &mut u64 {
        &mut self.masks[v as usize * self.slots + slot]
    }
}
