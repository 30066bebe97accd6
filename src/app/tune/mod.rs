//! Finding the best setting of one device, or of CPU workers, for one graph.
//!
//! [`values`] lists the values to try of the numbers that strategies take, [`race`] lets candidates
//! search in turns and eliminates the slower half of them again and again, [`search`] decides which
//! settings race and checks the winner against the default on other roots. All of these know a
//! [`race::Measurer`] only; [`machine`] is the one that really searches. [`profile`] keeps the
//! result. `docs/tune.md` says how to read it.

pub mod machine;
pub mod profile;
pub mod race;
pub mod search;
pub mod values;

#[cfg(test)]
mod tests;

pub use machine::Machine;
pub use profile::{Hardware, Profile};
pub use race::{Measurer, Round, Track};
pub use search::{Adopted, Check, Plan, Tuning, tune};
pub use values::Values;
