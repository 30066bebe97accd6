//! Reading a graph from a file or a stream: finds the format and hands over to its reader.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::error::{Problem, ReadError};
use super::formats::detect::{self, Detected};
use super::formats::parsed::Parsed;
use super::formats::{dimacs, edgelist, metis, mtx};
use super::input::{self, LineReader};
use super::{EdgeListOptions, Format, Graph, WeightChoice, WeightOptions};

/// How to read an input.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Format of the input.
    pub format: Format,
    /// Whether arcs count in one direction only.
    pub directed: bool,
    /// The weights to read, if edges are to have lengths.
    pub weights: Option<WeightOptions>,
    /// What is known of an edge list.
    pub edge_list: EdgeListOptions,
    /// Where the bytes that have been read, before decompression, are counted while reading goes on.
    pub progress: Option<Arc<AtomicU64>>,
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
    /// What was understood of the input beyond its rows, a sentence each.
    pub notes: Vec<String>,
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
    stream: Box<dyn Read + Send + 'a>,
    name: &str,
    options: &ReadOptions,
) -> Result<(Graph, Source), ReadError> {
    let failed = |problem: Problem, line: u64| ReadError {
        file: name.into(),
        line: (line > 0 && !problem.is_of_file()).then_some(line),
        problem,
    };
    let mut lines = LineReader::new(stream, options.progress.clone().unwrap_or_default())
        .map_err(|problem| failed(problem, 0))?;
    let format = resolve(options.format, lines.buffered(), name).map_err(|p| failed(p, 0))?;
    let weights = options.weights.as_ref();
    let edge_list = matches!(format, Format::Auto | Format::Edgelist | Format::Labels);
    if !edge_list && weights.is_some_and(|weights| weights.choice != WeightChoice::Usual) {
        return Err(failed(Problem::WeightColumn, 0));
    }
    if !edge_list && let Some(option) = options.edge_list.given() {
        return Err(failed(Problem::EdgeListOption { option }, 0));
    }
    let parsed = match format {
        Format::Auto | Format::Edgelist => {
            edgelist::read(&mut lines, false, weights, &options.edge_list)
        }
        Format::Labels => edgelist::read(&mut lines, true, weights, &options.edge_list),
        Format::Mtx => mtx::read(&mut lines, weights),
        Format::Metis => metis::read(&mut lines, weights),
        Format::Dimacs => dimacs::read(&mut lines, weights),
    };
    let Parsed {
        edges,
        labels,
        notes,
    } = parsed.map_err(|problem| failed(problem, lines.number()))?;
    let source = Source {
        path: name.into(),
        format,
        bytes: lines.bytes(),
        notes,
    };
    let graph = edges
        .build(labels, options.directed)
        .map_err(|error| failed(error.into(), 0))?;
    Ok((graph, source))
}

fn resolve(asked: Format, head: &[u8], name: &str) -> Result<Format, Problem> {
    match (detect::detect(head, name), asked) {
        (Detected::Binary, _) => Err(Problem::Binary),
        (Detected::Foreign(name), Format::Auto) => Err(Problem::Foreign { name }),
        (Detected::Known(found), Format::Auto) => Ok(found),
        (_, asked) => Ok(asked),
    }
}
