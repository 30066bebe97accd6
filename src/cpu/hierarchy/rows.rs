//! Rows with a number for each lane.
#![expect(
    clippy::needless_range_loop,
    reason = "several rows are indexed by group"
)]

use crate::cpu::vectors::{GROUP, Vectors, only};

/// The number of roots of a batch.
pub const LANES: usize = 16;

/// A distance per lane.
pub(super) type Distances = [u32; LANES];
/// A path count, dependency or the like per lane.
pub(super) type Numbers = [f64; LANES];

/// Zero in all lanes.
pub(super) const ZERO: Numbers = [0.0; LANES];

/// Returns a group of lanes of a row.
#[inline(always)]
fn group<T>(row: &[T; LANES], g: usize) -> &[T; GROUP] {
    let (groups, _) = row.as_chunks();
    &groups[g]
}

/// Returns the groups of lanes of a row.
#[inline(always)]
fn groups_mut<T>(row: &mut [T; LANES]) -> &mut [[T; GROUP]] {
    let (groups, _) = row.as_chunks_mut();
    groups
}

/// Relaxes an arc of this length and multiplicity: shorter paths replace the known ones, and paths
/// of equal length are added to the path counts.
#[inline(always)]
pub(super) fn relax<V: Vectors>(
    (distances, paths): (&mut Distances, &mut Numbers),
    (from, from_paths): (&Distances, &Numbers),
    (length, multiplicity): (u32, f64),
) {
    let (distances, paths) = (groups_mut(distances), groups_mut(paths));
    for g in 0..LANES / GROUP {
        let known = V::distances(&distances[g]);
        let distance = V::plus(V::distances(group(from, g)), length);
        let nearest = V::nearer(known, distance);
        let known_paths = V::where_equal(nearest, known, &paths[g]);
        let new = V::where_equal(nearest, distance, group(from_paths, g));
        let new = V::multiply(new, V::numbers(&[multiplicity; GROUP]));
        V::put_numbers(V::add(known_paths, new), &mut paths[g]);
        V::put_distances(nearest, &mut distances[g]);
    }
}

/// Moves the coefficients `numbers` of the head of an arc back to its tail, in the lanes where the
/// arc is on shortest paths: adds them, times the multiplicity, to the `sums` of the tail. `from`
/// and `paths` are the row of the tail, and `to` are the distances of the head. Returns the flow
/// over the arc: the sum over the lanes of what is added times the path counts of the tail.
#[inline(always)]
pub(super) fn move_back<V: Vectors>(
    (from, paths): (&Distances, &Numbers),
    to: &Distances,
    (length, multiplicity): (u32, f64),
    numbers: &Numbers,
    sums: &mut Numbers,
) -> f64 {
    let sums = groups_mut(sums);
    let mut flow = V::numbers(&[0.0; GROUP]);
    for g in 0..LANES / GROUP {
        let from = V::plus(V::distances(group(from, g)), length);
        let part = V::where_equal(from, V::distances(group(to, g)), group(numbers, g));
        let part = V::multiply(part, V::numbers(&[multiplicity; GROUP]));
        V::put_numbers(V::add(V::numbers(&sums[g]), part), &mut sums[g]);
        flow = V::add(flow, V::multiply(V::numbers(group(paths, g)), part));
    }
    V::total(flow)
}

/// Adds numbers lane by lane.
#[inline(always)]
pub(super) fn add(to: &mut Numbers, numbers: &Numbers) {
    for lane in 0..LANES {
        to[lane] += numbers[lane];
    }
}

/// Returns the numbers, but zero in the lanes whose bits are set.
#[inline(always)]
pub(super) fn without(numbers: &Numbers, lanes: u32) -> Numbers {
    let mut result = *numbers;
    if lanes != 0 {
        for lane in 0..LANES {
            result[lane] = only(numbers[lane], lanes >> lane & 1 == 0);
        }
    }
    result
}

/// Returns the products lane by lane.
#[inline(always)]
pub(super) fn times(a: &Numbers, b: &Numbers) -> Numbers {
    let mut result = ZERO;
    for lane in 0..LANES {
        result[lane] = a[lane] * b[lane];
    }
    result
}

/// Returns the sum over the lanes.
#[inline(always)]
pub(super) fn total<V: Vectors>(numbers: &Numbers) -> f64 {
    dot::<V>(numbers, &[1.0; LANES])
}

/// Returns the sum over the lanes of the products.
#[inline(always)]
pub(super) fn dot<V: Vectors>(a: &Numbers, b: &Numbers) -> f64 {
    let mut sum = V::numbers(&[0.0; GROUP]);
    for g in 0..LANES / GROUP {
        let product = V::multiply(V::numbers(group(a, g)), V::numbers(group(b, g)));
        sum = V::add(sum, product);
    }
    V::total(sum)
}

/// Returns `a / b` in lanes in which `b` is above zero, and zero in the others.
#[inline(always)]
pub(super) fn quotients(a: &Numbers, b: &Numbers) -> Numbers {
    let mut result = ZERO;
    for lane in 0..LANES {
        result[lane] = only(a[lane] / b[lane], b[lane] > 0.0);
    }
    result
}
