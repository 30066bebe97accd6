//! Reads arbitrary bytes as any format, with any options.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(
    init: {
        // Inputs are small: waking other threads would take longer than reading them.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("the first pool of the process");
    },
    |data: &[u8]| brandes_fuzz_input::check(data)
);

#[path = "../input.rs"]
mod brandes_fuzz_input;
