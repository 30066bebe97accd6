//! Measuring: strategies side by side on one graph, and what each idea of `virtual` is worth.
//!
//! A [`Setting`] is what searches, with its values. [`search`] times one search of some roots,
//! [`compare`] runs several of them in turns, [`ablation`] switches the ideas of strategy `virtual`
//! off one at a time, [`predict`] says how long a whole run would take. What comes out is in
//! [`results`], and [`baseline`] compares it with earlier results; [`catalog`] lists graphs to
//! measure. `docs/bench.md` says what the figures mean.

pub mod ablation;
pub mod baseline;
pub mod catalog;
pub mod compare;
pub mod predict;
pub mod preparations;
pub mod results;
pub mod search;
pub mod setting;
pub mod timing;

pub use preparations::Preparations;
pub use search::Bench;
pub use setting::{Numbers, Setting, Subject};
