//! Rows of eight lanes in registers, by kind of vector instructions.
//!
//! Said by hand what the compiler does not find by itself: from plain loops over such rows, with
//! AVX2, it makes shuffles that take half as long again.

use super::row::{FAR, LANES};
use crate::cpu::instructions::Portable;

/// What a kind of vector instructions does to rows.
pub(in crate::cpu) trait ClusterVectors {
    /// A distance per lane.
    type Distances: Copy;
    /// A path count, dependency or the like per lane.
    type Numbers: Copy;

    fn distances(from: &[u32; LANES]) -> Self::Distances;
    fn put_distances(distances: Self::Distances, to: &mut [u32; LANES]);
    /// Wraps around, so that the complement of a length takes it away.
    fn plus(distances: Self::Distances, length: u32) -> Self::Distances;
    /// The smaller one, lane by lane.
    fn nearer(a: Self::Distances, b: Self::Distances) -> Self::Distances;
    /// Whether all lanes are [`FAR`].
    fn all_far(distances: Self::Distances) -> bool;
    /// Whether `so` and any lane differs, without a branch.
    fn differ_if(so: bool, a: Self::Distances, b: Self::Distances) -> bool;

    fn numbers(from: &[f64; LANES]) -> Self::Numbers;
    fn put_numbers(numbers: Self::Numbers, to: &mut [f64; LANES]);
    fn add(a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn multiply(a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn divide(a: f64, b: Self::Numbers) -> Self::Numbers;
    /// The same factor in all lanes.
    #[inline(always)]
    fn times(a: Self::Numbers, factor: f64) -> Self::Numbers {
        Self::multiply(a, Self::numbers(&[factor; LANES]))
    }
    /// The numbers of lanes in which the distances are equal, and zero in the others.
    fn where_equal(a: Self::Distances, b: Self::Distances, from: &[f64; LANES]) -> Self::Numbers;
    /// The larger one, lane by lane; `b` where `a` is no number.
    fn larger(a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// The lanes that are no numbers, a bit for each.
    fn unknown(numbers: Self::Numbers) -> u32;
    /// The numbers of these lanes, a bit for each, and zero in the others.
    fn only(numbers: Self::Numbers, lanes: u32) -> Self::Numbers;
    /// The sum over the lanes.
    fn total(numbers: Self::Numbers) -> f64;
}

fn each<A: Copy, B: Copy, C>(a: [A; LANES], b: [B; LANES], f: impl Fn(A, B) -> C) -> [C; LANES] {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

impl ClusterVectors for Portable {
    type Distances = [u32; LANES];
    type Numbers = [f64; LANES];

    #[inline(always)]
    fn distances(from: &[u32; LANES]) -> [u32; LANES] {
        *from
    }

    #[inline(always)]
    fn put_distances(distances: [u32; LANES], to: &mut [u32; LANES]) {
        *to = distances;
    }

    #[inline(always)]
    fn plus(distances: [u32; LANES], length: u32) -> [u32; LANES] {
        distances.map(|distance| distance.wrapping_add(length))
    }

    #[inline(always)]
    fn nearer(a: [u32; LANES], b: [u32; LANES]) -> [u32; LANES] {
        each(a, b, u32::min)
    }

    #[inline(always)]
    fn all_far(distances: [u32; LANES]) -> bool {
        distances.into_iter().fold(FAR, |all, lane| all & lane) == FAR
    }

    #[inline(always)]
    fn differ_if(so: bool, a: [u32; LANES], b: [u32; LANES]) -> bool {
        so & (a != b)
    }

    #[inline(always)]
    fn numbers(from: &[f64; LANES]) -> [f64; LANES] {
        *from
    }

    #[inline(always)]
    fn put_numbers(numbers: [f64; LANES], to: &mut [f64; LANES]) {
        *to = numbers;
    }

    #[inline(always)]
    fn add(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        each(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn multiply(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        each(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn divide(a: f64, b: [f64; LANES]) -> [f64; LANES] {
        b.map(|b| a / b)
    }

    #[inline(always)]
    fn where_equal(a: [u32; LANES], b: [u32; LANES], from: &[f64; LANES]) -> [f64; LANES] {
        // An AND with all ones or zeros: a choice could become a branch.
        let keep = each(a, b, |a, b| u64::from(a != b).wrapping_sub(1));
        each(*from, keep, |x, keep| f64::from_bits(x.to_bits() & keep))
    }

    #[inline(always)]
    fn larger(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        each(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn unknown(numbers: [f64; LANES]) -> u32 {
        if !numbers.into_iter().any(f64::is_nan) {
            return 0;
        }
        let lanes = numbers.iter().enumerate();
        lanes.map(|(lane, x)| u32::from(x.is_nan()) << lane).sum()
    }

    #[inline(always)]
    fn only(numbers: [f64; LANES], lanes: u32) -> [f64; LANES] {
        std::array::from_fn(|lane| {
            let keep = u64::from(lanes >> lane & 1).wrapping_neg();
            f64::from_bits(numbers[lane].to_bits() & keep)
        })
    }

    #[inline(always)]
    fn total(numbers: [f64; LANES]) -> f64 {
        numbers.into_iter().sum()
    }
}

/// The safety of all of it: pointers are to whole arrays, and the instructions are there, as the
/// trait demands.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{ClusterVectors, LANES};
    use crate::cpu::instructions::{Avx2, Avx512};

    /// Lanes of a 256-bit vector of numbers.
    const HALF: usize = 4;

    macro_rules! distances {
        () => {
            type Distances = __m256i;

            #[inline(always)]
            fn distances(from: &[u32; LANES]) -> __m256i {
                // SAFETY: see the module.
                unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
            }

            #[inline(always)]
            fn put_distances(distances: __m256i, to: &mut [u32; LANES]) {
                // SAFETY: see the module.
                unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), distances) }
            }

            #[inline(always)]
            fn plus(distances: __m256i, length: u32) -> __m256i {
                // SAFETY: see the module.
                unsafe { _mm256_add_epi32(distances, _mm256_set1_epi32(length as i32)) }
            }

            #[inline(always)]
            fn nearer(a: __m256i, b: __m256i) -> __m256i {
                // SAFETY: see the module.
                unsafe { _mm256_min_epu32(a, b) }
            }

            #[inline(always)]
            fn all_far(distances: __m256i) -> bool {
                // SAFETY: see the module. Distances are less, and their highest bit is zero.
                unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(distances)) == 0xff }
            }

            #[inline(always)]
            fn differ_if(so: bool, a: __m256i, b: __m256i) -> bool {
                // SAFETY: see the module.
                unsafe {
                    let all = _mm256_set1_epi32(-i32::from(so));
                    _mm256_testz_si256(_mm256_xor_si256(a, b), all) == 0
                }
            }
        };
    }

    impl ClusterVectors for Avx2 {
        type Numbers = [__m256d; 2];

        distances!();

        #[inline(always)]
        fn numbers(from: &[f64; LANES]) -> [__m256d; 2] {
            // SAFETY: see the module.
            [0, 1].map(|half| unsafe { _mm256_loadu_pd(from[HALF * half..].as_ptr()) })
        }

        #[inline(always)]
        fn put_numbers(numbers: [__m256d; 2], to: &mut [f64; LANES]) {
            for half in [0, 1] {
                // SAFETY: see the module.
                unsafe { _mm256_storeu_pd(to[HALF * half..].as_mut_ptr(), numbers[half]) }
            }
        }

        #[inline(always)]
        fn add(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
            // SAFETY: see the module.
            [0, 1].map(|half| unsafe { _mm256_add_pd(a[half], b[half]) })
        }

        #[inline(always)]
        fn multiply(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
            // SAFETY: see the module.
            [0, 1].map(|half| unsafe { _mm256_mul_pd(a[half], b[half]) })
        }

        #[inline(always)]
        fn divide(a: f64, b: [__m256d; 2]) -> [__m256d; 2] {
            // SAFETY: see the module.
            b.map(|b| unsafe { _mm256_div_pd(_mm256_set1_pd(a), b) })
        }

        #[inline(always)]
        fn where_equal(a: __m256i, b: __m256i, from: &[f64; LANES]) -> [__m256d; 2] {
            // SAFETY: see the module.
            unsafe {
                let equal = _mm256_cmpeq_epi32(a, b);
                let low = _mm256_castsi256_si128(equal);
                let high = _mm256_extracti128_si256::<1>(equal);
                let numbers = Self::numbers(from);
                let keep = |lanes| _mm256_castsi256_pd(_mm256_cvtepi32_epi64(lanes));
                [
                    _mm256_and_pd(keep(low), numbers[0]),
                    _mm256_and_pd(keep(high), numbers[1]),
                ]
            }
        }

        #[inline(always)]
        fn larger(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
            // SAFETY: see the module. Of anything and what is no number the instruction takes the
            // second.
            [0, 1].map(|half| unsafe { _mm256_max_pd(a[half], b[half]) })
        }

        #[inline(always)]
        fn unknown(numbers: [__m256d; 2]) -> u32 {
            // SAFETY: see the module.
            let [low, high] = numbers.map(|half| unsafe {
                _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_UNORD_Q>(half, half)) as u32
            });
            high << HALF | low
        }

        #[inline(always)]
        fn only(numbers: [__m256d; 2], lanes: u32) -> [__m256d; 2] {
            // SAFETY: see the module.
            unsafe {
                let all = _mm256_set1_epi64x(lanes.into());
                let kept = |half: __m256d, bits| {
                    let kept = _mm256_cmpeq_epi64(_mm256_and_si256(all, bits), bits);
                    _mm256_and_pd(_mm256_castsi256_pd(kept), half)
                };
                [
                    kept(numbers[0], _mm256_setr_epi64x(1, 2, 4, 8)),
                    kept(numbers[1], _mm256_setr_epi64x(16, 32, 64, 128)),
                ]
            }
        }

        #[inline(always)]
        fn total(numbers: [__m256d; 2]) -> f64 {
            // SAFETY: see the module.
            unsafe {
                let four = _mm256_add_pd(numbers[0], numbers[1]);
                let high = _mm256_extractf128_pd::<1>(four);
                let two = _mm_add_pd(_mm256_castpd256_pd128(four), high);
                _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
            }
        }
    }

    impl ClusterVectors for Avx512 {
        type Numbers = __m512d;

        distances!();

        #[inline(always)]
        fn numbers(from: &[f64; LANES]) -> __m512d {
            // SAFETY: see the module.
            unsafe { _mm512_loadu_pd(from.as_ptr()) }
        }

        #[inline(always)]
        fn put_numbers(numbers: __m512d, to: &mut [f64; LANES]) {
            // SAFETY: see the module.
            unsafe { _mm512_storeu_pd(to.as_mut_ptr(), numbers) }
        }

        #[inline(always)]
        fn add(a: __m512d, b: __m512d) -> __m512d {
            // SAFETY: see the module.
            unsafe { _mm512_add_pd(a, b) }
        }

        #[inline(always)]
        fn multiply(a: __m512d, b: __m512d) -> __m512d {
            // SAFETY: see the module.
            unsafe { _mm512_mul_pd(a, b) }
        }

        #[inline(always)]
        fn divide(a: f64, b: __m512d) -> __m512d {
            // SAFETY: see the module.
            unsafe { _mm512_div_pd(_mm512_set1_pd(a), b) }
        }

        #[inline(always)]
        fn where_equal(a: __m256i, b: __m256i, from: &[f64; LANES]) -> __m512d {
            // SAFETY: see the module.
            unsafe {
                let keep = _mm512_cvtepi32_epi64(_mm256_cmpeq_epi32(a, b));
                let bits = _mm512_castpd_si512(Self::numbers(from));
                _mm512_castsi512_pd(_mm512_and_si512(keep, bits))
            }
        }

        #[inline(always)]
        fn larger(a: __m512d, b: __m512d) -> __m512d {
            // SAFETY: see the module. Of anything and what is no number the instruction takes the
            // second.
            unsafe { _mm512_max_pd(a, b) }
        }

        #[inline(always)]
        fn unknown(numbers: __m512d) -> u32 {
            // SAFETY: see the module.
            unsafe { _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(numbers, numbers).into() }
        }

        #[inline(always)]
        fn only(numbers: __m512d, lanes: u32) -> __m512d {
            // SAFETY: see the module. Lanes are the lowest eight bits.
            unsafe { _mm512_maskz_mov_pd(lanes as u8, numbers) }
        }

        #[inline(always)]
        fn total(numbers: __m512d) -> f64 {
            // SAFETY: see the module.
            unsafe { _mm512_reduce_add_pd(numbers) }
        }
    }
}
