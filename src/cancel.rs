//! Cancellation of searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels searches from another thread. Clones cancel the same searches.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Makes searches return [`crate::Error::Cancelled`] within about a tenth of a second, or when
    /// the graph is prepared: the preparation is not interrupted. A search with a checkpoint saves
    /// its progress first, which takes up to three seconds, and returns
    /// [`crate::Error::CancelledSaved`], or [`crate::Error::CancelledUnsaved`] if saving fails.
    /// Threads of CPU workers end soon after that, and threads of devices when they have searched
    /// from the roots that they claimed.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the token was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
