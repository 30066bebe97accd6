//! The `brandes` program: see `brandes --help`.

#![warn(clippy::expect_used, clippy::unwrap_used)]

mod app;

use std::time::Instant;

use brandes::memory::{self, Frugal};

#[global_allocator]
static ALLOCATOR: Frugal = Frugal;

fn main() {
    let start = Instant::now();
    memory::share_heaps();
    let code = app::cli::main(start);
    // A thread may still be initialising a device. Exit handlers that run concurrently could crash
    // or hang in its OpenCL driver. All output is written and flushed. SAFETY: `_exit` ends the
    // process and does not return.
    unsafe { libc::_exit(code) }
}
