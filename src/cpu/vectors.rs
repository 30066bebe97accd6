//! Operations on eight lanes in vector registers, for each kind of vector instructions.
//!
//! The default methods of [`Vectors`] are loops over eight lanes, most of which compile to good
//! vector instructions. Intrinsics replace the others: additions under a mask (AVX-512 has such
//! instructions), comparisons of 32-bit lanes that mask 64-bit lanes (they would compile to
//! shuffles), and operations on a vector that lives across a loop (it would be split into lanes).
//! (The crate `pulp` has no vectors of equally many lanes for types of different sizes.)

use bytemuck::{Pod, cast};

/// The number of lanes of a vector, which is the number of f64 in a cache line.
pub(super) const GROUP: usize = 8;

/// A row of G vectors.
pub(super) type Row<T, const G: usize> = [[T; GROUP]; G];

/// For each byte, a mask with all ones in the lanes whose bits are set, and zeros in the others.
static MASKS: [[i16; GROUP]; 256] = {
    let mut masks = [[0; GROUP]; 256];
    let mut at = 0;
    while at < 256 * GROUP {
        let (bits, lane) = (at / GROUP, at % GROUP);
        masks[bits][lane] = -((bits >> lane & 1) as i16);
        at += 1;
    }
    masks
};

/// Returns the mask of group `g`.
#[inline(always)]
fn mask_of(mask: u64, g: usize) -> &'static [i16; GROUP] {
    &MASKS[usize::from((mask >> (g * GROUP)) as u8)]
}

/// Combines two vectors lane by lane. (Functions of `std::array` and iterators are not always
/// inlined, and then compiled without the vector instructions.)
#[inline(always)]
fn each<V: Pod, T: Pod>(a: V, b: V, f: impl Fn(T, T) -> T) -> V {
    let (mut a, b): ([T; GROUP], [T; GROUP]) = (cast(a), cast(b));
    for lane in 0..GROUP {
        a[lane] = f(a[lane], b[lane]);
    }
    cast(a)
}

/// Returns all ones if the lane's bit is set, else zero.
#[inline(always)]
pub(super) fn lane_mask(bits: u64, lane: usize) -> u64 {
    u64::from(bits & (1 << lane) == 0).wrapping_sub(1)
}

/// Returns the number if `keep` is all ones, zero if it is zero.
#[inline(always)]
pub(super) fn masked(x: f64, keep: u64) -> f64 {
    // An `if` could become a branch, which is about twenty times slower.
    f64::from_bits(x.to_bits() & keep)
}

/// Returns the number if `keep`, else zero, without a branch.
#[inline(always)]
pub(super) fn only(x: f64, keep: bool) -> f64 {
    masked(x, u64::from(keep).wrapping_neg())
}

/// A kind of vector instructions, as a type. Its methods are inlined into functions that are
/// compiled for these instructions and only called on machines that have them.
pub(super) trait Vectors {
    /// Eight distances in registers.
    type Distances: Pod;
    /// Eight path counts, dependencies or the like in registers.
    type Numbers: Pod;

    #[inline(always)]
    fn distances(from: &[u32; GROUP]) -> Self::Distances {
        cast(*from)
    }

    #[inline(always)]
    fn put_distances(distances: Self::Distances, to: &mut [u32; GROUP]) {
        *to = cast(distances);
    }

    /// Adds a length. The addition wraps, so that adding the negated length subtracts it.
    #[inline(always)]
    fn plus(distances: Self::Distances, length: u32) -> Self::Distances {
        each(distances, cast([length; GROUP]), u32::wrapping_add)
    }

    /// Returns the smaller distance of each lane.
    #[inline(always)]
    fn nearer(a: Self::Distances, b: Self::Distances) -> Self::Distances {
        each(a, b, u32::min)
    }

    /// Returns whether the highest bit is set in all lanes.
    #[inline(always)]
    fn all_far(distances: Self::Distances) -> bool {
        let [a, b, c, d, e, f, g, h]: [u32; GROUP] = cast(distances);
        (a & b & c & d & e & f & g & h) >> 31 == 1
    }

    /// Returns whether `condition` holds and `a` and `b` differ in any lane, without a branch.
    #[inline(always)]
    fn differ_if(condition: bool, a: Self::Distances, b: Self::Distances) -> bool {
        condition & (cast::<_, [u32; GROUP]>(a) != cast::<_, [u32; GROUP]>(b))
    }

    #[inline(always)]
    fn numbers(from: &[f64; GROUP]) -> Self::Numbers {
        cast(*from)
    }

    #[inline(always)]
    fn put_numbers(numbers: Self::Numbers, to: &mut [f64; GROUP]) {
        *to = cast(numbers);
    }

    #[inline(always)]
    fn add(a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        each(a, b, |a: f64, b| a + b)
    }

    #[inline(always)]
    fn multiply(a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        each(a, b, |a: f64, b| a * b)
    }

    #[inline(always)]
    fn divide(a: f64, b: Self::Numbers) -> Self::Numbers {
        each(cast([a; GROUP]), b, |a: f64, b| a / b)
    }

    /// Returns the larger number of each lane; that of `b` where `a` is NaN.
    #[inline(always)]
    fn larger(a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        each(a, b, |a: f64, b| if a > b { a } else { b })
    }

    /// Returns the sum over the lanes.
    #[inline(always)]
    fn total(numbers: Self::Numbers) -> f64 {
        let lanes: [f64; GROUP] = cast(numbers);
        let mut four = [0.0; 4];
        for lane in 0..4 {
            four[lane] = lanes[lane] + lanes[lane + 4];
        }
        (four[0] + four[2]) + (four[1] + four[3])
    }

    /// Returns the numbers of lanes in which the distances are equal, and zero in the others.
    #[inline(always)]
    fn where_equal(a: Self::Distances, b: Self::Distances, from: &[f64; GROUP]) -> Self::Numbers {
        let (a, b): ([u32; GROUP], [u32; GROUP]) = (cast(a), cast(b));
        let mut equal = *from;
        for lane in 0..GROUP {
            equal[lane] = masked(from[lane], u64::from(a[lane] != b[lane]).wrapping_sub(1));
        }
        cast(equal)
    }

    /// Returns the lanes that are NaN, a bit for each.
    #[inline(always)]
    fn unknown(numbers: Self::Numbers) -> u32 {
        let (lanes, mut unknown): ([f64; GROUP], _) = (cast(numbers), 0);
        for (lane, number) in lanes.iter().enumerate() {
            unknown |= u32::from(number.is_nan()) << lane;
        }
        unknown
    }

    /// Returns the numbers of these lanes, a bit for each, and zero in the others.
    #[inline(always)]
    fn only(numbers: Self::Numbers, lanes: u32) -> Self::Numbers {
        let (mut numbers, keep): ([f64; GROUP], _) = (cast(numbers), mask_of(lanes.into(), 0));
        for lane in 0..GROUP {
            numbers[lane] = masked(numbers[lane], i64::from(keep[lane]) as u64);
        }
        cast(numbers)
    }

    /// Adds those lanes of a row of f64 whose bits are set in `mask`.
    #[inline(always)]
    fn add_masked<const G: usize>(to: &mut Row<f64, G>, from: &Row<f64, G>, mask: u64) {
        for g in 0..G {
            let keep = mask_of(mask, g);
            for lane in 0..GROUP {
                to[g][lane] += masked(from[g][lane], i64::from(keep[lane]) as u64);
            }
        }
    }

    /// Adds those lanes of a row of f32 whose bits are set in `mask`.
    #[inline(always)]
    fn add_floats<const G: usize>(to: &mut Row<f32, G>, from: &Row<f32, G>, mask: u64) {
        for g in 0..G {
            let keep = mask_of(mask, g);
            for lane in 0..GROUP {
                let bits = from[g][lane].to_bits() & i32::from(keep[lane]) as u32;
                to[g][lane] += f32::from_bits(bits);
            }
        }
    }

    /// Adds all lanes of a row of f32 to a row of f64.
    #[inline(always)]
    fn add_widened<const G: usize>(to: &mut Row<f64, G>, from: &Row<f32, G>) {
        for g in 0..G {
            for lane in 0..GROUP {
                to[g][lane] += f64::from(from[g][lane]);
            }
        }
    }

    /// Adds those lanes of a row of u16 whose bits are set in `mask`. Sums saturate.
    #[inline(always)]
    fn add_short<const G: usize>(to: &mut Row<u16, G>, from: &Row<u16, G>, mask: u64) {
        for g in 0..G {
            let keep = mask_of(mask, g);
            for lane in 0..GROUP {
                let more = from[g][lane] & keep[lane] as u16;
                to[g][lane] = to[g][lane].saturating_add(more);
            }
        }
    }
}

/// The instructions that every machine of the target has.
pub(super) struct Portable;

impl Vectors for Portable {
    type Distances = [u32; GROUP];
    type Numbers = [f64; GROUP];
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use bytemuck::cast;

    use crate::cpu::vectors::{GROUP, Row, Vectors, mask_of};

    /// Defines methods of [`Vectors`] as expressions of intrinsics.
    macro_rules! intrinsics {
        ($(fn $name:ident($($of:ident: $type:ty),*) -> $result:ty { $($code:tt)* })*) => { $(
            #[inline(always)]
            #[allow(unused_unsafe, reason = "some only call others")]
            fn $name($($of: $type),*) -> $result {
                // SAFETY: the machine has the instructions, as the trait demands, and no pointer is
                // used.
                unsafe { $($code)* }
            }
        )* };
    }

    /// Vectors of 256 bits.
    pub(in crate::cpu) struct Avx2;

    impl Vectors for Avx2 {
        type Distances = __m256i;
        type Numbers = [__m256d; 2];

        intrinsics! {
            fn plus(distances: __m256i, length: u32) -> __m256i {
                _mm256_add_epi32(distances, _mm256_set1_epi32(length as i32))
            }
            fn nearer(a: __m256i, b: __m256i) -> __m256i { _mm256_min_epu32(a, b) }
            fn all_far(distances: __m256i) -> bool {
                _mm256_movemask_ps(_mm256_castsi256_ps(distances)) == 0xff
            }
            fn differ_if(condition: bool, a: __m256i, b: __m256i) -> bool {
                let all = _mm256_set1_epi32(-i32::from(condition));
                _mm256_testz_si256(_mm256_xor_si256(a, b), all) == 0
            }
            fn add(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
                [_mm256_add_pd(a[0], b[0]), _mm256_add_pd(a[1], b[1])]
            }
            fn larger(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
                [_mm256_max_pd(a[0], b[0]), _mm256_max_pd(a[1], b[1])]
            }
            fn where_equal(a: __m256i, b: __m256i, from: &[f64; GROUP]) -> [__m256d; 2] {
                let equal = _mm256_cmpeq_epi32(a, b);
                let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(equal));
                let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(equal));
                let numbers = Self::numbers(from);
                [_mm256_and_pd(cast(low), numbers[0]), _mm256_and_pd(cast(high), numbers[1])]
            }
            fn unknown(numbers: [__m256d; 2]) -> u32 {
                let [low, high] = numbers;
                let low = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_UNORD_Q>(low, low));
                let high = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_UNORD_Q>(high, high));
                (high << 4 | low) as u32
            }
        }

        #[inline(always)]
        fn add_floats<const G: usize>(to: &mut Row<f32, G>, from: &Row<f32, G>, mask: u64) {
            for g in 0..G {
                // SAFETY: as above; pointers are to a group.
                unsafe {
                    let keep = _mm_loadu_si128(mask_of(mask, g).as_ptr().cast());
                    let keep = _mm256_castsi256_ps(_mm256_cvtepi16_epi32(keep));
                    let more = _mm256_and_ps(_mm256_loadu_ps(from[g].as_ptr()), keep);
                    let sum = _mm256_add_ps(_mm256_loadu_ps(to[g].as_ptr()), more);
                    _mm256_storeu_ps(to[g].as_mut_ptr(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_widened<const G: usize>(to: &mut Row<f64, G>, from: &Row<f32, G>) {
            for g in 0..G {
                let (to, from) = (to[g].as_mut_ptr(), from[g].as_ptr());
                // SAFETY: as above; pointers are to a group, and to its second half.
                unsafe {
                    let low = _mm256_cvtps_pd(_mm_loadu_ps(from));
                    let high = _mm256_cvtps_pd(_mm_loadu_ps(from.add(4)));
                    _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), low));
                    let to = to.add(4);
                    _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), high));
                }
            }
        }
    }

    /// Vectors of 512 bits.
    pub(in crate::cpu) struct Avx512;

    impl Vectors for Avx512 {
        type Distances = __m256i;
        type Numbers = __m512d;

        intrinsics! {
            fn plus(distances: __m256i, length: u32) -> __m256i { Avx2::plus(distances, length) }
            fn nearer(a: __m256i, b: __m256i) -> __m256i { Avx2::nearer(a, b) }
            fn all_far(distances: __m256i) -> bool { Avx2::all_far(distances) }
            fn differ_if(condition: bool, a: __m256i, b: __m256i) -> bool {
                Avx2::differ_if(condition, a, b)
            }
            fn add(a: __m512d, b: __m512d) -> __m512d { _mm512_add_pd(a, b) }
            fn larger(a: __m512d, b: __m512d) -> __m512d { _mm512_max_pd(a, b) }
            fn where_equal(a: __m256i, b: __m256i, from: &[f64; GROUP]) -> __m512d {
                let keep = _mm512_cvtepi32_epi64(_mm256_cmpeq_epi32(a, b));
                cast(_mm512_and_si512(keep, cast(*from)))
            }
            fn unknown(numbers: __m512d) -> u32 {
                _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(numbers, numbers).into()
            }
            fn only(numbers: __m512d, lanes: u32) -> __m512d {
                _mm512_maskz_mov_pd(lanes as u8, numbers)
            }
        }

        #[inline(always)]
        fn add_masked<const G: usize>(to: &mut Row<f64, G>, from: &Row<f64, G>, mask: u64) {
            for g in 0..G {
                // SAFETY: as above; pointers are to a group.
                unsafe {
                    let sum = _mm512_loadu_pd(to[g].as_ptr());
                    let more = _mm512_loadu_pd(from[g].as_ptr());
                    let sum = _mm512_mask_add_pd(sum, (mask >> (g * GROUP)) as u8, sum, more);
                    _mm512_storeu_pd(to[g].as_mut_ptr(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_floats<const G: usize>(to: &mut Row<f32, G>, from: &Row<f32, G>, mask: u64) {
            if !G.is_multiple_of(2) {
                return Avx2::add_floats(to, from, mask);
            }
            for g in (0..G).step_by(2) {
                // SAFETY: as above; pointers are to two groups at least.
                unsafe {
                    let sum = _mm512_loadu_ps(to.as_ptr().add(g).cast());
                    let more = _mm512_loadu_ps(from.as_ptr().add(g).cast());
                    let sum = _mm512_mask_add_ps(sum, (mask >> (g * GROUP)) as u16, sum, more);
                    _mm512_storeu_ps(to.as_mut_ptr().add(g).cast(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_short<const G: usize>(to: &mut Row<u16, G>, from: &Row<u16, G>, mask: u64) {
            if !G.is_multiple_of(4) {
                return Avx2::add_short(to, from, mask);
            }
            for g in (0..G).step_by(4) {
                // SAFETY: as above; pointers are to four groups at least.
                unsafe {
                    let sum = _mm512_loadu_epi16(to.as_ptr().add(g).cast());
                    let more = _mm512_loadu_epi16(from.as_ptr().add(g).cast());
                    let sum = _mm512_mask_adds_epu16(sum, (mask >> (g * GROUP)) as u32, sum, more);
                    _mm512_storeu_epi16(to.as_mut_ptr().add(g).cast(), sum);
                }
            }
        }

        #[inline(always)]
        fn add_widened<const G: usize>(to: &mut Row<f64, G>, from: &Row<f32, G>) {
            for g in 0..G {
                // SAFETY: as above; pointers are to a group.
                unsafe {
                    let more = _mm512_cvtps_pd(_mm256_loadu_ps(from[g].as_ptr()));
                    let sum = _mm512_add_pd(_mm512_loadu_pd(to[g].as_ptr()), more);
                    _mm512_storeu_pd(to[g].as_mut_ptr(), sum);
                }
            }
        }
    }
}
