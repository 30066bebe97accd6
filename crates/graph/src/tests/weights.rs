//! Reads weights from several formats, with repeated edges and errors.

use super::*;

fn read_weighted(
    text: &str,
    name: &str,
    directed: bool,
    weights: WeightOptions,
) -> Result<Graph, String> {
    let options = ReadOptions {
        format: Format::Auto,
        directed,
        weights: Some(weights),
        ..ReadOptions::default()
    };
    read_stream(Box::new(text.as_bytes()), name, &options)
        .map(|(graph, _)| graph)
        .map_err(|error| error.to_string())
}

/// Returns the labels of the ends of all arcs, and their lengths in units of [`WeightInfo::unit`].
fn weighted_arcs(graph: &Graph) -> Vec<(String, String, u64)> {
    let Some(Lengths::U32(lengths)) = graph.lengths() else {
        panic!("{:?}", graph.lengths());
    };
    let arcs = arcs(graph).into_iter().zip(lengths);
    arcs.map(|((tail, head), &length)| (tail, head, length.into()))
        .collect()
}

fn arc(tail: &str, head: &str, length: u64) -> (String, String, u64) {
    (tail.into(), head.into(), length)
}

#[test]
fn every_format_gives_the_same_lengths() {
    let expected = [
        arc("1", "2", 1),
        arc("1", "3", 4),
        arc("2", "1", 1),
        arc("2", "3", 6),
        arc("3", "1", 4),
        arc("3", "2", 6),
    ];
    for (name, text) in [
        ("a.txt", "1 2 0.5\n1 3 2 \n2 3 3.0\n"),
        ("a.tsv", "# c\n1\t2\t5e-1\n1\t3\t2\n2\t3\t30e-1\n"),
        (
            "a.mtx",
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 0.50\n3 1 2\n3 2 3\n",
        ),
        ("a.graph", "3 3 001 4\n2 .5 3 2\n1 0.5 3 3\n1 2 2 3\n"),
        (
            "b.graph",
            "3 3 011\n9 2 0.5 3 2.0\n9 1 0.5 3 3\n9 1 2 2 3\n",
        ),
        ("a.gr", "p sp 3 3\na 1 2 0.5\na 3 1 2\na 2 3 3\n"),
    ] {
        let graph = read_weighted(text, name, false, WeightOptions::default()).unwrap();
        let unit = graph.weights().and_then(|info| info.unit);
        assert_eq!(unit, Some(0.5), "{name}");
        assert_eq!(weighted_arcs(&graph), expected, "{name}");
        assert!(!graph.simplified().weights_dropped);
    }
}

#[test]
fn another_column_can_be_named() {
    let options = WeightOptions {
        choice: WeightChoice::Column(5),
        ..WeightOptions::default()
    };
    let graph = read_weighted("a b x y 2\nb c x y 3\n", "a", true, options).unwrap();
    assert_eq!(weighted_arcs(&graph), [arc("a", "b", 2), arc("b", "c", 3)]);
}

#[test]
fn the_shortest_of_repeated_edges_is_kept() {
    let text = "1 2 7\n2 1 4\n1 2 5\n1 1 3\n2 3 9\n";
    let graph = read_weighted(text, "a", false, WeightOptions::default()).unwrap();
    let expected = [
        arc("1", "2", 4),
        arc("2", "1", 4),
        arc("2", "3", 9),
        arc("3", "2", 9),
    ];
    assert_eq!(weighted_arcs(&graph), expected);
    let counts = graph.simplified();
    assert_eq!((counts.entries, counts.loops, counts.merged), (5, 1, 2));
    let info = graph.weights().unwrap();
    assert_eq!((info.min, info.max), (Some(4.0), Some(9.0)));

    let graph = read_weighted(text, "a", true, WeightOptions::default()).unwrap();
    let expected = [arc("1", "2", 5), arc("2", "1", 4), arc("2", "3", 9)];
    assert_eq!(weighted_arcs(&graph), expected);
}

#[test]
fn similarities_are_inverted_before_the_shortest_is_chosen() {
    let options = WeightOptions {
        meaning: WeightIs::Similarity,
        ..WeightOptions::default()
    };
    let graph = read_weighted("1 2 1\n1 2 4\n2 3 3\n", "a", true, options).unwrap();
    assert_eq!(weighted_arcs(&graph), [arc("1", "2", 3), arc("2", "3", 4)]);
    let info = graph.weights().unwrap();
    assert_eq!((info.min, info.max), (Some(0.25), Some(1.0 / 3.0)));
}

#[test]
fn the_type_is_the_smallest_that_holds_every_path() {
    let kind = |text: &str| {
        let graph = read_weighted(text, "a", true, WeightOptions::default()).unwrap();
        match graph.lengths().unwrap() {
            Lengths::U32(_) => "u32",
            Lengths::U64(_) => "u64",
            Lengths::F64(_) => "f64",
        }
    };
    assert_eq!(kind("1 2 1\n2 3 4294967293\n"), "u32");
    assert_eq!(kind("1 2 1\n2 3 4294967294\n"), "u64");
    assert_eq!(kind("1 2 0.123456789012345\n2 3 1\n"), "u64");
    assert_eq!(kind("1 2 0.1234567890123456\n2 3 1\n"), "f64");
    assert_eq!(kind("# nothing\n"), "u32");
}

#[test]
fn weights_that_cannot_be_lengths_are_refused_in_every_format() {
    for (weight, problem) in rows(
        "
        0 => is not above zero (weights are lengths or similarities of edges: correct it or remove
        -2.5 => is not above zero (weights are lengths or similarities of edges: correct it or
        NaN => is not a number (write weights as decimals, name another column, or leave --weighted
        inf => is not a number (
        x => is not a number (
        1e999 => is out of range (scale all weights to lie between 1e-200 and 1e200)
        ",
    ) {
        // A length may be zero.
        let meaning = match &weight[..] {
            "0" => WeightIs::Similarity,
            _ => WeightIs::Length,
        };
        let options = WeightOptions {
            meaning,
            ..WeightOptions::default()
        };
        let banner = "%%MatrixMarket matrix coordinate real general\n2 2 1";
        for (name, line, text) in [
            ("a", 2, format!("1 2 1\n2 3 {weight}\n")),
            ("a.mtx", 3, format!("{banner}\n1 2 {weight}\n")),
            ("a.graph", 2, format!("2 1 1\n2 {weight}\n1 {weight}\n")),
            ("a.gr", 2, format!("p sp 2 1\na 1 2 {weight}\n")),
        ] {
            let error = read_weighted(&text, name, false, options.clone()).unwrap_err();
            let expected = format!("{name}:{line}: weight '{weight}' {problem}");
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}

#[test]
fn lengths_of_zero_are_read_and_written() {
    let read = |text: &str| read_weighted(text, "a", false, WeightOptions::default());
    for text in ["1 2 0\n2 3 0.5\n", "1 2 0.0\n1 2 7\n2 3 0.5\n"] {
        let graph = read(text).unwrap();
        assert_eq!(graph.lengths(), Some(&Lengths::U32(vec![0, 0, 1, 1])));
        assert_eq!(graph.weights().unwrap().min, Some(0.0));
        let texts = LengthTexts::from_graph(&graph).unwrap();
        assert_eq!([texts.text(0), texts.text(3)], ["0", "0.5"]);
    }
    let refused = read("1 2 0\n2 3 0.3333333333333333\n").unwrap_err();
    assert!(
        refused.starts_with("a: lengths of 0 (1 of them) need others"),
        "{refused}"
    );
}

#[test]
fn weights_that_are_missing_are_refused() {
    let banner = "%%MatrixMarket matrix coordinate";
    let usual = WeightOptions::default();
    let third = WeightOptions {
        choice: WeightChoice::Column(3),
        ..WeightOptions::default()
    };
    let none = ": the file has no weights (leave --weighted out)";
    for (name, text, options, expected) in [
        ("a", "# c\n1 2\n2 3\n", &usual, none),
        (
            "a.mtx",
            &format!("{banner} pattern general\n2 2 1\n1 2\n"),
            &usual,
            none,
        ),
        ("a.graph", "2 1\n2\n1\n", &usual, none),
        ("a.graph", "2 1 010\n5 2\n5 1\n", &usual, none),
        (
            "a",
            "1 2 5\n2 3\n",
            &usual,
            ":2: this row has 2 columns, other rows have 3",
        ),
        (
            "a.mtx",
            &format!("{banner} real general\n2 2 1\n1 2\n"),
            &usual,
            ":3: '1 2': the entry has no value (write an entry as: row column value)",
        ),
        (
            "a.graph",
            "2 1 1\n2 5\n1\n",
            &usual,
            ":3: the line ends where a weight is due",
        ),
        (
            "a.graph",
            "2 1 1\n2 5\n1 6\n",
            &usual,
            ": some edge is listed at one of its ends only",
        ),
        (
            "a.graph",
            "2 1 1\n2 5\n1 5\n",
            &third,
            ": only edge lists have a column of weights to",
        ),
    ] {
        let error = read_weighted(text, name, false, options.clone()).unwrap_err();
        assert!(error.starts_with(&format!("{name}{expected}")), "{error}");
    }
}
