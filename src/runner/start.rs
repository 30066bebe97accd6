//! When CPU workers start: the rule, of plain numbers.

/// Devices are ready in less than these seconds, if at all soon: an H200 in a quarter of a second,
/// of which other threads that map memory make a few hundredths more.
pub(super) const PATIENCE: f64 = 0.5;

/// Nor is more than this part of their whole work lost by workers that wait for a device. A large
/// graph takes a second to upload, which workers that map rows for it meanwhile make longer, and
/// then leave all roots to the device.
const PATIENT_PART: f64 = 0.04;

/// Seconds of search that workers begin at once: they are done with it about when a device is
/// ready.
const AT_ONCE: f64 = 0.3;

/// Whether workers had better wait until devices are ready, and have done so for less than too
/// long: threads that map memory meanwhile make devices late. Not if workers could do without
/// devices by then.
///
/// So many devices that may search are `unready`; `None` while it is not known how many. Workers
/// have `waited` for so many seconds since the graph was ready, and would search everything in so
/// many `alone`.
pub(super) fn waits(unready: Option<usize>, waited: f64, alone: f64) -> bool {
    let patience = PATIENCE.max(PATIENT_PART * alone);
    unready != Some(0) && waited < patience && alone > AT_ONCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_wait_for_devices_if_they_would_take_long_without() {
        assert!(waits(None, 0.1, 5.0));
        assert!(!waits(None, 0.1, 0.2), "they could be done");
        assert!(!waits(None, 0.6, 5.0));
        assert!(waits(Some(2), 0.1, 5.0) && !waits(Some(0), 0.1, 5.0));
        assert!(waits(None, 1.9, 50.0) && !waits(None, 2.1, 50.0));
    }
}
