//! Tests of readers and writers together, with bytes in memory and real files.

mod bad_inputs;
mod declared;
mod formats;
mod round_trip;
mod same_graph;
mod weights;
mod xml;

use std::io::Write;

use niffler::send::compression::Format as Compression;

use super::*;

/// Returns the graph of these edges, whose labels are the numbers from 0.
pub(crate) fn built(vertices: usize, edges: &[(Vertex, Vertex)], directed: bool) -> Graph {
    let mut list = EdgeList::default();
    for &(tail, head) in edges {
        list.push(tail, head);
    }
    list.build(Labels::consecutive(0, vertices), directed)
        .expect("small graphs fit")
}

/// Reads `bytes` as a file called `name` would be read.
fn read_as(
    bytes: &[u8],
    name: &str,
    format: Format,
    directed: bool,
) -> Result<(Graph, Source), ReadError> {
    let options = ReadOptions {
        format,
        directed,
        weights: None,
        ..ReadOptions::default()
    };
    read_stream(Box::new(bytes), name, &options)
}

/// Reads an undirected graph, and detects its format.
fn graph(text: &str, name: &str) -> Graph {
    match read_text(text, name, ReadOptions::default()) {
        Ok((graph, _)) => graph,
        Err(error) => panic!("{text:?}: {error}"),
    }
}

/// Reads `text` as a file called `name` would be read, or returns the message of the error.
fn read_text(text: &str, name: &str, options: ReadOptions) -> Result<(Graph, Source), String> {
    let read = read_stream(Box::new(text.as_bytes()), name, &options);
    read.map_err(|error| error.to_string())
}

/// Returns the compressed bytes.
pub(crate) fn compressed(bytes: &[u8], format: Compression) -> Vec<u8> {
    let mut out = Vec::new();
    niffler::send::get_writer(Box::new(&mut out), format, niffler::Level::One)
        .expect("all formats are built in")
        .write_all(bytes)
        .expect("memory can be written");
    out
}

/// Returns the rows of a table: an input, which may have escape sequences, and after `=>` what is
/// expected of it. A line that starts with `//` is a comment.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = (String, &str)> {
    let is_row = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    table.lines().filter(is_row).map(|line| {
        let (input, expected) = line.split_once(" => ").expect(line);
        let mut input = input.trim().to_string();
        for (escape, byte) in [(r"\n", "\n"), (r"\t", "\t"), (r"\r", "\r"), (r"\0", "\0")] {
            input = input.replace(escape, byte);
        }
        (input, expected.trim())
    })
}

/// Reads `head` and the input of each row as a file called `name`, and expects an error that
/// starts with the name and the text of the row, and ends with a remedy in brackets.
#[track_caller]
fn refused(name: &str, head: &str, table: &str) {
    for (text, expected) in rows(table) {
        let text = format!("{head}{text}");
        let error = read_as(text.as_bytes(), name, Format::Auto, false).expect_err(&text);
        let message = error.to_string();
        let is_expected = message.starts_with(&format!("{name}{expected}"));
        assert!(is_expected && message.ends_with(')'), "{text:?}: {message}");
    }
}

fn label(graph: &Graph, v: Vertex) -> String {
    graph.labels().display(v).to_string()
}

/// Returns the labels of the ends of all arcs, in the order of the vertices.
fn arcs(graph: &Graph) -> Vec<(String, String)> {
    let csr = graph.csr();
    (0..csr.vertices() as Vertex)
        .flat_map(|v| csr.neighbours(v).iter().map(move |&u| (v, u)))
        .map(|(v, u)| (label(graph, v), label(graph, u)))
        .collect()
}
