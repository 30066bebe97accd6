//! The sums of an engine.

use crate::prepare::hierarchy::{Flows, Hierarchy};

/// The sums of dependencies: on overlay arcs, and on vertices by rank.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) flows: Flows,
    pub(super) vertices: Vec<f64>,
}

impl Totals {
    pub(super) fn zero(hierarchy: &Hierarchy) -> Totals {
        Totals {
            flows: Flows::zero(hierarchy),
            vertices: vec![0.0; hierarchy.vertices()],
        }
    }

    /// Adds the sums to `to` if `keep`, and makes them zero.
    pub(super) fn move_to(&mut self, to: &mut Totals, keep: bool) {
        let pairs = [
            (&mut self.flows.up, &mut to.flows.up),
            (&mut self.flows.down, &mut to.flows.down),
            (&mut self.vertices, &mut to.vertices),
        ];
        for (from, to) in pairs {
            for (from, to) in from.iter_mut().zip(to) {
                let number = std::mem::take(from);
                *to += if keep { number } else { 0.0 };
            }
        }
    }
}
