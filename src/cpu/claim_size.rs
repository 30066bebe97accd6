//! How many roots a CPU engine asks for at a time.

use std::time::{Duration, Instant};

const MOST: usize = 64;
/// Claims are to take this time: long enough to make the shared counter cheap, short enough for an
/// even end.
const AIM: Duration = Duration::from_millis(5);

/// The size of the next claim, found from the time that the last one took.
pub(super) struct ClaimSize {
    pub(super) wanted: usize,
}

impl Default for ClaimSize {
    fn default() -> Self {
        ClaimSize { wanted: 1 }
    }
}

impl ClaimSize {
    /// Double or halve towards the aim; the last claim was begun at `start`.
    pub(super) fn adjust(&mut self, start: Instant) {
        let elapsed = start.elapsed();
        if elapsed < AIM / 2 {
            self.wanted = (self.wanted * 2).min(MOST);
        } else if elapsed > AIM {
            self.wanted = (self.wanted / 2).max(1);
        }
    }
}
