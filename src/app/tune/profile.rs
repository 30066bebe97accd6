//! What was found, kept for later runs: in a file of the user's choice, and in the cache folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::app::bench::{Numbers, Setting, Subject};
use brandes::device::{DeviceInfo, cache};
use brandes::engine::Precision;
use brandes::graph::{Graph, fingerprint};
use brandes::output::read_back;

/// Version of the shape of a profile; grows with every incompatible change.
pub const PROFILE_SCHEMA_VERSION: u32 = 1;
/// What a profile says that it is.
const KIND: &str = "profile";
/// What the names of profiles in the cache folder begin with.
const PREFIX: &str = "tuned-";

/// The best setting of a device for a graph. `docs/tune.md` describes every field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "A profile that brandes tune writes and brandes run takes")]
pub struct Profile {
    /// [`PROFILE_SCHEMA_VERSION`].
    #[schemars(extend("const" = PROFILE_SCHEMA_VERSION))]
    pub schema_version: u32,
    /// `profile`.
    pub kind: String,
    /// Version of the program that wrote it.
    pub program_version: String,
    /// Seconds since 1970, if the clock is later.
    pub written: Option<u64>,
    /// [`fingerprint`] of the graph, in 16 hexadecimal digits.
    #[schemars(regex(pattern = "^[0-9a-f]{16}$"))]
    pub fingerprint: String,
    /// What it was tuned for.
    #[serde(flatten)]
    pub hardware: Hardware,
    /// Number type it was tuned with.
    pub precision: Precision,
    /// Strategy, as behind `--strategy`.
    #[schemars(extend("enum" = Subject::names()))]
    pub strategy: String,
    /// The numbers of the strategy.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// Of strategy `cpu`: `--cpu-engine`; null for the program's choice, as in profiles of earlier
    /// versions, which have none.
    #[serde(default)]
    pub cpu_engine: Option<String>,
    /// `--cpu-lanes`.
    #[serde(default)]
    pub cpu_lanes: Option<u32>,
    /// Seconds that a search from all roots takes, as far as was measured.
    pub seconds: Option<f64>,
}

/// What a setting was found for: a device, or the cores of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Hardware {
    /// Name of the device, or model of the CPU.
    pub device: String,
    /// Version of its driver, or how many cores there are.
    pub driver: String,
}

impl Hardware {
    /// A device.
    pub fn device(info: &DeviceInfo) -> Hardware {
        Hardware {
            device: info.name.clone(),
            driver: info.driver.clone(),
        }
    }

    /// The cores of this machine, whose CPU is called `model`.
    pub fn cores(model: Option<String>) -> Hardware {
        Hardware {
            device: model.unwrap_or_else(|| "CPU".into()),
            driver: match num_cpus::get() {
                1 => "1 core".into(),
                cores => format!("{cores} cores"),
            },
        }
    }
}

/// A profile's graph, as text.
pub fn graph_key(graph: &Graph) -> String {
    format!("{:016x}", fingerprint(graph))
}

impl Profile {
    /// Of this setting.
    pub fn new(
        graph: &Graph,
        hardware: Hardware,
        precision: Precision,
        setting: &Setting,
        seconds: Option<f64>,
    ) -> Profile {
        let written = SystemTime::now().duration_since(UNIX_EPOCH);
        let (mut numbers, mut cpu_lanes) = (setting.numbers, None);
        let (subject, cpu_engine) = match setting.subject {
            Subject::Engine(engine) => {
                cpu_lanes = numbers.lanes.take();
                (Subject::Cpu, Some(engine.name().into()))
            }
            other => (other, None),
        };
        Profile {
            schema_version: PROFILE_SCHEMA_VERSION,
            kind: KIND.into(),
            program_version: env!("CARGO_PKG_VERSION").into(),
            written: written.ok().map(|since| since.as_secs()),
            fingerprint: graph_key(graph),
            hardware,
            precision,
            strategy: subject.name().into(),
            numbers,
            cpu_engine,
            cpu_lanes,
            seconds,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// In one line, if it cannot be read or is no profile.
    pub fn load(path: &Path) -> Result<Profile> {
        let shown = path.display();
        let bytes = read_back(path).map_err(|error| anyhow!("{shown}: {error}"))?;
        Profile::parse(&bytes).map_err(|what| {
            anyhow!("{shown}: {what}; 'brandes tune GRAPH --profile FILE' writes profiles")
        })
    }

    /// Reads the text of a file; the error says what it is not.
    fn parse(text: &[u8]) -> Result<Profile> {
        /// What every file of this program begins with.
        #[derive(Deserialize)]
        struct Head {
            schema_version: u32,
            kind: String,
        }
        const NONE: &str = "this is not a profile";
        let head: Head = serde_json::from_slice(text).map_err(|e| anyhow!("{NONE} ({e})"))?;
        ensure!(
            head.kind == KIND,
            "{NONE}, but a file of kind '{}'",
            head.kind
        );
        ensure!(
            head.schema_version == PROFILE_SCHEMA_VERSION,
            "this profile is of version {}, and this program reads version \
             {PROFILE_SCHEMA_VERSION}",
            head.schema_version
        );
        serde_json::from_slice(text).map_err(|e| anyhow!("{NONE} ({e})"))
    }

    /// Keeps it in the cache folder, in place of an earlier one of the same graph, device and
    /// number type. Returns where; a cache that cannot be written is no reason to complain.
    pub fn keep(&self) -> Option<PathBuf> {
        let path = kept_at(&self.fingerprint, &self.hardware, self.precision)?;
        let folder = path.parent()?;
        fs::create_dir_all(folder).ok()?;
        // Renamed when whole: another run may be reading.
        let mut file = tempfile::NamedTempFile::new_in(folder).ok()?;
        serde_json::to_writer_pretty(&mut file, self).ok()?;
        file.write_all(b"\n").ok()?;
        file.persist(&path).ok()?;
        Some(path)
    }

    /// The profile kept of a graph and a device, or of CPU workers, if it is whole.
    pub fn kept(key: &str, of: &Hardware, precision: Precision) -> Option<(PathBuf, Profile)> {
        let path = kept_at(key, of, precision)?;
        let profile = Profile::load(&path).ok()?;
        // The name is only a hash.
        let is = (&*profile.fingerprint, &profile.hardware, profile.precision);
        (is == (key, of, precision)).then_some((path, profile))
    }
}

/// Whether a profile is kept of some graph, or of this one, for some device: a look at the names in
/// the cache folder, so that runs need not wait for devices for nothing.
pub fn any_kept(key: Option<&str>) -> bool {
    let prefix = format!("{PREFIX}{}", key.unwrap_or(""));
    let entries = cache::folder().and_then(|folder| fs::read_dir(folder).ok());
    let mut names = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().starts_with(&prefix))
}

fn kept_at(key: &str, of: &Hardware, precision: Precision) -> Option<PathBuf> {
    let of = format!("{}\n{}\n{precision:?}", of.device, of.driver);
    let name = format!("{PREFIX}{key}-{:016x}.json", xxh3_64(of.as_bytes()));
    Some(cache::folder()?.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_profile_says_so() {
        let fails = |text: &str| Profile::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(fails("hello").starts_with("this is not a profile (expected"));
        assert!(fails("{}").starts_with("this is not a profile (missing field"));
        let head =
            |kind: &str, version| format!(r#"{{"schema_version":{version},"kind":"{kind}"}}"#);
        assert_eq!(
            fails(&head("tune", 1)),
            "this is not a profile, but a file of kind 'tune'"
        );
        assert!(fails(&head(KIND, 2)).starts_with("this profile is of version 2"));
        assert!(fails(&head(KIND, 1)).contains("missing field"));
    }
}
