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
pub(crate) const AT_ONCE: f64 = 0.3;

/// What it depends on whether workers start now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    /// Devices that may search but are not ready yet; `None` while it is not known how many.
    pub(super) unready: Option<usize>,
    /// Seconds since the graph was ready.
    pub(super) waited: f64,
    /// Seconds in which the workers would search everything without devices.
    pub(super) alone: f64,
}

impl Start {
    /// Whether workers had better wait until devices are ready, and have done so for less than too
    /// long: threads that map memory meanwhile make devices late. Not if workers could do without
    /// devices by then.
    pub(super) fn waits(self) -> bool {
        let patience = PATIENCE.max(PATIENT_PART * self.alone);
        self.unready != Some(0) && self.waited < patience && self.alone > AT_ONCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_wait_for_devices_if_they_would_take_long_without() {
        let start = Start {
            unready: None,
            waited: 0.1,
            alone: 5.0,
        };
        assert!(start.waits());
        assert!(
            !Start {
                alone: 0.2,
                ..start
            }
            .waits(),
            "they could be done"
        );
        assert!(
            !Start {
                waited: 0.6,
                ..start
            }
            .waits()
        );
        let large = Start {
            waited: 1.9,
            alone: 50.0,
            ..start
        };
        assert!(large.waits());
        assert!(
            !Start {
                waited: 2.1,
                ..large
            }
            .waits()
        );
        let unready = |count| Start {
            unready: Some(count),
            ..start
        };
        assert!(unready(2).waits() && !unready(0).waits());
    }
}
