//! Adding lanes under a mask, by kind of vector instructions.
//!
//! The one thing of a batch for which the compiler does not find the good instructions by itself:
//! from the plain loop it makes masks by shifting and comparing, which with AVX2 takes longer than
//! without. With AVX-512 a mask is an operand, with AVX2 it is loaded from a small table.

use crate::cpu::instructions::Portable;

/// Lanes of a group: as many f64 as a cache line holds.
pub(super) const GROUP: usize = 8;

/// Rows of G groups.
type Groups<T, const G: usize> = [[T; GROUP]; G];

/// How a kind of vector instructions adds under a mask.
pub(in crate::cpu) trait LaneVectors {
    /// Adds the lanes whose bits are set; the others stay as they are.
    fn add<const G: usize>(to: &mut Groups<f64, G>, from: &Groups<f64, G>, mask: u64);

    /// The same for floats.
    fn add_floats<const G: usize>(to: &mut Groups<f32, G>, from: &Groups<f32, G>, mask: u64);

    /// The same for short numbers, of which the largest stands for all larger ones.
    fn add_short<const G: usize>(to: &mut Groups<u16, G>, from: &Groups<u16, G>, mask: u64);

    /// Adds all lanes, floats to doubles.
    fn add_widened<const G: usize>(to: &mut Groups<f64, G>, from: &Groups<f32, G>);
}

impl LaneVectors for Portable {
    #[inline(always)]
    fn add<const G: usize>(to: &mut Groups<f64, G>, from: &Groups<f64, G>, mask: u64) {
        for g in 0..G {
            for lane in 0..GROUP {
                to[g][lane] += masked(from[g][lane], keep(mask, g * GROUP + lane));
            }
        }
    }

    #[inline(always)]
    fn add_floats<const G: usize>(to: &mut Groups<f32, G>, from: &Groups<f32, G>, mask: u64) {
        for g in 0..G {
            for lane in 0..GROUP {
                let keep = keep(mask, g * GROUP + lane) as u32;
                to[g][lane] += f32::from_bits(from[g][lane].to_bits() & keep);
            }
        }
    }

    #[inline(always)]
    fn add_short<const G: usize>(to: &mut Groups<u16, G>, from: &Groups<u16, G>, mask: u64) {
        for g in 0..G {
            for lane in 0..GROUP {
                let masked = from[g][lane] & keep(mask, g * GROUP + lane) as u16;
                to[g][lane] = to[g][lane].saturating_add(masked);
            }
        }
    }

    #[inline(always)]
    fn add_widened<const G: usize>(to: &mut Groups<f64, G>, from: &Groups<f32, G>) {
        for g in 0..G {
            for lane in 0..GROUP {
                to[g][lane] += f64::from(from[g][lane]);
            }
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

// SAFETY of all below: the instructions are there, as the types demand; each pointer is to as many
// numbers as are loaded or stored, which are those of one group, or of as many groups as there are
// at least.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use crate::cpu::instructions::{Avx2, Avx512};
    use crate::cpu::lanes::vectors::{GROUP, Groups, LaneVectors};

    /// Of a group, the bits of a mask.
    #[inline(always)]
    fn bits_of(mask: u64, g: usize) -> usize {
        usize::from((mask >> (g * GROUP)) as u8)
    }

    /// Lanes of a 256-bit vector of doubles.
    const HALF: usize = 4;

    /// All ones in the lanes whose bits are set, for each half of a byte.
    static MASKS: [[u64; HALF]; 16] = {
        let mut masks = [[0; HALF]; 16];
        let mut bits = 0;
        while bits < 16 {
            let mut lane = 0;
            while lane < HALF {
                if bits >> lane & 1 == 1 {
                    masks[bits][lane] = u64::MAX;
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

    /// The short mask of a group.
    #[inline(always)]
    fn short_mask(bits: usize) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_loadu_si128(SHORT_MASKS[bits].as_ptr().cast()) }
    }

    impl LaneVectors for Avx2 {
        #[inline(always)]
        fn add<const G: usize>(to: &mut Groups<f64, G>, from: &Groups<f64, G>, mask: u64) {
            for g in 0..G {
                for half in 0..GROUP / HALF {
                    let bits = bits_of(mask, g) >> (HALF * half);
                    let to = &mut to[g][HALF * half..][..HALF];
                    let from = &from[g][HALF * half..][..HALF];
                    // SAFETY: see above.
                    unsafe {
                        let mask = _mm256_loadu_pd(MASKS[bits % MASKS.len()].as_ptr().cast());
                        let more = _mm256_and_pd(_mm256_loadu_pd(from.as_ptr()), mask);
                        let sum = _mm256_add_pd(_mm256_loadu_pd(to.as_ptr()), more);
                        _mm256_storeu_pd(to.as_mut_ptr(), sum);
                    }
                }
            }
        }

        #[inline(always)]
        fn add_floats<const G: usize>(to: &mut Groups<f32, G>, from: &Groups<f32, G>, mask: u64) {
            for g in 0..G {
                let bits = bits_of(mask, g);
                // SAFETY: see above.
                unsafe {
                    let mask = _mm256_cvtepi16_epi32(short_mask(bits));
                    let more = _mm256_loadu_ps(from[g].as_ptr());
                    let more = _mm256_and_ps(more, _mm256_castsi256_ps(mask));
                    let sum = _mm256_add_ps(_mm256_loadu_ps(to[g].as_ptr()), more);
                    _mm256_storeu_ps(to[g].as_mut_ptr(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_short<const G: usize>(to: &mut Groups<u16, G>, from: &Groups<u16, G>, mask: u64) {
            for g in 0..G {
                // SAFETY: see above.
                unsafe {
                    let more = _mm_loadu_si128(from[g].as_ptr().cast());
                    let more = _mm_and_si128(more, short_mask(bits_of(mask, g)));
                    let sum = _mm_adds_epu16(_mm_loadu_si128(to[g].as_ptr().cast()), more);
                    _mm_storeu_si128(to[g].as_mut_ptr().cast(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_widened<const G: usize>(to: &mut Groups<f64, G>, from: &Groups<f32, G>) {
            for g in 0..G {
                for half in 0..GROUP / HALF {
                    let to = &mut to[g][HALF * half..][..HALF];
                    let from = &from[g][HALF * half..][..HALF];
                    // SAFETY: see above.
                    unsafe {
                        let more = _mm256_cvtps_pd(_mm_loadu_ps(from.as_ptr()));
                        let sum = _mm256_add_pd(_mm256_loadu_pd(to.as_ptr()), more);
                        _mm256_storeu_pd(to.as_mut_ptr(), sum);
                    }
                }
            }
        }
    }

    impl LaneVectors for Avx512 {
        #[inline(always)]
        fn add<const G: usize>(to: &mut Groups<f64, G>, from: &Groups<f64, G>, mask: u64) {
            for g in 0..G {
                // SAFETY: see above.
                unsafe {
                    let sum = _mm512_loadu_pd(to[g].as_ptr());
                    let more = _mm512_loadu_pd(from[g].as_ptr());
                    let sum = _mm512_mask_add_pd(sum, bits_of(mask, g) as u8, sum, more);
                    _mm512_storeu_pd(to[g].as_mut_ptr(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_floats<const G: usize>(to: &mut Groups<f32, G>, from: &Groups<f32, G>, mask: u64) {
            if !G.is_multiple_of(2) {
                return Avx2::add_floats(to, from, mask);
            }
            for g in (0..G).step_by(2) {
                // SAFETY: see above.
                unsafe {
                    let sum = _mm512_loadu_ps(to.as_ptr().add(g).cast());
                    let more = _mm512_loadu_ps(from.as_ptr().add(g).cast());
                    let sum = _mm512_mask_add_ps(sum, (mask >> (g * GROUP)) as u16, sum, more);
                    _mm512_storeu_ps(to.as_mut_ptr().add(g).cast(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_short<const G: usize>(to: &mut Groups<u16, G>, from: &Groups<u16, G>, mask: u64) {
            if !G.is_multiple_of(4) {
                return Avx2::add_short(to, from, mask);
            }
            for g in (0..G).step_by(4) {
                // SAFETY: see above.
                unsafe {
                    let sum = _mm512_loadu_epi16(to.as_ptr().add(g).cast());
                    let more = _mm512_loadu_epi16(from.as_ptr().add(g).cast());
                    let sum = _mm512_mask_adds_epu16(sum, (mask >> (g * GROUP)) as u32, sum, more);
                    _mm512_storeu_epi16(to.as_mut_ptr().add(g).cast(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_widened<const G: usize>(to: &mut Groups<f64, G>, from: &Groups<f32, G>) {
            for g in 0..G {
                // SAFETY: see above.
                unsafe {
                    let more = _mm512_cvtps_pd(_mm256_loadu_ps(from[g].as_ptr()));
                    let sum = _mm512_add_pd(_mm512_loadu_pd(to[g].as_ptr()), more);
                    _mm512_storeu_pd(to[g].as_mut_ptr(), sum);
                }
            }
        }
    }
}
