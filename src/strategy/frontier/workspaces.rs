//! How many searches are under way at a time, and the memory that they have on the device.

use crate::device::DeviceInfo;
use crate::device::buffers::{BufferId, BufferSet};
use crate::device::find::DeviceKind;
use crate::prepare::Prepared;

/// Work-items per compute unit of a GPU: what hides its memory's latency.
const ITEMS_PER_UNIT: usize = 1536;
/// Work-groups per compute unit: at most so many on a GPU, and exactly so many on a CPU.
const GROUPS_PER_UNIT: (usize, usize) = (16, 2);
/// Most roots of a claim, per workspace.
const CLAIM_MAX: usize = 256;
/// Words of `status` before the depths.
pub const STATUS_WORDS: usize = 2;

/// The workspaces of an engine, a work-group's each, and where a claim is handed to the device.
pub struct Workspaces {
    /// How many there are.
    pub count: usize,
    /// Their buffers, zeroed, in the order in which they were described.
    pub places: Vec<BufferId>,
    /// Roots of the largest claim.
    pub capacity: usize,
    /// Pairs of a root and how many sources it stands for.
    pub roots: BufferId,
    /// Progress of the claim; see `cl/claim.cl`.
    pub status: BufferId,
}

impl Workspaces {
    /// As many as suit the device beside what is planned, to which they are added. `each`: what
    /// the buffers of a workspace hold, and their bytes.
    pub fn plan(
        set: &mut BufferSet,
        work_group: usize,
        prepared: &Prepared,
        each: &[(&'static str, usize)],
    ) -> Self {
        let roots = prepared.roots.len().max(1);
        let count = count(set.info(), work_group, roots, set.total(), each);
        let capacity = (count * CLAIM_MAX).min(roots);
        let all = |&(what, bytes): &(_, usize)| set.zeroed(what, (bytes * count) as u64);
        Workspaces {
            count,
            places: each.iter().map(all).collect(),
            capacity,
            roots: set.unset("roots", 8 * capacity as u64),
            status: set.unset("progress of searches", 4 * (STATUS_WORDS + capacity) as u64),
        }
    }
}

/// Workspaces for a device: enough to keep its compute units busy, not more than there are
/// roots, and with half of its memory at most, of which the graph has taken `graph` bytes. At least
/// one, whether or not it fits: the check of the buffers says what does not.
pub fn count(
    info: &DeviceInfo,
    work_group: usize,
    roots: usize,
    graph: u64,
    buffers: &[(&'static str, usize)],
) -> usize {
    let per_unit = match info.kind {
        DeviceKind::Cpu => GROUPS_PER_UNIT.1,
        _ => (ITEMS_PER_UNIT / work_group).clamp(1, GROUPS_PER_UNIT.0),
    };
    let bytes: usize = buffers.iter().map(|(_, bytes)| bytes).sum();
    let largest = buffers.iter().map(|&(_, bytes)| bytes).max().unwrap_or(0);
    let by_memory = (info.memory / 2).saturating_sub(graph) / bytes.max(1) as u64;
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
