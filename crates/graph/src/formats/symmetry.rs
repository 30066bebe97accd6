//! Whether each edge of a file that states it at both its ends is there in both directions.

use crate::Vertex;
use crate::mixed::mixed;
use crate::weights::Weight;

/// The sum of the hashes of all edges stated, added for one direction and taken away for the other:
/// zero if each is there equally often in both, in whatever order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Balance(u64);

impl Balance {
    /// Adds the edge that `v` states to another vertex `u`, with its weight if that counts.
    #[inline]
    pub fn add(&mut self, v: Vertex, u: Vertex, weight: Option<Weight>) {
        let mut hash = mixed(u64::from(v.min(u)) << 32 | u64::from(v.max(u)));
        if let Some(weight) = weight {
            let (digits, power) = match weight {
                Weight::Decimal { mantissa, exponent } => (mantissa, exponent as u64),
                Weight::Float(value) => (value.to_bits(), u64::MAX),
            };
            hash = mixed(mixed(hash ^ digits) ^ power);
        }
        let signed = if v < u { hash } else { hash.wrapping_neg() };
        self.0 = self.0.wrapping_add(signed);
    }

    /// That of the edges of both.
    pub fn and(self, other: Balance) -> Balance {
        Balance(self.0.wrapping_add(other.0))
    }

    /// Whether it is zero.
    pub fn is_even(self) -> bool {
        self.0 == 0
    }
}
