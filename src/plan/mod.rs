//! The one decision: who searches a graph, and how.

mod reduce;
mod summary;
mod wishes;

pub use reduce::{chains_worth_serving, reduce};
pub use summary::Plan;
pub use wishes::Wishes;
