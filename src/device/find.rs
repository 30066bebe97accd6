//! Finds OpenCL devices and selects those to drive.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use opencl3::device::{
    CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, Device,
};
use opencl3::error_codes::{CL_DEVICE_NOT_FOUND, ClError};
use opencl3::platform::{Platform, get_platforms};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DeviceError, Result};

/// cl3's code for "the OpenCL library could not be opened".
const LIBRARY_NOT_LOADED: i32 = -2000;
/// `cl_khr_icd`: the loader found no platform.
const PLATFORM_NOT_FOUND_KHR: i32 = -1001;

/// A kind of processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeviceKind {
    /// A GPU.
    Gpu,
    /// Another accelerator.
    Accelerator,
    /// The host CPU, whose cores the CPU workers use too.
    Cpu,
    /// Another kind.
    #[default]
    Other,
}

/// The properties that a device reports.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct DeviceInfo {
    /// Number in the list of `brandes devices`, which selects it.
    pub number: usize,
    /// Device name.
    pub name: String,
    /// Platform name.
    pub platform: String,
    /// Platform version.
    pub platform_version: String,
    /// Driver version.
    pub driver: String,
    /// Kind of processor.
    pub kind: DeviceKind,
    /// Parallel compute units.
    pub compute_units: u32,
    /// Largest number of work-items of a work-group.
    pub max_work_group: usize,
    /// Local memory of a work-group, bytes.
    pub local_memory: u64,
    /// Global memory, bytes.
    pub memory: u64,
    /// Largest single buffer, bytes.
    pub max_buffer: u64,
    /// Whether it supports 64-bit floats (`cl_khr_fp64`).
    pub fp64: bool,
    /// Whether it supports the atomic minimum of 64-bit integers
    /// (`cl_khr_int64_extended_atomics`).
    pub int64_atomics: bool,
}

/// A device that can be opened.
#[derive(Debug, Clone)]
pub struct FoundDevice {
    /// The properties that it reports.
    pub info: DeviceInfo,
    pub(super) device: Device,
}

/// A choice of devices to drive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DeviceSelection {
    /// The best GPU or accelerator.
    #[default]
    Auto,
    /// Every GPU and accelerator.
    All,
    /// No device; OpenCL is not loaded.
    None,
    /// Devices by number, or by a part of their name or of their platform's name.
    Named(Vec<String>),
}

impl FromStr for DeviceSelection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names: Vec<String> = text.split(',').map(|s| s.trim().to_string()).collect();
        match text {
            "auto" => Ok(DeviceSelection::Auto),
            "all" => Ok(DeviceSelection::All),
            "none" => Ok(DeviceSelection::None),
            _ if names.iter().any(String::is_empty) => Err(
                "a selector is empty; give auto, all, none, or numbers or parts of names separated \
                 by commas"
                    .into(),
            ),
            _ => Ok(DeviceSelection::Named(names)),
        }
    }
}

impl fmt::Display for DeviceSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceSelection::Auto => "auto",
            DeviceSelection::All => "all",
            DeviceSelection::None => "none",
            DeviceSelection::Named(names) => return f.write_str(&names.join(",")),
        })
    }
}

/// The devices found, and the failures to query others.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// All devices that answered.
    pub devices: Vec<FoundDevice>,
    /// An error for each platform and device that did not answer.
    pub left_out: Vec<DeviceError>,
}

impl Survey {
    /// Returns the devices that `selection` selects, in the order of their numbers. The result is
    /// empty only for [`DeviceSelection::None`].
    ///
    /// # Errors
    /// [`DeviceError::NoGpu`], or [`DeviceError::NoMatch`] if a selector matches no device. If some
    /// were left out, the selector may mean one of these: the error is then the failure of the
    /// first of them.
    pub fn select(&self, selection: &DeviceSelection) -> Result<Vec<FoundDevice>> {
        let found = &self.devices;
        let is_fast =
            |d: &&FoundDevice| matches!(d.info.kind, DeviceKind::Gpu | DeviceKind::Accelerator);
        let fast = found.iter().filter(is_fast).cloned();
        let chosen: Vec<FoundDevice> = match selection {
            DeviceSelection::None => return Ok(Vec::new()),
            DeviceSelection::All => fast.collect(),
            DeviceSelection::Auto => {
                // `min_by_key` returns the first of equal devices, `max_by_key` the last.
                let rank = |FoundDevice { info, .. }: &FoundDevice| {
                    Reverse((info.fp64, info.kind == DeviceKind::Gpu, info.compute_units))
                };
                fast.min_by_key(rank).into_iter().collect()
            }
            DeviceSelection::Named(selectors) => {
                let is_meant = |d: &FoundDevice, selector: &String| matches(&d.info, selector);
                let missing = |s: &&String| !found.iter().any(|d| is_meant(d, s));
                if let Some(selector) = selectors.iter().find(missing) {
                    let name = |d: &FoundDevice| format!("{} ({})", d.info.number, d.info.name);
                    let present = found.iter().map(name).collect::<Vec<_>>().join(", ");
                    let no_match = || DeviceError::NoMatch(selector.clone(), present);
                    return Err(self.left_out.first().cloned().unwrap_or_else(no_match));
                }
                let named = |d: &&FoundDevice| selectors.iter().any(|s| is_meant(d, s));
                found.iter().filter(named).cloned().collect()
            }
        };
        if chosen.is_empty() {
            return Err(DeviceError::NoGpu);
        }
        Ok(chosen)
    }
}

/// Lists all devices. A platform or device whose query fails does not hide the others.
///
/// # Errors
/// The first failure, if there is no device.
pub fn survey() -> Result<Survey> {
    // PoCL 3.1 creates its devices at the first query, and reports none to other threads
    // meanwhile.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let platforms = get_platforms().map_err(|error| match error.0 {
        LIBRARY_NOT_LOADED => DeviceError::NoLibrary,
        PLATFORM_NOT_FOUND_KHR => DeviceError::NoPlatform,
        _ => DeviceError::call("listing the OpenCL platforms", error),
    })?;
    if platforms.is_empty() {
        return Err(DeviceError::NoPlatform);
    }
    let mut survey = Survey::default();
    let mut empty = Vec::new();
    // Devices whose query fails have numbers too: messages name them, and the numbers of the others
    // do not depend on such failures.
    let mut number = 0;
    for (index, platform) in platforms.iter().enumerate() {
        let place = || match platform.name() {
            Ok(name) => format!("OpenCL platform {index} ({})", name.trim()),
            Err(_) => format!("OpenCL platform {index}"),
        };
        let ids = match platform.get_devices(CL_DEVICE_TYPE_ALL) {
            Ok(ids) if !ids.is_empty() => ids,
            Ok(_) | Err(ClError(CL_DEVICE_NOT_FOUND)) => {
                empty.push(place());
                continue;
            }
            Err(error) => {
                let error = left_out(place(), "listing its devices", error);
                survey.left_out.push(error);
                continue;
            }
        };
        for device in ids.into_iter().map(Device::new) {
            match describe(number, platform, &device) {
                Ok(info) => survey.devices.push(FoundDevice { info, device }),
                Err(error) => {
                    let place = format!("OpenCL device {number} of {}", place());
                    let error = left_out(place, "querying its properties", error);
                    survey.left_out.push(error);
                }
            }
            number += 1;
        }
    }
    match survey.left_out.first() {
        _ if !survey.devices.is_empty() => Ok(survey),
        Some(failure) => Err(failure.clone()),
        None => Err(DeviceError::NoDevice(empty.join(", "))),
    }
}

/// Returns the error of a platform or device that failed to answer a query.
fn left_out(place: String, what: &'static str, error: ClError) -> DeviceError {
    let error = DeviceError::call(what, error);
    DeviceError::Failed(format!("{place} is left out: {error}"))
}

/// Queries the properties of a device.
fn describe(number: usize, platform: &Platform, device: &Device) -> Result<DeviceInfo, ClError> {
    let extensions = device.extensions()?;
    let has = |name| extensions.split_whitespace().any(|e| e == name);
    let kind = match device.dev_type()? {
        t if t & CL_DEVICE_TYPE_GPU != 0 => DeviceKind::Gpu,
        t if t & CL_DEVICE_TYPE_ACCELERATOR != 0 => DeviceKind::Accelerator,
        t if t & CL_DEVICE_TYPE_CPU != 0 => DeviceKind::Cpu,
        _ => DeviceKind::Other,
    };
    Ok(DeviceInfo {
        number,
        name: device.name()?.trim().to_string(),
        platform: platform.name()?.trim().to_string(),
        platform_version: platform.version()?.trim().to_string(),
        driver: device.driver_version()?.trim().to_string(),
        kind,
        compute_units: device.max_compute_units()?,
        max_work_group: device.max_work_group_size()?,
        local_memory: device.local_mem_size()?,
        memory: device.global_mem_size()?,
        max_buffer: device.max_mem_alloc_size()?,
        fp64: has("cl_khr_fp64"),
        int64_atomics: has("cl_khr_int64_extended_atomics"),
    })
}

/// Returns whether a selector matches a device: it is the number of the device, or, in upper or
/// lower case, a part of the name of the device or its platform.
fn matches(info: &DeviceInfo, selector: &str) -> bool {
    if let Ok(number) = selector.parse::<usize>() {
        return info.number == number;
    }
    let selector = selector.to_lowercase();
    info.name.to_lowercase().contains(&selector) || info.platform.to_lowercase().contains(&selector)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl DeviceInfo {
        /// Returns a small device with all optional features, for tests.
        pub(crate) fn for_tests(kind: DeviceKind) -> DeviceInfo {
            DeviceInfo {
                name: "Tiny".into(),
                kind,
                compute_units: 10,
                max_work_group: 1024,
                local_memory: 48 << 10,
                memory: 20_000,
                max_buffer: 5_000,
                fp64: true,
                int64_atomics: true,
                ..DeviceInfo::default()
            }
        }
    }

    fn survey(left_out: Vec<DeviceError>) -> Survey {
        let device = |(number, name, kind, compute_units): (usize, &str, _, _)| FoundDevice {
            info: DeviceInfo {
                number,
                name: name.into(),
                platform: "Some Platform".into(),
                compute_units,
                ..DeviceInfo::for_tests(kind)
            },
            device: Device::new(std::ptr::null_mut()),
        };
        let devices = [
            (0, "pthread CPU", DeviceKind::Cpu, 64),
            (1, "Small GPU", DeviceKind::Gpu, 4),
            (2, "Big GPU", DeviceKind::Gpu, 132),
            (3, "Big GPU", DeviceKind::Gpu, 132),
        ];
        let devices = devices.map(device).to_vec();
        Survey { devices, left_out }
    }

    fn numbers(survey: &Survey, selection: &str) -> Result<Vec<usize>> {
        let chosen = survey.select(&selection.parse().unwrap())?;
        Ok(chosen.iter().map(|d| d.info.number).collect())
    }

    #[test]
    fn a_selector_that_may_mean_what_was_left_out_says_so() {
        let failure = DeviceError::Failed("OpenCL platform 1 is left out".into());
        let mut survey = survey(vec![failure.clone()]);
        survey.devices.truncate(1);
        assert_eq!(numbers(&survey, "1"), Err(failure));
        assert_eq!(numbers(&survey, "0"), Ok(vec![0]));
        assert_eq!(numbers(&survey, "auto"), Err(DeviceError::NoGpu));
    }

    #[test]
    fn selectors_pick_by_number_name_and_kind() {
        let survey = survey(Vec::new());
        for (selection, chosen) in [
            ("auto", &[2][..]),
            ("all", &[1, 2, 3]),
            ("none", &[]),
            ("big", &[2, 3]),
            ("3,small", &[1, 3]),
            ("pthread", &[0]),
            ("some platform", &[0, 1, 2, 3]),
        ] {
            assert_eq!(
                numbers(&survey, selection).as_deref(),
                Ok(chosen),
                "{selection}"
            );
        }
        let none = numbers(&survey, "7");
        assert!(matches!(none, Err(DeviceError::NoMatch { .. })));
        assert!("a,,b".parse::<DeviceSelection>().is_err());
    }
}
