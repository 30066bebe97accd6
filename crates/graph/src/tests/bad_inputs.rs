//! Inputs that cannot be read, with the starts of their messages.

use std::path::{MAIN_SEPARATOR, Path};

use super::*;

#[test]
fn files_that_cannot_be_opened() {
    let message = |path: &Path| read(path, &ReadOptions::default()).unwrap_err().to_string();
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
    refused(
        "a",
        "",
        r#"
        => : the file is empty (check the path, or write the file again)
        BZh91AY&SY => : the bzip2 data ends early (fetch or compress the file again)
        1 2\n\0 => :2: this is binary, not text
        <?xml version="1.0"?> => : an XML file that is neither GraphML nor GEXF cannot be read
        "#,
    );
}

#[test]
fn edge_lists() {
    refused(
        "a",
        "",
        r"
        # c\n1 2\n3\n => :3: expected two columns, found only '3'
        1 2\n2 3\n3 4 5\n => :3: this row has 3 columns, other rows have 2
        ",
    );
    let labels = read_as(b"a b\n3\n", "a", Format::Labels, false).unwrap_err();
    assert!(labels.to_string().starts_with("a:2: expected two columns"));
    for token in ["b", "1.5", "007", "+1", "1e9", "-5", "18446744073709551616"] {
        let read = graph(&format!("1 2\n2 {token}\n"), "a");
        assert_eq!([0, 1, 2].map(|v| label(&read, v)), ["1", "2", token]);
    }
}

#[test]
fn matrix_market_headers() {
    refused(
        "a.mtx",
        "",
        r"
        1 2\n2 3\n => :1: '1 2': the line of sizes is missing or malformed (write: rows columns
        1 2 1\n2 3 1\n => :1: '1 2 1': the line of sizes is missing or malformed
        %%MatrixMarketX matrix coordinate real general\n => :1: the line of sizes is missing
        ",
    );
    refused(
        "a",
        "%%MatrixMarket ",
        r"
        vector coordinate real general => :1: a Matrix Market file of kind 'vector' 'coordinate'
        matrix sparse real general => :1: a Matrix Market file of kind 'matrix' 'sparse'
        matrix array pattern general => :1: a Matrix Market file of kind 'matrix' 'array'
        matrix coordinate complex general => :1: a Matrix Market file of kind 'matrix' 'coordinate'
        matrix coordinate real hermitian => :1: a Matrix Market file of kind 'matrix' 'coordinate'
        matrix coordinate real => :1: a Matrix Market file of kind 'matrix' 'coordinate'
        ",
    );
}

#[test]
fn matrix_market_bodies() {
    refused(
        "a",
        "%%MatrixMarket matrix array real ",
        r"
        general\n2 2 1\n1\n => :2: '2 2 1': the line of sizes is missing or malformed
        general\n2 2\n0 1\n1\n => :4: the matrix has fewer numbers than 2 rows of 2
        symmetric\n2 2\n0\n1\n0\n1\n => :6: the matrix has more numbers than 2 rows of 2
        skew-symmetric\n2 2\n1 1\n => :3: the matrix has more numbers than 2 rows of 2
        general\n1 1\nx\n => :3: 'x' is not a number
        ",
    );
    refused(
        "a",
        "%%MatrixMarket matrix coordinate pattern general\n% c\n",
        r"
        => :2: the line of sizes is missing or malformed (write: rows
        3 3\n => :3: '3 3': the line of sizes is missing or malformed (write: rows
        3 3 x\n => :3: '3 3 x': the line of sizes is missing or malformed (write: rows
        3 4 1\n1 2\n => :3: a matrix of 3 rows and 4 columns is not a graph
        4294967296 4294967296 1\n1 2\n => : 4294967296 vertices are more than the 4294967295 a
        3 3 2\n1 2\n0 1\n => :5: vertex 0 is outside 1..3 (correct the number or the declared size)
        3 3 2\n1 2\n1 4\n => :5: vertex 4 is outside 1..3 (correct the number or the declared size)
        3 3 1\n99999999999999999999 1\n => :4: '99999999999999999999 1': expected a row and a column
        3 3 1\n1\n => :4: '1': expected a row and a column number
        3 3 1\n1 x\n => :4: '1 x': expected a row and a column number
        3 3 1\n-1 2\n => :4: '-1 2': expected a row and a column number
        3 3 3\n1 2\n2 3\n => : 3 entries are declared, but the file holds 2
        3 3 1\n1 2\n2 3\n => : 1 entries are declared, but the file holds 2
        ",
    );
}

#[test]
fn metis_files() {
    refused(
        "a.graph",
        "",
        r"
        % c\n\n => :2: the METIS header is missing or malformed
        3\n => :1: '3': the METIS header is missing or malformed
        % c\n2 1 7\n2\n1\n => :2: '2 1 7': the METIS header is missing or malformed
        2 1 2\n2\n1\n => :1: '2 1 2': the METIS header is missing or malformed
        2 1 1000\n2\n1\n => :1: '2 1 1000': the METIS header is missing or malformed
        2 1 1 x\n2\n1\n => :1: '2 1 1 x': the METIS header is missing or malformed
        2 1 1 1 1\n2\n1\n => :1: '2 1 1 1 1': the METIS header is missing or malformed
        2 1\n2\nx\n => :3: 'x' is not a number (list the neighbours as numbers from 1)
        2 1\n0\n1\n => :2: vertex 0 is outside 1..2 (correct the number or the declared size)
        2 1\n3\n1\n => :2: vertex 3 is outside 1..2 (correct the number or the declared size)
        2 1 1\n2\n1 5\n => :2: the line ends where a weight is due
        2 1 10 3\n4 4\n4 4 4 1\n => :2: the line ends where a weight is due
        3 1\n2\n1 3\n2\n => : the header declares 1 edges, so 2 neighbours, but the file lists 4
        3 3\n2\n1 3\n2\n => : the header declares 3 edges, so 6 neighbours, but the file lists 4
        // Vertex 1 names 2, but 2 names 3; the count of neighbours alone would not show it.
        3 1\n2\n3\n\n => : some edge is listed at one of its ends only, or with different weights
        2 1\n2 2\n\n => : some edge is listed at one of its ends only, or with different weights
        3 2\n2\n1 3\n => : the header declares 3 vertices, but there are only 2 lines of neighbours
        2 1\n2\n1\n\n1\n => :5: there are more lines of neighbours than the 2 vertices that the
        4294967296 1\n => : 4294967296 vertices are more than the 4294967295 a graph can have
        ",
    );
}

#[test]
fn dimacs_files() {
    refused(
        "a.gr",
        "",
        r"
        c\nc only\n => :2: the problem line is missing or malformed
        a 1 2 3\n => :1: 'a 1 2 3': the problem line is missing or malformed
        p sp 3\n => :1: 'p sp 3': the problem line is missing or malformed
        p min 3 3\n => :1: DIMACS problem 'min' is not supported (use sp, max, edge or col)
        p sp 2 1\np sp 2 1\n => :2: there is a second problem line (keep one graph per file)
        p sp 2 1\na 1\n => :2: 'a 1': the line is malformed (write: a tail head length)
        p sp 2 1\na 1 2\n => :2: 'a 1 2': the line is malformed (write: a tail head length)
        p sp 2 1\na 1 x 3\n => :2: 'a 1 x 3': the line is malformed (write: a tail head length)
        p sp 2 1\ne 1 2\n => :2: a line starts with 'e'
        p sp 2 1\na 1 3 1\n => :2: vertex 3 is outside 1..2
        p sp 2 1\na 1 2 1\na 2 1 1\n => : 1 arcs or edges are declared, but the file holds 2
        p sp 2 3\na 1 2 1\na 2 1 1\n => : 3 arcs or edges are declared, but the file holds 2
        p col 2 1\na 1 2 3\n => :2: a line starts with 'a'
        p max 2 1\na 1 2\n => :2: 'a 1 2': the line is malformed (write: a tail head capacity)
        p edge 2 1\ne 1\n => :2: 'e 1': the line is malformed (write: e vertex vertex)
        ",
    );
}
