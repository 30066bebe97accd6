//! The one device of commands that measure.

use anyhow::Result;

use super::UsageError;
use crate::opencl::{DeviceOptions, DeviceSelection, Session, Strategy, device};

/// Opens the one device that `selection` means, with the kernels of `strategy` built.
pub(super) fn open(
    selection: &DeviceSelection,
    options: DeviceOptions,
    strategy: Strategy,
) -> Result<Session> {
    let found = device::select(&device::enumerate()?, selection)?;
    let [found] = &found[..] else {
        let names: Vec<&str> = found.iter().map(|d| d.info.name.as_str()).collect();
        let text = format!(
            "one device is measured at a time, but --device {selection} means {}: {}; name one",
            names.len(),
            names.join(", ")
        );
        return Err(UsageError(text).into());
    };
    Ok(Session::open(found, options, || strategy, &mut Vec::new())?)
}
