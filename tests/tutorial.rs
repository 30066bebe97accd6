//! Tests that the commands of `docs/tutorial.md` work in the written order, on small graphs and on
//! the first OpenCL device. (The tutorial names no device.)

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Options that the test adds to commands.
const ADDED_OPTIONS: [(&str, &str); 4] = [
    ("brandes info ", "--device 0 --budget 1 "),
    ("brandes tune ", "--device 0 --budget 3 "),
    ("brandes bench ", "--device 0 --repeat 2 "),
    ("brandes run ", "--device 0 "),
];

#[test]
fn every_command_works() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tutorial = fs::read_to_string(project.join("docs/tutorial.md")).unwrap();
    let commands: Vec<&str> = tutorial
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with("brandes "))
        .collect();
    for name in ["info", "run", "tune", "bench", "report"] {
        let known = commands
            .iter()
            .any(|line| line.split(' ').nth(1) == Some(name));
        assert!(known, "{name}");
    }

    // The folder holds small graphs with the names of those that the tutorial downloads.
    let folder = tempfile::tempdir().unwrap();
    let downloads = folder.path().join("bench-graphs/downloads");
    fs::create_dir_all(&downloads).unwrap();
    let graphs = project.join("bench-graphs");
    let copy = |from: &str, to: &str| {
        fs::copy(graphs.join(from), downloads.join(to)).unwrap();
    };
    copy("rmat-10.txt.gz", "facebook_combined.txt.gz");
    copy("diamonds-20.mtx", "luxembourg_osm.mtx.gz");

    let built = Path::new(env!("CARGO_BIN_EXE_brandes")).parent().unwrap();
    let path = format!("{}:{}", built.display(), env::var("PATH").unwrap());
    for command in commands {
        let mut line = command.to_string();
        for (start, options) in ADDED_OPTIONS {
            line = line.replace(start, &format!("{start}{options}"));
        }
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &line])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("BRANDES_CACHE_DIR", folder.path().join("cache"))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{line}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("\"kind\": \"tune\"") && page.contains("</html>"));
}
