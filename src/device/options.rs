//! How a device is used.

use super::error::DeviceError;
use super::faults::Faults;
use super::find::DeviceInfo;
use crate::engine::Precision;

/// How kernels are built and launched on a device. By default no number is asked for, and kernels
/// compute in f64.
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
    /// Whether graphs will be weighted: kernels for them are then made ready.
    pub weighted: bool,
    /// Whether kernels are built to sum dependencies of arcs, which
    /// [`crate::prepare::Prepared::count_edges`] may then ask for.
    pub count_edges: bool,
    /// Whether to keep built programs on disk between runs, as the program does unless told not to.
    /// (Where OpenCL compiles late, as PoCL does, what is kept has to be compiled once more.)
    pub cache: bool,
    /// Whether kernels do without the accesses that are races formally, but cannot change a result;
    /// see `EXACT_ACCESS` in `cl/common.cl`. For tools that look for races.
    pub exact_access: bool,
    /// Whether sums have the same bits in every run: what a work-group searches then depends on its
    /// number, and not on who is first.
    pub reproducible: bool,
    /// Strategy hybrid searches frontiers wider than this by arcs, on any graph and from the first
    /// search on; its own choice if `None`. For tests on small graphs.
    pub wide: Option<u32>,
    /// Seconds that devices have to be found, for each step of getting ready, and for what they
    /// search before sums are read back, unless that is expected to take more than a twentieth of
    /// it; then they are left out. 10, 120 and 10 if `None`.
    pub timeout: Option<u32>,
    /// From so many roots a core searches too, before the first sums of the device count and before
    /// the last ones do; if they differ, nothing that the device did counts.
    pub verify: u32,
    /// Whether to take the times of all commands of a search.
    pub profile: bool,
    /// Failure planned by a test.
    pub faults: Faults,
}

impl DeviceOptions {
    /// Number type of scores that are added up over many roots: f64 wherever the device can.
    pub fn score_precision(&self, info: &DeviceInfo) -> Precision {
        match info.fp64 {
            true => Precision::F64,
            false => self.precision,
        }
    }

    /// Work-items of a work-group: those asked for, or `own`, as far as the device allows.
    pub fn work_group_of(&self, own: usize, info: &DeviceInfo) -> usize {
        self.work_group.unwrap_or(own.min(info.max_work_group))
    }

    /// Refuses what a device cannot do.
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
