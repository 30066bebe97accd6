//! Tests that the commands of `docs/streets.md` work in the written order, without a device, and
//! that the map is the picture of the tutorial.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::common::program::Place;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns a folder with the graphs and scripts of the project.
fn place() -> Place {
    let place = Place::new();
    for name in ["scripts", "bench-graphs"] {
        symlink(project().join(name), place.at(name)).unwrap();
    }
    place
}

#[test]
fn every_command_works_and_draws_all_streets() {
    let tutorial = fs::read_to_string(project().join("docs/streets.md")).unwrap();
    let lines = tutorial
        .lines()
        .filter_map(|line| line.strip_prefix("    "));
    let commands: Vec<&str> = lines.collect();
    assert!(commands.len() >= 10, "{commands:?}");
    let place = place();
    for command in commands {
        let line = command
            .replace("--vertices 6000", "--vertices 2000")
            .replace("--weighted", "--device none --weighted");
        place.bash(&line);
    }
    for (picture, map) in [("street-map", "map.svg"), ("street-shops", "to-shops.svg")] {
        let picture = project().join(format!("docs/pictures/{picture}.svg"));
        let drawn = fs::read_to_string(&picture).unwrap();
        assert!(
            drawn == place.read(map),
            "{picture:?} is not what docs/streets.md draws"
        );
    }
    let map = place.read("road.svg");
    let parsed = roxmltree::Document::parse(&map).unwrap();
    let paths = parsed.descendants().filter_map(|node| node.attribute("d"));
    let drawn: usize = paths.map(|path| path.matches('M').count()).sum();
    assert_eq!(drawn, place.read("road.csv").lines().count() - 1);
    // One junction has three shops, so `reach` of junctions near it is 3.
    let near = place.read("near-shops.csv");
    assert!(near.starts_with("vertex,reach_400,reach_800\n") && near.contains(",3\n"));
}

#[test]
fn messages_name_missing_positions_and_scores() {
    let place = place();
    place.write("p.csv", "vertex,x,y\na,0,0\nb,3,4\n");
    place.write("e.csv", "source,target,score\na,b,2\nb,c,2\n");
    place.write("ab.csv", "source,target,score\na,b,2\n");
    let data = r#"<key id="b" attr.name="betweenness"/><graph><node id="1"/>
        <edge source="1" target="1"><data key="b">2</data></edge></graph>"#;
    place.write("bare.graphml", format!("<graphml>{data}</graphml>"));
    let town = "bench-graphs/town.graphml.gz";
    for (args, message) in [
        ("p.csv e.csv", "p.csv: vertex c of e.csv has no position"),
        ("p.csv ab.csv --column x", "ab.csv has no scores 'x'"),
        ("bare.graphml", "bare.graphml: a node has no x and y"),
        (town, "town.graphml.gz has no scores of edges"),
    ] {
        let mut command = Command::new(project().join("scripts/map-scores"));
        command.args(args.split(' ')).args(["-o", "map.svg"]);
        let output = command.current_dir(place.at("")).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
        assert!(!place.at("map.svg").exists());
    }
}
