//! The processors that a run uses, and their options.

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
    /// Exactly this number. (If it is 0 and no device can search, CPU workers search nevertheless.)
    Count(usize),
}

/// The CPU workers of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuRequest {
    /// The number of workers.
    pub workers: CpuWorkers,
    /// Options for how they search.
    pub options: CpuOptions,
}

impl CpuWorkers {
    /// Returns the least share of `cores` that an OpenCL device that is the host CPU gets beside
    /// the workers: the cores without a worker, or, if there are none, the share of a thread of the
    /// lowest priority.
    pub(super) fn share_of_device(self, cores: usize) -> f64 {
        let left = cores.saturating_sub(self.count(cores));
        (left as f64 / cores as f64).max(priority::SHARE)
    }

    /// Returns the number of workers on a machine with `cores` cores.
    pub fn count(self, cores: usize) -> usize {
        match self {
            CpuWorkers::Count(count) => count,
            CpuWorkers::Auto => cores,
        }
    }

    /// Returns the largest number of workers that a run may have, on a machine with `cores` cores.
    pub(crate) fn most(self, cores: usize) -> usize {
        match self {
            CpuWorkers::Count(count @ 1..) => count,
            _ => cores,
        }
    }
}

/// Runs the self-test of a strategy on a device in another process, within a time limit. Returns
/// the signal that ended the process if the driver crashed. Other failures are ignored: they will
/// occur in this process too.
pub type Probe = fn(&DeviceInfo, &DeviceOptions, Strategy, Duration) -> Option<String>;

/// The devices to drive, and their options.
#[derive(Debug, Clone, Default)]
pub struct DeviceRequest {
    /// The devices.
    pub selection: DeviceSelection,
    /// Options for building kernels and for searching.
    pub options: DeviceOptions,
    /// The strategy of the searches.
    pub strategy: Strategy,
    /// Whether options ask for a device. The run then ends only after the search for devices, and
    /// the report warns if no device searched.
    pub is_explicit: bool,
    /// The CPU workers of the run. They have priority over a device that is the host CPU.
    pub workers: CpuWorkers,
    /// The number of this process among the processes of its machine that share the devices, and
    /// the count of these processes; `None` if it is the only one.
    pub local: Option<(usize, usize)>,
    /// The out-of-process probe of devices that are the host CPU, whose drivers may crash.
    pub probe: Option<Probe>,
}

impl DeviceRequest {
    /// Requests no device.
    pub fn none() -> DeviceRequest {
        DeviceRequest {
            selection: DeviceSelection::None,
            ..DeviceRequest::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_leave_the_cores_that_they_do_not_use() {
        let leave = |workers: CpuWorkers| workers.share_of_device(8);
        assert!((leave(CpuWorkers::Count(0)) - 1.0).abs() < 1e-12);
        assert!((leave(CpuWorkers::Count(2)) - 0.75).abs() < 1e-12);
        for all in [CpuWorkers::Count(8), CpuWorkers::Count(9), CpuWorkers::Auto] {
            assert!((leave(all) - priority::SHARE).abs() < 1e-12);
        }
    }
}
