//! Exponential back-off: after a failure of a fast method, fewer batches are tried with it.

/// The most batches that are skipped after a failure.
const MOST_SKIPPED: u32 = 64;

/// Decides which batches are tried with the fast method. Each further failure in a row about
/// doubles the number of batches that are then skipped.
#[derive(Debug, Default)]
pub(super) struct BackOff {
    /// The number of batches that are still to be skipped.
    left_to_skip: u32,
    /// The number of batches skipped after the last failure; 0 after a success.
    last_skipped: u32,
}

impl BackOff {
    /// Returns whether to try the next batch.
    pub(super) fn allows(&mut self) -> bool {
        let allowed = self.left_to_skip == 0;
        self.left_to_skip = self.left_to_skip.saturating_sub(1);
        allowed
    }

    /// Records whether the fast method succeeded for a batch.
    pub(super) fn learn(&mut self, succeeded: bool) {
        self.last_skipped = match succeeded {
            true => 0,
            false => (2 * self.last_skipped + 1).min(MOST_SKIPPED),
        };
        self.left_to_skip = self.last_skipped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_in_a_row_doubles_the_skipped_batches() {
        let mut back_off = BackOff::default();
        let mut tries = Vec::new();
        for batch in 0..400 {
            if back_off.allows() {
                tries.push(batch);
                back_off.learn(false);
            }
        }
        assert_eq!(tries, [0, 2, 6, 14, 30, 62, 126, 191, 256, 321, 386]);
        while !back_off.allows() {}
        back_off.learn(true);
        assert!(back_off.allows() && back_off.allows());
    }
}
