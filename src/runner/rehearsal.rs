//! An out-of-process probe of a driver.
//!
//! The driver of a device that is the CPU itself compiles and runs kernels in this process: where
//! its compiler or a first launch crashes, the process ends, and with it what others have searched.

use std::time::Duration;

use crate::device::{DeviceError, DeviceInfo, DeviceKind, DeviceOptions};
use crate::strategy::Strategy;

/// Runs the self-test of a strategy on a device in another process, for so long at most. Returns
/// the signal that ended the process, if it crashed; other failures will show in this process too.
pub type Rehearse = fn(&DeviceInfo, &DeviceOptions, Strategy, Duration) -> Option<i32>;

/// Refuses a device that is the CPU itself and whose driver crashes.
pub(super) fn check(
    rehearse: Rehearse,
    info: &DeviceInfo,
    options: &DeviceOptions,
    strategy: Strategy,
    limit: Duration,
) -> Result<(), DeviceError> {
    if info.kind != DeviceKind::Cpu {
        return Ok(());
    }
    match rehearse(info, options, strategy, limit) {
        None => Ok(()),
        Some(signal) => Err(DeviceError::Crash {
            device: info.name.clone(),
            signal,
        }),
    }
}
