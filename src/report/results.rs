//! The results of a run: the highest scores, scores by degree, and the distributions of both.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::{Graph, Vertex};
use crate::scores::Scores;

/// A summary of the scores; `--scores` writes all of them.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Results {
    /// The highest scores in falling order; `--top` sets their number.
    pub top: Vec<TopVertex>,
    /// Scores by degree (arcs out of a vertex), in bins 0, 1, 2 to 3, 4 to 7, ...
    pub by_degree: Vec<DegreeBin>,
}

/// A vertex with a high score.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopVertex {
    /// The label of the vertex.
    pub vertex: String,
    /// The score.
    pub score: f64,
    /// The ends of the interval of the score; null if the score is no estimate.
    pub interval: Option<[f64; 2]>,
    /// The first and the last rank that the vertex has if all scores are in their intervals; null
    /// if the score is no estimate.
    pub ranks: Option<[usize; 2]>,
    /// The number of arcs out of the vertex in the input.
    pub degree: u64,
}

/// The vertices whose degrees are in a range. Empty ranges are left out.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DegreeBin {
    /// The smallest degree.
    pub from: u64,
    /// The largest degree.
    pub to: u64,
    /// The number of vertices.
    pub count: usize,
    /// The mean score.
    pub mean: f64,
    /// The highest score.
    pub max: f64,
}

/// The distribution of scores over all vertices of the input.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Distributions {
    /// Vertices by score, in bins between powers of two. `to` is excluded.
    pub score: Vec<Bin>,
    /// The number of vertices with score 0, which are in no bin.
    pub score_zeros: usize,
}

/// The number of vertices in a range. Empty bins are left out.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bin {
    /// The start of the range.
    pub from: f64,
    /// The end of the range.
    pub to: f64,
    /// The number of vertices.
    pub count: usize,
}

impl Results {
    /// Summarises the scores of a graph, with the `count` highest.
    pub fn new(graph: &Graph, scores: &Scores, count: usize) -> Results {
        let (estimated, scores) = (scores.estimated(), scores.vertices());
        let degree = |v: Vertex| graph.csr().degree(v) as u64;
        let best = top(scores, count);
        let ranks = estimated.map(|all| all.ranks(&best));
        let vertex = |(at, &v): (usize, &Vertex)| TopVertex {
            vertex: graph.labels().display(v).to_string(),
            score: scores[v as usize],
            interval: estimated.map(|all| [&all.lower, &all.upper].map(|ends| ends[v as usize])),
            ranks: ranks.as_ref().map(|ranks| ranks[at]),
            degree: degree(v),
        };
        let degrees = (0..graph.vertices() as Vertex).map(degree);
        Results {
            top: best.iter().enumerate().map(vertex).collect(),
            by_degree: degree_bins(degrees.zip(scores.iter().copied())),
        }
    }
}

impl Distributions {
    /// Computes the distribution of scores.
    pub fn new(scores: &[f64]) -> Distributions {
        Distributions {
            score: score_bins(scores),
            score_zeros: scores.iter().filter(|&&score| score <= 0.0).count(),
        }
    }
}

/// Returns the vertices of the `count` highest scores, in falling order. Scores count as equal if
/// they differ only by rounding errors, which change from run to run; their vertices are in input
/// order.
pub fn top(scores: &[f64], count: usize) -> Vec<Vertex> {
    let mut order: Vec<Vertex> = (0..scores.len() as Vertex).collect();
    let score = |v: Vertex| rounded(scores[v as usize]);
    let better = |&a: &Vertex, &b: &Vertex| score(b).total_cmp(&score(a)).then(a.cmp(&b));
    let count = count.min(order.len());
    if count > 0 && count < order.len() {
        order.select_nth_unstable_by(count - 1, better);
    }
    order.truncate(count);
    order.sort_by(better);
    order
}

/// Rounds a score to 36 binary digits, so that rounding errors of sums hardly ever change the
/// result. Scores with the same result count as equal.
fn rounded(score: f64) -> f64 {
    const DROPPED_BITS: u32 = f64::MANTISSA_DIGITS - 36;
    let half = 1 << (DROPPED_BITS - 1);
    f64::from_bits((score.to_bits() + half) >> DROPPED_BITS << DROPPED_BITS)
}

/// Returns the bins of degrees. Bin k holds the degrees of k bits.
fn degree_bins(vertices: impl Iterator<Item = (u64, f64)>) -> Vec<DegreeBin> {
    let mut sums: BTreeMap<u32, (usize, f64, f64)> = BTreeMap::new();
    for (degree, score) in vertices {
        let bits = u64::BITS - degree.leading_zeros();
        let (count, sum, max) = sums.entry(bits).or_default();
        *count += 1;
        *sum += score;
        *max = max.max(score);
    }
    let bin = |(bits, (count, sum, max)): (u32, (usize, f64, f64))| DegreeBin {
        from: if bits == 0 { 0 } else { 1 << (bits - 1) },
        to: ((1u128 << bits) - 1) as u64,
        count,
        mean: sum / count as f64,
        max,
    };
    sums.into_iter().map(bin).collect()
}

/// Returns the bins of scores by binary exponent. Logarithms could round a score into another bin.
fn score_bins(scores: &[f64]) -> Vec<Bin> {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for &score in scores.iter().filter(|score| **score > 0.0) {
        // The largest k with 2^k <= score. Subnormal numbers count as the smallest normal ones.
        let exponent = (score.to_bits() >> 52) as i32;
        *counts.entry(exponent.max(1) - 1023).or_default() += 1;
    }
    let bin = |(exponent, count)| Bin {
        from: 2f64.powi(exponent),
        // JSON has no infinity.
        to: 2f64.powi(exponent + 1).min(f64::MAX),
        count,
    };
    counts.into_iter().map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_is_sorted_and_ties_keep_input_order() {
        let scores = [1.0, 3.0, 0.0, 3.0, 2.0];
        assert_eq!(top(&scores, 3), [1, 3, 4]);
        assert_eq!(top(&scores, 99), [1, 3, 4, 0, 2]);
        assert_eq!(top(&[2.0, 231.0, 231.0f64.next_up(), 231.1], 3), [3, 1, 2]);
        assert!(top(&scores, 0).is_empty() && top(&[], 5).is_empty());
    }

    #[test]
    fn scores_of_a_bin_are_summed_up() {
        let bins = |scores: &[(u64, f64)]| {
            let bins = degree_bins(scores.iter().copied()).into_iter();
            let bin = |bin: DegreeBin| (bin.from, bin.to, bin.count, bin.mean, bin.max);
            bins.map(bin).collect::<Vec<_>>()
        };
        let found = bins(&[(0, 0.0), (2, 1.0), (3, 4.0), (8, 9.0)]);
        assert_eq!(found[..2], [(0, 0, 1, 0.0, 0.0), (2, 3, 2, 2.5, 4.0)]);
        assert_eq!(found[2..], [(8, 15, 1, 9.0, 9.0)]);
        assert!(bins(&[]).is_empty());
        let ends = bins(&[(1, 0.0), (u64::MAX, 0.0)]);
        assert_eq!((ends[0].1, ends[1].0, ends[1].1), (1, 1 << 63, u64::MAX));
        // An end of a bin of scores is in the next one.
        let bins = score_bins(&[0.0, 0.5, 1.0, 1.999, 2.0, 5.0]).into_iter();
        let bins: Vec<_> = bins.map(|bin| (bin.from, bin.to, bin.count)).collect();
        assert_eq!(
            bins,
            [(0.5, 1.0, 1), (1.0, 2.0, 2), (2.0, 4.0, 1), (4.0, 8.0, 1)]
        );
    }
}
