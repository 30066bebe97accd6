//! The one decision: who searches a graph, and how.

mod advice;
mod wishes;

pub use advice::Advice;
pub use wishes::Wishes;
