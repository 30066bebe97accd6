//! Options of devices.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{DeviceError, Result};
use super::find::DeviceInfo;
use crate::engine::Precision;

/// The values of the numeric options of strategies; null for the program's own choice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Numbers {
    /// D, the most arcs of a virtual vertex, as for `--degree`; null for the program's own choice,
    /// as in the next four.
    pub degree: Option<u32>,
    /// Roots that strategies with lanes search together, a multiple of 32, as for `--device-lanes`.
    pub lanes: Option<u32>,
    /// Roots that strategies with a launch for each level search together, as for
    /// `--device-searches`.
    pub searches: Option<u32>,
    /// Work-items of a virtual warp, as for `--warp-size`.
    pub warp_size: Option<u32>,
    /// Work-items of a work-group, as for `--work-group`.
    pub work_group: Option<u32>,
}

/// Options for building kernels and for searching on a device. By default each strategy chooses its
/// own parameters, and kernels compute in f64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceOptions {
    /// Number type of path counts, dependencies and scores.
    pub precision: Precision,
    /// Whether only devices that compute in this precision search. Otherwise a device without
    /// 64-bit floats computes in [`Precision::F32`].
    pub no_fallback: bool,
    /// The numbers of the strategy.
    pub numbers: Numbers,
    /// Whether to build the kernels for weighted graphs.
    pub weighted: bool,
    /// Whether kernels are built to sum dependencies of arcs, which
    /// [`crate::prepare::Prepared::count_edges`] may then ask for.
    pub count_edges: bool,
    /// Whether kernels are for a query other than the betweenness of all pairs.
    pub query: bool,
    /// Whether to cache built programs on disk, as `brandes run` does by default. (PoCL and other
    /// drivers that compile kernels at the first launch compile a cached program again.)
    pub cache: bool,
    /// Whether kernels avoid accesses that are formally data races but cannot change a result, for
    /// race detectors; see `EXACT_ACCESS` in `cl/common.cl`.
    pub exact_access: bool,
    /// Whether sums have the same bits in every run. The roots of a work-group then depend on its
    /// number alone, not on timing.
    pub reproducible: bool,
    /// The width above which strategy hybrid searches a frontier with a work-item per arc, on every
    /// graph and from the first search on. If `None`, the strategy chooses after a sample of
    /// searches. Tests on small graphs set it.
    pub wide: Option<u32>,
    /// The time limit in seconds for finding devices, for each initialisation step, and for each
    /// call during the search (or 20 times the expected time of all searches since the last commit,
    /// if that is longer). A device that exceeds the limit counts as failed. The limits are 10, 120
    /// and 10 if `None`.
    pub timeout: Option<u32>,
    /// The number of roots from which both the device and a core search, only to compare the sums,
    /// before the device's first claim and before its last commit. If the sums differ, all sums of
    /// the device are discarded.
    pub verify: u32,
    /// Whether to record the times of all commands of a search.
    pub profile: bool,
}

impl DeviceOptions {
    /// Returns the number type of scores that are added up over many roots: f64 if the device
    /// supports it.
    pub fn score_precision(&self, info: &DeviceInfo) -> Precision {
        match info.fp64 {
            true => Precision::F64,
            false => self.precision,
        }
    }

    /// Returns the work-items of a work-group: the requested number, or else `own` or the largest
    /// number that the device allows, whichever is smaller.
    pub fn work_group_of(&self, own: usize, info: &DeviceInfo) -> usize {
        let asked = self.numbers.work_group.map(|items| items as usize);
        asked.unwrap_or(own.min(info.max_work_group))
    }

    /// Returns the options for a device, in a precision that it has.
    ///
    /// # Errors
    /// [`DeviceError::Refused`] if it does not support the options.
    pub fn for_device(mut self, info: &DeviceInfo) -> Result<DeviceOptions> {
        let (name, limit) = (&info.name, info.max_work_group);
        if self.precision.is_double() && !info.fp64 {
            if self.no_fallback {
                return Err(DeviceError::Refused(format!(
                    "{name} has no 64-bit floats; use --precision f32 (estimates do not support \
                     it)"
                )));
            }
            self.precision = Precision::F32;
        }
        if let Some(asked) = self.numbers.work_group
            && asked as usize > limit
        {
            return Err(DeviceError::Refused(format!(
                "{name} runs work-groups of at most {limit} work-items, not {asked}; use \
                 --work-group {limit} or less"
            )));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceKind;

    #[test]
    fn scores_are_added_up_in_doubles_by_devices_that_have_them() {
        let options = DeviceOptions {
            precision: Precision::F32,
            ..DeviceOptions::default()
        };
        let mut info = DeviceInfo::for_tests(DeviceKind::Gpu);
        assert_eq!(options.score_precision(&info), Precision::F64);
        info.fp64 = false;
        assert_eq!(options.score_precision(&info), Precision::F32);
    }
}
