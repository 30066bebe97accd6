//! The layer over OpenCL, independent of betweenness: devices, sessions, programs, buffers,
//! launches.
//!
//! [`find`] finds and selects devices, [`session`] opens a device (context, queue, programs),
//! [`buffers`] and [`launch`] wrap memory and kernels. A session builds programs from [`Source`]s.

pub mod buffers;
pub mod cache;
mod error;
pub mod find;
pub mod launch;
mod options;
mod owned;
pub(crate) mod priority;
pub(crate) mod profile;
mod program;
mod session;
pub(crate) mod wait;

pub use error::{DeviceError, Result};
pub use find::{DeviceInfo, DeviceKind, DeviceSelection, FoundDevice};
pub use options::{DeviceOptions, Numbers};
pub use profile::{CommandTimes, Profile, Queue};
pub use program::Source;
pub use session::Session;
