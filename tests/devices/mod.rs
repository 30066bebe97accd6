//! Tests of OpenCL devices. (`faults` belongs to `tests/clone.rs`.)

mod kernel_times;
mod limits;
mod sharing;
mod strategies;
