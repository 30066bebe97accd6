//! The types of lengths, and the rule for ties between paths.

use std::ops::Add;

/// A type of lengths and distances. The default is the distance of a root to itself. Sums of a
/// distance and a length fit, as [`crate::graph::Lengths`] guarantees.
pub(in crate::cpu) trait Length:
    Copy + Default + PartialOrd + Add<Output = Self> + Send + Sync
{
    /// Whether paths tie if and only if their lengths are the same number, so that path counts can
    /// be added while distances are found.
    const EXACT: bool;
    /// Farther than any distance.
    const FAR: Self;
    /// Returns the largest distance that is at most `limit`.
    fn at_most(limit: f64) -> Self;
    /// Returns the distance as a double.
    fn to_f64(self) -> f64;
    /// Returns an integer that sorts like this number.
    fn key(self) -> u64;
    /// Whether an arc of this length from a vertex at this distance to a vertex at distance `to` is
    /// on a shortest path. `tolerance` is relative, for types that are not [`Self::EXACT`].
    fn leads_to(self, length: Self, to: Self, tolerance: f64) -> bool;
}

impl Length for f64 {
    const EXACT: bool = false;
    const FAR: f64 = f64::MAX;

    fn at_most(limit: f64) -> f64 {
        limit
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self.to_bits()
    }

    /// The tail must be nearer to the root, and the length of the path through it must differ from
    /// `to` by at most `tolerance * to`. No path leads to a vertex at distance [`Self::FAR`].
    #[inline(always)]
    fn leads_to(self, length: f64, to: f64, tolerance: f64) -> bool {
        self < to && (self + length - to).abs() <= tolerance * to
    }
}

macro_rules! integer {
    ($type:ty) => {
        impl Length for $type {
            const EXACT: bool = true;
            const FAR: $type = <$type>::MAX;

            fn at_most(limit: f64) -> $type {
                limit as $type
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn key(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn leads_to(self, length: $type, to: $type, _: f64) -> bool {
                self + length == to
            }
        }
    };
}

integer!(u32);
integer!(u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_tie_exactly_and_doubles_within_their_tolerance() {
        assert!(1u32.leads_to(2, 3, 0.0) && !1u64.leads_to(2, 4, 0.5));
        let sum = 0.1 + 0.2;
        assert!(0.1.leads_to(0.2, 0.3, 1e-12));
        assert!(!0.1.leads_to(0.2, 0.3, 0.0) && 0.1.leads_to(0.2, sum, 0.0));
        assert!(!0.1.leads_to(0.2001, 0.3, 1e-12));
        // A tail that is not nearer never leads there, whatever the tolerance.
        assert!(!2.0.leads_to(0.5, 2.0, 0.5));
        assert!(!1e300.leads_to(1e300, f64::FAR, 1e-3));
    }
}
