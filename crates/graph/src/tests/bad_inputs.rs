//! Inputs that cannot be read, with the exact messages.

use std::path::{MAIN_SEPARATOR, Path};

use super::*;

#[track_caller]
fn check(format: Format, bytes: &[u8], name: &str, expected: &str) {
    match read_as(bytes, name, format, false) {
        Ok((graph, _)) => panic!("read {} edges, expected: {expected}", graph.edges()),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[track_caller]
fn bad(text: &str, name: &str, expected: &str) {
    check(Format::Auto, text.as_bytes(), name, expected);
}

#[test]
fn files_that_cannot_be_opened() {
    let options = ReadOptions::default();
    let message = |path: &Path| match read(path, &options) {
        Ok(_) => panic!("{} was read", path.display()),
        Err(error) => error.to_string(),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = folder.path().display();
    assert_eq!(
        message(folder.path()),
        format!("{name}: this is a directory (give one file in it)")
    );
    assert_eq!(
        message(&folder.path().join("none.txt")),
        format!("{name}{MAIN_SEPARATOR}none.txt: no such file (check the path)")
    );
}

#[test]
fn bytes_that_are_not_a_graph() {
    let empty = "a: the file is empty (check the path, or write the file again)";
    bad("", "a", empty);
    let gz = compressed(b"", Compression::Gzip);
    check(Format::Auto, &gz, "a", empty);

    for (compression, kind) in [(Compression::Gzip, "gzip"), (Compression::Zstd, "zstd")] {
        let early = &format!("a.gz: the {kind} data ends early (fetch or compress the file again)");
        let whole = compressed("1 2\n3 4\n".repeat(5000).as_bytes(), compression);
        check(Format::Auto, &whole[..whole.len() - 3], "a.gz", early);
        check(Format::Auto, &whole[..whole.len() / 2], "a.gz", early);
        check(Format::Auto, &whole[..4], "a.gz", early);
    }
    let garbage = b"\x1f\x8b\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    check(
        Format::Auto,
        garbage,
        "a.gz",
        "a.gz: the gzip data is damaged: invalid gzip header (fetch or compress the file again)",
    );
    bad(
        "BZh91AY&SY",
        "a",
        "a: the bzip2 data ends early (fetch or compress the file again)",
    );
    bad(
        "1 2\n\0",
        "a",
        "a:2: this is binary, not text (give an edge list, GraphML, GML, .mtx, .graph, .gr or \
         SciPy .npz file)",
    );
    bad(
        "<?xml version=\"1.0\"?>",
        "a",
        "a: an XML file that is neither GraphML nor GEXF cannot be read (export the graph as \
         GraphML, or its edges as a text of two columns: see docs/converting.md)",
    );
}

#[test]
fn edge_lists() {
    let one = "expected two columns, found only '3' (write an edge as two vertices with a blank \
               between them)";
    bad("# c\n1 2\n3\n", "a", &format!("a:3: {one}"));
    check(Format::Labels, b"a b\n3\n", "a", &format!("a:2: {one}"));
    let ragged = "correct it, or put values that hold a delimiter in double quotes; an adjacency \
                  list is read with --format adjlist";
    bad(
        "1 2\n2 3\n3 4 5\n",
        "a",
        &format!("a:3: this row has 3 columns, other rows have 2 ({ragged})"),
    );
}

#[test]
fn any_text_may_name_a_vertex() {
    for token in ["b", "1.5", "007", "+1", "1e9", "-5", "18446744073709551616"] {
        let read = graph(&format!("1 2\n2 {token}\n"), "a");
        assert_eq!([0, 1, 2].map(|v| label(&read, v)), ["1", "2", token]);
    }
}

#[test]
fn matrix_market_headers() {
    let neither = "there is neither a %%MatrixMarket header nor a line of sizes (write: rows \
                   columns entries, or read an edge list with --format edgelist)";
    for text in ["1 2\n2 3\n", "1 2 1\n2 3 1\n"] {
        let row = text.lines().next().unwrap_or_default();
        bad(text, "a.mtx", &format!("a.mtx:1: '{row}': {neither}"));
    }
    bad(
        "%%MatrixMarketX matrix coordinate real general\n",
        "a.mtx",
        &format!("a.mtx:1: {neither}"),
    );
    for (rest, expected) in [
        (
            "vector coordinate real general",
            "object 'vector' is not supported (use matrix)",
        ),
        (
            "matrix sparse real general",
            "layout 'sparse' is not supported (use coordinate or array)",
        ),
        (
            "matrix array pattern general",
            "field 'pattern' is not supported (use integer or real)",
        ),
        (
            "matrix coordinate complex general",
            "field 'complex' is not supported (use pattern, integer or real)",
        ),
        (
            "matrix coordinate real hermitian",
            "symmetry 'hermitian' is not supported (use general or symmetric)",
        ),
        (
            "matrix coordinate real",
            "symmetry '' is not supported (use general or symmetric)",
        ),
    ] {
        bad(
            &format!("%%MatrixMarket {rest}\n2 2 1\n1 2 1\n"),
            "a",
            &format!("a:1: Matrix Market {expected}"),
        );
    }
}

#[test]
fn matrix_market_arrays() {
    let array = |symmetry: &str, body: &str, expected: &str| {
        let text = format!("%%MatrixMarket matrix array real {symmetry}\n{body}");
        bad(&text, "a", expected);
    };
    let size = "the size line is missing or malformed (write: rows columns)";
    array("general", "2 2 1\n1\n", &format!("a:2: '2 2 1': {size}"));
    let wrong = |found| {
        let each = "write one for each pair of vertices";
        format!("the matrix has {found} numbers than 2 rows of 2 ({each})")
    };
    array(
        "general",
        "2 2\n0 1\n1\n",
        &format!("a:4: {}", wrong("fewer")),
    );
    array(
        "symmetric",
        "2 2\n0\n1\n0\n1\n",
        &format!("a:6: {}", wrong("more")),
    );
    array(
        "skew-symmetric",
        "2 2\n1 1\n",
        &format!("a:3: {}", wrong("more")),
    );
    array(
        "general",
        "1 1\nx\n",
        "a:3: 'x' is not a number (write a matrix of numbers, 0 where there is no edge)",
    );
}

#[test]
fn matrix_market_bodies() {
    let mtx = |body: &str, expected: &str| {
        let text = format!("%%MatrixMarket matrix coordinate pattern general\n% c\n{body}");
        bad(&text, "a", expected);
    };
    let size = "the size line is missing or malformed (write: rows columns entries)";
    mtx("", &format!("a:2: {size}"));
    mtx("3 3\n", &format!("a:3: '3 3': {size}"));
    mtx("3 3 x\n", &format!("a:3: '3 3 x': {size}"));
    mtx(
        "3 4 1\n1 2\n",
        "a:3: a matrix of 3 rows and 4 columns is not a graph (use a square adjacency matrix)",
    );
    mtx(
        "4294967296 4294967296 1\n1 2\n",
        "a: 4294967296 vertices are more than the 4294967295 a graph can have (use a smaller \
         graph)",
    );
    for (entry, vertex) in [
        ("0 1", "0"),
        ("1 4", "4"),
        ("99999999999999999999 1", "99999999999999999999"),
    ] {
        mtx(
            &format!("3 3 2\n1 2\n{entry}\n"),
            &format!(
                "a:5: vertex {vertex} is outside 1..3 (correct the number or the declared size)"
            ),
        );
    }
    for entry in ["1", "1 x", "-1 2"] {
        mtx(
            &format!("3 3 1\n{entry}\n"),
            &format!(
                "a:4: '{entry}': expected a row and a column number (write an entry as: row column \
                 [value])"
            ),
        );
    }
    mtx(
        "3 3 3\n1 2\n2 3\n",
        "a: 3 entries are declared, but the file holds 2 (correct the declaration, or fetch the \
         file again)",
    );
    mtx(
        "3 3 1\n1 2\n2 3\n",
        "a: 1 entries are declared, but the file holds 2 (correct the declaration, or fetch the \
         file again)",
    );
}

#[test]
fn metis_files() {
    let metis = |text: &str, expected: &str| bad(text, "a.graph", expected);
    let header =
        "the METIS header is missing or malformed (write: vertices edges [format [weights]])";
    metis("% c\n\n", &format!("a.graph:2: {header}"));
    metis("3\n", &format!("a.graph:1: '3': {header}"));
    metis(
        "% c\n2 1 7\n2\n1\n",
        &format!("a.graph:2: '2 1 7': {header}"),
    );
    metis(
        "2 1\n2\nx\n",
        "a.graph:3: 'x' is not a number (list the neighbours as numbers from 1)",
    );
    for (vertex, line) in [("0", 2), ("3", 2)] {
        metis(
            &format!("2 1\n{vertex}\n1\n"),
            &format!(
                "a.graph:{line}: vertex {vertex} is outside 1..2 (correct the number or the \
                 declared size)"
            ),
        );
    }
    for text in ["2 1 1\n2\n1 5\n", "2 1 10 3\n4 4\n4 4 4 1\n"] {
        metis(
            text,
            "a.graph:2: the line ends where a weight is due (check the format code in the header)",
        );
    }
    for (declared, neighbours) in [(1, 2), (3, 6)] {
        metis(
            &format!("3 {declared}\n2\n1 3\n2\n"),
            &format!(
                "a.graph: the header declares {declared} edges, so {neighbours} neighbours, but \
                 the file lists 4 (correct the header or the rows)"
            ),
        );
    }
    // Vertex 1 names 2, but 2 names 3; the count of neighbours alone would not show it.
    metis(
        "3 1\n2\n3\n\n",
        "a.graph: some edge is listed at one of its ends only, or with different weights (list \
         each edge at both ends, with the same weight)",
    );
    metis(
        "2 1\n2 2\n\n",
        "a.graph: some edge is listed at one of its ends only, or with different weights (list \
         each edge at both ends, with the same weight)",
    );
    metis(
        "3 2\n2\n1 3\n",
        "a.graph: the header declares 3 vertices, but there are only 2 lines of neighbours (add an \
         empty line for a vertex without edges)",
    );
    metis(
        "2 1\n2\n1\n\n1\n",
        "a.graph:5: there are more lines of neighbours than the 2 vertices that the header \
         declares (correct the header)",
    );
    metis(
        "4294967296 1\n",
        "a.graph: 4294967296 vertices are more than the 4294967295 a graph can have (use a smaller \
         graph)",
    );
}

#[test]
fn dimacs_files() {
    let dimacs = |text: &str, expected: &str| bad(text, "a.gr", expected);
    let problem = "the problem line is missing or malformed (start with: p sp vertices arcs)";
    dimacs("c\nc only\n", &format!("a.gr:2: {problem}"));
    dimacs("a 1 2 3\n", &format!("a.gr:1: 'a 1 2 3': {problem}"));
    dimacs("p sp 3\n", &format!("a.gr:1: 'p sp 3': {problem}"));
    dimacs(
        "p min 3 3\n",
        "a.gr:1: DIMACS problem 'min' is not supported (use sp, max, edge or col)",
    );
    dimacs(
        "p sp 2 1\np sp 2 1\n",
        "a.gr:2: there is a second problem line (keep one graph per file)",
    );
    for arc in ["a 1", "a 1 2", "a 1 x 3"] {
        dimacs(
            &format!("p sp 2 1\n{arc}\n"),
            &format!("a.gr:2: '{arc}': the line is malformed (write: a tail head length)"),
        );
    }
    dimacs(
        "p sp 2 1\ne 1 2\n",
        "a.gr:2: a line starts with 'e' (write comments as: c text, and edges as: a tail head \
         length)",
    );
    dimacs(
        "p sp 2 1\na 1 3 1\n",
        "a.gr:2: vertex 3 is outside 1..2 (correct the number or the declared size)",
    );
    for declared in [1, 3] {
        dimacs(
            &format!("p sp 2 {declared}\na 1 2 1\na 2 1 1\n"),
            &format!(
                "a.gr: {declared} arcs or edges are declared, but the file holds 2 (correct the \
                 declaration, or fetch the file again)"
            ),
        );
    }
}
