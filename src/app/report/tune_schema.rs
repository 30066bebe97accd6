//! The JSON file of `brandes tune`. `docs/schema/tune-report.schema.json` describes every
//! field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::bench::Subject;
use crate::app::tune::{Candidate, Check, Round};
use brandes::device::{DeviceInfo, Numbers};
use brandes::report::{About, Input};

/// A whole report of `brandes tune`. A candidate is a strategy with values of its numbers; slow
/// candidates are dropped after a round.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The report of brandes tune")]
pub struct TuneReport {
    /// The program that wrote it, its command, and the machine.
    #[serde(flatten)]
    pub about: About,
    /// The device; null if CPU workers were tuned.
    pub device: Option<DeviceInfo>,
    /// The graph as read.
    pub input: Input,
    /// The graph to search, if no sources inside chains are served.
    pub prepared: PreparedGraph,
    /// The measurements.
    pub tune: TunePart,
}

/// The graph to search.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct PreparedGraph {
    /// Vertices left to search.
    pub vertices: usize,
    /// Arcs left to search.
    pub arcs: usize,
    /// Vertices folded away.
    pub folded: usize,
    /// Searches needed.
    pub roots: usize,
}

/// The measurements.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TunePart {
    /// Seconds that measuring may take.
    pub budget_seconds: f64,
    /// Seconds that measuring took.
    pub seconds: f64,
    /// Roots of the graph.
    pub roots: usize,
    /// One entry per setting.
    pub candidates: Vec<CandidatePart>,
    /// Index of the fastest candidate.
    pub best: usize,
    /// Index of the default setting of a run.
    pub default: usize,
    /// Comparison of the fastest with the default.
    pub check: Check,
}

/// A candidate.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Candidate")]
pub struct CandidatePart {
    /// The strategy, or `cpu`.
    #[schemars(extend("enum" = Subject::names()))]
    pub strategy: String,
    /// The numbers of the strategy.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// Its measurements.
    pub rounds: Vec<Round>,
    /// Seconds for all roots, estimated from the last round.
    pub predicted_seconds: Option<f64>,
    /// The number of its rounds when it was dropped; null if it was not.
    pub dropped_after: Option<usize>,
    /// Why it could not search.
    pub failure: Option<String>,
}

impl From<&Candidate> for CandidatePart {
    fn from(candidate: &Candidate) -> CandidatePart {
        CandidatePart {
            strategy: candidate.setting.subject.name().into(),
            numbers: candidate.setting.numbers,
            rounds: candidate.rounds.clone(),
            predicted_seconds: candidate.predicted(),
            dropped_after: candidate.dropped_after,
            failure: candidate.failure.clone(),
        }
    }
}
