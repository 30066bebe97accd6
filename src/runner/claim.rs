//! What a participant gets from the source counter.

use std::ops::Range;

/// The answer to a participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// These roots.
    Roots(Range<usize>),
    /// Nothing now: others will have searched all that is left before the asker could have searched
    /// any of it. That may change, as when one of them fails; until then the asker can wait.
    Later,
    /// Nothing is left to claim. Others may still be searching.
    Nothing,
}

/// What a participant may claim without asking.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lease {
    /// Up to this root.
    pub until: usize,
    /// At most so many at a time.
    pub most: usize,
    /// The number of changes of the counter when it was given.
    pub changes: usize,
}
