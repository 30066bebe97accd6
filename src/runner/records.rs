//! The records of all participants, for the report.

use std::sync::Arc;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::threads::WorkerThreads;
use crate::cpu::CpuPlan;
use crate::device::{DeviceError, DeviceInfo, Profile};
use crate::engine::{OwnSums, Precision};
use crate::span::Span;
use crate::strategy::EnginePlan;

/// The record of a CPU worker.
#[derive(Debug, Clone, Default)]
pub struct WorkerRecord {
    /// The number of the worker, from 0.
    pub number: usize,
    /// The engine that it used last.
    pub plan: CpuPlan,
    /// The number of roots whose sums it committed.
    pub roots: usize,
    /// The number of these roots that have more shortest paths than f64 can count, and were
    /// searched with wider numbers.
    pub wide_roots: usize,
    /// The number of its claims, including speculative re-executions.
    pub batches: usize,
    /// The largest relative error of its sums ([`crate::engine::Engine::error_bound`]).
    pub error_bound: f64,
    /// The seconds that it spent searching.
    pub busy: f64,
    /// The times when the worker started, and when its last search ended.
    pub active: Option<(Instant, Instant)>,
}

/// The state of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DriverState {
    /// It had no result when the run ended: it was not ready, or others committed what it searched.
    #[default]
    Starting,
    /// It was ready and ended without a result: no roots were left to claim, or others committed
    /// all roots that it had claimed.
    Idle,
    /// It searched roots, and committed them.
    Worked,
    /// It failed; other participants searched from its unfinished roots.
    Failed,
    /// It found more shortest paths than its numbers can count; other participants searched from
    /// its unfinished roots.
    PathCounts,
}

/// The record of a device and its driver.
#[derive(Debug, Clone, Default)]
pub struct DriverRecord {
    /// The device.
    pub info: DeviceInfo,
    /// The state of its driver.
    pub state: DriverState,
    /// The reason of its failure, if it failed.
    pub error: Option<DeviceError>,
    /// The steps of its initialisation.
    pub spans: Vec<Span>,
    /// The number of roots whose sums it committed.
    pub roots: usize,
    /// The number of its claims, including speculative re-executions.
    pub batches: usize,
    /// The number of roots given back after a failure, or when there were too many paths.
    pub returned: usize,
    /// The seconds from the start of its search to its last result.
    pub busy: f64,
    /// The largest relative error of its sums ([`crate::engine::Engine::error_bound`]).
    pub error_bound: f64,
    /// The times of the start of its search and of its last result.
    pub active: Option<(Instant, Instant)>,
    /// The strategy and its parameters; `None` before the graph was uploaded.
    pub plan: Option<EnginePlan>,
    /// Whether its kernels came from the cache of built programs.
    pub from_cache: bool,
    /// The times of its commands, or the reason why there are none; `None` if the options did not
    /// request them, or the driver did not finish.
    pub profile: Option<Result<Arc<Profile>, DeviceError>>,
}

impl DriverRecord {
    /// Returns the precision in which the device searches if this one is requested.
    pub fn precision(&self, asked: Precision) -> Precision {
        let lacks = (!self.info.fp64).then_some(Precision::F32);
        lacks.unwrap_or(asked)
    }

    /// Returns whether the device has searched in 32 bits although more were asked for.
    pub fn fell_back(&self, asked: Precision) -> bool {
        self.roots > 0 && self.precision(asked) != asked
    }
}

impl Outcome {
    /// Returns [`Precision::F32`] if a device searched in it although more bits were asked for,
    /// otherwise the precision that was asked for.
    pub fn precision(&self, asked: Precision) -> Precision {
        let mut drivers = self.drivers.iter();
        match drivers.any(|driver| driver.fell_back(asked)) {
            true => Precision::F32,
            false => asked,
        }
    }

    /// Returns the largest relative error of the sums that rounding to 32 bits may cause.
    pub fn error_bound(&self) -> f64 {
        let drivers = self.drivers.iter().map(|driver| driver.error_bound);
        let workers = self.workers.iter().map(|worker| worker.error_bound);
        drivers.chain(workers).fold(0.0, f64::max)
    }

    /// Returns the number of roots that have more shortest paths than f64 can count.
    pub fn wide_roots(&self) -> usize {
        self.workers.iter().map(|worker| worker.wide_roots).sum()
    }

    /// Adds the records of the workers of an earlier run on cores alone. Workers of the same number
    /// count as one.
    pub(crate) fn add_workers(&mut self, earlier: Outcome) {
        self.search.0 = earlier.search.0;
        self.lost_workers += earlier.lost_workers;
        for worker in earlier.workers {
            let mut all = self.workers.iter_mut();
            let Some(same) = all.find(|same| same.number == worker.number) else {
                self.workers.push(worker);
                continue;
            };
            same.roots += worker.roots;
            same.wide_roots += worker.wide_roots;
            same.batches += worker.batches;
            same.error_bound = same.error_bound.max(worker.error_bound);
            same.busy += worker.busy;
            let last = same.active.or(worker.active).map(|(_, last)| last);
            let first = worker.active.or(same.active).map(|(first, _)| first);
            same.active = first.zip(last);
        }
        self.workers.sort_by_key(|worker| worker.number);
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The sums of all searches; [`crate::engine::Sums`] describes their arrays.
    pub sums: OwnSums,
    /// The CPU workers, by number.
    pub workers: Vec<WorkerRecord>,
    /// The number of workers that panicked. Others searched from their roots.
    pub lost_workers: usize,
    /// The devices, by number.
    pub drivers: Vec<DriverRecord>,
    /// The reason why there are no devices, if there are none.
    pub no_device: Option<DeviceError>,
    /// The errors of platforms and devices that could not be queried.
    pub left_out: Vec<DeviceError>,
    /// The time that finding devices took.
    pub spans: Vec<Span>,
    /// The times of the start of the run and of the last commit.
    pub search: (Instant, Instant),
    /// The threads of workers, which still hold their memory.
    pub threads: WorkerThreads,
}
