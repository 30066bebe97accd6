//! How many searches are under way at a time, and the memory that they have on the device.

use crate::device::buffers::{BufferPlan, DeviceBuffer};
use crate::device::find::DeviceKind;
use crate::device::{DeviceError, DeviceInfo, Session};
use crate::prepare::Prepared;

/// Work-items per compute unit of a GPU: what hides its memory's latency.
const ITEMS_PER_UNIT: usize = 1536;
/// Work-groups per compute unit: at most so many on a GPU, and exactly so many on a CPU.
const GROUPS_PER_UNIT: (usize, usize) = (16, 2);
/// Most roots of a claim, per slot.
const CLAIM_MAX: usize = 256;
/// Words of `status` before the depths.
pub const STATUS_WORDS: usize = 2;

/// The slots of an engine: what each needs is known, and that all of them fit.
pub struct Slots {
    /// How many there are.
    pub count: usize,
    /// Roots of the largest claim.
    capacity: usize,
    /// What each of their buffers holds, and its bytes.
    buffers: Vec<(&'static str, u64)>,
}

/// Where a claim is handed to the device.
pub struct ClaimBuffers {
    /// Pairs of a root and how many sources it stands for.
    pub roots: DeviceBuffer,
    /// Progress of the claim; see `cl/claim.cl`.
    pub status: DeviceBuffer,
    /// Roots that both have room for.
    pub capacity: usize,
}

impl Slots {
    /// As many as suit the device, beside what is planned, to which they are added. `needs`: what a
    /// slot needs, in the order of the kernels' parameters.
    pub fn plan(
        session: &Session,
        work_group: usize,
        prepared: &Prepared,
        plan: &mut BufferPlan,
        needs: Vec<(&'static str, u64)>,
    ) -> Result<Self, DeviceError> {
        let roots = prepared.roots.len().max(1);
        let count = count(&session.info, work_group, roots, plan.total(), &needs);
        let all = |(what, bytes)| (what, bytes * count as u64);
        let slots = Slots {
            count,
            capacity: (count * CLAIM_MAX).min(roots),
            buffers: needs.into_iter().map(all).collect(),
        };
        plan.0.extend(&slots.buffers);
        plan.0.extend(slots.claim_buffers());
        plan.check(&session.info)?;
        Ok(slots)
    }

    /// The buffers of all slots, zeroed, in the order in which they were planned.
    pub fn make(&self, session: &Session) -> Result<Vec<DeviceBuffer>, DeviceError> {
        let make =
            |&(_, bytes): &(_, u64)| DeviceBuffer::zeroed(session, &session.queue, bytes as usize);
        self.buffers.iter().map(make).collect()
    }

    /// The buffers for a claim.
    pub fn make_claims(&self, session: &Session) -> Result<ClaimBuffers, DeviceError> {
        let [roots, status] = self
            .claim_buffers()
            .map(|(_, bytes)| DeviceBuffer::unset(session, bytes as usize));
        Ok(ClaimBuffers {
            roots: roots?,
            status: status?,
            capacity: self.capacity,
        })
    }

    fn claim_buffers(&self) -> [(&'static str, u64); 2] {
        let words = |count: usize| 4 * count as u64;
        [
            ("roots", words(2 * self.capacity)),
            ("progress of searches", words(STATUS_WORDS + self.capacity)),
        ]
    }
}

/// Slots for a device: enough to keep its compute units busy, not more than there are roots, and
/// with half of its memory at most, of which the graph has taken `graph` bytes. At least one,
/// whether or not it fits: the check of the buffers says what does not.
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
