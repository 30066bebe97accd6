//! Reading a graph from a file or a stream: finds the format and hands over to its reader.

use std::io::Read;
use std::path::Path;

use super::error::{Problem, ReadError};
use super::format::{self, Detected};
use super::input::{self, LineReader};
use super::tokens::{Scan, Tokens};
use super::{
    EdgeList, Format, Graph, Labels, Vertex, WeightOptions, read_dimacs, read_edgelist, read_metis,
    read_mtx,
};

/// How to read an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// Format of the input.
    pub format: Format,
    /// Whether arcs count in one direction only.
    pub directed: bool,
    /// The weights to read, if edges are to have lengths.
    pub weights: Option<WeightOptions>,
}

/// Where a graph came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The path as given, or `<stdin>`.
    pub path: String,
    /// Format the input was read as; never [`Format::Auto`].
    pub format: Format,
    /// Bytes read, before decompression.
    pub bytes: u64,
}

/// Everything a format's reader finds.
#[derive(Debug)]
pub(super) struct Parsed {
    pub edges: EdgeList,
    pub labels: Labels,
}

/// Reads the graph at `path`, or standard input for `-`. Gzip and zstd are decompressed.
///
/// # Errors
/// [`ReadError`], which names the file, where it helps the line, and what to do.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(Graph, Source), ReadError> {
    let name = input::name(path);
    match input::open(path) {
        Ok(stream) => read_stream(stream, &name, options),
        Err(problem) => Err(ReadError {
            file: name,
            line: None,
            problem,
        }),
    }
}

/// Reads a graph from `stream`, which may be compressed. `name` stands for it in messages, and
/// its suffix helps to find the format.
///
/// # Errors
/// As for [`read()`].
pub fn read_stream<'a>(
    stream: Box<dyn Read + 'a>,
    name: &str,
    options: &ReadOptions,
) -> Result<(Graph, Source), ReadError> {
    let failed = |problem: Problem, line: u64| ReadError {
        file: name.into(),
        line: (line > 0 && !problem.is_of_file()).then_some(line),
        problem,
    };
    let mut lines = LineReader::new(stream).map_err(|problem| failed(problem, 0))?;
    let format = resolve(options.format, lines.buffered(), name).map_err(|p| failed(p, 0))?;
    let weights = options.weights;
    let edge_list = matches!(format, Format::Auto | Format::Edgelist | Format::Labels);
    if !edge_list && weights.is_some_and(|weights| weights.column.is_some()) {
        return Err(failed(Problem::WeightColumn, 0));
    }
    let parsed = match format {
        Format::Auto | Format::Edgelist => read_edgelist::read(&mut lines, false, weights),
        Format::Labels => read_edgelist::read(&mut lines, true, weights),
        Format::Mtx => read_mtx::read(&mut lines, weights),
        Format::Metis => read_metis::read(&mut lines, weights),
        Format::Dimacs => read_dimacs::read(&mut lines, weights),
    };
    let Parsed { edges, labels } = parsed.map_err(|problem| failed(problem, lines.number()))?;
    let source = Source {
        path: name.into(),
        format,
        bytes: lines.bytes(),
    };
    let graph = edges
        .build(labels, options.directed)
        .map_err(|error| failed(error.into(), 0))?;
    Ok((graph, source))
}

fn resolve(asked: Format, head: &[u8], name: &str) -> Result<Format, Problem> {
    match (format::detect(head, name), asked) {
        (Detected::Binary, _) => Err(Problem::Binary),
        (Detected::Foreign(name), Format::Auto) => Err(Problem::Foreign { name }),
        (Detected::Known(found), Format::Auto) => Ok(found),
        (_, asked) => Ok(asked),
    }
}

/// Reads a vertex of a format that numbers its vertices from 1 to a declared `vertices`, and
/// returns its number from 0; `Ok(None)` at the end of the line.
pub(super) fn declared_vertex(
    tokens: &mut Tokens<'_>,
    vertices: u64,
    not_a_number: impl Fn(&[u8]) -> Problem,
) -> Result<Option<Vertex>, Problem> {
    let out_of_range = |vertex: String| Problem::OutOfRange { vertex, vertices };
    match tokens.number() {
        // A file with so many vertices is refused when its header is read.
        Scan::Number(number) if (1..=vertices).contains(&number) => {
            Ok(Some((number - 1) as Vertex))
        }
        Scan::Number(number) => Err(out_of_range(number.to_string())),
        Scan::TooLarge(token) => Err(out_of_range(String::from_utf8_lossy(token).into_owned())),
        Scan::Other(token) => Err(not_a_number(token)),
        Scan::End => Ok(None),
    }
}

/// Refuses a declared number of vertices that 32 bits cannot count.
pub(super) fn check_vertices(vertices: u64) -> Result<(), Problem> {
    if vertices > u64::from(u32::MAX) {
        let vertices = vertices as usize;
        return Err(super::BuildError::TooManyVertices { vertices }.into());
    }
    Ok(())
}

/// An edge list with room for the `declared` entries, up to a limit: a header can promise
/// anything, and memory is better taken as the entries really come.
pub(super) fn list_for(declared: u64) -> EdgeList {
    const MOST: u64 = 1 << 24;
    EdgeList::with_capacity(declared.min(MOST) as usize)
}
