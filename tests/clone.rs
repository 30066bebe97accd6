//! Tests of what only a clone has: see `exclude` in `Cargo.toml`.

#![cfg(unix)]

#[allow(dead_code, reason = "these tests use a part of it")]
mod common;

#[path = "devices/faults.rs"]
mod faults;
mod fuzz_corpus;
mod street_tutorial;
