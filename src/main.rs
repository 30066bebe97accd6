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
    // A device may still be initialising on a thread that is not waited for. Running exit handlers
    // under its feet could crash or hang in its OpenCL driver; all output is written and flushed.
    // SAFETY: `_exit` ends the process and does not return.
    unsafe { libc::_exit(code) }
}
