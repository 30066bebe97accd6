//! Trying a driver in another process first.
//!
//! The driver of a device that is the CPU itself compiles and runs kernels in this process: where
//! its compiler or a first launch crashes, the process ends, and with it what others have searched.
//! What came of it is remembered with the built programs.

use std::time::Duration;

use crate::device::cache::{self, Key};
use crate::device::{DeviceError, DeviceInfo, DeviceKind, DeviceOptions, FoundDevice, Programs};
use crate::strategy::Strategy;

/// Runs the self-test of a strategy on a device in another process, for so long at most.
pub type Rehearse = fn(&DeviceInfo, &DeviceOptions, Strategy, Duration) -> Rehearsed;

/// What came of the other process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rehearsed {
    /// The test passed.
    Passed,
    /// The process crashed, by this signal.
    Crashed(i32),
    /// Neither: this process will see why.
    Unknown,
}

/// Refuses a device whose driver is known to crash, or does so now.
pub(super) fn check(
    rehearse: Rehearse,
    found: &FoundDevice,
    options: &DeviceOptions,
    strategy: Strategy,
    limit: Duration,
) -> Result<(), DeviceError> {
    let info = &found.info;
    if info.kind != DeviceKind::Cpu {
        return Ok(());
    }
    let programs = strategy.programs(options, info);
    let made_of: Vec<String> = programs.iter().map(|p| p.made_of(info, options)).collect();
    let key = Key::new(info, "self-test", &made_of.join("\n"));
    let kept = options.cache.then(|| cache::load(&key)).flatten();
    let known = kept.and_then(|bytes| bytes.try_into().ok());
    let signal = match known.map(i32::from_le_bytes) {
        Some(signal) => signal,
        None => {
            let signal = match rehearse(info, options, strategy, limit) {
                Rehearsed::Passed => 0,
                Rehearsed::Crashed(signal) => signal,
                Rehearsed::Unknown => return Ok(()),
            };
            if options.cache {
                cache::store(&key, &signal.to_le_bytes());
            }
            signal
        }
    };
    match signal {
        0 => Ok(()),
        signal => Err(DeviceError::Crash {
            device: info.name.clone(),
            signal,
        }),
    }
}
