//! The one decision: who searches a graph, and how.

mod advice;
mod contraction;
mod summary;
mod wishes;

pub use advice::Advice;
pub use contraction::{contract, contraction};
pub use summary::Plan;
pub use wishes::Wishes;
