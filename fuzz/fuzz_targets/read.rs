//! Any bytes as any format, with any options: a graph or an error in one line.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    brandes_fuzz_input::check(data);
});

#[path = "../input.rs"]
mod brandes_fuzz_input;
