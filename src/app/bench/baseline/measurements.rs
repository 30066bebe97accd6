//! What a file of `brandes bench --report` says, as far as it is compared.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::app::bench::timing::Spread;
use brandes::output::read_back;
use brandes::prepare::RootSelection;

/// The only version of the shape of the file that there is.
const VERSION: u64 = 1;

/// A file of measurements.
#[derive(Debug, Clone, Deserialize)]
pub struct Measurements {
    /// What measured.
    pub program: Program,
    /// Where.
    pub host: Host,
    /// The device measured; none if only CPU workers were.
    pub devices: Vec<Device>,
    /// How.
    pub options: Options,
    /// What came out.
    pub graphs: Vec<Measured>,
}

/// The program that measured.
#[derive(Debug, Clone, Deserialize, serde::Serialize, schemars::JsonSchema)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The commit it was built from, if known.
    pub commit: Option<String>,
}

/// The machine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Host {
    /// Logical cores.
    pub cores: usize,
    /// Model of the CPU, if known.
    pub cpu: Option<String>,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// Version of its driver.
    pub driver: String,
}

/// Options that times depend on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Options {
    /// `--precision`.
    pub precision: String,
    /// `--work-group`.
    pub work_group: Option<usize>,
    /// `--degree`.
    pub degree: Option<u32>,
    /// `--lanes`.
    pub lanes: Option<u32>,
    /// `--cpu-workers`.
    pub cpu_workers: Option<usize>,
    /// `--roots`. Early reports do not say it.
    #[serde(default = "all_roots")]
    pub roots: String,
}

fn all_roots() -> String {
    RootSelection::All.to_string()
}

/// A graph.
#[derive(Debug, Clone, Deserialize)]
pub struct Measured {
    /// Path as given.
    pub path: String,
    /// Whether arcs count in one direction only.
    pub directed: bool,
    /// Vertices of the input.
    pub vertices: usize,
    /// Its edges.
    pub edges: usize,
    /// One entry per strategy.
    pub strategies: Vec<Times>,
}

/// A strategy on a graph.
#[derive(Debug, Clone, Deserialize)]
pub struct Times {
    /// Its name.
    pub strategy: String,
    /// Seconds of every repeat.
    pub seconds: Vec<f64>,
    /// Whether they are scaled from a sample.
    pub estimated: bool,
    /// Roots of the sample, or all.
    pub roots_searched: usize,
    /// Why it could not search.
    pub failure: Option<String>,
}

/// Why there is nothing to compare with.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The file cannot be read.
    #[error("{path}: cannot be read")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("{path}: is no report of 'brandes bench' that can be compared with: {reason}")]
    Shape {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
}

impl Measurements {
    /// Reads the file that an earlier `brandes bench --report` wrote.
    ///
    /// # Errors
    /// [`BaselineError`] if it cannot be read or is something else.
    pub fn read(path: &Path) -> Result<Measurements, BaselineError> {
        let text = read_back(path).map_err(|source| BaselineError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        serde_json::from_slice(&text)
            .map_err(|error| error.to_string())
            .and_then(Measurements::of)
            .map_err(|reason| BaselineError::Shape {
                path: path.to_path_buf(),
                reason,
            })
    }

    /// Of a report that need not be a file.
    ///
    /// # Errors
    /// What a report of `brandes bench` should have and this one has not.
    pub fn of(report: Value) -> Result<Measurements, String> {
        if let Some(kind) = report["kind"].as_str().filter(|kind| *kind != "bench") {
            return Err(format!("it is of kind '{kind}'"));
        }
        if let Some(version) = report["schema_version"].as_u64().filter(|&v| v != VERSION) {
            return Err(format!("it has schema_version {version}"));
        }
        serde_json::from_value(report).map_err(|error| error.to_string())
    }

    /// The measurements of the graph that `other` was measured on, wherever it was then: the path
    /// decides, and else the name of the file.
    pub fn graph_like(&self, other: &Measured) -> Option<&Measured> {
        let same_path = self.graphs.iter().find(|graph| graph.path == other.path);
        same_path.or_else(|| self.graphs.iter().find(|g| g.name() == other.name()))
    }
}

impl Measured {
    /// The last part of the path: what tables call it.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// What was measured of a strategy.
    pub fn times(&self, strategy: &str) -> Option<&Times> {
        self.strategies.iter().find(|t| t.strategy == strategy)
    }
}

impl Times {
    /// Median seconds; none if it could not search.
    pub fn median(&self) -> Option<f64> {
        let spread = Spread::of(&self.seconds).filter(|_| self.failure.is_none());
        spread.map(|spread| spread.median)
    }
}
