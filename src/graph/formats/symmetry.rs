//! Hashes of edges, for formats that state each edge at both its ends: added for one direction and
//! taken away for the other, they come to zero if both are there, in whatever order.

use crate::graph::Vertex;
use crate::graph::weights::Weight;

/// The hash of an edge and its weight.
#[inline]
pub(super) fn weight_hash(edge: u64, weight: Weight) -> u64 {
    let (digits, power) = match weight {
        Weight::Decimal { mantissa, exponent } => (mantissa, exponent as u64),
        Weight::Float(value) => (value.to_bits(), u64::MAX),
    };
    mixed(mixed(edge ^ digits) ^ power)
}

/// Spreads an edge over 64 bits, so that different edges do not cancel in a sum.
#[inline]
pub(super) fn edge_hash(low: Vertex, high: Vertex) -> u64 {
    mixed(u64::from(low) << 32 | u64::from(high))
}

/// Spreads what is different over all bits.
#[inline]
fn mixed(bits: u64) -> u64 {
    // Rounds of multiplying by an odd number and folding the high half down.
    let mut hash = bits ^ 0x9e37_79b9_7f4a_7c15;
    for multiplier in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        hash = (hash ^ (hash >> 29)).wrapping_mul(multiplier);
    }
    hash ^ (hash >> 32)
}
