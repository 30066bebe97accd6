//! The types of lengths, and when two of them are equal.

/// A type that lengths and distances are kept in.
pub(in crate::cpu) trait Length: Copy + Default + PartialOrd + Send + Sync {
    /// When an arc is on a shortest path.
    type Tie: Tie<Self>;
    /// What a root is from itself.
    const ZERO: Self;
    /// Farther than any distance.
    const FAR: Self;
    /// The sum. [`crate::graph::Lengths`] promises that it fits.
    fn plus(self, length: Self) -> Self;
    /// The number as one that sorts like it.
    fn key(self) -> u64;
    /// The number with this [`Length::key`].
    fn of_key(key: u64) -> Self;
    /// The tie for this relative tolerance, which means nothing to integers.
    fn tie(tolerance: f64) -> Self::Tie;
}

/// When an arc is on a shortest path.
pub(in crate::cpu) trait Tie<L>: Copy {
    /// Whether paths are tied if and only if their lengths are the same number, so that path counts
    /// can be added while distances are found.
    const ON_THE_WAY: bool;
    /// Whether an arc of this length from a vertex at `from` to one at `to` is on a shortest path.
    /// Both are reached.
    fn leads_to(self, from: L, length: L, to: L) -> bool;
}

/// Ties of integers.
#[derive(Debug, Clone, Copy)]
pub(in crate::cpu) struct Exact;

/// Ties of doubles: the vertex is nearer to the root, and the path through it is longer by at most
/// this part of the distance.
#[derive(Debug, Clone, Copy)]
pub(in crate::cpu) struct Within(f64);

impl Tie<f64> for Within {
    const ON_THE_WAY: bool = false;

    #[inline(always)]
    fn leads_to(self, from: f64, length: f64, to: f64) -> bool {
        from < to && from + length - to <= self.0 * to
    }
}

impl Length for f64 {
    type Tie = Within;
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

    #[inline(always)]
    fn of_key(key: u64) -> f64 {
        f64::from_bits(key)
    }

    fn tie(tolerance: f64) -> Within {
        Within(tolerance)
    }
}

macro_rules! integer {
    ($type:ty) => {
        impl Tie<$type> for Exact {
            const ON_THE_WAY: bool = true;

            #[inline(always)]
            fn leads_to(self, from: $type, length: $type, to: $type) -> bool {
                from + length == to
            }
        }

        impl Length for $type {
            type Tie = Exact;
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
            fn of_key(key: u64) -> $type {
                key as $type
            }

            fn tie(_: f64) -> Exact {
                Exact
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
        assert!(Exact.leads_to(1u32, 2, 3) && !Exact.leads_to(1u64, 2, 4));
        let sum = 0.1 + 0.2;
        assert!(Within(1e-12).leads_to(0.1, 0.2, 0.3));
        assert!(!Within(0.0).leads_to(0.1, 0.2, 0.3) && Within(0.0).leads_to(0.1, 0.2, sum));
        assert!(!Within(1e-12).leads_to(0.1, 0.2001, 0.3));
        // What is not nearer does not lead there, however large the tolerance.
        assert!(!Within(0.5).leads_to(2.0, 0.5, 2.0));
    }
}
