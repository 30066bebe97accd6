//! Sorts the arcs of a row by their targets, with a radix sort where a row is long enough.
//!
//! Targets below a known limit have few digits, and a row fits into a core's cache, so that a radix
//! sort takes a third less time than comparisons.

use std::mem;
use std::ops::AddAssign;

use rayon::prelude::*;

/// All threads together sort a row longer than this, so that no thread has to wait for a hub.
pub(super) const PARALLEL_ROW: usize = 1 << 20;

/// The largest number of bits of a digit, so that the counts of all digits stay in a core's cache.
const MOST_BITS: u32 = 11;

/// A radix sort with more counters per arc than this is slower than a comparison sort.
const MOST_COUNTERS_PER_ARC: usize = 16;

/// Sorts `row` by targets, all of which are below `vertices`. The order of arcs to the same target
/// is unspecified.
pub(super) fn sort_row<A: Copy + Default + Ord + Send>(
    row: &mut [A],
    vertices: usize,
    target: impl Fn(A) -> u32,
) {
    let bits = usize::BITS - vertices.saturating_sub(1).leading_zeros();
    let digits = bits.div_ceil(MOST_BITS).max(1);
    let bits = bits.div_ceil(digits);
    let counters = (digits as usize) << bits;
    if row.len() > PARALLEL_ROW {
        row.par_sort_unstable();
    } else if MOST_COUNTERS_PER_ARC * row.len() > counters {
        sort_by_digits(row, digits, bits, target);
    } else {
        row.sort_unstable();
    }
}

/// Sorts by `digits` digits of `bits` bits each, the least significant one first.
fn sort_by_digits<A: Copy + Default>(
    row: &mut [A],
    digits: u32,
    bits: u32,
    target: impl Fn(A) -> u32,
) {
    let mut spare = vec![A::default(); row.len()];
    let (mut from, mut to) = (row, &mut spare[..]);
    for digit in 0..digits {
        let value = |arc: A| (target(arc) >> (digit * bits)) as usize & ((1 << bits) - 1);
        let mut places = [0u32; 1 << MOST_BITS];
        for &arc in &*from {
            places[value(arc)] += 1;
        }
        counts_to_starts(&mut places[..1 << bits]);
        for &arc in &*from {
            let place = &mut places[value(arc)];
            to[*place as usize] = arc;
            *place += 1;
        }
        mem::swap(&mut from, &mut to);
    }
    if digits % 2 == 1 {
        to.copy_from_slice(from);
    }
}

/// Replaces the sizes of consecutive groups by the positions where they start, and returns the sum
/// of all sizes.
pub(super) fn counts_to_starts<T: AddAssign + Copy + Default>(counts: &mut [T]) -> T {
    let mut end = T::default();
    for count in counts {
        let size = mem::replace(count, end);
        end += size;
    }
    end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_are_sorted_whatever_their_lengths_and_numbers(
            (vertices, row) in prop_oneof![1..100u32, 1..1_000_000u32, 1..=u32::MAX]
                .prop_flat_map(|n| (Just(n as usize), prop::collection::vec(0..n, 0..2_000))),
        ) {
            let mut expected = row.clone();
            expected.sort_unstable();
            let mut targets = row.clone();
            sort_row(&mut targets, vertices, |target| target);
            prop_assert_eq!(&targets, &expected);
            let mut pairs: Vec<(u32, usize)> = row.iter().copied().zip(0..).collect();
            sort_row(&mut pairs, vertices, |(target, _)| target);
            prop_assert!(pairs.iter().map(|&(target, _)| target).eq(expected));
            pairs.sort_unstable_by_key(|&(_, at)| at);
            prop_assert!(pairs.into_iter().eq(row.into_iter().zip(0..)));
        }
    }
}
