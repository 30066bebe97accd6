//! Pairs with both ends inside the same chain.
//!
//! Positions p and q > p of a chain of length l are q - p apart *along* the chain, and
//! p + D + l - q *around*, through the ends of the chain, whose distance is D. So the way along is
//! the shorter one if 2 (q - p) < D + l. If both are equally long, the way along is one path,
//! beside the shortest paths from end to end. (If D = l, no pair goes around.)
//!
//! The way of a pair depends on q - p only. So the partners with which a position goes one way are
//! contiguous, and prefix sums count them. Sums are integers, because a running sum also subtracts
//! what it has added.

use std::ops::Range;

use crate::prepare::hierarchy::PairPaths;

/// The ordered pairs inside a chain, by the vertices and edges that their paths pass.
#[derive(Debug, Default, PartialEq)]
pub(super) struct InnerPairs {
    /// The pairs per inner vertex.
    pub(super) vertices: Vec<f64>,
    /// The pairs per edge, from end 0 on; one more than inner vertices.
    pub(super) edges: Vec<f64>,
    /// Pairs that go around, from one end of the chain to the other.
    pub(super) around: f64,
}

/// Returns the largest distance between the ends of a chain with which a pair can go around; `None`
/// if none can. The positions of the inner vertices are their distances from end 0, ascending.
pub(super) fn farthest_ends(length: u32, positions: &[u32]) -> Option<u32> {
    let (first, last) = (positions.first()?, positions.last()?);
    (2 * (last - first)).checked_sub(length)
}

/// Counts the pairs inside a chain with this length and these positions of inner vertices;
/// `weights` has the number of input vertices that each of them stands for. `around` describes the
/// shortest paths from end to end, if some pair may take them.
pub(super) fn inner_pairs(
    (length, positions): (u32, &[u32]),
    weights: &[f64],
    around: Option<PairPaths>,
) -> InnerPairs {
    let mut prefix = vec![0];
    prefix.extend(weights.iter().scan(0, |sum, &weight| {
        *sum += weight as u64;
        Some(*sum)
    }));
    let inner = positions.len();
    let mut counted = InnerPairs {
        vertices: vec![0.0; inner],
        edges: vec![0.0; inner + 1],
        around: 0.0,
    };
    let Some(PairPaths { distance, paths }) = around else {
        let all = |i: usize| [0..i, i + 1..inner];
        add(&prefix, all, (Way::Along, 1.0), &mut counted);
        return counted;
    };
    let circle = distance + length;
    // The range of positions whose distance from `i` is less than half of the circle, or, if
    // `with_half`, at most half of it.
    let near = |i: usize, with_half: bool| {
        let is_near = |&other: &u32| {
            let twice = 2 * positions[i].abs_diff(other);
            twice < circle || with_half && twice == circle
        };
        let before = positions[..i].partition_point(|other| !is_near(other));
        let after = positions[i..].partition_point(is_near);
        [before, i + after]
    };
    let along = |i: usize| {
        let [first, end] = near(i, false);
        [first..i, i + 1..end.max(i + 1)]
    };
    let tied = |i: usize| {
        let ([first, end], [half, end_half]) = (near(i, false), near(i, true));
        [half..first, end..end_half]
    };
    let beyond = |i: usize| {
        let [half, end_half] = near(i, true);
        [0..half, end_half..inner]
    };
    add(&prefix, along, (Way::Along, 1.0), &mut counted);
    add(&prefix, beyond, (Way::Around, 1.0), &mut counted);
    // Written so that infinite `paths` give 0 and 1.
    let [along, around] = [1.0 / (1.0 + paths), 1.0 / (1.0 + 1.0 / paths)];
    add(&prefix, tied, (Way::Along, along), &mut counted);
    add(&prefix, tied, (Way::Around, around), &mut counted);
    counted
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Along,
    Around,
}

/// Adds a `share` of the pairs of each position with two ranges of partners, one before the
/// position and one after it.
fn add(
    prefix: &[u64],
    partners: impl Fn(usize) -> [Range<usize>; 2],
    (way, share): (Way, f64),
    counted: &mut InnerPairs,
) {
    let inner = prefix.len() - 1;
    let weight = |range: Range<usize>| u128::from(prefix[range.end] - prefix[range.start]);
    // Each pair counts in both directions.
    let pairs = |i: usize| partners(i).map(|others| 2 * weight(i..i + 1) * weight(others));
    let total: u128 = (0..inner).map(|i| pairs(i)[1]).sum();
    let mut passing = match way {
        Way::Along => 0,
        Way::Around => total,
    };
    counted.edges[0] += share * passing as f64;
    for i in 0..inner {
        let [ending, beginning] = pairs(i);
        let (leaving, entering) = match way {
            Way::Along => (ending, beginning),
            Way::Around => (beginning, ending),
        };
        passing -= leaving;
        counted.vertices[i] += share * passing as f64;
        passing += entering;
        counted.edges[i + 1] += share * passing as f64;
    }
    if way == Way::Around {
        counted.around += share * total as f64;
    }
}
