//! The number types of path counts: 16-bit integers and f64.

use crate::cpu::vectors::{GROUP, Row, Vectors, lane_mask, masked};
use crate::engine::SIGMA_LIMIT_F64;

/// A type in which paths are counted.
pub(super) trait Number: Default + Copy + PartialOrd + From<u8> + Into<f64> {
    /// Whether counts out of range saturate. If so, the forward pass keeps the largest count of
    /// each lane as it writes rows, while they are in the cache.
    const SATURATES: bool;
    /// The largest count in range.
    const LARGEST: Self;

    /// Multiplies the lanes that are set in `bits` by `factor`, a whole number of at least 1,
    /// without branches.
    fn scale(group: &mut [Self; GROUP], factor: f64, bits: u64);

    /// Adds the lanes whose bits are set.
    fn add<V: Vectors, const G: usize>(to: &mut Row<Self, G>, from: &Row<Self, G>, mask: u64);
}

impl Number for f64 {
    const SATURATES: bool = false;
    const LARGEST: Self = SIGMA_LIMIT_F64;

    #[inline(always)]
    fn scale(group: &mut [Self; GROUP], factor: f64, bits: u64) {
        for (lane, number) in group.iter_mut().enumerate() {
            *number *= 1.0 + masked(factor - 1.0, lane_mask(bits, lane));
        }
    }

    #[inline(always)]
    fn add<V: Vectors, const G: usize>(to: &mut Row<Self, G>, from: &Row<Self, G>, mask: u64) {
        V::add_masked(to, from, mask);
    }
}

/// With 32 lanes or more, this type takes a quarter of the memory and instructions of f64. Its
/// largest number stands for all counts out of range.
impl Number for u16 {
    const SATURATES: bool = true;
    const LARGEST: Self = u16::MAX - 1;

    #[inline(always)]
    fn scale(group: &mut [Self; GROUP], factor: f64, bits: u64) {
        let more = u32::from(factor as u16) - 1;
        for (lane, number) in group.iter_mut().enumerate() {
            let factor = 1 + more * (bits >> lane & 1) as u32;
            *number = (u32::from(*number) * factor).min(u16::MAX.into()) as u16;
        }
    }

    #[inline(always)]
    fn add<V: Vectors, const G: usize>(to: &mut Row<Self, G>, from: &Row<Self, G>, mask: u64) {
        V::add_short(to, from, mask);
    }
}
