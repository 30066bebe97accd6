//! Decisions before a search: its options, reductions that pay off, and the expected engines.

mod options;
mod reduce;
mod summary;

pub use options::SearchOptions;
pub(crate) use options::refuse;
pub use reduce::{chains_worth_serving, exact_is_cheaper, reduce};
pub use summary::Plan;
