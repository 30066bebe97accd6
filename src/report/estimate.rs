//! The part of a report about estimated scores.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{counted, grouped};
use crate::estimate::Estimated;
use crate::query::Drawn;

/// The estimate of a search whose scores have intervals.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct EstimatePart {
    /// The requested limit of the half-widths of intervals; null if only the time was limited.
    pub epsilon: Option<f64>,
    /// A lower bound of the probability that all scores are in their intervals.
    pub confidence: f64,
    /// The number that fixes the draws.
    pub seed: u64,
    /// The number of highest scores that were to be separated from all others; null if none were.
    pub top: Option<usize>,
    /// The time limit of the search in seconds; null without a limit.
    pub seconds: Option<f64>,
    /// The kind of the draws.
    pub kind: Drawn,
    /// The number of draws.
    pub draws: usize,
    /// The number of all sources.
    pub sources: usize,
    /// The number of searches from sources.
    pub searches: usize,
    /// The largest distance from a score to an end of its interval.
    pub half_width: f64,
    /// Whether scores are exact: all sources were searched, or none needs a search.
    pub exact: bool,
}

impl EstimatePart {
    /// Describes an estimate.
    pub(super) fn new(estimated: &Estimated) -> EstimatePart {
        let options = &estimated.options;
        EstimatePart {
            epsilon: Some(options.epsilon).filter(|&epsilon| epsilon > 0.0),
            confidence: options.confidence,
            seed: options.seed,
            top: options.top,
            seconds: options.time.map(|time| time.as_secs_f64()),
            kind: estimated.kind,
            draws: estimated.draws,
            sources: estimated.sources,
            searches: estimated.searches,
            half_width: estimated.half_width,
            exact: estimated.is_exact(),
        }
    }

    /// Returns the estimate in words, without a line end.
    pub fn words(&self) -> String {
        if self.exact {
            return "all sources were searched, so the normalised scores are exact".into();
        }
        let (draws, sources) = (grouped(self.draws as u64), grouped(self.sources as u64));
        let searches = counted(self.searches, "search");
        let how = match self.kind {
            Drawn::Sources => format!("{searches} for {draws} of {sources} sources"),
            Drawn::Paths => format!("{draws} random shortest paths"),
        };
        format!(
            "normalised scores within {:.2e} of the truth with a probability of at least {} \
             ({how}, seed {})",
            self.half_width, self.confidence, self.seed
        )
    }
}
