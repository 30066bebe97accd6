//! How many roots a CPU engine asks for at a time.

use std::time::{Duration, Instant};

const MOST: usize = 64;

/// The size of the next claim, found from the time that the last one took.
pub(super) struct ClaimSize {
    pub(super) wanted: usize,
    aim: Duration,
}

impl Default for ClaimSize {
    fn default() -> Self {
        ClaimSize::new(Duration::from_millis(5))
    }
}

impl ClaimSize {
    /// Claims are to take `aim`: long enough to make the shared counter cheap, short enough for an
    /// even end.
    pub(super) fn new(aim: Duration) -> Self {
        ClaimSize { wanted: 1, aim }
    }

    /// Double or halve towards the aim; the last claim was begun at `start`.
    pub(super) fn adjust(&mut self, start: Instant) {
        let elapsed = start.elapsed();
        if elapsed < self.aim / 2 {
            self.wanted = (self.wanted * 2).min(MOST);
        } else if elapsed > self.aim {
            self.wanted = (self.wanted / 2).max(1);
        }
    }
}
