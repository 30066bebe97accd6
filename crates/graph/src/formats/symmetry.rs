//! Checks that each edge is listed in both directions, for files that list it at both ends.

use std::cmp::Ordering;

use crate::Vertex;
use crate::mixed::mixed;
use crate::weights::Weight;

/// The sum of the hashes of all arcs: those to a larger vertex are added, the others subtracted. It
/// is zero if each edge occurs equally often in both directions, and otherwise only by chance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Balance(u64);

impl Balance {
    /// Returns the balance of the arc from `v` to `u`. The directions of an edge cancel each other
    /// out only if they have the same weight.
    #[inline]
    pub fn of_arc([v, u]: [Vertex; 2], weight: Option<Weight>) -> Balance {
        let mut hash = mixed(u64::from(v.min(u)) << 32 | u64::from(v.max(u)));
        if let Some(weight) = weight {
            let (digits, power) = match weight {
                Weight::Decimal { mantissa, exponent } => (mantissa, exponent as u64),
                Weight::Float(value) => (value.to_bits(), u64::MAX),
            };
            hash = mixed(mixed(hash ^ digits) ^ power);
        }
        match v.cmp(&u) {
            Ordering::Less => Balance(hash),
            Ordering::Equal => Balance(0),
            Ordering::Greater => Balance(hash.wrapping_neg()),
        }
    }

    /// Returns the balance of the arcs of `self` and `other` together.
    pub fn and(self, other: Balance) -> Balance {
        Balance(self.0.wrapping_add(other.0))
    }

    /// Returns whether each edge occurs equally often in both directions.
    pub fn is_symmetric(self) -> bool {
        self.0 == 0
    }
}
