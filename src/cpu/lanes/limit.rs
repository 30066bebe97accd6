//! Which lanes of a batch have more paths than f64 can count.

use super::rows::LaneRow;
use crate::cpu::limit::Limit;
use crate::cpu::vectors::GROUP;
use crate::engine::SIGMA_LIMIT_F64;
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
}
