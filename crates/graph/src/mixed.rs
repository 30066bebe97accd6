//! A hash function of numbers, for hashes of sets that are sums.

/// Returns a hash of a number. Sums of the hashes of different numbers are equal only by chance.
#[inline]
pub fn mixed(bits: u64) -> u64 {
    // Each round folds the high bits down and multiplies by an odd number.
    let mut hash = bits ^ 0x9e37_79b9_7f4a_7c15;
    for multiplier in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        hash = (hash ^ (hash >> 29)).wrapping_mul(multiplier);
    }
    hash ^ (hash >> 32)
}
