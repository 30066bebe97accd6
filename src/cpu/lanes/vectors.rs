//! Adding lanes under a mask, by kind of vector instructions.
//!
//! The one thing of a batch for which the compiler does not find the good instructions by itself:
//! from the plain loop it makes masks by shifting and comparing, which with AVX2 takes longer than
//! without. With AVX-512 a mask is an operand, with AVX2 it is loaded from a small table.

use crate::cpu::instructions::Portable;

/// Lanes of a group: as many f64 as a cache line holds.
pub(super) const GROUP: usize = 8;

/// How a kind of vector instructions adds under a mask.
pub(in crate::cpu) trait LaneVectors {
    /// Adds the lanes whose bits are set; the others stay as they are.
    fn add(to: &mut [f64; GROUP], from: &[f64; GROUP], bits: u8);

    /// The same for short numbers, of which the largest stands for all larger ones.
    fn add_short(to: &mut [u16; GROUP], from: &[u16; GROUP], bits: u8);
}

impl LaneVectors for Portable {
    #[inline(always)]
    fn add(to: &mut [f64; GROUP], from: &[f64; GROUP], bits: u8) {
        for lane in 0..GROUP {
            to[lane] += masked(from[lane], keep(u64::from(bits), lane));
        }
    }

    #[inline(always)]
    fn add_short(to: &mut [u16; GROUP], from: &[u16; GROUP], bits: u8) {
        for lane in 0..GROUP {
            let masked = from[lane] & keep(u64::from(bits), lane) as u16;
            to[lane] = to[lane].saturating_add(masked);
        }
    }
}

/// All ones if the lane's bit is set, else zero.
#[inline(always)]
pub(super) fn keep(bits: u64, lane: usize) -> u64 {
    u64::from(bits & (1 << lane) == 0).wrapping_sub(1)
}

/// The number, or zero if `keep` is zero.
#[inline(always)]
pub(super) fn masked(x: f64, keep: u64) -> f64 {
    f64::from_bits(x.to_bits() & keep)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        _mm_adds_epu16, _mm_and_si128, _mm_loadu_si128, _mm_storeu_si128, _mm256_add_pd,
        _mm256_and_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm512_loadu_pd, _mm512_mask_add_pd,
        _mm512_storeu_pd,
    };

    use super::{GROUP, LaneVectors};
    use crate::cpu::instructions::{Avx2, Avx512};

    /// Lanes of a 256-bit vector.
    const HALF: usize = 4;

    /// All ones in the lanes whose bits are set, for each half of a byte.
    static MASKS: [[f64; HALF]; 16] = {
        let mut masks = [[0.0; HALF]; 16];
        let mut bits = 0;
        while bits < 16 {
            let mut lane = 0;
            while lane < HALF {
                if bits >> lane & 1 == 1 {
                    masks[bits][lane] = f64::from_bits(u64::MAX);
                }
                lane += 1;
            }
            bits += 1;
        }
        masks
    };

    /// All ones in the lanes whose bits are set.
    static SHORT_MASKS: [[u16; GROUP]; 256] = {
        let mut masks = [[0; GROUP]; 256];
        let mut bits = 0;
        while bits < 256 {
            let mut lane = 0;
            while lane < GROUP {
                if bits >> lane & 1 == 1 {
                    masks[bits][lane] = u16::MAX;
                }
                lane += 1;
            }
            bits += 1;
        }
        masks
    };

    /// Short numbers of a group are one vector of 128 bits with any of these instructions.
    #[inline(always)]
    fn add_short(to: &mut [u16; GROUP], from: &[u16; GROUP], bits: u8) {
        let mask = &SHORT_MASKS[usize::from(bits)];
        // SAFETY: each pointer is to as many numbers as are loaded or stored; the instructions are
        // always there.
        unsafe {
            let more = _mm_and_si128(
                _mm_loadu_si128(from.as_ptr().cast()),
                _mm_loadu_si128(mask.as_ptr().cast()),
            );
            let sum = _mm_adds_epu16(_mm_loadu_si128(to.as_ptr().cast()), more);
            _mm_storeu_si128(to.as_mut_ptr().cast(), sum);
        }
    }

    impl LaneVectors for Avx2 {
        #[inline(always)]
        fn add(to: &mut [f64; GROUP], from: &[f64; GROUP], bits: u8) {
            for half in 0..GROUP / HALF {
                let mask = &MASKS[usize::from(bits >> (HALF * half)) % MASKS.len()];
                let to = &mut to[HALF * half..][..HALF];
                let from = &from[HALF * half..][..HALF];
                // SAFETY: each pointer is to HALF numbers; the instructions are there, as the trait
                // demands.
                unsafe {
                    let more = _mm256_and_pd(
                        _mm256_loadu_pd(from.as_ptr()),
                        _mm256_loadu_pd(mask.as_ptr()),
                    );
                    let sum = _mm256_add_pd(_mm256_loadu_pd(to.as_ptr()), more);
                    _mm256_storeu_pd(to.as_mut_ptr(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_short(to: &mut [u16; GROUP], from: &[u16; GROUP], bits: u8) {
            add_short(to, from, bits);
        }
    }

    impl LaneVectors for Avx512 {
        #[inline(always)]
        fn add(to: &mut [f64; GROUP], from: &[f64; GROUP], bits: u8) {
            // SAFETY: both pointers are to GROUP numbers; the instructions are there, as the trait
            // demands.
            unsafe {
                let sum = _mm512_loadu_pd(to.as_ptr());
                let sum = _mm512_mask_add_pd(sum, bits, sum, _mm512_loadu_pd(from.as_ptr()));
                _mm512_storeu_pd(to.as_mut_ptr(), sum);
            }
        }

        #[inline(always)]
        fn add_short(to: &mut [u16; GROUP], from: &[u16; GROUP], bits: u8) {
            add_short(to, from, bits);
        }
    }
}
