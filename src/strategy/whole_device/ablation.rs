//! Strategy `virtual` with one of its ideas switched off, to measure the gain of each. Only
//! `brandes bench --ablation` uses these variants. `cl/whole_device/ablation.cl` replaces macros of
//! the kernels of `virtual`. The original report is "GPU accelerated implementation of Brandes
//! algorithm" (2014).

use serde::{Deserialize, Serialize};

use crate::prepare::{Order, PrepareOptions, Reductions};

/// An idea of strategy `virtual` that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    /// Degree-1 vertices are folded away.
    Folding,
    /// Vertices are numbered breadth-first; else as in the input.
    Ordering,
    /// An array per number of a vertex; else a record per vertex.
    StructureOfArrays,
    /// Vertices of many arcs are split into virtual ones; else one work-item does them all.
    VirtualVertices,
    /// The arcs of a vertex are dealt round-robin; else each virtual vertex has a run of them.
    RoundRobin,
    /// A second kernel adds partial sums; else compare-and-swap loops do.
    Reduction,
}

impl Switch {
    /// All ideas, in the order in which the original report introduces them.
    pub const ALL: [Switch; 6] = [
        Switch::Folding,
        Switch::Ordering,
        Switch::StructureOfArrays,
        Switch::VirtualVertices,
        Switch::RoundRobin,
        Switch::Reduction,
    ];

    /// Returns the names of the idea and of its replacement when it is off.
    pub fn name(self) -> &'static str {
        match self {
            Switch::Folding => "degree-1 folding / none",
            Switch::Ordering => "breadth-first order / order of the input",
            Switch::StructureOfArrays => "structure of arrays / array of structures",
            Switch::VirtualVertices => "virtual vertices / one work-item a vertex",
            Switch::RoundRobin => "round-robin arcs / contiguous arcs",
            Switch::Reduction => "reduction kernels / emulated float atomics",
        }
    }

    /// Returns the relative change of the total time by the idea in the original report: mean and
    /// standard deviation over its eight graphs. Returns `None` for folding, of which the report
    /// says only that it removes half of the vertices.
    pub fn original(self) -> Option<(f64, f64)> {
        const MEANS: [f64; 5] = [-0.03, -0.12, -0.17, -0.05, -0.38];
        const DEVIATIONS: [f64; 5] = [0.02, 0.06, 0.11, 0.04, 0.08];
        let place = (self as usize).checked_sub(1)?;
        Some((MEANS[place], DEVIATIONS[place]))
    }

    /// Returns `options` with the idea switched off, if it concerns preparing the graph.
    pub fn prepare_without(self, mut options: PrepareOptions) -> PrepareOptions {
        match self {
            Switch::Folding => options.reduce = Reductions::NONE,
            Switch::Ordering => options.order = Order::None,
            _ => {}
        }
        options
    }

    /// Returns the macros that switch the idea off in the kernels of `virtual` with this D.
    pub(super) fn macros(self, degree: u32) -> Option<(&'static str, usize)> {
        match self {
            Switch::RoundRobin => Some(("CONTIGUOUS", degree as usize)),
            Switch::StructureOfArrays => Some(("RECORDS", 1)),
            Switch::Reduction => Some(("ATOMICS", 1)),
            _ => None,
        }
    }
}

/// The text that replaces macros of `virtual`.
pub(super) const TEXT: &str = include_str!("../../../cl/whole_device/ablation.cl");
