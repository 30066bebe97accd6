//! The one device of commands that measure.

use anyhow::Result;

use super::UsageError;
use brandes::device::{DeviceError, DeviceOptions, DeviceSelection, Session, find};
use brandes::strategy::Strategy;

/// The same, but `None` with a warning where nobody asked for a certain device and there is none.
pub(super) fn open_if_any(
    selection: &DeviceSelection,
    options: DeviceOptions,
    strategy: Strategy,
) -> Result<Option<Session>> {
    let absence = |error: &anyhow::Error| {
        let device = error.downcast_ref::<DeviceError>();
        *selection == DeviceSelection::Auto && device.is_some_and(DeviceError::is_absence)
    };
    match open(selection, options, strategy) {
        Err(error) if absence(&error) => {
            eprintln!("brandes: warning: {error}; the engines of CPU workers are measured");
            Ok(None)
        }
        other => other.map(Some),
    }
}

/// Opens the one device that `selection` means, with the kernels of `strategy` built.
pub(super) fn open(
    selection: &DeviceSelection,
    options: DeviceOptions,
    strategy: Strategy,
) -> Result<Session> {
    let found = find::select(&find::enumerate()?, selection)?;
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
