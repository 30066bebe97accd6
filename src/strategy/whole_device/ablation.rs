//! Strategy `virtual` with one of its ideas switched off, to see what each is worth.
//!
//! For the table of `brandes bench --ablation` alone: none of this can be chosen for a run, and
//! the program of `cl/whole_device/ablation.cl` is built only when one of its engines is made.

use serde::{Deserialize, Serialize};

use super::super::steps;
use super::kernels::{Kernels, Memory, More};
use super::{DEGREE, DeviceEngine, VIRTUAL};
use crate::device::buffers::{BufferSet, Place};
use crate::device::launch::{Arg, KernelSet};
use crate::device::{DeviceError, Session, Source};
use crate::prepare::{Order, PrepareOptions, Prepared, Reductions};

/// An idea of strategy `virtual` that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "app", derive(schemars::JsonSchema))]
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
    /// All, in the order in which the original report introduces them.
    pub const ALL: [Switch; 6] = [
        Switch::Folding,
        Switch::Ordering,
        Switch::StructureOfArrays,
        Switch::VirtualVertices,
        Switch::RoundRobin,
        Switch::Reduction,
    ];

    /// What is done when it is on, and what in its place when it is off.
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

    /// The original report's relative change of the total time by the idea, where it gives one: mean
    /// and standard deviation over its eight graphs. (Of folding it says only that half of the
    /// vertices go.)
    pub fn original(self) -> Option<(f64, f64)> {
        match self {
            Switch::Folding => None,
            Switch::Ordering => Some((-0.03, 0.02)),
            Switch::StructureOfArrays => Some((-0.12, 0.06)),
            Switch::VirtualVertices => Some((-0.17, 0.11)),
            Switch::RoundRobin => Some((-0.05, 0.04)),
            Switch::Reduction => Some((-0.38, 0.08)),
        }
    }

    /// How to prepare the graph when it is off and everything else is as in `options`.
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

/// The engine of strategy `virtual` with `off` switched off in the kernels. (What is switched off
/// in preparing the graph makes no difference here.) Neither path ends nor arcs are counted.
pub fn engine<'s>(
    session: &'s Session,
    prepared: &'s Prepared,
    off: Option<Switch>,
) -> Result<DeviceEngine<'s>, DeviceError> {
    steps::check_prepared(session, prepared)?;
    let degree = match off {
        Some(Switch::VirtualVertices) => u32::MAX,
        _ => session.options.degree.unwrap_or(DEGREE),
    };
    if off == Some(Switch::Reduction) {
        check_cas(session)?;
    }
    VIRTUAL.engine_of_degree(session, prepared, Some(degree), |memory, kernels| {
        let build = || {
            let source = Source {
                name: "ablation".into(),
                texts: &[include_str!("../../../cl/whole_device/ablation.cl")],
                ..VIRTUAL.source(&session.options, &session.info)
            };
            session.build(&source)
        };
        match off {
            Some(Switch::RoundRobin) => contiguous(&build()?, memory, degree, kernels),
            Some(Switch::Reduction) => atomics(&build()?, memory),
            Some(Switch::StructureOfArrays) => {
                records(&build()?, memory, session, &prepared.weight)
            }
            _ => Ok(kernels),
        }
    })
}

/// Compare-and-swap on 64 bits is an extension of OpenCL 1.2.
fn check_cas(session: &Session) -> Result<(), DeviceError> {
    if !session.options.precision.is_double()
        || session.has_extension("cl_khr_int64_base_atomics")?
    {
        return Ok(());
    }
    Err(DeviceError::Refused(format!(
        "{} has no 64-bit atomics (cl_khr_int64_base_atomics)",
        session.info.name
    )))
}

/// The kernels of `virtual`, whose virtual vertices have runs of arcs.
fn contiguous(
    set: &KernelSet,
    memory: &Memory,
    degree: u32,
    mut kernels: Kernels,
) -> Result<Kernels, DeviceError> {
    let (level, partial) = (memory.level, memory.partial);
    let mut forward = memory.by_shares(memory.in_arcs(), &[level, memory.sigma, partial]);
    let mut backward = memory.by_shares(&memory.out_arcs, &[level, memory.coefficient, partial]);
    forward.push(Arg::Uint(degree));
    backward.push(Arg::Uint(degree));
    let step = |name, items, more, args| memory.step(set, name, items, more, args);
    let (inward, outward) = (memory.in_arcs().items, memory.out_arcs.items);
    kernels.forward[0] = step("contiguous_forward", inward, More::Nothing, forward)?;
    kernels.backward[0] = step("contiguous_backward", outward, More::Planned, backward)?;
    Ok(kernels)
}

/// Kernels that add by compare-and-swap loops.
fn atomics(set: &KernelSet, memory: &Memory) -> Result<Kernels, DeviceError> {
    let (level, sigma, coefficient) = (memory.level, memory.sigma, memory.coefficient);
    let (weight, scores) = (memory.weight, memory.scores);
    let forward = memory.by_shares(memory.in_arcs(), &[level, sigma]);
    let backward = memory.by_shares(&memory.out_arcs, &[level, coefficient]);
    let step = |name, items, more, args| memory.step(set, name, items, more, args);
    let by_vertices = |name, more, places: &[Place]| {
        let args = memory.by_vertices(None, places);
        step(name, memory.n, more, args)
    };
    let (nothing, planned) = (More::Nothing, More::Planned);
    let (inward, outward) = (memory.in_arcs().items, memory.out_arcs.items);
    let turn = [level, sigma, weight, coefficient];
    let last = [level, sigma, coefficient, weight, scores];
    Ok(Kernels {
        reset: by_vertices("atomic_reset", nothing, &[level, sigma])?,
        forward: vec![step("atomic_forward", inward, nothing, forward)?],
        turn: vec![by_vertices("atomic_turn", nothing, &turn)?],
        backward: vec![step("atomic_backward", outward, planned, backward)?],
        last: vec![by_vertices("atomic_last", More::Sources, &last)?],
    })
}

/// Kernels that have a record for each vertex.
fn records(
    set: &KernelSet,
    memory: &Memory,
    session: &Session,
    weight: &[f64],
) -> Result<Kernels, DeviceError> {
    // Four reals each: sigma, coefficient, weight, and the level in the last one's place.
    let records: Vec<f64> = weight.iter().flat_map(|&w| [0.0, 0.0, w, 0.0]).collect();
    let mut own = BufferSet::new(session);
    let vertices = own.reals("records of vertices", records);
    let own = own.make()?;
    let vertices = Arg::Buffer(&own[vertices]);
    let [partial, scores] =
        [memory.partial, memory.scores].map(|p| Arg::Buffer(&memory.buffers[p]));
    let (inward, outward) = (memory.in_arcs(), &memory.out_arcs);
    let start = [memory.by_vertices(None, &[]), vec![vertices]].concat();
    let forward = [memory.by_shares(inward, &[]), vec![vertices, partial]].concat();
    let backward = [memory.by_shares(outward, &[]), vec![vertices, partial]].concat();
    let sum_in = memory.by_vertices(Some(inward), &[]);
    let sum_in = [sum_in, vec![partial, vertices]].concat();
    let sum_out = memory.by_vertices(Some(outward), &[]);
    let sum_out = [sum_out, vec![partial, vertices, scores]].concat();
    let step = |name, items, more, args| memory.step(set, name, items, more, args);
    let (nothing, sources, of_vertices) = (More::Nothing, More::Sources, memory.n);
    Ok(Kernels {
        reset: step("records_reset", of_vertices, nothing, start)?,
        forward: vec![
            step("records_forward", inward.items, nothing, forward)?,
            step("records_forward_reduce", of_vertices, nothing, sum_in)?,
        ],
        turn: Vec::new(),
        backward: vec![
            step("records_backward", outward.items, More::Planned, backward)?,
            step("records_backward_reduce", of_vertices, sources, sum_out)?,
        ],
        last: Vec::new(),
    })
}
