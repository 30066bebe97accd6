//! Strategies: how a device searches. One file or folder each, with its kernels in `cl/`; those
//! that give a root to one work-group share the engine in `root_per_group`.

pub mod ablation;
mod chains;
mod choose;
mod device_kernels;
mod edge_device;
mod errors;
pub mod lanes;
mod local;
mod root_per_device;
mod root_per_group;
pub mod self_test;
mod sources;
mod virtual_vertex;
mod weighted;

use serde::Serialize;

use crate::device::{DeviceError, Session};
use crate::engine::Engine;
use crate::prepare::Prepared;
pub use root_per_group::WARP_SIZES;
pub use sources::{SOURCES, Source};
pub use weighted::LengthType;

/// A way of searching on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "app", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The best for the graph and the device
    #[default]
    Auto,
    /// On devices: one root at a time over the whole device, virtual vertices, reduction kernels
    Virtual,
    /// On devices: batches of roots in one search, a lane each; for graphs of small depth
    Lanes,
    /// On devices: one work-group per root, a work-item per vertex (Jia et al. 2011)
    Vertex,
    /// On devices: one work-group per root, a work-item per arc (Jia et al. 2011)
    Edge,
    /// On devices: one root at a time over the whole device, a work-item per arc (GPU-FAN 2011)
    EdgeDevice,
    /// On devices: one work-group per root, an explicit frontier (McLaughlin and Bader 2014)
    WorkEfficient,
    /// On devices: work-efficient, but wide frontiers by arcs on shallow graphs (McLaughlin and
    /// Bader 2014)
    Hybrid,
    /// On devices: work-efficient, several work-items per vertex (Hong et al. 2011, Fan et al.
    /// 2017)
    Warp,
    /// On devices: one work-group per root, its state in local memory; for roads and meshes
    Local,
    /// On devices: sweeps from junctions only, chains of degree-2 vertices contracted; undirected
    /// graphs
    Chains,
}

/// What an engine was made for, for the report.
#[derive(Debug, Clone, Serialize)]
pub struct EnginePlan {
    /// The strategy used; never [`Strategy::Auto`].
    pub strategy: Strategy,
    /// Why, if it was chosen for the user; how its numbers were found.
    pub why: String,
    /// D: most arcs of a virtual vertex (of a chunk, for lanes); None without such.
    pub degree: Option<u32>,
    /// Virtual vertices (chunks); None without such.
    pub virtual_vertices: Option<usize>,
    /// Roots searched together by the same work-items.
    pub lanes: usize,
    /// Batches of them under way at a time.
    pub batches_in_flight: usize,
    /// Deepest level that there is memory for, where that is limited.
    pub levels: Option<usize>,
    /// Work-groups that each search from a root of their own; None where a root has the device.
    pub slots: Option<usize>,
    /// Work-items that share a vertex of the frontier; None without virtual warps.
    pub warp_size: Option<u32>,
    /// Work-items of a work-group, of kernels that do not choose their own.
    pub work_group: usize,
    /// Bytes of all buffers.
    pub bytes: u64,
}

impl EnginePlan {
    /// The plan of a strategy that has none of the numbers that only some have.
    pub fn new(strategy: Strategy, session: &Session, bytes: u64) -> Self {
        EnginePlan {
            strategy,
            why: String::new(),
            degree: None,
            virtual_vertices: None,
            lanes: 1,
            batches_in_flight: 1,
            levels: None,
            slots: None,
            warp_size: None,
            work_group: session.work_group(strategy),
            bytes,
        }
    }
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
            Strategy::Vertex => "vertex",
            Strategy::Edge => "edge",
            Strategy::EdgeDevice => "edge-device",
            Strategy::WorkEfficient => "work-efficient",
            Strategy::Hybrid => "hybrid",
            Strategy::Warp => "warp",
            Strategy::Local => "local",
            Strategy::Chains => "chains",
        }
    }

    /// The strategies that may be meant by it: itself, or what `auto` usually chooses from.
    pub fn candidates(&self, weighted: bool) -> &[Strategy] {
        match self {
            Strategy::Auto if weighted => sources::AUTO_WEIGHTED,
            Strategy::Auto => sources::AUTO,
            own => std::slice::from_ref(own),
        }
    }

    /// What will search this graph, unless the device has too little memory for it.
    pub fn likely(self, prepared: &Prepared) -> Strategy {
        match self {
            Strategy::Auto => choose::likely(prepared),
            own => own,
        }
    }

    /// Work-items of a work-group, where nobody asks for a number.
    pub fn work_group(self, weighted: bool) -> usize {
        match self {
            Strategy::Warp if weighted => weighted::WARP_WORK_GROUP,
            _ if weighted => weighted::WORK_GROUP,
            Strategy::Local => local::WORK_GROUP,
            Strategy::Chains => chains::WORK_GROUP,
            _ => 256,
        }
    }

    /// Whether `--degree` means anything to it.
    pub fn has_degree(self) -> bool {
        matches!(self, Strategy::Auto | Strategy::Virtual | Strategy::Lanes)
    }

    /// Whether `--lanes` means anything to it.
    pub fn has_lanes(self) -> bool {
        matches!(self, Strategy::Auto | Strategy::Lanes)
    }

    /// Whether `--warp-size` means anything to it. `auto` never chooses one that has it.
    pub fn has_warp_size(self) -> bool {
        self == Strategy::Warp
    }

    /// Whether it can search weighted graphs.
    pub fn takes_lengths(self) -> bool {
        match self {
            Strategy::Auto | Strategy::Vertex | Strategy::WorkEfficient | Strategy::Warp => true,
            Strategy::Virtual
            | Strategy::Lanes
            | Strategy::Edge
            | Strategy::EdgeDevice
            | Strategy::Hybrid
            | Strategy::Local
            | Strategy::Chains => false,
        }
    }

    /// Whether it can search contracted graphs. `auto` then chooses `chains`.
    pub fn takes_chains(self) -> bool {
        matches!(self, Strategy::Auto | Strategy::Chains)
    }

    /// Whether it can sum dependencies of arcs, for scores of edges. Contracted graphs have none.
    pub fn counts_edges(self) -> bool {
        self != Strategy::Chains
    }

    /// Checks that the device can hold the graph, uploads it and makes the engine.
    pub fn engine<'s>(
        self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        use root_per_group::Form;
        let per_group = |form| match &prepared.lengths {
            Some(lengths) => weighted::engine(session, prepared, lengths, form),
            None => root_per_group::engine(session, prepared, form),
        };
        if prepared.lengths.is_some() && !self.takes_lengths() {
            return Err(DeviceError::Weighted {
                strategy: self.name(),
            });
        }
        if prepared.count_edges && !self.counts_edges() {
            return Err(DeviceError::NoEdges {
                strategy: self.name(),
            });
        }
        if prepared.count_edges && !session.options.count_edges {
            return Err(DeviceError::BuiltWithoutEdges {
                device: session.info.name.clone(),
            });
        }
        if prepared.chains.is_some() && !self.takes_chains() {
            return Err(DeviceError::Contracted {
                strategy: self.name(),
            });
        }
        match self {
            Strategy::Auto => choose::engine(session, prepared),
            Strategy::Virtual => virtual_vertex::engine(session, prepared),
            Strategy::Lanes => lanes::engine(session, prepared),
            Strategy::EdgeDevice => edge_device::engine(session, prepared),
            Strategy::Vertex => per_group(Form::Vertex),
            Strategy::Edge => per_group(Form::Edge),
            Strategy::WorkEfficient => per_group(Form::WorkEfficient),
            Strategy::Hybrid => per_group(Form::Hybrid),
            Strategy::Warp => per_group(Form::Warp),
            Strategy::Local => local::engine(session, prepared),
            Strategy::Chains => chains::engine(session, prepared),
        }
    }
}
