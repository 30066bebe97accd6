//! Errors of devices.

use std::time::Duration;

use opencl3::error_codes::ClError;

use crate::memory::MORE_THREADS;

/// A reason why a device cannot be used, or why it failed. Each prints as one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The library of OpenCL could not be opened.
    #[error("no OpenCL library found; install an OpenCL loader and a driver, or use --device none")]
    NoLibrary,
    /// The OpenCL loader found no driver.
    #[error(
        "no OpenCL platform found; install the driver of your device (GPU vendor's, or PoCL for \
         CPUs), or use --device none"
    )]
    NoPlatform,
    /// The OpenCL loader found drivers of these platforms, but none of them has a device.
    #[error(
        "no device found on {0}; check the driver and the permissions of its devices, set \
         POCL_CACHE_DIR to a folder that can be written (for PoCL), or use --device none"
    )]
    NoDevice(String),
    /// There are devices, but no GPU or accelerator among them.
    #[error(
        "no OpenCL GPU or accelerator found; list all devices with 'brandes devices', and select \
         one with --device NAME"
    )]
    NoGpu,
    /// This run has more processes on the machine than there are selected devices, so that this
    /// process gets none.
    #[error(
        "other processes of this run use all {0} selected OpenCL devices of this machine; start \
         at most {0} processes on it"
    )]
    AllTaken(usize),
    /// A selector matched no device: the selector, and the numbers and names of all devices.
    #[error("no OpenCL device matches '{0}'; there are: {1}")]
    NoMatch(String, String),
    /// A device, a driver or a platform failed, and is not used.
    #[error("{0}")]
    Failed(String),
    /// A strategy or a device does not support the graph or the options, or lacks memory for the
    /// graph.
    #[error("{0}")]
    Refused(String),
    /// A thread could not be started: its purpose, and the message of the system.
    #[error("no thread could be started for {0}: {1} ({more})", more = MORE_THREADS)]
    NoThread(&'static str, String),
    /// The driver of this device crashed the process that ran the self-test, in this way.
    #[error(
        "{0}: its driver crashes in the self-test ({1}); use another device or driver \
         ('brandes devices --test' shows which strategies work)"
    )]
    Crash(String, String),
    /// An OpenCL call failed.
    #[error("{what} failed: {error} ({code})")]
    Call {
        /// The action that failed.
        what: &'static str,
        /// OpenCL's name of the error.
        error: String,
        /// OpenCL's number of the error.
        code: i32,
    },
    /// A device, or the search for devices, did not answer in time.
    #[error("{what} has not answered for {:.0} seconds", .limit.as_secs_f64())]
    NoAnswer {
        /// The device, or the action.
        what: String,
        /// The time limit.
        limit: Duration,
    },
    /// The device returned sums that cannot be right.
    #[error("the sums read back from the device cannot be right: {0}")]
    Spoiled(String),
    /// The driver thread panicked.
    #[error("the driver thread stopped: {0}")]
    Panic(String),
}

/// The result of a call to a device.
pub type Result<T, E = DeviceError> = std::result::Result<T, E>;

impl DeviceError {
    /// Returns the error of a failed OpenCL call; `what` is the action.
    pub fn call(what: &'static str, error: ClError) -> DeviceError {
        DeviceError::Call {
            what,
            error: error.to_string(),
            code: error.0,
        }
    }

    /// Converts the result of an OpenCL call; `what` is the action.
    pub fn check<T>(what: &'static str, result: Result<T, ClError>) -> Result<T> {
        result.map_err(|error| DeviceError::call(what, error))
    }

    /// Returns whether the device works, but does not support this graph or these options.
    pub fn is_refusal(&self) -> bool {
        matches!(self, DeviceError::Refused(_))
    }

    /// Returns whether an allocation failed although the device reported enough memory: other
    /// processes may use the memory too.
    pub fn lacks_memory(&self) -> bool {
        const ALLOCATION_FAILURE: i32 = -4;
        matches!(self, DeviceError::Call { code, .. } if *code == ALLOCATION_FAILURE)
    }

    /// Returns whether there is no device, rather than a broken one.
    pub fn is_absence(&self) -> bool {
        matches!(
            self,
            DeviceError::NoLibrary
                | DeviceError::NoPlatform
                | DeviceError::NoDevice(_)
                | DeviceError::NoGpu
        )
    }
}
