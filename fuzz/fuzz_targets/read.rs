//! Reads arbitrary bytes with any options, as any format or as the one that FUZZ_FORMAT selects.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

/// The number of the only format to fuzz, if any: its position in the list of `input.rs`.
static ONLY_FORMAT: LazyLock<Option<u8>> = LazyLock::new(|| {
    let number = std::env::var("FUZZ_FORMAT").ok()?;
    Some(number.parse().expect("FUZZ_FORMAT is a number"))
});

fuzz_target!(
    init: {
        // Inputs are small: waking other threads would take longer than reading them.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("the first pool of the process");
    },
    |data: &[u8]| match (*ONLY_FORMAT, data) {
        (Some(format), [_, rest @ ..]) => input::check(&[&[format], rest].concat()),
        _ => input::check(data),
    }
);

#[path = "../input.rs"]
mod input;
