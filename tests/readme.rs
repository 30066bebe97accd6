//! Every `brandes` command of the README works as it stands there, in the order it stands there.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn every_command_works() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    let commands: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.contains("brandes ") && !line.starts_with('#'))
        .collect();
    assert!(commands.len() >= 8, "{commands:?}");

    // A copy of what the commands read, so that what they write does not end up in the project.
    let folder = tempfile::tempdir().unwrap();
    let graphs = folder.path().join("bench-graphs");
    fs::create_dir(&graphs).unwrap();
    for entry in fs::read_dir(project.join("bench-graphs")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, graphs.join(path.file_name().unwrap())).unwrap();
        }
    }
    let built = Path::new(env!("CARGO_BIN_EXE_brandes")).parent().unwrap();
    let path = format!("{}:{}", built.display(), env::var("PATH").unwrap());
    for command in commands {
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", command])
            .current_dir(folder.path())
            .env("PATH", &path);
        if command.contains("brandes tune") {
            // What it finds must not decide what later tests see.
            bash.env("BRANDES_CACHE_DIR", folder.path().join("cache"));
        }
        let output = bash.output().unwrap();
        assert!(
            output.status.success(),
            "{command}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
