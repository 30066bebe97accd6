//! Cancelling searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels searches from another thread. Clones cancel the same searches.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Makes searches return [`crate::Error::Cancelled`] within about a tenth of a second. Threads
    /// of workers end soon after that, and those of devices when they have searched from their
    /// claims.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the token was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
