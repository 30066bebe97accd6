//! Reads weights from several formats, with repeated edges and errors.

use super::*;

fn read_weighted(
    text: &str,
    name: &str,
    directed: bool,
    weights: WeightOptions,
) -> Result<Graph, String> {
    let options = ReadOptions {
        directed,
        weights: Some(weights),
        ..ReadOptions::default()
    };
    read_text(text, name, options).map(|(graph, _)| graph)
}

/// Returns the ends of all arcs, and their lengths in units of [`WeightInfo::unit`].
fn weighted_arcs(graph: &Graph) -> String {
    let Some(Lengths::U32(lengths)) = graph.lengths() else {
        panic!("{:?}", graph.lengths());
    };
    let arcs = arcs(graph).into_iter().zip(lengths);
    let arcs: Vec<_> = arcs
        .map(|((tail, head), length)| format!("{tail}>{head}:{length}"))
        .collect();
    arcs.join(" ")
}

fn usual() -> WeightOptions {
    WeightOptions::default()
}

fn similarities() -> WeightOptions {
    WeightOptions {
        meaning: WeightIs::Similarity,
        ..usual()
    }
}

fn in_column(column: usize) -> WeightOptions {
    WeightOptions {
        choice: WeightChoice::Column(column),
        ..usual()
    }
}

#[test]
fn every_format_gives_the_same_lengths() {
    for (text, name) in rows(
        r"
        1 2 0.5\n1 3 2 \n2 3 3.0\n => a.txt
        # c\n1\t2\t5e-1\n1\t3\t2\n2\t3\t30e-1\n => a.tsv
        %%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 0.50\n3 1 2\n3 2 3\n => a.mtx
        3 3 001 4\n2 .5 3 2\n1 0.5 3 3\n1 2 2 3\n => a.graph
        3 3 011\n9 2 0.5 3 2.0\n9 1 0.5 3 3\n9 1 2 2 3\n => b.graph
        p sp 3 3\na 1 2 0.5\na 3 1 2\na 2 3 3\n => a.gr
        ",
    ) {
        let graph = read_weighted(&text, name, false, usual()).unwrap();
        let unit = graph.weights().and_then(|info| info.unit);
        assert_eq!(unit, Some(0.5), "{name}");
        let expected = "1>2:1 1>3:4 2>1:1 2>3:6 3>1:4 3>2:6";
        assert_eq!(weighted_arcs(&graph), expected, "{name}");
        assert!(!graph.simplified().weights_dropped);
    }
}

#[test]
fn the_shortest_of_repeated_edges_in_the_column_of_weights_is_kept() {
    let repeated = "1 2 7\n2 1 4\n1 2 5\n1 1 3\n2 3 9\n";
    let both = "1>2:4 2>1:4 2>3:9 3>2:9";
    let similar = "1 2 1\n1 2 4\n2 3 3\n";
    let thirds = (0.25, 1.0 / 3.0);
    let fifth = "a b x y 2\nb c x y 3\n";
    for (text, directed, options, expected, range) in [
        (repeated, false, usual(), both, (4.0, 9.0)),
        (repeated, true, usual(), "1>2:5 2>1:4 2>3:9", (4.0, 9.0)),
        (similar, true, similarities(), "1>2:3 2>3:4", thirds),
        (fifth, true, in_column(5), "a>b:2 b>c:3", (2.0, 3.0)),
    ] {
        let graph = read_weighted(text, "a", directed, options).unwrap();
        assert_eq!(weighted_arcs(&graph), expected);
        let info = graph.weights().unwrap();
        assert_eq!(info.min.zip(info.max), Some(range), "{text:?}");
    }
}

#[test]
fn the_type_is_the_smallest_that_holds_every_path() {
    for (text, expected) in rows(
        r"
        1 2 1\n2 3 4294967293\n => U32(
        1 2 1\n2 3 4294967294\n => U64(
        1 2 0.123456789012345\n2 3 1\n => U64(
        1 2 0.1234567890123456\n2 3 1\n => F64(
        # nothing\n => U32(
        ",
    ) {
        let graph = read_weighted(&text, "a", true, usual()).unwrap();
        let lengths = format!("{:?}", graph.lengths().unwrap());
        assert!(lengths.starts_with(expected), "{text:?}: {lengths}");
    }
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
        let options = match &weight[..] {
            "0" => similarities(),
            _ => usual(),
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
    let read = |text: &str| read_weighted(text, "a", false, usual());
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
    for (text, expected) in rows(
        r"
        # c\n1 2\n2 3\n => a: the file has no weights (leave --weighted out)
        %%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n => a: the file has no weights
        2 1\n2\n1\n => a.graph: the file has no weights (leave --weighted out)
        2 1 010\n5 2\n5 1\n => a.graph: the file has no weights (leave --weighted out)
        1 2 5\n2 3\n => a:2: this row has 2 columns, other rows have 3
        %%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n => a:3: '1 2': the entry has no
        2 1 1\n2 5\n1\n => a.graph:3: the line ends where a weight is due
        2 1 1\n2 5\n1 6\n => a.graph: some edge is listed at one of its ends only
        ",
    ) {
        let name = expected.split(':').next().unwrap();
        let error = read_weighted(&text, name, false, usual()).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    let error = read_weighted("2 1 1\n2 5\n1 5\n", "a.graph", false, in_column(3)).unwrap_err();
    let expected = "a.graph: only edge lists have a column of weights to";
    assert!(error.starts_with(expected), "{error}");
}
