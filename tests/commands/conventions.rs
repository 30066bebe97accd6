//! Tests the smaller commands as a user sees them.

use crate::common::program::Place;

#[test]
fn help_has_examples_headings_and_a_short_form_that_fits_a_screen() {
    let place = Place::new();
    for command in [
        "report",
        "devices",
        "compare",
        "generate",
        "completions",
        "man",
    ] {
        place.run(&format!("{command} --help")).has(&["Examples:"]);
    }
    for command in ["run", "bench", "tune", "info", "convert"] {
        let short = place.run(&format!("{command} -h")).out;
        assert!(short.lines().count() <= 50, "{command}: {short}");
        let last = format!("'brandes {command} --help' lists all options, with examples.");
        assert_eq!(short.lines().last(), Some(&*last));
        let long = place.run(&format!("{command} --help")).out;
        let titles = long.lines().filter_map(|line| line.strip_suffix(':'));
        let titles = titles.filter(|line| !line.starts_with(' '));
        let titles: Vec<&str> = titles.skip_while(|title| *title != "Options").collect();
        let mut all = vec!["Options", "Input", "Output", "What to compute"];
        all.extend(["Processors", "Advanced", "Examples"]);
        all.retain(|title| titles.contains(title));
        assert!(command == "bench" || titles == all, "{command}: {titles:?}");
        assert!(titles.contains(&"Examples"), "{command}");
        // Only -h has no heading.
        let options = long.lines().skip_while(|line| *line != "Options:");
        let options = options.take_while(|line| *line != "Input:");
        let options = options.filter(|line| line.trim_start().starts_with('-'));
        assert_eq!(options.count(), 1, "{command}: {long}");
    }
    place.run("--version").has(&[env!("CARGO_PKG_VERSION")]);
    place.command("").assert().code(2);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        place.run(&format!("completions {shell}")).has(&["brandes"]);
    }
}

#[test]
fn devices_are_listed_as_table_and_json() {
    let place = Place::new();
    place.run("devices").has(&["platform"]);
    let devices = place.run("devices --json").json();
    let what = "this test needs an OpenCL device (scripts/test installs PoCL)";
    assert_eq!(devices[0]["number"], 0, "{what}");
    assert!(devices[0]["memory"].as_u64() > Some(0));
    let none = Place::new().without_opencl().run("devices --json");
    assert_eq!(none.warns(&["no OpenCL"]).out, "[]\n");
}

#[test]
fn generated_graphs_can_be_read_and_are_repeatable() {
    let place = Place::new();
    for family in [
        "rmat --scale 7",
        "barabasi-albert --vertices 50 --edges-per-vertex 2",
        "watts-strogatz --vertices 50 --neighbours 4",
        "grid --rows 5 --cols 7 --drop 0.2",
        "random-tree --vertices 30",
        "road --vertices 90 --bends 2",
        "diamonds --count 5",
    ] {
        for file in ["a.mtx", "b.mtx", "c.graph", "d.gr", "e.txt.gz"] {
            let ran = place.run(&format!("generate {family} -o {file}"));
            assert_eq!(ran.out, "");
            place.run(&format!("run {file} --device none --quiet"));
        }
        assert_eq!(place.bytes("a.mtx"), place.bytes("b.mtx"), "{family}");
    }
    place
        .run("generate grid --rows 1 --cols 3 -o -")
        .has(&["0 1\n1 2\n"]);
    place.refuse(
        "generate",
        "
        2 | grid --rows 1 --cols 3 | -o
        2 | grid --rows 1 --cols -5 -o p.txt | invalid value '-5'
        2 | road --vertices 9 -o g.csv --coordinates g.csv | --coordinates
        2 | grid --rows 3 --cols 3 --drop 2 -o - | drop",
    );
}

#[test]
fn positions_of_roads_have_the_numbers_of_the_graph() {
    let place = Place::new();
    let road = |graph: &str, positions: &str| {
        let files = format!("-o {graph} --coordinates {positions}");
        place.run(&format!("generate road --vertices 9 {files}"));
        let text = place.read(positions);
        text.lines().map(String::from).collect::<Vec<_>>()
    };
    let (named, numbered) = (road("a.csv", "p.csv"), road("a.gr", "p.co"));
    assert_eq!((&*named[0], &*numbered[0]), ("vertex,x,y", "p aux sp co 9"));
    for (v, (named, numbered)) in named[1..].iter().zip(&numbered[1..]).enumerate() {
        let (name, at) = named.split_once(',').unwrap();
        assert_eq!(name, v.to_string());
        assert_eq!(*numbered, format!("v {} {}", v + 1, at.replace(',', " ")));
    }
    assert!(road("b.gr", "p.csv")[1].starts_with("1,"));
}

/// Without MPI, each process would search everything and write the same files.
#[test]
#[cfg_attr(feature = "mpi", ignore = "scripts/check-windows runs it without MPI")]
fn processes_that_are_started_together_are_refused_without_mpi() {
    let place = Place::new();
    let run = |rank: &str, size: &str| {
        let mut command = place.command("run KARATE --device none");
        command
            .env("OMPI_COMM_WORLD_RANK", rank)
            .env("OMPI_COMM_WORLD_SIZE", size);
        command.assert()
    };
    let message = |rank: &str| {
        let output = run(rank, "2").code(2).stdout("").get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let first = message("0");
    assert!(
        first.starts_with("brandes: 2 processes were started together"),
        "{first}"
    );
    assert!(first.contains("built without MPI"), "{first}");
    assert_eq!(message("1"), "");
    // A single process is allowed.
    run("0", "1").success();
}

#[test]
fn outputs_that_a_format_cannot_hold_are_refused() {
    let name = "<graphml><graph edgedefault=\"undirected\"><node id=\"a&#10;b\"/><node id=\"c\"/>\
                <edge source=\"a&#10;b\" target=\"c\"/></graph></graphml>";
    Place::with(&[("n.graphml", name)]).refuse(
        "convert",
        "
        1 | n.graphml n.csv | which has a line end
        2 | KARATE k.tsv | k.tsv: cannot be written: graphs are not written as .tsv (write one of .txt,
        2 | KARATE k.foo.gz | graphs are not written as .foo (write one of .txt, .csv,",
    );
}

#[test]
fn unused_directions_are_a_warning() {
    let place = Place::with(&[
        ("arcs.net", "*Vertices 3\n*Arcs\n1 2\n2 3\n"),
        ("matrix.txt", "0 1 0 0\n0 0 1 0\n0 0 0 1\n0 0 0 0\n"),
    ]);
    for line in [
        "run arcs.net --device none --quiet",
        "run matrix.txt --device none --quiet",
        "info arcs.net --budget 0",
        "convert arcs.net out.csv",
    ] {
        let warning = "warning: the input has directed edges";
        let ran = place.run(line);
        ran.warns(&["--directed"]);
        assert_eq!(ran.err.matches(warning).count(), 1, "{line}");
        let directed = place.run(&format!("{line} --directed"));
        assert_eq!(directed.err.matches(warning).count(), 0, "{line}");
    }
}
