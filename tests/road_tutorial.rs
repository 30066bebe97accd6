//! Tests that the commands of `docs/roads.md` work in the written order, on a small network and
//! without a device.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn every_command_works_and_draws_all_streets() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tutorial = fs::read_to_string(project.join("docs/roads.md")).unwrap();
    let commands: Vec<&str> = tutorial
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    assert!(commands.len() >= 10, "{commands:?}");

    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(project.join("scripts"), folder.path().join("scripts")).unwrap();
    let built = Path::new(env!("CARGO_BIN_EXE_brandes")).parent().unwrap();
    let path = format!("{}:{}", built.display(), env::var("PATH").unwrap());
    for command in commands {
        let line = command
            .replace("--vertices 6000", "--vertices 2000")
            .replace("--weighted", "--weighted --device none")
            .replace("town.csv --weighted --device none", "town.csv --weighted");
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &line])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}\n{said}");
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for (edges, map) in [
        ("streets.csv", "map.svg"),
        ("closed-streets.csv", "closed.svg"),
    ] {
        let map = read(map);
        let parsed = roxmltree::Document::parse(&map).unwrap();
        let paths = parsed.descendants().filter_map(|node| node.attribute("d"));
        let drawn: usize = paths.map(|path| path.matches('M').count()).sum();
        assert_eq!(drawn, read(edges).lines().count() - 1, "{edges}");
    }
}

#[test]
fn positions_that_are_missing_are_told() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let positions = file("p.csv", "vertex,x,y\na,0,0\nb,3,4\n");
    let edges = file("e.csv", "source,target,score\na,b,2\nb,c,2\n");
    let output = Command::new(project.join("scripts/map-scores"))
        .args([&positions, &edges])
        .arg("-o")
        .arg(folder.path().join("map.svg"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("p.csv: vertex c of "), "{said}");
    assert!(!folder.path().join("map.svg").exists());
}
