//! Strategy `virtual` with one of its ideas switched off, to measure the gain of each. Only
//! `brandes bench --ablation` uses these variants. `cl/whole_device/ablation.cl` replaces macros of
//! the kernels of `virtual`. The original report is "GPU accelerated implementation of Brandes
//! algorithm" (2014).

use serde::{Deserialize, Serialize};

use super::search::{self, Variant};
use super::{DEGREE, DeviceEngine, Strategy, VIRTUAL};
use crate::device::{DeviceError, Session};
use crate::prepare::{Order, PrepareOptions, Prepared, Reductions};
use crate::strategy::check_steps;

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
        const FIGURES: [(f64, f64); 5] = [
            (-0.03, 0.02),
            (-0.12, 0.06),
            (-0.17, 0.11),
            (-0.05, 0.04),
            (-0.38, 0.08),
        ];
        FIGURES.get((self as usize).checked_sub(1)?).copied()
    }

    /// Returns `options` with the idea switched off, if it concerns preparing the graph.
    pub fn prepare_without(self, options: PrepareOptions) -> PrepareOptions {
        match self {
            Switch::Folding => PrepareOptions {
                reduce: Reductions::NONE,
                ..options
            },
            Switch::Ordering => PrepareOptions {
                order: Order::None,
                ..options
            },
            _ => options,
        }
    }
}

/// Makes the engine of strategy `virtual` with `off` switched off in the kernels. Ideas of
/// preparing the graph make no difference here. The changed kernels support neither path ends nor
/// scores of edges nor twins.
///
/// # Errors
/// If the device cannot hold the graph, or lacks atomic operations that the kernels need.
pub fn engine<'s>(
    session: &'s Session,
    prepared: &'s Prepared,
    off: Option<Switch>,
) -> Result<DeviceEngine<'s>, DeviceError> {
    check_steps(session, prepared)?;
    let mut degree = session.options.degree.unwrap_or(DEGREE);
    let mut source = VIRTUAL.source(&session.options, &session.info);
    match off {
        Some(Switch::RoundRobin) => source.macros.push(("CONTIGUOUS", degree as usize)),
        Some(Switch::StructureOfArrays) => source.macros.push(("RECORDS", 1)),
        Some(Switch::Reduction) => source.macros.push(("ATOMICS", 1)),
        Some(Switch::VirtualVertices) => degree = u32::MAX,
        _ => {}
    }
    if !source.macros.is_empty() {
        source.texts.insert(0, ABLATION);
    }
    // Compare-and-swap on 64 bits is an extension of OpenCL 1.2.
    if off == Some(Switch::Reduction)
        && session.options.precision.is_double()
        && !session.has_extension("cl_khr_int64_base_atomics")?
    {
        let name = &session.info.name;
        let text = format!("{name} has no 64-bit atomics (cl_khr_int64_base_atomics)");
        return Err(DeviceError::Refused(text));
    }
    let variant = Variant {
        source,
        degree: Some(degree),
        records: off == Some(Switch::StructureOfArrays),
        atomics: off == Some(Switch::Reduction),
    };
    search::engine(Strategy::Virtual, session, prepared, variant)
}

/// The text that replaces macros of `virtual`.
const ABLATION: &str = include_str!("../../../cl/whole_device/ablation.cl");
