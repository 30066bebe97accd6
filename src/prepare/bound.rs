//! Bounds on the lengths of paths, the smallest type for them, and lengths of zero.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use crate::graph::{Csr, Lengths, Vertex, zero_bits};

/// A bound below this is not tightened by a search.
const SMALL: u64 = 1 << 31;

/// Returns an upper bound on the length of a shortest path plus one more arc; `None` if lengths are
/// doubles. Without lengths, arcs have length 1.
pub fn distance_bound(graph: &Csr, lengths: Option<&Lengths>, directed: bool) -> Option<u64> {
    let lengths = match lengths {
        None => return Some(graph.vertices() as u64),
        Some(Lengths::F64(_)) => return None,
        Some(lengths) => lengths,
    };
    let length = |arc: usize| lengths.integer(arc).unwrap_or_default();
    // A path leaves each vertex at most once.
    let rows = graph.offsets().par_windows(2);
    let longest = |ends: &[u32]| (ends[0]..ends[1]).map(|arc| length(arc as usize)).max();
    let longest_arcs = rows.map(|ends| longest(ends).unwrap_or(0));
    let longest: u64 = longest_arcs.clone().max().unwrap_or(0);
    let bound = longest.saturating_add(longest_arcs.reduce(|| 0, u64::saturating_add));
    if bound < SMALL || directed {
        return Some(bound);
    }
    // The distance of two vertices of a component is at most twice the largest distance from its
    // first vertex.
    let mut settled = FixedBitSet::with_capacity(graph.vertices());
    let mut farthest = 0;
    for start in 0..graph.vertices() as Vertex {
        let further = |distance, arc| Some(distance + length(arc));
        let found = nearest(graph, (0, start), further, &mut settled);
        farthest = found.fold(farthest, |farthest, (distance, _)| farthest.max(distance));
    }
    Some(bound.min(farthest.saturating_mul(2).saturating_add(longest)))
}

/// Replaces lengths of zero by infinitesimal ones: multiplies all lengths by 2^k, and makes each
/// zero a 1. Returns k, which is 0 if there are no zeros. A shortest path over z edges of length
/// zero has the remainder z, which is less than half of 2^k.
pub fn without_zeros(vertices: usize, lengths: Lengths) -> (Lengths, u32) {
    let arcs = (0..lengths.len()).into_par_iter();
    let is_zero = |&arc: &usize| lengths.integer(arc) == Some(0);
    let zeros = arcs.clone().filter(is_zero).count();
    let bits = zero_bits(zeros.min(vertices));
    let scaled = |arc| Some((lengths.integer(arc)? << bits).max(1));
    match bits {
        0 => (lengths, 0),
        _ => (Lengths::U64(arcs.filter_map(scaled).collect()), bits),
    }
}

/// Converts lengths to 32 bits if the largest sum that searches compute fits: the length of a
/// shortest path plus two arcs.
pub fn narrowed(graph: &Csr, lengths: Lengths, directed: bool) -> Lengths {
    let Lengths::U64(long) = &lengths else {
        return lengths;
    };
    let longest = long.par_iter().max().copied().unwrap_or(0);
    let bound = distance_bound(graph, Some(&lengths), directed).unwrap_or(u64::MAX);
    match bound.saturating_add(longest) < u64::from(u32::MAX) {
        true => Lengths::U32(long.par_iter().map(|&length| length as u32).collect()),
        false => lengths,
    }
}

/// Returns the vertices that a search reaches, nearest first, with their distances, but for those
/// that are `settled`. The search begins with this distance at this vertex. `further` adds the
/// length of an arc to a distance; it returns `None` for an arc that is not followed.
pub fn nearest<D: Copy + Ord>(
    graph: &Csr,
    start: (D, Vertex),
    further: impl Fn(D, usize) -> Option<D>,
    settled: &mut FixedBitSet,
) -> impl Iterator<Item = (D, Vertex)> {
    let mut heap = BinaryHeap::from([Reverse(start)]);
    iter::from_fn(move || {
        loop {
            let Reverse((distance, v)) = heap.pop()?;
            if !settled.put(v as usize) {
                let first = graph.offsets()[v as usize] as usize;
                for (arc, &u) in (first..).zip(graph.neighbours(v)) {
                    if !settled.contains(u as usize) {
                        heap.extend(further(distance, arc).map(|distance| Reverse((distance, u))));
                    }
                }
                return Some((distance, v));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_sums_or_twice_a_distance_plus_an_arc() {
        let path = Csr::new(vec![0, 1, 3, 4], vec![1, 0, 2, 1]);
        // A star with 100 rays: paths are short, but the sum over all vertices is large.
        let star = crate::graph::generate::star(101).unwrap();
        let star = star.csr();
        let (u32s, long) = (Lengths::U32, |length, n| Lengths::U64(vec![length; n]));
        for (graph, lengths, directed, bound) in [
            (&path, u32s(vec![3, 3, 5, 5]), false, Some(13 + 5)),
            (&path, long(1 << 31, 4), false, Some(4 << 31)),
            (star, long(1 << 40, 200), false, Some(3 << 40)),
            // This does not overflow.
            (star, long(1 << 62, 200), false, Some(3 << 62)),
            (&path, Lengths::F64(vec![1.0; 4]), false, None),
            // Directed graphs are bounded by sums only.
            (&path, long(1 << 31, 4), true, Some(4 << 31)),
        ] {
            let found = distance_bound(graph, Some(&lengths), directed);
            assert_eq!(found, bound, "{lengths:?}");
        }
        assert_eq!(distance_bound(&Csr::empty(3), None, false), Some(3));
        // Lengths are narrowed if searches cannot overflow.
        let lengths = |length| Lengths::U64(vec![length; 200]);
        let narrow = |length| narrowed(star, lengths(length), false);
        assert_eq!(narrow(1 << 28), Lengths::U32(vec![1 << 28; 200]));
        assert_eq!(narrow(1 << 30), lengths(1 << 30));
        assert_eq!(narrowed(star, lengths(1 << 28), true), lengths(1 << 28));
    }

    #[test]
    fn zeros_become_a_fraction_of_the_unit() {
        let scaled = |lengths| without_zeros(3, Lengths::U32(lengths));
        let same = (Lengths::U32(vec![3, 3, 5, 5]), 0);
        assert_eq!(scaled(vec![3, 3, 5, 5]), same);
        let half = (Lengths::U64(vec![1, 1, 40, 40]), 3);
        assert_eq!(scaled(vec![0, 0, 5, 5]), half);
    }
}
