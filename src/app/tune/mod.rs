//! The search for the best setting of a device, or of CPU workers, for a graph.

pub mod halving;
pub mod measurer;
pub mod profile;
pub mod values;

#[cfg(test)]
mod tests;

pub use halving::{DEFAULT, Measurer, Plan, Tuning, tune};
pub use measurer::SearchMeasurer;
pub use profile::{Hardware, Profile};
pub use values::Values;
