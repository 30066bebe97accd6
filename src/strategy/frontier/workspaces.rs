//! The number of searches under way at a time, and their memory on the device.

use crate::device::buffers::{BufferSet, DeviceBuffer};
use crate::device::find::DeviceKind;
use crate::device::launch::{Arg, KernelSet, Launcher};
use crate::device::{DeviceError, DeviceInfo};
use crate::prepare::Prepared;

/// Work-items per compute unit of a GPU, enough to hide the latency of its memory.
const ITEMS_PER_UNIT: usize = 1536;
/// Work-groups per compute unit: the most on a GPU, and the number on a CPU.
const GROUPS_PER_UNIT: (usize, usize) = (16, 2);
/// The most roots of a claim, per workspace.
const CLAIM_MAX: usize = 256;
/// Words of `status` before the depths.
pub const STATUS_WORDS: usize = 2;

/// The workspaces of an engine, one for each work-group, and the buffers of its claims.
pub struct Workspaces {
    /// The number of workspaces.
    pub count: usize,
    /// The buffers of all workspaces, zeroed, in the order in which they were described.
    pub buffers: Vec<DeviceBuffer>,
    /// Roots of the largest claim.
    pub capacity: usize,
    /// Pairs of a root and the number of sources that it stands for.
    pub roots: DeviceBuffer,
    /// Progress of the claim; see `cl/claim.cl`.
    pub status: DeviceBuffer,
    /// The buffers of sums over all workspaces (type SCORE) and their lengths: sums of vertices
    /// and, if edges are counted, sums of arcs. The columns of a query follow each other.
    pub sums: Vec<(DeviceBuffer, usize)>,
}

/// The rows that a kernel of [`Workspaces::adders`] adds up over all workspaces: the buffer; the
/// rows of a workspace and the values of a row, of which only the last value is added up; and a
/// buffer with the row of each sum, or `None` if sum i is in row i.
pub type Rows<'b> = (&'b DeviceBuffer, [usize; 2], Option<&'b DeviceBuffer>);

impl Workspaces {
    /// Plans the buffers of as many workspaces as suit the device beside the buffers planned so
    /// far. `workspace` has a description and the bytes of each buffer of a workspace.
    pub fn plan(
        set: &mut BufferSet,
        work_group: usize,
        prepared: &Prepared,
        workspace: &[(&'static str, usize)],
    ) -> Self {
        let ([columns, passes], graph) = (prepared.sum_columns(), &prepared.graph);
        let mut all_sums = vec![("scores", columns * graph.vertices())];
        if set.session.options.count_edges {
            all_sums.push(("sums of arcs", passes * graph.arcs()));
        }
        let sums = |(what, len)| (set.unset(what, set.score_bytes() * len), len);
        let sums = all_sums.into_iter().map(sums).collect();
        let roots = prepared.roots.len().max(1);
        let count = count(&set.session.info, work_group, roots, set.total(), workspace);
        let capacity = (count * CLAIM_MAX).min(roots);
        let plan = |&(what, bytes): &(_, usize)| set.zeroed(what, bytes * count);
        Workspaces {
            count,
            buffers: workspace.iter().map(plan).collect(),
            capacity,
            roots: set.unset("roots", 8 * capacity),
            status: set.unset("progress of searches", 4 * (STATUS_WORDS + capacity)),
            sums,
        }
    }

    /// Makes a kernel for each of [`Workspaces::sums`], which adds up its rows of all workspaces
    /// and clears them, with a work-item for each sum.
    pub fn adders(&self, kernels: &KernelSet, rows: &[Rows]) -> Result<Vec<Launcher>, DeviceError> {
        let adder = |(rows, (sums, len)): (&Rows, &(DeviceBuffer, usize))| {
            let &(buffer, [count, columns], row_of) = rows;
            let has_map = usize::from(row_of.is_some());
            let numbers = [*len, self.count, count, columns, has_map].map(Arg::Count);
            // Without a map, the kernel does not read this buffer.
            let buffers = Arg::buffers(&[row_of.unwrap_or(&self.roots), buffer, sums]);
            kernels.launcher("add_workspaces", &[&numbers[..], &buffers].concat())
        };
        rows.iter().zip(&self.sums).map(adder).collect()
    }
}

/// Returns the number of workspaces for a device: enough to keep its compute units busy, at most
/// one per root, and so few that they and the `planned` bytes of other buffers take at most half of
/// the memory, and that no buffer exceeds the limit of the device. Returns one if none fits; the
/// check of the buffers then reports which buffer does not.
pub fn count(
    info: &DeviceInfo,
    work_group: usize,
    roots: usize,
    planned: u64,
    buffers: &[(&'static str, usize)],
) -> usize {
    let per_unit = match info.kind {
        DeviceKind::Cpu => GROUPS_PER_UNIT.1,
        _ => (ITEMS_PER_UNIT / work_group).clamp(1, GROUPS_PER_UNIT.0),
    };
    let bytes: usize = buffers.iter().map(|(_, bytes)| bytes).sum();
    let largest = buffers.iter().map(|&(_, bytes)| bytes).max().unwrap_or(0);
    let by_memory = (info.memory / 2).saturating_sub(planned) / bytes.max(1) as u64;
    let by_buffer = info.max_buffer / largest.max(1) as u64;
    let fit = usize::try_from(by_memory.min(by_buffer)).unwrap_or(usize::MAX);
    (per_unit * info.compute_units as usize)
        .min(roots)
        .min(fit)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspaces_fit_the_device_the_roots_and_the_memory() {
        let device = DeviceInfo::for_tests;
        let gpu = device(DeviceKind::Gpu);
        let small = [("a", 10), ("b", 20)];
        assert_eq!(count(&gpu, 256, 1000, 0, &small), 60);
        assert_eq!(count(&gpu, 1024, 1000, 0, &small), 10);
        assert_eq!(count(&gpu, 1, 1000, 0, &small), 160);
        assert_eq!(count(&gpu, 256, 7, 0, &small), 7);
        assert_eq!(count(&device(DeviceKind::Cpu), 256, 1000, 0, &small), 20);
        // 4,000 of the 10,000 bytes are taken; no buffer above 5,000.
        assert_eq!(count(&gpu, 256, 1000, 4_000, &[("a", 100), ("b", 100)]), 30);
        assert_eq!(count(&gpu, 256, 1000, 0, &[("a", 1_000), ("b", 1)]), 5);
        assert_eq!(count(&gpu, 256, 1000, 0, &[("a", 1_000_000)]), 1);
    }
}
