//! Tests of what only a clone has: see `exclude` in `Cargo.toml`.

#![cfg(unix)]

#[allow(dead_code, reason = "these tests use a part of it")]
mod common;

#[path = "devices/faults.rs"]
mod faults;
#[path = "documents/fuzz_corpus.rs"]
mod fuzz_corpus;
#[path = "documents/street_tutorial.rs"]
mod street_tutorial;
