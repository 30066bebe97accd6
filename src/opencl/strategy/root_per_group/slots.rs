//! How many searches are under way at a time.

use crate::opencl::DeviceInfo;
use crate::opencl::device::DeviceKind;

/// Work-items per compute unit of a GPU: what hides its memory's latency.
const ITEMS_PER_UNIT: usize = 1536;
/// Work-groups per compute unit: at most so many on a GPU, and exactly so many on a CPU.
const GROUPS_PER_UNIT: (usize, usize) = (16, 2);

/// Slots for a device: enough to keep its compute units busy, not more than there are roots, and
/// with half of its memory at most, of which the graph has taken `graph` bytes. At least one, whether
/// or not it fits: the check of the buffers says what does not.
pub fn count(
    info: &DeviceInfo,
    work_group: usize,
    roots: usize,
    graph: u64,
    buffers: &[(&'static str, u64)],
) -> usize {
    let per_unit = match info.kind {
        DeviceKind::Cpu => GROUPS_PER_UNIT.1,
        _ => (ITEMS_PER_UNIT / work_group).clamp(1, GROUPS_PER_UNIT.0),
    };
    let bytes: u64 = buffers.iter().map(|(_, bytes)| bytes).sum();
    let largest = buffers.iter().map(|&(_, bytes)| bytes).max().unwrap_or(0);
    let by_memory = (info.memory / 2).saturating_sub(graph) / bytes.max(1);
    let by_buffer = info.max_buffer / largest.max(1);
    let fit = usize::try_from(by_memory.min(by_buffer)).unwrap_or(usize::MAX);
    (per_unit * info.compute_units as usize)
        .min(roots)
        .min(fit)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(kind: DeviceKind) -> DeviceInfo {
        DeviceInfo {
            number: 0,
            name: String::new(),
            platform: String::new(),
            platform_version: String::new(),
            driver: String::new(),
            kind,
            compute_units: 10,
            max_work_group: 1024,
            local_memory: 1 << 15,
            memory: 20_000,
            max_buffer: 5_000,
            fp64: true,
            int64_atomics: true,
        }
    }

    #[test]
    fn slots_fit_the_device_the_roots_and_the_memory() {
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
