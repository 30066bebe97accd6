//! Tests of documents: every command of the README and of tutorials, and the schemas. (`fuzz_corpus`
//! and `street_tutorial` belong to `tests/clone.rs`.)

mod readme;
mod schema;
