//! How many roots a CPU engine asks for at a time.

use std::time::{Duration, Instant};

/// Aim of one claim: long enough to make the shared counter cheap, short enough for an even end.
const TIME: Duration = Duration::from_millis(5);
const MOST: usize = 64;

/// The size of the next claim, found from the time that the last one took.
pub(super) struct Claim {
    pub(super) wanted: usize,
}

impl Claim {
    pub(super) fn new() -> Self {
        Claim { wanted: 1 }
    }

    /// Double or halve towards [`TIME`]; the last claim was begun at `start`.
    pub(super) fn adjust(&mut self, start: Instant) {
        let elapsed = start.elapsed();
        if elapsed < TIME / 2 {
            self.wanted = (self.wanted * 2).min(MOST);
        } else if elapsed > TIME {
            self.wanted = (self.wanted / 2).max(1);
        }
    }
}
