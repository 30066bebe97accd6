//! Ending searches before they are done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels searches from another thread. Clones cancel the same searches.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Lets searches end with [`crate::Error::Cancelled`] within about a tenth of a second.
    /// Threads of cores leave what they search soon after that, those of devices when they have
    /// done what they have claimed; they own what they work on.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
