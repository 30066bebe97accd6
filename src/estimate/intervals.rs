//! The result of an estimate: the intervals of scores, and the ranks that they allow.

use rayon::slice::ParallelSliceMut;

use crate::graph::Vertex;
use crate::query::{Drawn, Estimate};

/// The intervals of estimated scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimated {
    /// The lower end of the interval of each vertex.
    pub lower: Vec<f64>,
    /// The upper ends.
    pub upper: Vec<f64>,
    /// The largest distance from a score to an end of its interval; 0 if scores are exact.
    pub half_width: f64,
    /// The kind of the draws.
    pub kind: Drawn,
    /// The number of sources or paths that were drawn; all sources after an exact search.
    pub draws: usize,
    /// The number of all sources.
    pub sources: usize,
    /// The number of searches from sources.
    pub searches: usize,
    /// The options of the estimate.
    pub options: Estimate,
}

impl Estimated {
    /// Returns the first and the last rank that each of these vertices may have, from 1, if all
    /// scores are in their intervals.
    pub fn ranks(&self, vertices: &[Vertex]) -> Vec<[usize; 2]> {
        let ascending = |ends: &[f64]| {
            let mut ends = ends.to_vec();
            ends.par_sort_unstable_by(f64::total_cmp);
            ends
        };
        let (lower, upper) = (ascending(&self.lower), ascending(&self.upper));
        let ranks = |&v: &Vertex| {
            let not_above = lower.partition_point(|&low| low <= self.upper[v as usize]);
            let below = upper.partition_point(|&high| high < self.lower[v as usize]);
            [lower.len() - not_above + 1, upper.len() - below]
        };
        vertices.iter().map(ranks).collect()
    }

    /// Returns whether scores are exact: all sources were searched, or none needs a search.
    pub fn is_exact(&self) -> bool {
        self.half_width == 0.0
    }
}
