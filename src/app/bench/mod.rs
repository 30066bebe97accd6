//! Measurements of search times.
//!
//! A [`Setting`] is a strategy, or an engine of CPU workers, with the values of its numbers.
//! [`search`] times one search from some roots, [`compare`] measures several settings in turns and
//! scales samples to all roots by the formula in [`timing`], [`ablation`] switches the ideas of
//! strategy `virtual` off one at a time, and [`predict`] estimates how long a whole run takes.
//! [`results`] has the types of the results.
//! `docs/bench.md` explains the figures.

pub mod ablation;
pub mod compare;
pub mod predict;
pub mod preparations;
pub mod results;
pub mod search;
pub mod setting;
pub mod timing;

pub use preparations::Preparations;
pub use search::Bench;
pub use setting::{Setting, Subject};
