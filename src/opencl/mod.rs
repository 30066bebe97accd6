//! Engines on OpenCL devices.
//!
//! [`device`] finds and selects devices, [`session`] makes one ready (context, queue, program),
//! `buffers` and `launch` wrap memory and kernels, [`strategy`] holds the ways of searching.

mod buffers;
pub mod cache;
pub mod device;
mod error;
mod faults;
mod launch;
mod profile;
mod program;
pub mod self_test;
mod session;
pub mod strategy;
mod wait;

pub use device::{DeviceInfo, DeviceKind, DeviceSelection, FoundDevice};
pub use error::DeviceError;
pub use faults::{Faults, Step};
pub use profile::{CommandSpan, CommandTimes, Profile};
pub use session::{DeviceOptions, Session};
pub use strategy::{EnginePlan, Strategy};
