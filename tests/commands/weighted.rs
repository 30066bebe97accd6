//! Tests `--weighted` and `--edges` as a user sees them.

use crate::common::program::{Place, Ran, expect};

/// A graph with two paths from a to c, both of length 0.3.
const TIE: &str = "a b 0.1\nb c 0.2\na c 0.3\n";

/// The path a, b, c, d is as long as a, e, d, but has one more edge, of length 0.
const ZEROS: &str = "a b 1\nb c 0\nc d 1\na e 1\ne d 1\nb f 0\n";

fn run(input: &str, options: &str) -> Ran {
    let line = format!("run - --device none {options}");
    Place::new().pipe(input, &line)
}

#[test]
fn scores_of_vertices_and_edges() {
    let two = 2.0 / 3.0;
    let of_edges = |rows: &str| format!("source,target,score\n{rows}");
    let normalized = of_edges(&format!("1,2,{two}\n2,3,{two}\n"));
    for (input, options, scores) in [
        (
            TIE,
            "--weighted --scores -",
            "vertex,score\na,0\nb,0.5\nc,0\n",
        ),
        (
            TIE,
            "--weighted --edges -",
            &of_edges("a,b,1.5\na,c,0.5\nb,c,1.5\n"),
        ),
        (
            "c b\nb \"\"\"a,1\"\n",
            "--edges - --directed",
            &of_edges("c,b,2\nb,\"\"\"a,1\",2\n"),
        ),
        ("7 3\n3 5\n", "--edges -", &of_edges("3,7,2\n3,5,2\n")),
        ("1 2\n2 3\n", "--edges - --normalized", &normalized),
        // At a distance of 0 there are no closeness and no sum of inverses.
        (
            "a b 0\nb c 1\n",
            "--weighted --scores - --measures closeness,harmonic,reach --radius 0",
            "vertex,closeness_0,harmonic_0,reach_0\na,0,0,1\nb,0,0,1\nc,0,0,0\n",
        ),
    ] {
        assert_eq!(run(input, options).out, scores, "{options}");
    }
    let zeros = run(ZEROS, "--weighted --quiet --scores -");
    assert_eq!(zeros.lines(), "vertex,score a,2 b,5 c,2 d,1 e,1 f,0");
    zeros.warns(&["warning: some edges have length 0 and count as"]);
}

#[test]
fn the_report_describes_the_weights() {
    let similarity = "--weight-is similarity --tie-tolerance 0";
    let primes = "a b 4294967291\nb c 4294967279\nc d 4294967231\n";
    // Options of the user apply, whatever the lengths are.
    for (input, options, [kind, unit, ties]) in [
        (TIE, "", ["integers", "0.1", "\"exact\""]),
        (
            primes,
            similarity,
            ["floats", "null", "{\"tolerance\": 0.0}"],
        ),
        (
            TIE,
            "--tie-tolerance 0.01",
            ["floats", "null", "{\"tolerance\": 0.01}"],
        ),
        (TIE, "--tie-tolerance 0", ["integers", "0.1", "\"exact\""]),
        (
            "a b 0.3333333333333333\nb c 1\n",
            "",
            ["floats", "null", "{\"tolerance\": 1e-12}"],
        ),
    ] {
        let weights = run(input, &format!("--weighted --report - {options}")).json();
        let parts = format!("/kind = \"{kind}\"\n/unit = {unit}\n/ties = {ties}");
        expect(&weights["weights"], &parts);
        let meaning = ["length", "similarity"][usize::from(input == primes)];
        assert_eq!(weights["weights"]["meaning"], meaning);
    }
    run(TIE, "--quiet").warns(&["without --weighted they are not used"]);
    run(TIE, "--quiet --weighted").quiet();
}

#[test]
fn devices_search_weighted_graphs() {
    let scores = "vertex,score a,0 b,0.5 c,0";
    for (options, output) in [
        ("--strategy warp --warp-size 4 --scores -", scores),
        ("--strategy vertex --scores -", scores),
        ("--edges -", "source,target,score a,b,1.5 a,c,0.5 b,c,1.5"),
    ] {
        let device = "--weighted --device 0 --quiet --cpu-workers 0";
        let ran = Place::new().pipe(TIE, &format!("run - {device} {options}"));
        assert_eq!(ran.quiet().lines(), output, "{options}");
    }
}

#[test]
fn bench_and_tune_measure_strategies_for_weighted_graphs() {
    let place = Place::with(&[("g.txt", TIE)]);
    let bench = "bench g.txt --weighted --device 0 --repeat 1";
    let ran = place.run(bench);
    ran.has(&["work-efficient"]);
    assert!(ran.rows("lanes").is_empty(), "{}", ran.out);
    place.refuse(
        bench,
        "
        2 | --strategy lanes | for graphs without weights
        2 | --ablation | --ablation",
    );
    let columns = "--columns source=1,target=2,weight=3";
    let options = format!("--weighted --directed --device 0 --quiet --budget 0.1 {columns}");
    let tune = format!("tune g.txt {options}");
    let ran = place.run(&format!("{tune} --strategy warp --weight-is similarity"));
    // The winner may be the default.
    ran.has(&["brandes run uses this setting with --", "--cpu-workers 0"]);
    place.refuse(&tune, "2 | --strategy lanes | for graphs without weights");
}

#[test]
fn contradictory_options_are_refused() {
    let zero = "a b 0\nb c 0.3333333333333333\n";
    let place = Place::with(&[
        ("g.txt", "a b 1\nb c 97\na c 101\n"),
        ("zeros.txt", ZEROS),
        ("zero.txt", zero),
        ("my.txt", "a b 1\n"),
    ]);
    place.refuse(
        "run",
        "
        2 | zeros.txt --weighted --tie-tolerance 0.1 | --tie-tolerance does not go with edges of length
        1 | zero.txt --weighted | zero.txt: lengths of 0 (1 of them) need others that are multiples of
        1 | zero.txt --weighted | with sums far below 2^63 units (round the lengths to fewer digits)
        2 | --weighted my.txt | --weighted took 'my.txt' for the name of a column; put the graph in
        2 | --weighted km | required arguments
        2 | g.txt --weighted --strategy lanes | --strategy lanes is for graphs without weights",
    );
    place.refuse(
        "run g.txt --device none",
        "
        2 | --weight-is similarity | --weighted
        2 | --tie-tolerance 0 | --weighted
        2 | --weighted 2 | columns 1 and 2 are the vertices
        1 | --weighted graph.txt | there is no column 'graph.txt' (name a number from 1 to 3)
        1 | --weighted 4 | g.txt:1: there is no column 4
        2 | --weighted --tie-tolerance 1 | not a number from 0 to below 1
        2 | --weighted --reduce fold,twins | does not go with --reduce twins
        2 | --edges /dev/null --reduce fold,twins | does not go with --reduce twins
        2 | --edges - --scores - | cannot both be standard output
        2 | --weighted --cpu-engine lanes --reduce none | lanes is for graphs without weights
        2 | --weighted --cpu-lanes 8 --reduce none | --cpu-lanes is for graphs without weights",
    );
}
