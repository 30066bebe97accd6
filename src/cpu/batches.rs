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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_with_too_many_paths_are_left_out_of_their_batch() {
        let roots: Vec<Root> = (0..7).map(|vertex| Root { vertex, sources: 1 }).collect();
        let mut added = Vec::new();
        let result = in_batches(&roots, 3, |batch| {
            let bad = |root: &Root| u64::from(matches!(root.vertex, 1 | 2 | 6));
            let mask = (0..).zip(batch).map(|(lane, root)| bad(root) << lane).sum();
            if mask == 0 {
                added.extend(batch.iter().map(|root| root.vertex));
            }
            Ok(mask)
        });
        let Err(EngineError::Uncounted { roots }) = result else {
            panic!("{result:?}");
        };
        let names: Vec<_> = roots.iter().map(|root| root.vertex).collect();
        assert_eq!((names, added), (vec![1, 2, 6], vec![0, 3, 4, 5]));
    }
}
