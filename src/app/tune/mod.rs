//! Finds the best setting of one device, or of CPU workers, for one graph.
//!
//! [`values`] lists the values to try for each numeric option of a strategy. [`race`] measures
//! candidates by successive halving. [`search`] decides which settings race, and checks the winner
//! against the default on other roots. These modules measure through the trait [`race::Measurer`].
//! [`measurer`] implements it with real searches, and the tests implement it with a model.
//! [`profile`] stores the result. `docs/tune.md` explains the method.

pub mod measurer;
pub mod profile;
pub mod race;
pub mod search;
pub mod values;

#[cfg(test)]
mod tests;

pub use measurer::SearchMeasurer;
pub use profile::{Hardware, Profile};
pub use race::{Candidate, Measurer, Round};
pub use search::{Adopted, Check, Plan, Tuning, tune};
pub use values::Values;
