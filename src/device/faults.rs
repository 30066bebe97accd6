//! Injected failures, for tests of runs with failing devices.

use super::error::DeviceError;
use super::step::Step;

/// The failure that the devices of a run simulate, if any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults(pub Option<Step>);

impl Faults {
    /// Returns an error if the simulated failure is at this step.
    pub fn check(self, step: Step) -> Result<(), DeviceError> {
        if self.0 == Some(step) {
            Err(DeviceError::Planned(step))
        } else {
            Ok(())
        }
    }
}
