//! What the runner remembers of the work of each participant, for the report.

use std::sync::Arc;
use std::time::Instant;

use super::threads::WorkerThreads;
use crate::cpu::CpuPlan;
use crate::device::{DeviceError, DeviceInfo, Profile};
use crate::engine::OwnSums;
use crate::prepare::Prepared;
use crate::span::Span;
use crate::strategy::EnginePlan;

/// One CPU worker's share.
#[derive(Debug, Clone, Default)]
pub struct WorkerRecord {
    /// Number of the worker, from 0.
    pub number: usize,
    /// How it searched.
    pub plan: CpuPlan,
    /// Roots searched.
    pub roots: usize,
    /// Those of them that had more shortest paths than f64 can count, and were searched with wider
    /// numbers.
    pub wide_roots: usize,
    /// Claims made.
    pub batches: usize,
    /// How far its sums may be from the true ones ([`crate::engine::Engine::error_bound`]).
    pub error_bound: f64,
    /// Seconds spent searching.
    pub busy: f64,
    /// When it was started and when it found nothing more to do.
    pub active: Option<(Instant, Instant)>,
}

/// How far a driver came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DriverState {
    /// Context, build and warm-up were not finished when all roots were claimed.
    #[default]
    Starting,
    /// Ready, but nothing was left to claim, or others took over all that it had claimed.
    Idle,
    /// Searched roots.
    Worked,
    /// Failed; its unfinished roots went back.
    Failed,
    /// Met more shortest paths than its numbers can count; its unfinished roots went back.
    PathCounts,
}

/// One device's share.
#[derive(Debug, Clone, Default)]
pub struct DriverRecord {
    /// The device.
    pub info: DeviceInfo,
    /// How far it came.
    pub state: DriverState,
    /// Why it failed.
    pub error: Option<DeviceError>,
    /// Steps of its initialisation and work.
    pub spans: Vec<Span>,
    /// Roots whose scores were read back.
    pub roots: usize,
    /// Claims made.
    pub batches: usize,
    /// Roots given back after a failure, or when there were too many paths.
    pub returned: usize,
    /// Seconds from first claim to last result.
    pub busy: f64,
    /// How far its sums may be from the true ones ([`crate::engine::Engine::error_bound`]).
    pub error_bound: f64,
    /// CPU seconds of the driver thread while it searched: what driving costs a core.
    pub cpu: f64,
    /// When it made its first claim and had its last result.
    pub active: Option<(Instant, Instant)>,
    /// How it searched, once it had the graph.
    pub plan: Option<EnginePlan>,
    /// Whether its kernels came from the cache of built programs.
    pub from_cache: bool,
    /// Times of its commands, if they were asked for and it worked to the end; or why there are
    /// none.
    pub profile: Option<Result<Arc<Profile>, DeviceError>>,
}

impl Outcome {
    /// How far the sums may be from the true ones, by what was rounded to 32 bits.
    pub fn error_bound(&self) -> f64 {
        let drivers = self.drivers.iter().map(|driver| driver.error_bound);
        let workers = self.workers.iter().map(|worker| worker.error_bound);
        drivers.chain(workers).fold(0.0, f64::max)
    }

    /// How many roots had more shortest paths than f64 can count.
    pub fn wide_roots(&self) -> usize {
        self.workers.iter().map(|worker| worker.wide_roots).sum()
    }
}

/// Everything a run leaves behind.
#[derive(Debug)]
pub struct Outcome {
    /// Sum of all searches, one entry per prepared vertex.
    pub sums: Vec<f64>,
    /// The same per arc of the prepared graph, if wanted.
    pub arc_sums: Option<Vec<f64>>,
    /// CPU workers in the order they were started.
    pub workers: Vec<WorkerRecord>,
    /// How many of them panicked. Others searched what they had claimed.
    pub lost_workers: usize,
    /// Devices in the order of their numbers.
    pub drivers: Vec<DriverRecord>,
    /// Why no device could be looked for or found, if so.
    pub no_device: Option<DeviceError>,
    /// Why platforms and devices could not be asked, and were left out.
    pub left_out: Vec<DeviceError>,
    /// Finding devices.
    pub spans: Vec<Span>,
    /// From when the graph is ready to be searched to the last result.
    pub search: (Instant, Instant),
    /// Threads of workers, which still hold their memory.
    pub threads: WorkerThreads,
}

impl Outcome {
    /// Adds what searches do not count ([`Prepared::complete`]).
    pub fn complete(&mut self, prepared: &Prepared) {
        let mut sums = OwnSums {
            vertices: std::mem::take(&mut self.sums),
            arcs: self.arc_sums.take(),
        };
        prepared.complete(&mut sums);
        (self.sums, self.arc_sums) = (sums.vertices, sums.arcs);
    }
}
