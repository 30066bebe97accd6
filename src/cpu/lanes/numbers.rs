//! What rows of lanes are made of: path counts of 16 or 64 bits, coefficients of 32 or 64.

use crate::cpu::vectors::{GROUP, Vectors, keep};
use crate::engine::SIGMA_LIMIT_F64;

/// What paths are counted in.
pub(super) trait Number: Default + Copy + PartialOrd {
    const ONE: Self;
    /// Whether counts out of range stay so, and are noted where they are made, since few rows are
    /// in the cache later.
    const SATURATES: bool;
    /// The largest count in range.
    const LARGEST: Self;

    /// Multiplies the lanes whose bits are set by a whole number from 1 on, without branches; the
    /// others stay as they are.
    fn scale(group: &mut [Self; GROUP], factor: f64, bits: u64);

    /// Adds the lanes whose bits are set; the others stay as they are.
    fn add<V: Vectors, const G: usize>(
        to: &mut [[Self; GROUP]; G],
        from: &[[Self; GROUP]; G],
        mask: u64,
    );
}

impl Number for f64 {
    const ONE: Self = 1.0;
    const SATURATES: bool = false;
    const LARGEST: Self = SIGMA_LIMIT_F64;

    #[inline(always)]
    fn scale(group: &mut [Self; GROUP], factor: f64, bits: u64) {
        for (lane, number) in group.iter_mut().enumerate() {
            *number *= select(keep(bits, lane), factor, 1.0);
        }
    }

    #[inline(always)]
    fn add<V: Vectors, const G: usize>(
        to: &mut [[Self; GROUP]; G],
        from: &[[Self; GROUP]; G],
        mask: u64,
    ) {
        V::add_masked(to, from, mask);
    }
}

/// A quarter of the memory (of 32 lanes and more) and of the instructions, as long as numbers are
/// small: the largest one stands for all that are too large.
impl Number for u16 {
    const ONE: Self = 1;
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
    fn add<V: Vectors, const G: usize>(
        to: &mut [[Self; GROUP]; G],
        from: &[[Self; GROUP]; G],
        mask: u64,
    ) {
        V::add_short(to, from, mask);
    }
}

/// The first where `keep` is all ones, the second where it is zero.
#[inline(always)]
pub(super) fn select(keep: u64, x: f64, y: f64) -> f64 {
    f64::from_bits((x.to_bits() & keep) | (y.to_bits() & !keep))
}
