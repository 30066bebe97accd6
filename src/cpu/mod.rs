//! Engines on CPU cores.

mod plain;

pub use plain::Plain;
