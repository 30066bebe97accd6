//! Lowers the priority of the threads of an OpenCL device that is the host CPU below that of CPU
//! workers, which share its cores: a core searches from several times as many roots a second with a
//! CPU engine as through OpenCL.
//!
//! On Linux, the name of a thread identifies the threads of an OpenCL driver.

/// The name of the thread that finds devices, and of the threads that OpenCL drivers start in it,
/// for [`crate::os::lower_priority`].
pub(crate) const FINDER: &str = "find-devices";

/// The share of a core that a thread of the lowest priority has beside a thread of normal priority.
pub(crate) const SHARE: f64 = 1.0 / 70.0;
