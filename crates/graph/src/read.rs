//! Reads a graph from a file or a stream: detects the format and calls its reader.

use std::io::{self, Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::error::{Problem, ReadError};
use super::formats::decorate::decorate;
use super::formats::list;
use super::formats::npz;
use super::formats::{dimacs, dot, gml, json, lgl, metis, mtx, pajek, table, tntp, xml_graph};
use super::input::{self, LineReader};
use super::{Format, Graph, LabelChoice, NamedScores, ReadOptions};

/// The input that a graph came from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Source {
    /// The path as given, or `<stdin>`.
    pub path: String,
    /// The format that the input was read as; never [`Format::Auto`].
    pub format: Format,
    /// The number of bytes read, before decompression.
    pub bytes: u64,
    /// Notes about assumptions of the reader, a sentence each.
    pub notes: Vec<String>,
    /// Warnings about assumptions that may be wrong and change scores, a sentence each.
    pub warnings: Vec<String>,
    /// The weight of each vertex: the values of the attribute [`ReadOptions::vertex_weights`],
    /// finite numbers of at least zero.
    pub vertex_weights: Option<Vec<f64>>,
}

impl Source {
    /// Returns whether the input is a GraphML or GEXF file, so that [`Source::write_scored`] can
    /// read it again and copy it.
    pub fn can_be_copied(&self) -> bool {
        matches!(self.format, Format::Graphml | Format::Gexf) && Path::new(&self.path).is_file()
    }

    /// Reads the input, a GraphML or GEXF file, once more and copies it to `out` with the scores of
    /// vertices, and perhaps of edges, as further attributes. All else stays as it is. The copy is
    /// not compressed.
    ///
    /// `scores` are those of vertices, then those of edges. Each edge of the file gets the score of
    /// its edge in the graph: parallel edges get the same score, loops get 0, and an undirected
    /// edge of a directed graph gets the sum of the scores of both arcs.
    ///
    /// # Errors
    /// Those of the input and of `out`, `InvalidInput` if the input has another format, and
    /// `InvalidData` if the input has changed since `graph` was read.
    pub fn write_scored(
        &self,
        graph: &Graph,
        scores: (&[NamedScores], &[NamedScores]),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let input = input::open(Path::new(&self.path))?;
        decorate(input, self.format, graph, scores.into(), out)
    }
}

/// Reads the graph at `path`, or from standard input for `-`. Gzip, zstd, bzip2 and xz are
/// decompressed.
///
/// # Errors
/// [`ReadError`], which names the file, the line if the problem is in one, and what to do.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(Graph, Source), ReadError> {
    let name = input::name(path);
    let stream = input::open(path).map_err(|problem| problem.in_file(&name, 0))?;
    read_stream(stream, &name, options)
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
    let bytes = options.progress.clone().unwrap_or_default();
    let lines = LineReader::new(stream, Arc::clone(&bytes));
    let mut lines = lines.map_err(|problem| problem.in_file(name, 0))?;
    let read = read_lines(&mut lines, &bytes, name, options);
    read.map_err(|problem| problem.in_file(name, lines.number))
}

/// Reads the graph in `lines`, the content of the input called `name`. `bytes` is the number of
/// bytes read so far, before decompression.
///
/// # Errors
/// [`Problem`], which may be in the current line.
fn read_lines(
    lines: &mut LineReader<'_>,
    bytes: &AtomicU64,
    name: &str,
    options: &ReadOptions,
) -> Result<(Graph, Source), Problem> {
    let mut format = resolve(options.format, lines.buffered(), name)?;
    refuse_foreign_options(format, options)?;
    let parsed = match format {
        Format::Auto
        | Format::Edgelist
        | Format::Labels
        | Format::Sif
        | Format::Matrix
        | Format::Adjlist => {
            let (parsed, found) = table::read(lines, format, options)?;
            format = found;
            parsed
        }
        Format::Mtx => mtx::read(lines, options)?,
        Format::Metis => metis::read(lines, options)?,
        Format::Dimacs => dimacs::read(lines, options)?,
        Format::Gml => gml::read(lines, options)?,
        Format::Graphml | Format::Gexf => xml_graph::read(lines, options, format == Format::Gexf)?,
        Format::Pajek => pajek::read(lines, options)?,
        Format::Lgl => lgl::read(lines, options)?,
        Format::Json => json::read(lines, options)?,
        Format::Dot => dot::read(lines, options)?,
        Format::Tntp => tntp::read(lines, options)?,
        Format::Npz => npz::read(Cursor::new(lines.whole_text()?), options)?,
    };
    let source = Source {
        path: name.into(),
        format,
        bytes: bytes.load(Relaxed),
        notes: parsed.notes,
        warnings: parsed.warnings,
        vertex_weights: parsed.vertex_weights,
    };
    let graph = parsed.edges.build(parsed.labels, options.directed)?;
    Ok((graph, source))
}

/// Refuses options that `format` does not support.
fn refuse_foreign_options(format: Format, options: &ReadOptions) -> Result<(), Problem> {
    let is_edge_list = matches!(format, Format::Auto | Format::Edgelist | Format::Labels);
    let has_attributes = matches!(
        format,
        Format::Gml | Format::Graphml | Format::Gexf | Format::Json | Format::Dot
    );
    let has_weight_names = has_attributes || format == Format::Tntp;
    let has_labels = has_attributes || format == Format::Pajek;
    let has_delimiter = matches!(format, Format::Sif | Format::Matrix | Format::Adjlist);
    let edge_list = &options.edge_list;
    let has_edge_list_options =
        edge_list.has_layout() || edge_list.delimiter.is_some() && !has_delimiter;
    match format {
        _ if options.labels != LabelChoice::Usual && !has_labels => Err(unfit!(
            "vertices have one name only in this format; --labels is for GraphML, GEXF, GML, JSON, \
             DOT and Pajek (leave it out)"
        )),
        _ if options.vertex_weights.is_some() && !has_attributes => Err(unfit!(
            "vertices have no attributes in this format (give the weights of vertices in a file, \
             or the graph as GraphML, GEXF, GML, JSON or DOT)"
        )),
        Format::Lgl if options.directed => Err(unfit!(
            "LGL files do not store the directions of edges (leave --directed out, or export the \
             graph in another format)"
        )),
        _ if options.names_weights() && !(is_edge_list || has_weight_names) => {
            Err(Problem::weight_column())
        }
        _ if has_edge_list_options && !is_edge_list => Err(unfit!(
            "--delimiter, --header, --columns and --vertices are for edge lists only (leave them \
             out)"
        )),
        _ => Ok(()),
    }
}

/// Returns the format of an input that starts with `head`: the requested one, or else the one that
/// its content or its `name` shows.
fn resolve(requested: Format, head: &[u8], name: &str) -> Result<Format, Problem> {
    if requested == Format::Npz {
        return Ok(requested);
    }
    let entry = list::detect(head, name)?.filter(|_| requested == Format::Auto);
    match entry.map_or(Ok(requested), |entry| entry.format(name))? {
        // `table::read` decides by the shape of the rows.
        Format::Edgelist if entry.is_some() => Ok(Format::Auto),
        format => Ok(format),
    }
}
