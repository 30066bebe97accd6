//! The one decision: who searches a graph, and how.

mod advice;
mod reduce;
mod summary;
mod wishes;

pub use advice::Advice;
pub use reduce::{Compare, Forms, contraction, reduce, unasked};
pub use summary::Plan;
pub use wishes::Wishes;
