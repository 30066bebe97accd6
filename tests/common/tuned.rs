//! Runs `brandes tune` with its own cache folder, and finds the profiles in it.

use std::fs;
use std::path::PathBuf;

use assert_cmd::{Command, cargo_bin_cmd};
use serde_json::Value;
use tempfile::TempDir;

use super::program::{KARATE, read_json};

/// Returns the program with its own cache folder for profiles. (It builds kernels anew, so tests
/// use few strategies where possible.)
pub fn brandes(cache: &TempDir) -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.env("BRANDES_CACHE_DIR", cache.path());
    command
}

pub fn tune(cache: &TempDir, args: &[&str]) -> Command {
    let mut command = brandes(cache);
    command.arg("tune").args(args).args(["--device", "0"]);
    command
}

pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Returns the names of the profiles in the cache.
pub fn cached_profiles(cache: &TempDir) -> Vec<String> {
    let names = fs::read_dir(cache.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("tuned-")).collect()
}

/// Returns the plan in a run's report.
pub fn plan(command: &mut Command) -> Value {
    let folder = folder();
    let path = folder.path().join("report.json");
    command.arg("--report").arg(&path).assert().success();
    read_json(&path)["plan"].clone()
}

/// Puts a profile of `tune` in the cache, changed by `change`; returns its path.
pub fn cache_profile(cache: &TempDir, change: impl Fn(&mut Value)) -> PathBuf {
    let mut command = tune(
        cache,
        &[KARATE, "--strategy", "virtual", "--budget", "0.01"],
    );
    command.assert().success();
    let path = cache.path().join(&cached_profiles(cache)[0]);
    let mut profile = read_json(&path);
    change(&mut profile);
    fs::write(&path, profile.to_string()).unwrap();
    path
}

/// Returns `brandes tune` in an environment without OpenCL devices.
pub fn tune_cpu(cache: &TempDir, args: &[&str]) -> Command {
    let mut command = brandes(cache);
    command.arg("tune").args(args).args(["--budget", "1"]);
    command.env("OCL_ICD_VENDORS", cache.path());
    command.env("OCL_ICD_FILENAMES", "");
    command
}
