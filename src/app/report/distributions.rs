//! How degrees and scores are spread over the vertices: histograms small enough for a report.

use std::collections::BTreeMap;

use serde::Serialize;

use brandes::graph::{Graph, Vertex};

/// Of all vertices of the input.
#[derive(Debug, PartialEq, Serialize)]
pub struct Distributions {
    /// Vertices by degree (arcs out of a vertex), both ends included: 0, 1, 2 to 3, 4 to 7, ...
    pub degree: Vec<Bin<u64>>,
    /// Vertices by score as written, `to` not included; both ends are powers of two.
    pub score: Vec<Bin<f64>>,
    /// Vertices of score 0, which are in no bin.
    pub score_zeros: usize,
}

/// How many vertices lie between two numbers. Bins without vertices are left out.
#[derive(Debug, PartialEq, Serialize)]
pub struct Bin<T> {
    /// Where it begins.
    pub from: T,
    /// Where it ends.
    pub to: T,
    /// Vertices.
    pub count: usize,
}

impl Distributions {
    /// Of this graph, whose vertices have these scores.
    pub fn of(graph: &Graph, scores: &[f64]) -> Distributions {
        let csr = graph.csr();
        let degrees = (0..graph.vertices() as Vertex).map(|v| csr.degree(v) as u64);
        Distributions {
            degree: degree_bins(degrees),
            score: score_bins(scores),
            score_zeros: scores.iter().filter(|&&score| score <= 0.0).count(),
        }
    }
}

/// Bin k holds the degrees of k bits.
fn degree_bins(degrees: impl Iterator<Item = u64>) -> Vec<Bin<u64>> {
    let mut counts = [0; u64::BITS as usize + 1];
    for degree in degrees {
        counts[(u64::BITS - degree.leading_zeros()) as usize] += 1;
    }
    let bin = |(bits, count): (usize, usize)| Bin {
        from: if bits == 0 { 0 } else { 1 << (bits - 1) },
        to: ((1u128 << bits) - 1) as u64,
        count,
    };
    let filled = counts
        .into_iter()
        .enumerate()
        .filter(|&(_, count)| count > 0);
    filled.map(bin).collect()
}

/// Bins of scores by their binary exponent: no rounding can put one on the wrong side.
fn score_bins(scores: &[f64]) -> Vec<Bin<f64>> {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for &score in scores.iter().filter(|score| **score > 0.0) {
        *counts.entry(exponent(score)).or_default() += 1;
    }
    let bin = |(exponent, count)| Bin {
        from: 2f64.powi(exponent),
        // Finite, so that JSON can have it.
        to: 2f64.powi(exponent + 1).min(f64::MAX),
        count,
    };
    counts.into_iter().map(bin).collect()
}

/// The largest k with 2^k <= score. Subnormal numbers are put with the smallest normal ones.
fn exponent(score: f64) -> i32 {
    let biased = (score.to_bits() >> 52 & 0x7ff) as i32;
    biased.max(1) - 1023
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn degrees_go_into_bins_that_double() {
        let bin = |from, to, count| Bin { from, to, count };
        assert_eq!(
            degree_bins([0, 1, 1, 2, 3, 4, 7, 8, u64::MAX].into_iter()),
            [
                bin(0, 0, 1),
                bin(1, 1, 2),
                bin(2, 3, 2),
                bin(4, 7, 2),
                bin(8, 15, 1),
                bin(1 << 63, u64::MAX, 1),
            ]
        );
        assert_eq!(degree_bins([].into_iter()), []);
    }

    #[test]
    fn an_end_of_a_score_bin_is_in_the_next_one() {
        let bin = |from, to, count| Bin { from, to, count };
        assert_eq!(
            score_bins(&[0.0, 0.5, 1.0, 1.999, 2.0, 5.0]),
            [
                bin(0.5, 1.0, 1),
                bin(1.0, 2.0, 2),
                bin(2.0, 4.0, 1),
                bin(4.0, 8.0, 1),
            ]
        );
    }

    proptest! {
        #[test]
        fn every_score_is_within_its_bin(score in 1e-300f64..1e300) {
            let bins = score_bins(&[score]);
            prop_assert_eq!(bins.len(), 1);
            prop_assert!(bins[0].from <= score && score < bins[0].to);
        }
    }
}
