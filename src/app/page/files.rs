//! What the page needs of the JSON files, field by field; what it does not show is not here. The
//! schemas in `src/app/report/` say what the fields mean.

use serde::Deserialize;

/// What all reports begin with.
#[derive(Debug, Deserialize)]
pub struct About {
    pub program: Program,
    pub command: Vec<String>,
    pub host: Host,
}

#[derive(Debug, Deserialize)]
pub struct Program {
    pub name: String,
    pub version: String,
    pub commit: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Host {
    pub cores: u64,
    pub cpu: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Device {
    pub number: u64,
    pub name: String,
    pub driver: String,
}

#[derive(Debug, Deserialize)]
pub struct Input {
    pub path: String,
    pub directed: bool,
    pub vertices: u64,
    pub edges: u64,
}

/// A report of `brandes run`.
#[derive(Debug, Deserialize)]
pub struct Run {
    #[serde(flatten)]
    pub about: About,
    pub input: Input,
    pub prepared: Prepared,
    pub plan: RunPlan,
    pub devices: Vec<RunDevice>,
    pub workers: Vec<Worker>,
    pub timeline: Vec<TimelineSpan>,
    pub initialisation: Option<Initialisation>,
    pub totals: Totals,
    /// Reports of before there were any have none, and no distributions.
    pub results: Option<Results>,
    pub distributions: Option<Distributions>,
    pub checks: Checks,
}

#[derive(Debug, Deserialize)]
pub struct Prepared {
    pub vertices: u64,
    pub arcs: u64,
    pub folded: u64,
    pub roots: u64,
    pub partial: bool,
}

#[derive(Debug, Deserialize)]
pub struct RunPlan {
    pub strategy: Option<String>,
    pub why: String,
    pub degree: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub struct RunDevice {
    #[serde(flatten)]
    pub info: Device,
    pub state: String,
    pub error: Option<String>,
    pub plan: Option<EnginePlan>,
}

#[derive(Debug, Deserialize)]
pub struct EnginePlan {
    pub strategy: String,
    pub degree: Option<u64>,
    pub lanes: u64,
}

#[derive(Debug, Deserialize)]
pub struct Worker {
    pub kind: String,
    pub number: u64,
    pub engine: Option<String>,
    pub roots: u64,
    pub busy_seconds: f64,
    pub idle_tail_seconds: f64,
}

#[derive(Debug, Deserialize)]
pub struct TimelineSpan {
    pub track: String,
    pub name: String,
    pub start: f64,
    pub end: f64,
}

#[derive(Debug, Deserialize)]
pub struct Initialisation {
    pub ready: Option<f64>,
    pub graph_ready: f64,
    pub sticks_out_seconds: f64,
}

#[derive(Debug, Deserialize)]
pub struct Totals {
    pub seconds: f64,
    pub search_seconds: f64,
    pub peak_rss_bytes: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub struct Checks {
    pub warnings: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Results {
    pub top: Vec<TopVertex>,
    pub by_degree: Vec<DegreeBin>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct TopVertex {
    pub vertex: String,
    pub score: f64,
    pub degree: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct DegreeBin {
    pub from: u64,
    pub to: u64,
    pub count: u64,
    pub mean: f64,
    pub max: f64,
}

#[derive(Debug, Deserialize)]
pub struct Distributions {
    pub degree: Vec<Bin>,
    pub score: Vec<Bin>,
    pub score_zeros: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct Bin {
    pub from: f64,
    pub to: f64,
    pub count: u64,
}

/// A report of `brandes bench`.
#[derive(Debug, Deserialize)]
pub struct Bench {
    #[serde(flatten)]
    pub about: About,
    pub devices: Vec<Device>,
    pub graphs: Vec<BenchGraph>,
}

#[derive(Debug, Deserialize)]
pub struct BenchGraph {
    pub path: String,
    pub vertices: u64,
    pub edges: u64,
    pub roots: u64,
    pub strategies: Vec<Measured>,
    pub auto: Option<AutoChoice>,
    pub ablation: Option<Ablation>,
}

#[derive(Debug, Deserialize)]
pub struct Measured {
    pub strategy: String,
    pub spread: Option<Spread>,
    pub estimated: bool,
    pub roots_searched: u64,
    pub roots: u64,
    pub plan: Option<EnginePlan>,
    pub failure: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

#[derive(Debug, Deserialize)]
pub struct AutoChoice {
    pub chose: String,
    pub best: String,
    pub times_best: f64,
}

#[derive(Debug, Deserialize)]
pub struct Ablation {
    pub spread: Option<Spread>,
    pub sources: u64,
    pub sampled: bool,
    pub rows: Vec<AblationRow>,
}

#[derive(Debug, Deserialize)]
pub struct AblationRow {
    pub switch: String,
    pub spread: Option<Spread>,
    pub change: Option<f64>,
    /// Mean and standard deviation.
    pub original: Option<(f64, f64)>,
    pub failure: Option<String>,
}

/// A report of `brandes tune`.
#[derive(Debug, Deserialize)]
pub struct Tune {
    #[serde(flatten)]
    pub about: About,
    /// None if CPU workers were tuned.
    pub device: Option<Device>,
    pub input: Input,
    pub tune: Tuning,
}

impl Tune {
    /// What was tuned, in words.
    pub fn place(&self) -> &str {
        let device = self.device.as_ref();
        device.map_or("CPU workers", |device| &device.name)
    }
}

#[derive(Debug, Deserialize)]
pub struct Tuning {
    pub budget_seconds: Option<f64>,
    pub seconds: f64,
    pub roots: u64,
    pub candidates: Vec<Candidate>,
    /// Index into `candidates`.
    pub best: Option<usize>,
    /// Index into `candidates`.
    pub default: Option<usize>,
    pub check: Option<TuneCheck>,
}

#[derive(Debug, Deserialize)]
pub struct Candidate {
    pub strategy: String,
    pub degree: Option<u64>,
    pub lanes: Option<u64>,
    pub warp_size: Option<u64>,
    pub work_group: Option<u64>,
    pub rounds: Vec<Round>,
    pub predicted_seconds: Option<f64>,
    /// The round after which it was given up.
    pub dropped_after: Option<u64>,
    pub failure: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Round {
    pub roots: u64,
    pub seconds: Vec<f64>,
    pub median: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub struct TuneCheck {
    pub roots: u64,
    pub best_seconds: Vec<f64>,
    pub default_seconds: Vec<f64>,
    pub ratio: Option<f64>,
    pub adopted: String,
}
