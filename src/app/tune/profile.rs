//! Profiles: files with settings that `brandes tune` found, for later runs.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::bench::{Setting, Subject};
use brandes::device::{DeviceInfo, Numbers};
use brandes::engine::Precision;
use brandes::graph::{self, Graph};
use brandes::output::read_back;
use brandes::report::cpu_model;
use brandes::report::words::counted;

/// Version of the file format of profiles. Every incompatible change increases it.
pub const PROFILE_SCHEMA_VERSION: u32 = 1;
/// Field `kind` of a profile.
const KIND: &str = "profile";
/// The version of this program, with its level of optimisation if it is not 3.
pub const BUILD: &str = env!("BRANDES_BUILD");

/// The best setting of a device for a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "A profile that brandes tune writes and brandes run uses")]
pub struct TunedProfile {
    /// Version of the file format. Every incompatible change increases it.
    #[schemars(extend("const" = PROFILE_SCHEMA_VERSION))]
    pub schema_version: u32,
    /// `profile`.
    pub kind: String,
    /// Version of the program that wrote it, with its level of optimisation if it is not 3.
    pub program_version: String,
    /// When it was written, in seconds since 1970; null if the clock shows an earlier time.
    pub written: Option<u64>,
    /// A hash of the graph, in 16 hexadecimal digits.
    #[schemars(regex(pattern = "^[0-9a-f]{16}$"))]
    pub fingerprint: String,
    /// The hardware that it was tuned for.
    #[serde(flatten)]
    pub hardware: Hardware,
    /// Number type that it was tuned with.
    pub precision: Precision,
    /// Strategy, as for `--strategy`.
    #[schemars(extend("enum" = Subject::names()))]
    pub strategy: String,
    /// The numbers of the strategy.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// `--cpu-engine` for strategy `cpu`; null for the program's choice. Profiles of earlier
    /// versions lack it.
    pub cpu_engine: Option<String>,
    /// `--cpu-lanes`.
    pub cpu_lanes: Option<u32>,
    /// Estimated seconds of a search from all roots.
    pub seconds: Option<f64>,
}

/// The hardware that a setting was found for: a device, or the cores of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Hardware {
    /// Name of the device, or model of the CPU.
    pub device: String,
    /// Version of its driver, or the number of cores.
    pub driver: String,
}

impl Hardware {
    /// Returns a device as hardware; without one, the cores of this machine.
    pub fn new(device: Option<&DeviceInfo>) -> Hardware {
        let cores = counted(num_cpus::get(), "core");
        let (device, driver) = match device {
            Some(info) => (info.name.clone(), info.driver.clone()),
            None => (cpu_model().unwrap_or("CPU".into()), cores),
        };
        Hardware { device, driver }
    }
}

/// Returns the fingerprint of a graph as text.
pub fn fingerprint(graph: &Graph) -> String {
    format!("{:016x}", graph::fingerprint(graph))
}

impl TunedProfile {
    /// Makes the profile of a setting.
    pub fn new(
        graph: &Graph,
        hardware: Hardware,
        setting: &Setting,
        seconds: Option<f64>,
    ) -> TunedProfile {
        let written = SystemTime::now().duration_since(UNIX_EPOCH);
        let (mut numbers, engine) = (setting.numbers, setting.subject.engine());
        let cpu_lanes = engine.and_then(|_| numbers.lanes.take());
        let subject = engine.map_or(setting.subject, |_| Subject::CPU);
        TunedProfile {
            schema_version: PROFILE_SCHEMA_VERSION,
            kind: KIND.into(),
            program_version: BUILD.into(),
            written: written.ok().map(|since| since.as_secs()),
            fingerprint: fingerprint(graph),
            hardware,
            precision: setting.search_precision(),
            strategy: subject.name().into(),
            numbers,
            cpu_engine: engine.map(|engine| engine.to_string()),
            cpu_lanes,
            seconds,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or is not a profile. The message is one line.
    pub fn load(path: &Path) -> Result<TunedProfile> {
        let file = path.display();
        let bytes = read_back(path).map_err(|error| anyhow!("{file}: {error}"))?;
        TunedProfile::parse(&bytes).map_err(|what| {
            anyhow!("{file}: {what}; 'brandes tune GRAPH --profile FILE' writes profiles")
        })
    }

    /// Parses the text of a file.
    fn parse(text: &[u8]) -> Result<TunedProfile> {
        let not_a_profile = |error| anyhow!("this is not a profile ({error})");
        let value: Value = serde_json::from_slice(text).map_err(not_a_profile)?;
        let version = &value["schema_version"];
        ensure!(
            version.is_null() || *version == PROFILE_SCHEMA_VERSION,
            "this profile is of version {version}, and this program reads version \
             {PROFILE_SCHEMA_VERSION}"
        );
        serde_json::from_value(value).map_err(not_a_profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_refused() {
        let fails = |text: &str| {
            TunedProfile::parse(text.as_bytes())
                .unwrap_err()
                .to_string()
        };
        assert!(fails("hello").starts_with("this is not a profile (expected"));
        assert!(fails("{}").starts_with("this is not a profile (missing field"));
        let other = r#"{"schema_version":2,"kind":"profile"}"#;
        assert!(fails(other).starts_with("this profile is of version 2"));
    }
}
