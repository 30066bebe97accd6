//! Numbers that look like chance, for hashes that are sums.

/// Spreads what is different over all bits: sums of such numbers are the same by chance only.
#[inline]
pub fn mixed(bits: u64) -> u64 {
    // Rounds of multiplying by an odd number and folding the high half down.
    let mut hash = bits ^ 0x9e37_79b9_7f4a_7c15;
    for multiplier in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        hash = (hash ^ (hash >> 29)).wrapping_mul(multiplier);
    }
    hash ^ (hash >> 32)
}
