//! The size of the claims that a CPU engine asks for (the counter may grant less): in roots, or in
//! batches for engines that search batches.

use std::time::{Duration, Instant};

/// The largest size.
const MOST: usize = 64;
/// The intended time of a claim: so long that access to the shared counter costs little, and so
/// short that all workers end at about the same time.
const AIM: Duration = Duration::from_millis(5);

/// The size of the next claim, adapted to the time that the last one took.
pub(super) struct ClaimSize {
    pub(super) size: usize,
}

impl Default for ClaimSize {
    fn default() -> Self {
        ClaimSize { size: 1 }
    }
}

impl ClaimSize {
    /// Doubles or halves the size towards the aim; the last claim began at `start`.
    pub(super) fn adjust(&mut self, start: Instant) {
        let elapsed = start.elapsed();
        if elapsed < AIM / 2 {
            self.size = (self.size * 2).min(MOST);
        } else if elapsed > AIM {
            self.size = (self.size / 2).max(1);
        }
    }
}
