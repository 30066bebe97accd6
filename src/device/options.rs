//! Options of devices.

use super::error::DeviceError;
use super::faults::Faults;
use super::find::DeviceInfo;
use crate::engine::Precision;

/// Options for building kernels and for searching on a device. By default strategies choose their
/// own numbers, and kernels compute in f64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceOptions {
    /// Number type of path counts, dependencies and scores.
    pub precision: Precision,
    /// Work-items of a work-group; the strategy's own choice if `None`.
    pub work_group: Option<usize>,
    /// D: most arcs of a virtual vertex; the strategy's own choice if `None`.
    pub degree: Option<u32>,
    /// Roots searched together, a multiple of 32; the strategy's own choice if `None`.
    pub lanes: Option<u32>,
    /// Work-items of a virtual warp; the strategy's own choice if `None`.
    pub warp_size: Option<u32>,
    /// Whether graphs will be weighted: kernels for weighted graphs are built then.
    pub weighted: bool,
    /// Whether kernels are built to sum dependencies of arcs, which
    /// [`crate::prepare::Prepared::count_edges`] may then ask for.
    pub count_edges: bool,
    /// Whether kernels are for a query other than the betweenness of all pairs.
    pub query: bool,
    /// Whether to keep built programs on disk between runs, as the program does by default. (PoCL
    /// and others that compile at the first launch compile a kept program once more.)
    pub cache: bool,
    /// Whether kernels avoid accesses that are formally races but cannot change a result, for tools
    /// that look for races; see `EXACT_ACCESS` in `cl/common.cl`.
    pub exact_access: bool,
    /// Whether sums have the same bits in every run: the roots of a work-group then depend on its
    /// number and not on timing.
    pub reproducible: bool,
    /// Strategy hybrid searches frontiers wider than this by arcs, on any graph and from the first
    /// search on; the strategy's own choice if `None`. For tests on small graphs.
    pub wide: Option<u32>,
    /// Time limit in seconds for finding devices, for each step of making one ready, and for the
    /// searches between two reads of sums (unless these are expected to take more than a twentieth
    /// of it). A device that exceeds the limit is left out. 10, 120 and 10 if `None`.
    pub timeout: Option<u32>,
    /// A core also searches from this many roots, before the first and before the last sums of the
    /// device are committed; if the scores differ, all sums of the device are discarded.
    pub verify: u32,
    /// Whether to record the times of all commands of a search.
    pub profile: bool,
    /// The failure that a test planned.
    pub faults: Faults,
}

impl DeviceOptions {
    /// Returns the number type of scores that are added up over many roots: f64 if the device has
    /// it.
    pub fn score_precision(&self, info: &DeviceInfo) -> Precision {
        match info.fp64 {
            true => Precision::F64,
            false => self.precision,
        }
    }

    /// Returns the work-items of a work-group: the number asked for, or else `own`, as far as the
    /// device allows.
    pub fn work_group_of(&self, own: usize, info: &DeviceInfo) -> usize {
        self.work_group.unwrap_or(own.min(info.max_work_group))
    }

    /// Checks that a device supports the options.
    ///
    /// # Errors
    /// [`DeviceError::Refused`] if it does not.
    pub(super) fn check(&self, info: &DeviceInfo) -> Result<(), DeviceError> {
        let (name, limit) = (&info.name, info.max_work_group);
        if self.precision.is_double() && !info.fp64 {
            return Err(DeviceError::Refused(format!(
                "{name} has no 64-bit floats; use --precision f32 to allow 32-bit ones"
            )));
        }
        if let Some(asked) = self.work_group
            && asked > limit
        {
            return Err(DeviceError::Refused(format!(
                "{name} runs work-groups of at most {limit} work-items, not {asked}; use \
                 --work-group {limit} or less"
            )));
        }
        Ok(())
    }
}
