//! The JSON file of `brandes tune`. `docs/tune.md` describes every field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::bench::{Numbers, Subject};
use crate::app::tune::{Check, Round, Track};
use brandes::device::DeviceInfo;
use brandes::report::{About, Input};

/// A whole report of `brandes tune`. One strategy with one set of its numbers is a candidate;
/// candidates that fall behind are dropped after a round.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The report of brandes tune")]
pub struct TuneReport {
    /// What wrote it, how and where.
    #[serde(flatten)]
    pub about: About,
    /// The device; null if CPU workers were tuned.
    pub device: Option<DeviceInfo>,
    /// The graph as read.
    pub input: Input,
    /// The graph as searched, if no sources inside chains are served.
    pub prepared: PreparedGraph,
    /// What was measured.
    pub tune: TunePart,
}

/// The graph as searched.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct PreparedGraph {
    /// Vertices left to search.
    pub vertices: usize,
    /// Arcs left.
    pub arcs: usize,
    /// Vertices folded away.
    pub folded: usize,
    /// Searches needed.
    pub roots: usize,
}

/// What was measured.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TunePart {
    /// Seconds that measuring was allowed to take.
    pub budget_seconds: f64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Whether everything listed was measured and nothing dropped.
    pub sweep: bool,
    /// Roots of the graph.
    pub roots: usize,
    /// One entry per setting.
    pub candidates: Vec<Candidate>,
    /// Number of the fastest.
    pub best: usize,
    /// Number of what a run does without options.
    pub default: usize,
    /// The fastest against that.
    pub check: Check,
}

/// A setting.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// The strategy, or `cpu`.
    #[schemars(extend("enum" = Subject::names()))]
    pub strategy: String,
    /// The numbers of the strategy.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// What was measured of it.
    pub rounds: Vec<Round>,
    /// Seconds for all roots, judging by the last round.
    pub predicted_seconds: Option<f64>,
    /// After how many rounds it was dropped; null if it was not.
    pub dropped_after: Option<usize>,
    /// Why it could not search.
    pub failure: Option<String>,
}

impl From<&Track> for Candidate {
    fn from(track: &Track) -> Candidate {
        Candidate {
            strategy: track.setting.subject.name().into(),
            numbers: track.setting.numbers,
            rounds: track.rounds.clone(),
            predicted_seconds: track.predicted(),
            dropped_after: track.dropped_after,
            failure: track.failure.clone(),
        }
    }
}
