//! Reads one graph from several formats, in variants of each file.

use super::*;

/// A tadpole, the triangle 1 2 3 with the tail 3 4 5, in several formats, some with comments and
/// odd white space.
const TADPOLE: [(&str, &str, Format); 8] = [
    (
        "tadpole.txt",
        "# a tadpole\n1 2\n1\t3\n\n  2   3  \n3 4\n4 5\n",
        Format::Edgelist,
    ),
    (
        "tadpole.edges",
        "\n% a tadpole\n1 2 \n1 3\n2 3\n3 4\n4 5\n",
        Format::Edgelist,
    ),
    (
        "tadpole.mtx",
        "%%MatrixMarket matrix coordinate pattern symmetric\n% a tadpole\n\n5 5 5\n2 1\n3 1\n3 2\n\
         4 3\n5 4\n",
        Format::Mtx,
    ),
    (
        "tadpole",
        "%MatrixMarket MATRIX Coordinate Real General\n5 5 6\n2 1 1.5\n3 1 2e3\n3 2 -1\n3 2 7\n4 3 \
         1\n5 4 1\n",
        Format::Mtx,
    ),
    (
        "tadpole.graph",
        "% a tadpole\n5 5\n2 3\n1 3\n% in between\n1 2 4\n3 5\n4\n",
        Format::Metis,
    ),
    (
        "tadpole.metis",
        "5 5 111 2\n9 7 7 2 1 3 1\n9 7 7 1 1 3 1\n9 7 7 1 1 2 1 4 1\n9 7 7 3 1 5 1\n9 7 7 4 1",
        Format::Metis,
    ),
    (
        "tadpole.gr",
        "c a tadpole\n\np sp 5 6\na 1 2 7\na 1 3 1\na 2 3 1\na 3 2 1\na 3 4 1\na 4 5 1\n",
        Format::Dimacs,
    ),
    (
        "tadpole.dat",
        "c\nc found by its content\np sp 5 5\na 2 1 7\na 1 3 1\na 2 3 1\na 3 4 1\na 4 5 1\n",
        Format::Dimacs,
    ),
];

fn check_tadpole(bytes: &[u8], name: &str, format: Format) {
    let (graph, source) = match read_as(bytes, name, Format::Auto, false) {
        Ok(read) => read,
        Err(error) => panic!("{error}"),
    };
    let rows = Csr::new(vec![0, 2, 4, 7, 9, 10], vec![1, 2, 0, 2, 0, 1, 3, 2, 4, 3]);
    assert_eq!(graph.csr(), &rows, "{name}");
    assert_eq!(graph.labels(), &Labels::consecutive(1, 5), "{name}");
    let expected = Source {
        path: name.into(),
        format,
        bytes: bytes.len() as u64,
        notes: Vec::new(),
        warnings: Vec::new(),
        vertex_weights: None,
        kept: None,
    };
    assert_eq!(source, expected);
}

#[test]
fn every_format_gives_the_same_graph() {
    for (name, text, format) in TADPOLE {
        check_tadpole(text.as_bytes(), name, format);
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    for (name, text, format) in TADPOLE {
        check_tadpole(text.replace('\n', "\r\n").as_bytes(), name, format);
        check_tadpole(text.trim_end_matches('\n').as_bytes(), name, format);
        check_tadpole(format!("\u{feff}{text}").as_bytes(), name, format);
    }
}

#[test]
fn compression_changes_nothing() {
    for (name, text, format) in TADPOLE {
        for (compression, suffix) in [(Compression::Gzip, "gz"), (Compression::Zstd, "zst")] {
            let bytes = compressed(text.as_bytes(), compression);
            check_tadpole(&bytes, &format!("{name}.{suffix}"), format);
            // The suffix of a compressed file may be missing.
            check_tadpole(&bytes, name, format);
            let (first, second) = text.split_at(text.len() / 2);
            let mut members = compressed(first.as_bytes(), compression);
            members.extend(compressed(second.as_bytes(), compression));
            check_tadpole(&members, name, format);
        }
    }
}

#[test]
fn dropped_entries_are_counted() {
    let dropped = |text: &str, name: &str| {
        let counts = graph(text, name).simplified();
        (
            counts.entries,
            counts.loops,
            counts.merged,
            counts.weights_dropped,
        )
    };
    for (name, text, _) in TADPOLE {
        let counts = graph(text, name).simplified();
        assert_eq!(counts.entries, 5 + counts.merged, "{name}");
    }
    assert_eq!(dropped("1 2\n2 1\n1 1\n1 2\n", "a"), (4, 1, 2, false));
    assert_eq!(dropped("1 2 1\n2 3 7\n", "a"), (2, 0, 0, true));
    assert_eq!(dropped("1 2 1\n2 3 1\n", "a"), (2, 0, 0, false));
    assert_eq!(dropped("2 1 001\n2 5\n1 5\n", "a.graph"), (1, 0, 0, true));
    assert_eq!(dropped("2 1 010\n5 2\n5 1\n", "a.graph"), (1, 0, 0, false));
    assert_eq!(
        dropped("p sp 2 2\na 1 2 3\na 2 1 3\n", "a"),
        (2, 0, 1, true)
    );
    // Self-loops in METIS files, listed once and twice.
    assert_eq!(dropped("2 2\n2 1 1\n1\n", "a.graph"), (2, 1, 0, false));
    assert_eq!(dropped("2 2\n2\n1 2\n", "a.graph"), (2, 1, 0, false));
}

#[test]
fn directed_graphs_keep_directions_where_the_format_has_them() {
    let directed = |text: &str, name: &str| {
        let read = read_as(text.as_bytes(), name, Format::Auto, true);
        let (graph, _) = read.expect("good input");
        assert!(graph.directed());
        arcs(&graph)
            .into_iter()
            .map(|(tail, head)| format!("{tail}>{head}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(directed("1 2\n3 1\n", "a"), "1>2 3>1");
    let general = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n";
    assert_eq!(directed(general, "a"), "1>2 3>1");
    let both = "1>2 1>3 2>1 3>1";
    let symmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n";
    assert_eq!(directed(symmetric, "a"), both);
    assert_eq!(
        directed(&symmetric.replace("symmetric", "skew-symmetric"), "a"),
        both
    );
    assert_eq!(directed("3 2\n2 3\n1\n1\n", "a.graph"), both);
    assert_eq!(directed("p sp 3 2\na 1 2 1\na 3 1 1\n", "a.gr"), "1>2 3>1");
}

#[test]
fn numbers_and_names_may_stand_in_one_file() {
    let numbers = graph("30 7\n7 5\n", "a");
    assert_eq!(numbers.labels(), &Labels::Numbers(vec![30, 7, 5]));
    let huge = graph("18446744073709551615 7\n", "a");
    assert_eq!(label(&huge, 0), "18446744073709551615");
    for text in ["a b\nb 7\n", "1 b\nb 7\n", "\"007\" b\n"] {
        let names = graph(text, "a");
        assert!(matches!(names.labels(), Labels::Names { .. }), "{text:?}");
    }
    let read = read_as(b"2 1\n-5 2\n", "a", Format::Labels, false);
    let (names, source) = read.expect("names can be anything");
    assert_eq!([0, 1, 2].map(|v| label(&names, v)), ["2", "1", "-5"]);
    assert_eq!(source.format, Format::Labels);
}

#[test]
fn vertices_without_edges_are_kept() {
    let mtx = "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 1\n2 1\n";
    assert_eq!(graph(mtx, "a").vertices(), 4);
    assert_eq!(graph("p sp 4 1\na 1 2 1\n", "a").vertices(), 4);
    assert_eq!(graph("3 3\n", "a").vertices(), 1);
    for text in [
        "4 1\n\n3\n2\n\n",
        "4 1\n\n3\n2\n",
        "4 1\n\n3\n2",
        "4 1\n\n3\n2\n\n\n \n",
    ] {
        let graph = graph(text, "a.graph");
        assert_eq!((graph.vertices(), graph.edges()), (4, 1), "{text:?}");
    }
}

#[test]
fn graphs_without_edges_or_vertices_are_fine() {
    for (text, name) in [
        ("# nothing here\n", "a.txt"),
        ("\n\n", "a.txt"),
        (
            "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n",
            "a.mtx",
        ),
        ("0 0\n", "a.graph"),
        ("p sp 0 0\n", "a.gr"),
    ] {
        assert_eq!(graph(text, name).vertices(), 0, "{text:?}");
    }
}

#[test]
fn a_line_longer_than_the_buffer_is_read() {
    let leaves = 100_000;
    let mut text = format!("{} {leaves}\n", leaves + 1);
    for leaf in 2..=leaves + 1 {
        text += &format!(" {leaf}");
    }
    text += &"\n1".repeat(leaves);
    let graph = graph(&text, "star.graph");
    assert_eq!(graph.csr().degree(0), leaves);
}
