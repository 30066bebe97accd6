//! Tests that the commands of `docs/streets.md` work in the written order, without a device, and
//! that the map is the picture of the tutorial.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns a folder with the graphs and scripts of the project.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["scripts", "bench-graphs"] {
        symlink(project().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// Runs `scripts/map-scores` in the folder.
fn map_scores(folder: &TempDir, args: &str) -> Output {
    let mut command = Command::new(project().join("scripts/map-scores"));
    command.args(args.split(' ')).current_dir(folder.path());
    command.output().unwrap()
}

#[test]
fn every_command_works_and_draws_all_streets() {
    let tutorial = fs::read_to_string(project().join("docs/streets.md")).unwrap();
    let commands: Vec<&str> = tutorial
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    assert!(commands.len() >= 10, "{commands:?}");

    let folder = folder();
    let built = Path::new(env!("CARGO_BIN_EXE_brandes")).parent().unwrap();
    let path = format!("{}:{}", built.display(), env::var("PATH").unwrap());
    for command in commands {
        let line = command
            .replace("--vertices 6000", "--vertices 2000")
            .replace("--weighted", "--device none --weighted");
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &line])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}\n{stderr}");
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for (picture, map) in [("street-map", "map.svg"), ("street-shops", "to-shops.svg")] {
        let picture = project().join(format!("docs/pictures/{picture}.svg"));
        let drawn = fs::read_to_string(&picture).unwrap();
        assert!(
            drawn == read(map),
            "{picture:?} is not what docs/streets.md draws"
        );
    }
    let map = read("road.svg");
    let parsed = roxmltree::Document::parse(&map).unwrap();
    let paths = parsed.descendants().filter_map(|node| node.attribute("d"));
    let drawn: usize = paths.map(|path| path.matches('M').count()).sum();
    assert_eq!(drawn, read("road.csv").lines().count() - 1);
    // One junction has three shops, so `reach` of junctions near it is 3.
    let near = read("near-shops.csv");
    assert!(near.starts_with("vertex,reach_400,reach_800\n") && near.contains(",3\n"));
}

#[test]
fn messages_name_missing_positions_and_scores() {
    let folder = folder();
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    file("p.csv", "vertex,x,y\na,0,0\nb,3,4\n");
    file("e.csv", "source,target,score\na,b,2\nb,c,2\n");
    file("ab.csv", "source,target,score\na,b,2\n");
    let data = r#"<key id="b" attr.name="betweenness"/><graph><node id="1"/>
        <edge source="1" target="1"><data key="b">2</data></edge></graph>"#;
    file("bare.graphml", &format!("<graphml>{data}</graphml>"));
    for (args, message) in [
        ("p.csv e.csv", "p.csv: vertex c of e.csv has no position"),
        ("p.csv ab.csv --column x", "ab.csv has no scores 'x'"),
        ("bare.graphml", "bare.graphml: a node has no x and y"),
        (
            "bench-graphs/town.graphml.gz",
            "town.graphml.gz has no scores of edges",
        ),
    ] {
        let output = map_scores(&folder, &format!("{args} -o map.svg"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
        assert!(!folder.path().join("map.svg").exists());
    }
}
