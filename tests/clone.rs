//! Tests of what only a clone has: see `exclude` in `Cargo.toml`.

#![cfg(unix)]

#[allow(dead_code, reason = "these tests use a part of it")]
mod common;

mod device_faults;
mod fuzz_corpus;
mod street_tutorial;
