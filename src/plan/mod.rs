//! Decisions before a search: its options, reductions that pay off, and the expected engines.

mod reduce;
mod summary;
mod wishes;

pub use reduce::{chains_worth_serving, reduce};
pub use summary::Plan;
pub use wishes::Wishes;
