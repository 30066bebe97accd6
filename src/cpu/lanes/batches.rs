//! Batches of roots, one after the other.

use super::Lanes;
use crate::cpu::back_off::BackOff;
use crate::cpu::halt::Stopped;
use crate::cpu::simd::{Available, BatchSearch};
use crate::cpu::vectors::GROUP;
use crate::engine::{Engine, EngineError, Root, Sums, mixed_error};

/// The engine for batches of at most 8 G roots.
pub(super) struct Batches<'g, const G: usize, const H: usize> {
    pub(super) simd: Available,
    pub(super) search: Lanes<'g, G, H>,
}

impl<const G: usize, const H: usize> Engine for Batches<'_, G, H> {
    fn roots_wanted(&self) -> usize {
        G * GROUP
    }

    fn roots_together(&self) -> usize {
        G * GROUP
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let batch = |roots: &[Root]| self.simd.batch(&mut self.search, roots);
        EngineError::of_uncounted(in_batches(roots, G * GROUP, batch)?)
    }

    fn error_bound(&self) -> f64 {
        match self.search.deepest {
            0 => 0.0,
            deepest => mixed_error(deepest),
        }
    }

    fn forget(&mut self) {
        self.search.back_off = BackOff::default();
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.search.sums().move_to(sums);
        Ok(())
    }
}

/// Searches from `roots` in batches of at most so many. `batch` returns a mask of the lanes with
/// too many paths, and then has added nothing for any; the others of them are searched again
/// without those. Returns the roots that had too many.
fn in_batches(
    roots: &[Root],
    lanes: usize,
    mut batch: impl FnMut(&[Root]) -> Result<u64, Stopped>,
) -> Result<Vec<Root>, Stopped> {
    let mut uncounted = Vec::new();
    for roots in roots.chunks(lanes) {
        let mut beyond = batch(roots)?;
        let mut rest = roots.to_vec();
        while beyond != 0 {
            let mut lane = 0;
            rest.retain(|&root| {
                let counted = beyond >> lane & 1 == 0;
                lane += 1;
                if !counted {
                    uncounted.push(root);
                }
                counted
            });
            // Sums of other batches may be added in another order.
            beyond = if rest.is_empty() { 0 } else { batch(&rest)? };
        }
    }
    Ok(uncounted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_counted_is_left_out_of_its_batch() {
        let roots: Vec<Root> = (0..7).map(|vertex| Root { vertex, sources: 1 }).collect();
        let mut added = Vec::new();
        let uncounted = in_batches(&roots, 3, |batch| {
            let bad = |root: &Root| u64::from(matches!(root.vertex, 1 | 2 | 6));
            let mask = (0..).zip(batch).map(|(lane, root)| bad(root) << lane).sum();
            if mask == 0 {
                added.extend(batch.iter().map(|root| root.vertex));
            }
            Ok(mask)
        });
        let names: Vec<_> = uncounted.unwrap().iter().map(|root| root.vertex).collect();
        assert_eq!((names, added), (vec![1, 2, 6], vec![0, 3, 4, 5]));
    }
}
