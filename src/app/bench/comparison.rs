//! What a comparison with earlier measurements says, as it goes into the report.

use schemars::JsonSchema;
use serde::Serialize;

use brandes::report::words::named;

/// Changes up to this part of the earlier time are noise.
pub const SMALLEST_CHANGE: f64 = 0.05;

/// So are changes of up to so many seconds: waking a thread takes as long, and longer on some days.
pub const SMALLEST_SECONDS: f64 = 0.001;

/// The program that measured.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The commit it was built from, if known.
    pub commit: Option<String>,
}

/// What became of a strategy on a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Faster beyond noise.
    Faster,
    /// Slower beyond noise.
    Slower,
    /// Neither can be said.
    WithinNoise,
    /// Not in the baseline, or could not search then.
    New,
    /// Not measured now.
    Gone,
    /// Could search then and cannot now.
    Failed,
    /// Something else was measured.
    NotComparable,
}

impl Verdict {
    /// For tables.
    pub fn words(self) -> String {
        named(self).replace('-', " ")
    }

    /// Whether `--fail-slower` is about this.
    pub fn is_worse(self) -> bool {
        matches!(self, Verdict::Slower | Verdict::Failed)
    }
}

/// All of it, as it goes into the report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Comparison {
    /// The baseline, as given.
    pub path: String,
    /// What measured it.
    pub program: Program,
    /// [`SMALLEST_CHANGE`].
    pub smallest_change: f64,
    /// [`SMALLEST_SECONDS`].
    pub smallest_seconds: f64,
    /// What else has changed since then, so that times may have for that reason.
    pub warnings: Vec<String>,
    /// One entry per graph and strategy that was measured now or, on the same graphs, then.
    pub rows: Vec<Row>,
    /// Graphs of the baseline that were not measured now.
    pub graphs_gone: Vec<String>,
}

/// A strategy on a graph.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Row {
    /// The graph: the last part of its path.
    pub graph: String,
    /// The strategy.
    pub strategy: String,
    /// What became of it.
    pub verdict: Verdict,
    /// Median of the earlier times.
    pub baseline_seconds: Option<f64>,
    /// Median of the times now.
    pub seconds: Option<f64>,
    /// From one to the other: 0.2 for a fifth more time.
    #[schemars(extend("minimum" = -1))]
    pub change: Option<f64>,
    /// What else is to be said.
    pub note: Option<String>,
}
