//! Everything that can go wrong with a device.

use std::time::Duration;

use opencl3::error_codes::ClError;

use super::step::Step;

/// Why a device cannot be used, or stopped being of use. Each prints as one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// libOpenCL could not be opened.
    #[error(
        "no OpenCL library found (libOpenCL.so.1); install an OpenCL loader and a driver, or \
         use --device none"
    )]
    NoLibrary,
    /// The loader knows no driver.
    #[error(
        "no OpenCL platform found; install the driver of your device (GPU vendor's, or PoCL for \
         CPUs), or use --device none"
    )]
    NoPlatform,
    /// The loader knows drivers, but none of them has a device.
    #[error("no device found on {platforms}{}, or use --device none", remedy(*.pocl))]
    NoDevice {
        /// Numbers and names of the platforms.
        platforms: String,
        /// Whether one of them is PoCL.
        pocl: bool,
    },
    /// There are devices, but no GPU or accelerator among them.
    #[error(
        "no OpenCL GPU or accelerator found; 'brandes devices' lists what there is, --device NAME \
         uses it"
    )]
    NoGpu,
    /// Fewer devices than processes that share them.
    #[error(
        "other processes drive the OpenCL devices of this machine ({devices} of those asked for); \
         start no more processes on it than that"
    )]
    Dealt {
        /// Devices that were selected.
        devices: usize,
    },
    /// A selector that fits no device.
    #[error("no OpenCL device matches '{selector}'; there are: {present}")]
    NoMatch {
        /// What was asked for.
        selector: String,
        /// Numbers and names of the devices present.
        present: String,
    },
    /// A platform or device that could not be asked what there is.
    #[error("{place} is left out: {error}")]
    LeftOut {
        /// Number and name.
        place: String,
        /// What went wrong.
        error: Box<DeviceError>,
    },
    /// A graph, or options, that a strategy or a device is not for.
    #[error("{0}")]
    Refused(String),
    /// The system gives no thread to drive a device with.
    #[error("no thread could be started for {what}: {reason} (raise the limits, ulimit -u and -v)")]
    NoThread {
        /// What it was for.
        what: &'static str,
        /// What the system says.
        reason: String,
    },
    /// One buffer larger than the device allows.
    #[error("{device}: buffer '{buffer}' needs {needed} bytes, but no buffer may exceed {limit}")]
    BufferLimit {
        /// Device name.
        device: String,
        /// What the buffer holds.
        buffer: &'static str,
        /// Its size.
        needed: u64,
        /// The device's limit.
        limit: u64,
    },
    /// All buffers together larger than the device's memory.
    #[error("{device}: the graph needs {needed} bytes of device memory, but there are {limit}")]
    MemoryLimit {
        /// Device name.
        device: String,
        /// Sum of all buffers.
        needed: u64,
        /// The device's memory.
        limit: u64,
    },
    /// The kernels did not compile.
    #[error("{device}: the kernels did not build: {log}")]
    Build {
        /// Device name.
        device: String,
        /// First lines of the compiler's log.
        log: String,
    },
    /// The device computed a known result wrongly.
    #[error("{device}: the self-test gave wrong scores; its driver cannot be trusted")]
    SelfTest {
        /// Device name.
        device: String,
    },
    /// The driver ended a process that ran the self-test.
    #[error(
        "{device}: its driver crashes in the self-test (signal {signal}); use another device or \
         driver ('brandes devices --test' tells which strategies it survives)"
    )]
    Crash {
        /// Device name.
        device: String,
        /// The signal that ended the process.
        signal: i32,
    },
    /// An OpenCL call failed.
    #[error("{what} failed: {error} ({code})")]
    Call {
        /// What was being done.
        what: &'static str,
        /// OpenCL's name of the error.
        error: String,
        /// OpenCL's number of the error.
        code: i32,
    },
    /// A device, or the search for devices, that does not answer.
    #[error("{what} has not answered for {:.0} seconds", .limit.as_secs_f64())]
    NoAnswer {
        /// Device name, or what was asked.
        what: String,
        /// How long it had.
        limit: Duration,
    },
    /// Sums that cannot be right.
    #[error("the sums read back from the device cannot be right: {what}")]
    Spoiled {
        /// Why they cannot be.
        what: String,
    },
    /// The driver thread ended by a panic.
    #[error("the driver thread stopped: {0}")]
    Panic(String),
    /// A failure planned by a test.
    #[error("planned failure at step '{0}'")]
    Planned(Step),
}

/// What may help where drivers have no device.
fn remedy(pocl: bool) -> &'static str {
    match pocl {
        // It keeps kernels in a folder, below HOME unless told otherwise.
        true => {
            ": PoCL has none if it cannot write its cache folder; set POCL_CACHE_DIR to a folder \
             that can be written"
        }
        false => "; check the driver and the permissions of its devices",
    }
}

impl DeviceError {
    /// Names what was being done when an OpenCL call failed.
    pub fn call(what: &'static str) -> impl FnOnce(ClError) -> DeviceError {
        move |error| DeviceError::Call {
            what,
            error: error.to_string(),
            code: error.0,
        }
    }

    /// Names the platform or device that is left out for this.
    pub(super) fn leaves_out(self, place: String) -> DeviceError {
        DeviceError::LeftOut {
            place,
            error: Box::new(self),
        }
    }

    /// Whether the device is sound, and only this graph or these options are not for it.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            DeviceError::BufferLimit { .. }
                | DeviceError::MemoryLimit { .. }
                | DeviceError::Refused(_)
        )
    }

    /// Whether there was less memory than the device said: others may use it too.
    pub fn lacks_memory(&self) -> bool {
        const ALLOCATION_FAILURE: i32 = -4;
        matches!(self, DeviceError::Call { code, .. } if *code == ALLOCATION_FAILURE)
    }

    /// Whether there simply is no such thing as a device here (rather than a broken one).
    pub fn is_absence(&self) -> bool {
        matches!(
            self,
            DeviceError::NoLibrary
                | DeviceError::NoPlatform
                | DeviceError::NoDevice { .. }
                | DeviceError::NoGpu
        )
    }
}
