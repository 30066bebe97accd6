//! Searches from roots in batches, leaving out the roots that have too many paths.

use crate::engine::{EngineError, Root};

/// Searches from `roots` in batches of at most `lanes` roots. `batch` returns a mask of the lanes
/// with too many paths to count; if there are any, `batch` must have added nothing, and is called
/// again without their roots.
///
/// # Errors
/// Errors of `batch`; [`EngineError::Uncounted`] with the roots that have too many paths.
pub(super) fn in_batches(
    roots: &[Root],
    lanes: usize,
    mut batch: impl FnMut(&[Root]) -> Result<u64, EngineError>,
) -> Result<(), EngineError> {
    let mut uncounted = Vec::new();
    for roots in roots.chunks(lanes) {
        let mut overflowed = batch(roots)?;
        let mut rest = roots.to_vec();
        while overflowed != 0 {
            let mut lanes = 0..lanes;
            let has_overflowed =
                |_: &mut Root| lanes.next().is_some_and(|lane| overflowed >> lane & 1 == 1);
            uncounted.extend(rest.extract_if(.., has_overflowed));
            // A smaller batch may add counts in another order, and counts of other lanes may then
            // round to numbers out of range.
            overflowed = if rest.is_empty() { 0 } else { batch(&rest)? };
        }
    }
    EngineError::of_uncounted(uncounted)
}
