//! Which processors a run uses, and how.

use std::time::Duration;

use crate::cpu::CpuOptions;
use crate::device::{DeviceInfo, DeviceOptions, DeviceSelection, priority};
use crate::strategy::Strategy;

/// The number of CPU workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CpuWorkers {
    /// All cores, less one for each device driven that is not the host CPU.
    #[default]
    Auto,
    /// Exactly this many. (CPU workers finish the roots of a device that fails even if this is 0.)
    Count(usize),
}

/// The CPU workers of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuRequest {
    /// How many workers search.
    pub workers: CpuWorkers,
    /// How they search.
    pub options: CpuOptions,
}

impl From<CpuWorkers> for CpuRequest {
    fn from(workers: CpuWorkers) -> Self {
        CpuRequest {
            workers,
            options: CpuOptions::default(),
        }
    }
}

impl CpuWorkers {
    /// Returns the part of `cores` that a device that is the host CPU has at least: the cores
    /// without a worker, and what its lower priority leaves of the others.
    pub(super) fn leave(self, cores: usize) -> f64 {
        let left = cores.saturating_sub(self.count(cores));
        (left as f64 / cores as f64).max(priority::SHARE)
    }

    /// Returns the number of workers on so many cores.
    pub fn count(self, cores: usize) -> usize {
        match self {
            CpuWorkers::Count(count) => count,
            CpuWorkers::Auto => cores,
        }
    }

    /// Returns the largest number of workers that a run may have.
    pub(crate) fn most(self, cores: usize) -> usize {
        match self {
            CpuWorkers::Count(count @ 1..) => count,
            _ => cores,
        }
    }
}

/// Runs the self-test of a strategy on a device in another process, within a time limit. Returns
/// the signal that ended the process if the driver crashed; other failures will show in this
/// process too.
pub type Probe = fn(&DeviceInfo, &DeviceOptions, Strategy, Duration) -> Option<i32>;

/// Which devices to drive, and how.
#[derive(Debug, Clone, Default)]
pub struct DeviceRequest {
    /// The devices.
    pub selection: DeviceSelection,
    /// How kernels are built and launched.
    pub options: DeviceOptions,
    /// How devices search.
    pub strategy: Strategy,
    /// Whether the user asked for a device: then a run that has none warns, and does not end before
    /// devices have been looked for.
    pub asked: bool,
    /// The CPU workers of the run. A device that is the host CPU leaves their cores to them.
    pub workers: CpuWorkers,
    /// The number of this process among those of its machine that share the devices, and their
    /// count, if there are others.
    pub local: Option<(usize, usize)>,
    /// The out-of-process probe of devices that are the host CPU, whose drivers may crash.
    pub probe: Option<Probe>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_leave_the_cores_that_they_do_not_use() {
        let leave = |workers: CpuWorkers| workers.leave(8);
        assert!((leave(CpuWorkers::Count(0)) - 1.0).abs() < 1e-12);
        assert!((leave(CpuWorkers::Count(2)) - 0.75).abs() < 1e-12);
        for all in [CpuWorkers::Count(8), CpuWorkers::Count(9), CpuWorkers::Auto] {
            assert!((leave(all) - priority::SHARE).abs() < 1e-12);
        }
    }
}
