//! Estimates of betweenness with a guarantee, from searches of some of the sources.
//!
//! Sources are drawn without replacement, in an order that a seed fixes. The dependency of a vertex
//! v on source s, divided by the n - 2 targets that there are besides, is a number x in [0, 1]; the
//! mean of x over all sources is the normalised score but for a factor n / (n - 1). After each
//! batch of draws, every vertex has an interval ([`processes`]) that holds at every look with the
//! stated confidence, for all vertices at once: docs/estimates.md has the theorem and its proof.

mod processes;
#[cfg(test)]
mod proof_tests;
mod search;

pub(crate) use search::{Estimating, Outlook};

use std::time::Duration;

/// When an estimate is good enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Half of the widest interval of a normalised score; 0 with `time` lets the search go on until
    /// then.
    pub epsilon: f64,
    /// The probability, at least, that all scores are in their intervals.
    pub confidence: f64,
    /// The seed of the order of sources.
    pub seed: u64,
    /// The search ends too when this many highest scores are separated from all others, or their
    /// intervals are as narrow as `epsilon` says.
    pub top: Option<usize>,
    /// The search ends before this time has passed, with the intervals of then.
    pub time: Option<Duration>,
}

impl Default for Estimate {
    fn default() -> Self {
        Estimate {
            epsilon: 0.01,
            confidence: 0.9,
            seed: 1,
            top: None,
            time: None,
        }
    }
}

impl Estimate {
    /// Checks the values. Returns what is wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        let inside = |value: f64| value > 0.0 && value < 1.0;
        let until_then = self.epsilon == 0.0 && self.time.is_some();
        if !until_then && !inside(self.epsilon) {
            return Err(format!("`epsilon {}` is not between 0 and 1", self.epsilon));
        }
        if !inside(self.confidence) {
            return Err(format!(
                "`confidence {}` is not between 0 and 1",
                self.confidence
            ));
        }
        match self.top {
            Some(0) => Err("`top 0` asks for no vertex".into()),
            _ => Ok(()),
        }
    }
}

/// What is known about estimated scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimated {
    /// The lower end of the interval of each vertex.
    pub lower: Vec<f64>,
    /// The upper ends.
    pub upper: Vec<f64>,
    /// Half of the widest interval; 0 if scores are exact.
    pub half_width: f64,
    /// The number of sources that were drawn.
    pub draws: usize,
    /// The number of all sources. If all were drawn, scores are exact.
    pub sources: usize,
    /// The options.
    pub options: Estimate,
}

impl Estimated {
    /// Returns whether all sources were drawn, so that scores are exact.
    pub fn is_exact(&self) -> bool {
        self.draws >= self.sources
    }
}
