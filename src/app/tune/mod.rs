//! Finding the best setting of one device, or of CPU workers, for one graph.
//!
//! [`setting`] says what can be set, [`race`] measures candidates on larger and larger samples of
//! the roots and eliminates the slower half of them again and again, [`search`] decides what takes
//! part (strategies first, then their numbers), [`check`] compares the winner with what a run does
//! anyway, on other roots. All of these know a [`race::Measurer`] only; [`machine`] is the one that
//! really searches. [`profile`] keeps what came out. `docs/tune.md` says how to read it.

pub mod check;
pub mod machine;
pub mod profile;
pub mod race;
pub mod search;
pub mod setting;

#[cfg(test)]
mod tests;

pub use check::Check;
pub use machine::Machine;
pub use profile::{Hardware, Profile};
pub use race::{Measurer, Round, Track};
pub use search::{Plan, Tuning, tune};
pub use setting::{Lists, Number, Setting};
