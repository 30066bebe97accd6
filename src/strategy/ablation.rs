//! Strategy `virtual` with one of its ideas switched off, to see what each is worth.
//!
//! For the table of `brandes bench --ablation` alone: none of this can be chosen for a run, and
//! the program of `cl/ablation.cl` is built only when one of its engines is made.

use std::sync::Arc;

use opencl3::device::Device;
use opencl3::kernel::Kernel;
use opencl3::program::Program;
use serde::{Deserialize, Serialize};

use super::device_kernels::{Buffers, Items, Kernels, More, Step, kernels};
use super::{DeviceEngine, Source, Strategy, virtual_vertex};
use crate::device::buffers::DeviceBuffer;
use crate::device::launch::Arg;
use crate::device::{DeviceError, Session, program};
use crate::engine::Precision;
use crate::prepare::{Order, PrepareOptions, Prepared};

const SOURCE: Source = Source {
    strategy: Strategy::Virtual,
    prefix: "ablation_",
    texts: &[include_str!("../../cl/ablation.cl")],
    optimise_for_cpu: true,
    lengths: None,
};

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

    /// How to prepare the graph when it is off and everything else is as in `options`.
    pub fn prepare_without(self, options: PrepareOptions) -> PrepareOptions {
        match self {
            Switch::Folding => PrepareOptions {
                fold: false,
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
    prepared: &Prepared,
    off: Option<Switch>,
) -> Result<DeviceEngine<'s>, DeviceError> {
    let degree = session.options.degree.unwrap_or(virtual_vertex::DEGREE);
    let make = |kernels: Making<'s, '_>| {
        let extra = Extra::build(session)?;
        virtual_vertex::engine_of(session, prepared, degree, |buffers| {
            kernels(&extra, buffers, degree)
        })
    };
    match off {
        None | Some(Switch::Folding | Switch::Ordering) => {
            virtual_vertex::engine_of(session, prepared, degree, |buffers| {
                kernels(session, buffers, "virtual_", false)
            })
        }
        Some(Switch::VirtualVertices) => {
            virtual_vertex::engine_of(session, prepared, u32::MAX, |buffers| {
                kernels(session, buffers, "virtual_", false)
            })
        }
        Some(Switch::RoundRobin) => make(&|extra, buffers, degree| {
            let mut made = kernels(session, buffers, "virtual_", false)?;
            made.forward[0] = extra.contiguous_forward(buffers, degree)?;
            made.backward[0] = extra.contiguous_backward(buffers, degree)?;
            Ok(made)
        }),
        Some(Switch::Reduction) => {
            check_cas(session)?;
            make(&|extra, buffers, _| extra.atomics(buffers))
        }
        Some(Switch::StructureOfArrays) => {
            make(&|extra, buffers, _| extra.records(buffers, &prepared.weight))
        }
    }
}

/// Makes the kernels of an engine.
type Making<'s, 'k> = &'k dyn Fn(&Extra<'s>, &Buffers, u32) -> Result<Kernels, DeviceError>;

/// Compare-and-swap on 64 bits is an extension of OpenCL 1.2.
fn check_cas(session: &Session) -> Result<(), DeviceError> {
    const NEEDED: &str = "cl_khr_int64_base_atomics";
    if session.options.precision == Precision::F32 {
        return Ok(());
    }
    let extensions = Device::new(session.context.default_device())
        .extensions()
        .map_err(DeviceError::call("asking an OpenCL device"))?;
    if extensions.split_whitespace().any(|name| name == NEEDED) {
        return Ok(());
    }
    Err(DeviceError::Missing {
        device: session.info.name.clone(),
        feature: "64-bit atomics (cl_khr_int64_base_atomics)",
    })
}

/// The program of `cl/ablation.cl`.
struct Extra<'s> {
    session: &'s Session,
    program: Arc<Program>,
}

impl<'s> Extra<'s> {
    fn build(session: &'s Session) -> Result<Self, DeviceError> {
        let Session {
            context,
            info,
            options,
            ..
        } = session;
        let device = Device::new(context.default_device());
        let flags = program::flags(info, options, &SOURCE);
        let built = program::build(context, &device, info, options.cache, &SOURCE, &flags)?;
        Ok(Extra {
            session,
            program: built.program,
        })
    }

    fn step(
        &self,
        buffers: &Buffers,
        name: &str,
        items: Items,
        more: More,
        rest: &[Arg],
    ) -> Result<Step, DeviceError> {
        let name = &format!("ablation_{name}");
        let kernel =
            Kernel::create(&self.program, name).map_err(DeviceError::call("making a kernel"))?;
        buffers.step_of(self.session, kernel, name, items, more, rest)
    }

    fn contiguous_forward(&self, buffers: &Buffers, degree: u32) -> Result<Step, DeviceError> {
        let rest = [
            Arg::Buffer(&buffers.level),
            Arg::Buffer(&buffers.sigma),
            Arg::Buffer(&buffers.partial),
            Arg::Uint(degree),
        ];
        let rest = [&buffers.in_arcs().args()[..], &rest].concat();
        let name = "contiguous_forward";
        self.step(buffers, name, Items::InArcs, More::Nothing, &rest)
    }

    fn contiguous_backward(&self, buffers: &Buffers, degree: u32) -> Result<Step, DeviceError> {
        let rest = [
            Arg::Buffer(&buffers.level),
            Arg::Buffer(&buffers.coef),
            Arg::Buffer(&buffers.partial),
            Arg::Uint(degree),
        ];
        let rest = [&buffers.out_arcs.args()[..], &rest].concat();
        let name = "contiguous_backward";
        self.step(buffers, name, Items::OutArcs, More::Planned, &rest)
    }

    fn atomics(&self, buffers: &Buffers) -> Result<Kernels, DeviceError> {
        let count = Arg::Uint(buffers.n as u32);
        let (level, sigma) = (Arg::Buffer(&buffers.level), Arg::Buffer(&buffers.sigma));
        let (coef, weight) = (Arg::Buffer(&buffers.coef), Arg::Buffer(&buffers.weight));
        let scores = Arg::Buffer(&buffers.scores);
        let step = |name: &str, items, more, rest: &[Arg]| {
            self.step(buffers, &format!("atomic_{name}"), items, more, rest)
        };
        let forward = [&buffers.in_arcs().args()[..], &[level, sigma]].concat();
        let backward = [&buffers.out_arcs.args()[..], &[level, coef]].concat();
        let turn = [count, level, sigma, weight, coef];
        let last = [count, level, sigma, coef, weight, scores];
        let start = [count, level, sigma];
        Ok(Kernels {
            reset: step("reset", Items::Vertices, More::Nothing, &start)?,
            forward: vec![step("forward", Items::InArcs, More::Nothing, &forward)?],
            turn: vec![step("turn", Items::Vertices, More::Nothing, &turn)?],
            backward: vec![step("backward", Items::OutArcs, More::Planned, &backward)?],
            top: Vec::new(),
            last: vec![step("last", Items::Vertices, More::Sources, &last)?],
            _own: Vec::new(),
        })
    }

    fn records(&self, buffers: &Buffers, weight: &[f64]) -> Result<Kernels, DeviceError> {
        // Four reals each: sigma, coef, weight, and the level in the last one's place.
        let records: Vec<f64> = weight.iter().flat_map(|&w| [0.0, 0.0, w, 0.0]).collect();
        let records = DeviceBuffer::reals(self.session, &records)?;
        let count = Arg::Uint(buffers.n as u32);
        let (vertices, partial) = (Arg::Buffer(&records), Arg::Buffer(&buffers.partial));
        let scores = Arg::Buffer(&buffers.scores);
        let (inward, outward) = (buffers.in_arcs(), &buffers.out_arcs);
        let step = |name: &str, items, more, rest: &[Arg]| {
            self.step(buffers, &format!("records_{name}"), items, more, rest)
        };
        let forward = [&inward.args()[..], &[vertices, partial]].concat();
        let backward = [&outward.args()[..], &[vertices, partial]].concat();
        let sum_in = [count, Arg::Buffer(&inward.first), partial, vertices];
        let sum_out = [
            count,
            Arg::Buffer(&outward.first),
            partial,
            vertices,
            scores,
        ];
        let start = [count, vertices];
        Ok(Kernels {
            reset: step("reset", Items::Vertices, More::Nothing, &start)?,
            forward: vec![
                step("forward", Items::InArcs, More::Nothing, &forward)?,
                step("forward_reduce", Items::Vertices, More::Nothing, &sum_in)?,
            ],
            turn: Vec::new(),
            backward: vec![
                step("backward", Items::OutArcs, More::Planned, &backward)?,
                step("backward_reduce", Items::Vertices, More::Sources, &sum_out)?,
            ],
            top: Vec::new(),
            last: Vec::new(),
            _own: vec![records],
        })
    }
}
