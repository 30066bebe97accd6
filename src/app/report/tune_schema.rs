//! The JSON file of `brandes tune`. `docs/schema/tune-report.schema.json` describes every
//! field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench_schema::GraphPart;
use brandes::device::DeviceInfo;
use brandes::report::About;

/// A whole report of `brandes tune`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The report of brandes tune")]
pub struct TuneReport {
    /// The program that wrote it, its command, and the machine.
    #[serde(flatten)]
    pub about: About,
    /// The device; an empty list if CPU workers were tuned.
    pub devices: Vec<DeviceInfo>,
    /// The graph, with the last measurement of each setting.
    pub graphs: Vec<GraphPart>,
    /// The result.
    pub tune: TunePart,
}

/// The result. Settings are given by their places in `strategies`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TunePart {
    /// Seconds that measuring may take.
    pub budget_seconds: f64,
    /// Seconds that measuring took.
    pub seconds: f64,
    /// The fastest setting.
    pub best: usize,
    /// The default setting of a run.
    pub default: usize,
    /// The setting to use: the fastest, or the default if that is as fast.
    pub adopted: usize,
    /// The settings that were dropped for being slow.
    pub dropped: Vec<usize>,
    /// The comparison of the fastest setting with the default, in words.
    pub verdict: String,
}
