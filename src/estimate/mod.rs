//! Estimates of betweenness with a guarantee, from searches of some of the sources.
//!
//! Sources are drawn without replacement, in an order that a seed fixes. The dependency of a vertex
//! v on source s, divided by n - 2, the number of other targets, is a number x in [0, 1]. The mean
//! of x over all sources, times n / (n - 1), is the normalised score. After each batch of draws,
//! every vertex gets an interval ([`processes`]). With the stated confidence, all intervals of all
//! vertices contain their scores: docs/estimates.md has the theorem and its proof.

mod processes;
#[cfg(test)]
mod proof_tests;
mod search;

pub(crate) use search::{Estimating, Outlook};

use crate::query::Estimate;

/// The intervals of estimated scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimated {
    /// The lower end of the interval of each vertex.
    pub lower: Vec<f64>,
    /// The upper ends.
    pub upper: Vec<f64>,
    /// Half of the widest interval; 0 if scores are exact.
    pub half_width: f64,
    /// The number of sources that were drawn; all of them after an exact search.
    pub draws: usize,
    /// The number of all sources. If all were drawn, scores are exact.
    pub sources: usize,
    /// The number of searches.
    pub searches: usize,
    /// The options of the estimate.
    pub options: Estimate,
}

impl Estimated {
    /// Returns whether all sources were searched, so that scores are exact.
    pub fn is_exact(&self) -> bool {
        self.draws >= self.sources
    }
}
