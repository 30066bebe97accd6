//! Roots that have never been handed out, which are claimed by one atomic step.

use std::ops::Range;

use super::sync::{AtomicUsize, Ordering};

/// The roots from `next` on.
pub struct Fresh {
    /// How many roots there have ever been.
    pub total: usize,
    /// Claims end where groups of so many roots end, unless they are smaller.
    pub group: usize,
    /// Whether claims are whole groups, however small they should be.
    pub whole: bool,
    next: AtomicUsize,
}

impl Fresh {
    /// All of so many roots, which are in groups of so many.
    pub fn new(total: usize, group: usize) -> Self {
        Fresh {
            total,
            group: group.max(1),
            whole: false,
            next: AtomicUsize::new(0),
        }
    }

    /// Leaves none.
    pub fn clear(&self) {
        self.next.store(self.total, Ordering::Relaxed);
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        self.total - self.next.load(Ordering::Relaxed)
    }

    /// Takes about so many roots, none of them behind `until`.
    pub fn take(&self, size: usize, until: usize) -> Option<Range<usize>> {
        let end = |start| self.end(start, size, self.total);
        let taken = |start| Some(end(start)).filter(|&end| start < end && end <= until);
        let (write, read) = (Ordering::Relaxed, Ordering::Relaxed);
        let start = self.next.fetch_update(write, read, taken).ok()?;
        Some(start..end(start))
    }

    /// Where a claim of so many roots ends, of those up to `last`.
    pub fn end(&self, start: usize, size: usize, last: usize) -> usize {
        let size = if self.whole {
            size.max(self.group)
        } else {
            size
        };
        let end = start.saturating_add(size).min(last);
        let groups = end - end % self.group;
        if groups > start && end < last {
            groups
        } else {
            end
        }
    }
}
