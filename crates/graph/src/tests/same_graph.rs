//! Reads one graph from several formats, in variants of each file.

use super::*;

/// A tadpole, the triangle 1 2 3 with the tail 3 4 5, in several formats, some with comments and
/// odd white space, with names and formats of files.
const TADPOLE: &str = r"
# a tadpole\n1 2\n1\t3\n\n  2   3  \n3 4\n4 5\n => tadpole.txt Edgelist
\n% a tadpole\n1 2 \n1 3\n2 3\n3 4\n4 5\n => tadpole.edges Edgelist
%%MatrixMarket matrix coordinate pattern symmetric\n%\n\n5 5 5\n2 1\n3 1\n3 2\n4 3\n5 4 => a.mtx Mtx
%MatrixMarket MATRIX Coordinate Real General\n5 5 5\n2 1 1.5\n3 1 2\n3 2 -1\n4 3 1\n5 4 1 => t Mtx
% a tadpole\n5 5\n2 3\n1 3\n% in between\n1 2 4\n3 5\n4\n => tadpole.graph Metis
5 5 111 1\n9 7 2 1 3 1\n9 7 1 1 3 1\n9 7 1 1 2 1 4 1\n9 7 3 1 5 1\n9 7 4 1 => a.metis Metis
c a tadpole\n\np sp 5 6\na 1 2 7\na 1 3 1\na 2 3 1\na 3 2 1\na 3 4 1\na 4 5 1\n => tadpole.gr Dimacs
c\nc by its content\np sp 5 5\na 2 1 7\na 1 3 1\na 2 3 1\na 3 4 1\na 4 5 1\n => tadpole.dat Dimacs
";

/// Returns the text, the name and the format of each file of a tadpole.
fn tadpoles() -> impl Iterator<Item = (String, &'static str, &'static str)> {
    rows(TADPOLE).map(|(text, file)| {
        let (name, format) = file.split_once(' ').expect(file);
        (text, name, format)
    })
}

fn check_tadpole(bytes: &[u8], name: &str, format: &str) {
    let (graph, source) = read_as(bytes, name, Format::Auto, false).expect(name);
    assert_eq!(format!("{:?}", source.format), format, "{name}");
    let rows = Csr::new(vec![0, 2, 4, 7, 9, 10], vec![1, 2, 0, 2, 0, 1, 3, 2, 4, 3]);
    assert_eq!(graph.csr(), &rows, "{name}");
    assert_eq!(graph.labels(), &Labels::consecutive(1, 5), "{name}");
    let expected = Source {
        path: name.into(),
        format: source.format,
        bytes: bytes.len() as u64,
        notes: Vec::new(),
        warnings: Vec::new(),
        vertex_weights: None,
    };
    assert_eq!(source, expected);
}

#[test]
fn formats_line_ends_and_a_byte_order_mark_change_nothing() {
    for (text, name, format) in tadpoles() {
        check_tadpole(text.as_bytes(), name, format);
        check_tadpole(text.replace('\n', "\r\n").as_bytes(), name, format);
        check_tadpole(text.trim_end_matches('\n').as_bytes(), name, format);
        check_tadpole(format!("\u{feff}{text}").as_bytes(), name, format);
    }
}

#[test]
fn compression_changes_nothing() {
    for (text, name, format) in tadpoles() {
        for (compression, suffix) in [(Compression::Gzip, "gz"), (Compression::Zstd, "zst")] {
            let bytes = compressed(text.as_bytes(), compression);
            check_tadpole(&bytes, &format!("{name}.{suffix}"), format);
            // The suffix of a compressed file may be missing.
            check_tadpole(&bytes, name, format);
        }
    }
}

#[test]
fn dropped_entries_are_counted() {
    for (text, name, _) in tadpoles() {
        let counts = graph(&text, name).simplified();
        assert_eq!(counts.entries, 5 + counts.merged, "{name}");
    }
    for (text, expected) in rows(
        r"
        1 2\n2 1\n1 1\n1 2\n => (4, 1, 2, false)
        1 2 1\n2 3 7\n => (2, 0, 0, true)
        1 2 1\n2 3 1\n => (2, 0, 0, false)
        2 1 001\n2 5\n1 5\n => (1, 0, 0, true)
        2 1 010 2\n5 5 2\n5 5 1\n => (1, 0, 0, false)
        p sp 2 2\na 1 2 3\na 2 1 3\n => (2, 0, 1, true)
        // Self-loops in METIS files, listed once and twice.
        2 2\n2 1 1\n1\n => (2, 1, 0, false)
        2 2\n2\n1 2\n => (2, 1, 0, false)
        ",
    ) {
        let name = if text.starts_with("2 ") {
            "a.graph"
        } else {
            "a"
        };
        let counts = graph(&text, name).simplified();
        let dropped = (
            counts.entries,
            counts.loops,
            counts.merged,
            counts.weights_dropped,
        );
        assert_eq!(format!("{dropped:?}"), expected, "{text:?}");
    }
}

#[test]
fn directed_graphs_keep_directions_where_the_format_has_them() {
    for (text, expected) in rows(
        r"
        1 2\n3 1\n => 1>2 3>1
        %%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n => 1>2 3>1
        %%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n => 1>2 1>3 2>1 3>1
        %%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n => 1>2 2>1
        3 2\n2 3\n1\n1\n => 1>2 1>3 2>1 3>1
        p sp 3 2\na 1 2 1\na 3 1 1\n => 1>2 3>1
        ",
    ) {
        let name = if text.starts_with("3 2") {
            "a.graph"
        } else {
            "a"
        };
        let (graph, _) = read_as(text.as_bytes(), name, Format::Auto, true).expect(&text);
        assert!(graph.directed());
        let arcs = arcs(&graph).into_iter();
        let arcs: Vec<_> = arcs.map(|(tail, head)| format!("{tail}>{head}")).collect();
        assert_eq!(arcs.join(" "), expected, "{text:?}");
    }
}

#[test]
fn numbers_and_names_may_stand_in_one_file() {
    let numbers = graph("30 7\n7 5\n", "a");
    assert_eq!(numbers.labels(), &Labels::Numbers(vec![30, 7, 5]));
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
fn vertices_without_edges_are_kept_and_graphs_may_be_empty() {
    for (text, expected) in rows(
        r"
        %%MatrixMarket matrix coordinate pattern symmetric\n4 4 1\n2 1\n => (4, 1) a
        %%MatrixMarket matrix coordinate pattern general\n0 0 0\n => (0, 0) a.mtx
        p sp 4 1\na 1 2 1\n => (4, 1) a
        p sp 0 0\n => (0, 0) a.gr
        3 3\n => (1, 0) a
        # nothing here\n => (0, 0) a.txt
        \n\n => (0, 0) a.txt
        4 1\n\n3\n2\n\n => (4, 1) a.graph
        4 1\n\n3\n2\n => (4, 1) a.graph
        4 1\n\n3\n2 => (4, 1) a.graph
        4 1\n\n3\n2\n\n\n \n => (4, 1) a.graph
        0 0\n => (0, 0) a.graph
        ",
    ) {
        let (expected, name) = expected.split_at(7);
        let graph = graph(&text, name);
        let size = format!("{:?} ", (graph.vertices(), graph.edges()));
        assert_eq!(size, expected, "{text:?}");
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
