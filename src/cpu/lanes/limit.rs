//! Which lanes of a batch have more paths than f64 can count.

use super::rows::LaneRow;
use super::vectors::GROUP;
use crate::cpu::limit::Limit;
use crate::engine::{Root, SIGMA_LIMIT_F64};
use crate::graph::Vertex;

impl Limit {
    /// The lanes, as a mask, that have too many paths to one of the vertices `touched`; `levels`
    /// below the roots.
    pub(super) fn beyond<const G: usize>(
        &self,
        levels: usize,
        touched: &[Vertex],
        sigma: &[LaneRow<G>],
    ) -> u64 {
        if self.is_far(levels) {
            return 0;
        }
        let mut mask = 0;
        for &v in touched {
            for (g, group) in sigma[v as usize].0.iter().enumerate() {
                for (lane, &paths) in group.iter().enumerate() {
                    mask |= u64::from(paths > SIGMA_LIMIT_F64) << (g * GROUP + lane);
                }
            }
        }
        mask
    }
}

/// Searches from `roots` in batches of at most so many. `batch` returns a mask of the lanes with
/// too many paths, and then has added nothing for any; the others of them are searched again
/// without those. Returns the roots that had too many.
pub(super) fn in_batches(
    roots: &[Root],
    lanes: usize,
    mut batch: impl FnMut(&[Root]) -> u64,
) -> Vec<Root> {
    let mut uncounted = Vec::new();
    for roots in roots.chunks(lanes) {
        let mut beyond = batch(roots);
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
            beyond = if rest.is_empty() { 0 } else { batch(&rest) };
        }
    }
    uncounted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_beyond_are_found_where_searches_are_deep() {
        let limit = Limit { levels: 500 };
        let mut sigma = vec![LaneRow::<2>::ZERO; 3];
        *sigma[2].lane_mut(11) = f64::INFINITY;
        *sigma[2].lane_mut(3) = SIGMA_LIMIT_F64;
        *sigma[0].lane_mut(0) = 2.0 * SIGMA_LIMIT_F64;
        assert_eq!(limit.beyond(501, &[0, 2], &sigma), 1 << 11 | 1);
        assert_eq!(limit.beyond(501, &[2], &sigma), 1 << 11);
        assert_eq!(limit.beyond(500, &[0, 2], &sigma), 0);
    }

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
            mask
        });
        let names: Vec<_> = uncounted.iter().map(|root| root.vertex).collect();
        assert_eq!((names, added), (vec![1, 2, 6], vec![0, 3, 4, 5]));
    }
}
