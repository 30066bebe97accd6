//! The types of lengths, and when two of them are equal.

/// A type that lengths and distances are kept in.
pub(in crate::cpu) trait Length: Copy + Default + PartialOrd + Send + Sync {
    /// Whether paths are tied if and only if their lengths are the same number, so that path counts
    /// can be added while distances are found.
    const EXACT: bool;
    /// The distance of a root from itself.
    const ZERO: Self;
    /// Farther than any distance.
    const FAR: Self;
    /// The sum. [`crate::graph::Lengths`] promises that it fits.
    fn plus(self, length: Self) -> Self;
    /// The number as one that sorts like it.
    fn key(self) -> u64;
    /// Whether an arc of this length from a vertex at this distance to one at `to` is on a shortest
    /// path. Both are reached. `tolerance` is relative, for types that are not [`Self::EXACT`].
    fn leads_to(self, length: Self, to: Self, tolerance: f64) -> bool;
}

impl Length for f64 {
    const EXACT: bool = false;
    const ZERO: f64 = 0.0;
    const FAR: f64 = f64::INFINITY;

    #[inline(always)]
    fn plus(self, length: f64) -> f64 {
        self + length
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self.to_bits()
    }

    /// The vertex is nearer to the root, and the path through it is longer by at most this part of
    /// the distance.
    #[inline(always)]
    fn leads_to(self, length: f64, to: f64, tolerance: f64) -> bool {
        self < to && self + length - to <= tolerance * to
    }
}

macro_rules! integer {
    ($type:ty) => {
        impl Length for $type {
            const EXACT: bool = true;
            const ZERO: $type = 0;
            const FAR: $type = <$type>::MAX;

            #[inline(always)]
            fn plus(self, length: $type) -> $type {
                self + length
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
        // What is not nearer does not lead there, however large the tolerance.
        assert!(!2.0.leads_to(0.5, 2.0, 0.5));
    }
}
