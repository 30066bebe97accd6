//! OpenCL without betweenness: devices, sessions, programs, buffers, launches.
//!
//! [`find`] finds and selects devices, [`session`] makes one ready (context, queue, program),
//! `buffers` and `launch` wrap memory and kernels.

pub(crate) mod buffers;
pub mod cache;
mod error;
mod faults;
pub mod find;
pub(crate) mod launch;
pub(crate) mod profile;
pub(crate) mod program;

mod session;

pub(crate) mod wait;

pub use error::DeviceError;
pub use faults::{Faults, Step};
pub use find::{DeviceInfo, DeviceKind, DeviceSelection, FoundDevice};
pub use profile::{CommandSpan, CommandTimes, Profile};
pub use session::{DeviceOptions, Session};
