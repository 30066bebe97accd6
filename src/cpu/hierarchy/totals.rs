//! The sums to which a worker's engine `hierarchy` adds.

use crate::prepare::hierarchy::{Flows, Hierarchy};

/// The sums of vertices, and flows over overlay arcs.
#[derive(Default)]
pub(super) struct Totals {
    /// The flows over overlay arcs, for each backward phase.
    pub(super) flows: Vec<Flows>,
    /// The number of sums that each vertex has.
    columns: usize,
    /// The `columns` sums of each vertex, by rank.
    vertices: Vec<f64>,
}

impl Totals {
    pub(super) fn zero(hierarchy: &Hierarchy, [columns, passes]: [usize; 2]) -> Totals {
        Totals {
            flows: vec![Flows::zero(hierarchy); passes],
            columns,
            vertices: vec![0.0; columns * hierarchy.vertices()],
        }
    }

    /// Returns the sums of the vertex of this rank.
    #[inline(always)]
    pub(super) fn sums_of(&mut self, rank: u32) -> &mut [f64] {
        &mut self.vertices[rank as usize * self.columns..][..self.columns]
    }

    /// Sets all sums to zero. If `keep`, adds them to `to` before.
    pub(super) fn move_to(&mut self, to: &mut Totals, keep: bool) {
        let add = |from: &mut [f64], to: &mut [f64]| {
            for (from, to) in from.iter_mut().zip(to) {
                let number = std::mem::take(from);
                *to += if keep { number } else { 0.0 };
            }
        };
        add(&mut self.vertices, &mut to.vertices);
        for (from, to) in self.flows.iter_mut().zip(&mut to.flows) {
            add(&mut from.up, &mut to.up);
            add(&mut from.down, &mut to.down);
        }
    }
}
