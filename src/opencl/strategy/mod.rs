//! Strategies: how a device searches. One file or folder each, with its kernels in `cl/`.

pub mod ablation;
mod choose;
pub mod lanes;
mod virtual_kernels;
mod virtual_vertex;

use serde::Serialize;

use super::{DeviceError, Session};
use crate::engine::Engine;
use crate::prepare::Prepared;

/// A way of searching on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The best for the graph and the device
    #[default]
    Auto,
    /// One root at a time over the whole device, virtual vertices, reduction kernels
    Virtual,
    /// Batches of roots in one search, a lane each; for graphs of small depth
    Lanes,
}

/// The kernels of one strategy.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// What the names of its kernels start with.
    pub prefix: &'static str,
    /// OpenCL C, to be built behind `common.cl`.
    pub text: &'static str,
    /// Whether a CPU's compiler may optimise it. PoCL 3.1 (LLVM 15) miscompiles the loops with
    /// barriers of `lanes.cl`: the self-test fails with 64 and 128 lanes in a tile, in ways that
    /// change with every edit. Unoptimised, and in oclgrind, the same kernels are right.
    pub optimise_for_cpu: bool,
}

/// All kernels. All are built for every device: which strategy is best is known only when the
/// graph is, and building goes on while it is read.
pub const SOURCES: [Source; 2] = [
    Source {
        prefix: "virtual",
        text: include_str!("../../../cl/virtual.cl"),
        optimise_for_cpu: true,
    },
    Source {
        prefix: "lanes",
        text: include_str!("../../../cl/lanes.cl"),
        optimise_for_cpu: false,
    },
];

/// What an engine was made for, for the report.
#[derive(Debug, Clone, Serialize)]
pub struct EnginePlan {
    /// The strategy used; never [`Strategy::Auto`].
    pub strategy: Strategy,
    /// Why, if it was chosen for the user; how its numbers were found.
    pub why: String,
    /// D: most arcs of a virtual vertex (of a chunk, for lanes).
    pub degree: u32,
    /// Virtual vertices (chunks).
    pub virtual_vertices: usize,
    /// Roots searched together.
    pub lanes: usize,
    /// Batches of them under way at a time.
    pub batches_in_flight: usize,
    /// Deepest level that there is memory for, where that is limited.
    pub levels: Option<usize>,
    /// Bytes of all buffers.
    pub bytes: u64,
}

/// An engine on a device.
pub struct DeviceEngine<'s> {
    /// Takes roots.
    pub engine: Box<dyn Engine + 's>,
    /// What it was made for.
    pub plan: EnginePlan,
}

impl Strategy {
    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Auto => "auto",
            Strategy::Virtual => "virtual",
            Strategy::Lanes => "lanes",
        }
    }

    /// Checks that the device can hold the graph, uploads it and makes the engine.
    pub fn engine<'s>(
        self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        match self {
            Strategy::Auto => choose::engine(session, prepared),
            Strategy::Virtual => virtual_vertex::engine(session, prepared),
            Strategy::Lanes => lanes::engine(session, prepared),
        }
    }
}
