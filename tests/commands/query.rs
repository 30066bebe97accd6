//! Tests measures, radii and weights of pairs in `brandes run` as a user sees them. The expected
//! values follow from the definitions.

use crate::common::program::{Place, Ran, expect};

/// A path from a through b and c to d, with lengths.
const PATH: (&str, &str) = (
    "path.csv",
    "source,target,weight\na,b,0.1\nb,c,0.2\nc,d,0.3\n",
);

/// Runs `brandes run` for the graph [`PATH`].
fn run(place: &Place, more: &str) -> Ran {
    place.run(&format!("run path.csv --device none {more}"))
}

/// Compares scores, with blanks for line ends, with those that the options give.
fn check(place: &Place, rows: &[(&str, &str)]) {
    for (options, scores) in rows {
        let ran = run(place, &format!("--quiet --scores - {options}"));
        assert_eq!(ran.lines(), *scores, "{options}");
    }
}

#[test]
fn the_table_has_the_columns_that_fit() {
    let place = Place::with(&[PATH]);
    let ran = run(&place, "--radius 1,2 --measures reach,betweenness --top 1");
    let columns = [
        "betweenness_1",
        "betweenness_2",
        "reach_1",
        "reach_2",
        "degree",
    ];
    assert_eq!(ran.rows("rank")[0][2..], columns);
    let first = [
        "1", "a", "0.000000", "0.000000", "1.000000", "2.000000", "1",
    ];
    assert_eq!(ran.rows("1")[0], first);
    let ran = run(&place, "--radius 1,2,3,4,5,6,7");
    let five = (1..=5).map(|radius| format!("betweenness_{radius} "));
    let columns = ran.rows("rank")[0][2..].join(" ");
    assert_eq!(columns, five.collect::<String>() + "degree");
    ran.has(&["\n--scores FILE writes 2 other columns too\n\n4 vertices"]);
}

#[test]
fn each_measure_and_radius_is_a_column_in_every_format() {
    let place = Place::with(&[PATH]);
    let radii = "vertex,betweenness_1,betweenness_2,betweenness_3 a,0,0,0 b,0,1,2 c,0,1,2 d,0,0,0";
    let four = "--measures eccentricity,reach,harmonic,stress --radius 2";
    let of_four = "vertex,stress_2,harmonic_2,reach_2,eccentricity_2 a,0,1.5,2,2 b,1,2.5,3,2 \
                   c,1,2.5,3,2 d,0,1.5,2,2";
    // Within the radius 1, the ends reach one of three vertices, at distance 1.
    let closeness = "--measures closeness --radius 1 --closeness-scaling component";
    // Lengths and radii are decimals: a and c are 0.1 + 0.2 apart.
    let lengths = "--weighted --radius 0.3,0.5 --score-format tsv";
    let of_lengths = "vertex\tbetweenness_0.3\tbetweenness_0.5 a\t0\t0 b\t1\t1 c\t0\t1 d\t0\t0";
    check(
        &place,
        &[
            ("", "vertex,score a,0 b,2 c,2 d,0"),
            ("--radius 3,1,2,2", radii),
            (four, of_four),
            (closeness, "vertex,closeness_1 a,1 b,1 c,1 d,1"),
            (lengths, of_lengths),
        ],
    );
    let scores = |more: &str| run(&place, &format!("--quiet --scores - {more}"));
    let improved = scores("--measures closeness --radius 1 --closeness-scaling improved");
    improved.has(&["vertex,closeness_1\na,0.333333333333333"]);
    let decayed = scores("--decay 0.5 --sort --normalized").out;
    let pairs = ((-1f64).exp() + (-1.5f64).exp()) / 3.0;
    let (vertex, score) = decayed.lines().nth(1).unwrap().split_once(',').unwrap();
    assert!(vertex == "b" && (score.parse::<f64>().unwrap() - pairs).abs() < 1e-12);

    let two = "--measures betweenness,reach";
    let json = scores(&format!("{two} --score-format json")).json();
    expect(
        &json,
        "/1 = {\"vertex\": \"b\", \"betweenness\": 2, \"reach\": 3}",
    );
    scores(&format!(
        "{two} --score-format gexf --radius 2 --edges edges.csv"
    ))
    .has(&[
        "<attvalue for=\"betweenness_2\" value=\"1\"/><attvalue for=\"reach_2\" value=\"3\"/>",
        "<attvalue for=\"edge-betweenness_2\" value=\"3\"/>",
    ]);
    scores("--radius 2,3 --measures betweenness,stress,reach --edges edges.csv");
    let expected = "source,target,betweenness_2,betweenness_3,stress_2,stress_3\n\
                    a,b,2,3,2,3\nb,c,3,4,3,4\nc,d,2,3,2,3\n";
    assert_eq!(place.read("edges.csv"), expected);
    run(&place, &format!("{two} --quiet --scores two.npy"));
    let bytes = place.bytes("two.npy");
    assert!(String::from_utf8_lossy(&bytes).contains("'shape': (4, 2"));
    let numbers = [0f64, 3.0, 2.0, 3.0, 2.0, 3.0, 0.0, 3.0].map(f64::to_le_bytes);
    assert!(bytes.ends_with(&numbers.concat()));
}

#[test]
fn files_name_the_pairs_that_count() {
    let graphml = "<graphml><key id='k' for='node' attr.name='people' attr.type='int'/><graph>\
        <node id='a'><data key='k'>2</data></node><node id='b'><data key='k'>3</data></node>\
        <node id='c'><data key='k'>5</data></node><edge source='a' target='b'/>\
        <edge source='b' target='c'/></graph></graphml>";
    let place = Place::with(&[
        PATH,
        ("some.csv", "vertex,weight\na,2\nb,0\n"),
        ("d.txt", "d\n"),
        (
            "trips.tsv",
            "source\ttarget\ttrips\na\td\t2.5\nc\tc\t9\nd\tb\t1\n",
        ),
        ("g.graphml", graphml),
    ]);
    // In undirected graphs each ordered pair counts one half. Only the pair a to d has weights.
    check(
        &place,
        &[
            (
                "--sources some.csv --targets d.txt",
                "vertex,score a,0 b,1 c,1 d,0",
            ),
            (
                "--sources some.csv --targets d.txt --directed",
                "vertex,score a,0 b,2 c,2 d,0",
            ),
            ("--demand trips.tsv", "vertex,score a,0 b,2.5 c,3.5 d,0"),
            (
                "--vertex-weights some.csv --measures reach",
                "vertex,reach a,0 b,2 c,2 d,2",
            ),
        ],
    );
    let weights = "run g.graphml --device none --vertex-weights people --quiet --scores";
    // The pairs (a, c) and (c, a) have the weight 2 * 5 each, and their sum is halved.
    let csv = place.run(&format!("{weights} -"));
    assert_eq!(csv.lines(), "vertex,score a,0 b,10 c,0");
    let copy = place.run(&format!("{weights} - --score-format graphml"));
    copy.has(&["<data key='k'>3</data><data key=\"betweenness\">10</data>"]);
    let piped = "run path.csv --device none --quiet --scores - --sources - --measures reach";
    assert_eq!(
        place.pipe("d 3\n", piped).lines(),
        "vertex,reach a,3 b,3 c,3 d,0"
    );
}

#[test]
fn the_report_says_what_was_computed() {
    let place = Place::with(&[PATH, ("two.txt", "a\nb\n")]);
    let three = "--measures closeness,eccentricity,betweenness --report r.json";
    run(&place, three).has(&[
        "rank  vertex  betweenness  closeness  eccentricity  degree",
        "betweenness, closeness, eccentricity\ndiameter 3, radius 2, mean distance 1.66666666667\n",
    ]);
    expect(
        &place.json("r.json"),
        r#"
        /query/columns = ["betweenness", "closeness", "eccentricity"]
        /query/diameter = 3.0
        /prepared/partial = false
        "#,
    );
    // Eccentricities of some vertices do not give the diameter.
    let some = run(
        &place,
        "--measures eccentricity,closeness --sources two.txt",
    );
    some.has(&["\nmean distance 1.6"]);
    let decayed = run(&place, "--radius 2,1.5 --decay 0.1 --sources two.txt");
    decayed.has(&["\nbetweenness within 1.5, 2; decay 0.1; 2 sources\n"]);
    run(&place, "--report plain.json");
    expect(&place.json("plain.json"), "/query = null");
}

#[test]
fn wrong_queries_are_refused() {
    let place = Place::with(&[
        PATH,
        ("bad.csv", "vertex,weight\na,1\nx,2\n"),
        ("negative.csv", "a -1\n"),
        ("d.txt", "d\n"),
    ]);
    place.refuse(
        "run path.csv --device none --quiet",
        "
        1 | --sources bad.csv | bad.csv:3: the graph has no vertex 'x'
        1 | --targets negative.csv | negative.csv:1: the weight '-1' is not
        1 | --demand d.txt | d.txt:1: there is no vertex in column 2
        1 | --sources none.csv | none.csv: no such file
        1 | --vertex-weights none.csv | none.csv: no such file
        1 | --vertex-weights people | vertices have no attributes in this format
        2 | --measures load | 'load' is not a measure; use some of betweenness
        2 | --radius -1 | '-1' is not a number of at least 0
        2 | --decay x | 'x' is not a number of at least 0
        2 | --sources d.txt --demand d.txt | cannot be used with
        2 | --demand d.txt --measures reach | leave --measures reach out
        2 | --demand d.txt --cpu-engine lanes | lanes does not compute --demand; leave --cpu-engine
        2 | --radius 2 --endpoints | --endpoints does not go with --radius
        2 | --radius 2 --reduce fold | --reduce fold does not go with --radius; leave one of them out
        2 | --measures reach --edges e.csv | edges have betweenness and stress only
        2 | --measures closeness --roots 0..2 | or name the sources in a file with --sources
        2 | --measures closeness --decay 1 | changes only betweenness, stress and reach; leave it out
        2 | --closeness-scaling component | --closeness-scaling changes only closeness; leave it out
        2 | --measures reach --normalized | changes only betweenness and stress; leave it out
        2 | --measures reach --directed --targets d.txt | in a directed graph --targets changes only
        2 | --sources - --targets - | not for --sources and --targets
        2 | --sources d.txt --scores d.txt | d.txt",
    );
}

#[test]
fn queries_that_no_strategy_computes_need_one_correction() {
    let place = Place::with(&[PATH, ("trips.csv", "a,d\n")]);
    for query in ["--demand trips.csv", "--measures eccentricity"] {
        place.refuse(
            &format!("run path.csv --quiet --scores - {query}"),
            "
            2 | --device 0 | leave --device, --strategy and --cpu-workers 0 out
            2 | --cpu-workers 0 | leave --device, --strategy and --cpu-workers 0 out
            2 | --strategy lanes | leave --device, --strategy and --cpu-workers 0 out",
        );
        place.run(&format!("run path.csv --quiet --scores - {query}"));
    }
}
