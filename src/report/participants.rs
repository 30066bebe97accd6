//! The parts of the report for participants of a search: devices, with the times of their kernels,
//! and CPU workers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cpu::CpuEngine;
use crate::cpu::lanes::Simd;
use crate::device::{DeviceInfo, Profile};
use crate::runner::DriverState;
use crate::strategy::EnginePlan;

/// A device.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DevicePart {
    /// The properties of the device.
    #[serde(flatten)]
    pub info: DeviceInfo,
    /// The state of its driver.
    pub state: DriverState,
    /// Why it failed, if it did.
    pub error: Option<String>,
    /// The number of roots given back after a failure, or because of too many shortest paths.
    pub returned: usize,
    /// The strategy that searched and its numbers; null if the graph was not uploaded.
    pub plan: Option<EnginePlan>,
    /// Whether its kernels came from the cache of built programs.
    pub program_from_cache: bool,
    /// The times of its kernels during the search; null if they were not requested, or could not be
    /// measured.
    pub profile: Option<Profile>,
}

/// A participant of the search.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct WorkerPart {
    /// The kind of the participant.
    pub kind: WorkerKind,
    /// The number of the worker or device.
    pub number: usize,
    /// The engine of a CPU worker; null for devices, which have a `plan`.
    pub engine: Option<CpuEngine>,
    /// The number of roots that a CPU worker searches together: 1 for `plain`, more for
    /// other engines.
    pub lanes: Option<usize>,
    /// The vector instructions of engines `lanes`, `clustered` and `hierarchy`.
    pub simd: Option<Simd>,
    /// The approximate bytes of memory of a worker; null for engine `plain` in a graph without
    /// lengths.
    pub bytes: Option<usize>,
    /// The number of roots whose results count.
    pub roots: usize,
    /// The number of claims of roots.
    pub batches: usize,
    /// The seconds spent searching; for a device, the seconds from the start of its search to its
    /// last result.
    pub busy_seconds: f64,
    /// The seconds from its last result to the end of the search.
    pub idle_tail_seconds: f64,
}

/// The kind of a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WorkerKind {
    /// A CPU worker.
    #[default]
    Cpu,
    /// A device.
    Device,
}
