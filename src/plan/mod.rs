//! The one decision: who searches a graph, and how.

mod advice;
mod contraction;
mod wishes;

pub use advice::Advice;
pub use contraction::{contract, contraction};
pub use wishes::Wishes;
