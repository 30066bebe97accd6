//! The sums of an engine.

use crate::prepare::hierarchy::{Flows, Hierarchy};

/// The sums of dependencies: on overlay arcs, and on vertices by rank.
#[derive(Default)]
pub(super) struct Totals {
    /// Flows of each backward phase.
    pub(super) flows: Vec<Flows>,
    /// The number of sums of a vertex.
    pub(super) columns: usize,
    /// The sums of each vertex, by rank.
    pub(super) vertices: Vec<f64>,
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

    /// Adds the sums to `to` if `keep`, and makes them zero.
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
