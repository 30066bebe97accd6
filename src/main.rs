//! The `brandes` program: see `brandes --help`.

#![warn(clippy::expect_used, clippy::unwrap_used)]

mod app;

use std::time::Instant;

use brandes::memory::{self, CheckedAllocator};

#[global_allocator]
static ALLOCATOR: CheckedAllocator = CheckedAllocator;

fn main() {
    let start = Instant::now();
    memory::share_heaps();
    let code = app::cli::main(start);
    // A thread may still be inside an OpenCL driver. Exit handlers that run at the same time could
    // crash or hang there, so the process ends without them; all output is written and flushed.
    memory::end_process(code)
}
