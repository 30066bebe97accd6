//! Reads a graph from a file or a stream: finds the format and calls its reader.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::error::{Problem, ReadError};
use super::formats::attributes::AttributeOptions;
use super::formats::decorate::decorate;
use super::formats::list;
use super::formats::npz;
use super::formats::{dimacs, dl, gml, lgl, metis, mtx, pajek, table, xml_graph};
use super::input::{self, LineReader};
use super::{
    EdgeListOptions, Format, Graph, LabelChoice, NamedScores, WeightChoice, WeightOptions,
};

/// Options for reading an input.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The format of the input.
    pub format: Format,
    /// Whether the graph is directed.
    pub directed: bool,
    /// The weights to read, if edges are to have lengths.
    pub weights: Option<WeightOptions>,
    /// The choice of labels, in GraphML, GEXF, GML, Pajek and DL.
    pub labels: LabelChoice,
    /// The attribute of vertices that is read into [`Source::vertex_weights`], if any.
    pub vertex_weights: Option<String>,
    /// The layout of an edge list, as far as the caller knows it.
    pub edge_list: EdgeListOptions,
    /// Whether [`Source::write_scored`] will be called: a GraphML or GEXF input that can be read
    /// only once, such as standard input, is kept in memory for it.
    pub keep: bool,
    /// A counter of the bytes that have been read so far, before decompression.
    pub progress: Option<Arc<AtomicU64>>,
}

/// The input that a graph came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The path as given, or `<stdin>`.
    pub path: String,
    /// The format that the input was read as; never [`Format::Auto`].
    pub format: Format,
    /// The number of bytes read, before decompression.
    pub bytes: u64,
    /// Sentences about how the input was understood.
    pub notes: Vec<String>,
    /// The weight of each vertex: the values of the attribute [`ReadOptions::vertex_weights`],
    /// finite numbers of at least zero.
    pub vertex_weights: Option<Vec<f64>>,
    /// The bytes of an input that is [kept](ReadOptions::keep), before decompression.
    pub kept: Option<Arc<[u8]>>,
}

impl Source {
    /// Returns whether the input is a GraphML or GEXF file, so that [`Source::write_scored`] can
    /// copy it.
    pub fn has_attributes(&self) -> bool {
        matches!(self.format, Format::Graphml | Format::Gexf)
    }

    /// Reads the input, a GraphML or GEXF file, once more and copies it to `out` with the scores of
    /// vertices, and perhaps of edges, as further attributes. All else stays as it is. The copy is
    /// not compressed.
    ///
    /// `scores` has those of vertices and those of edges. Each edge of the file gets the score of
    /// its edge in the graph: parallel edges get the same score, loops get 0, and an undirected
    /// edge of a directed graph gets the sum of the scores of both arcs.
    ///
    /// # Errors
    /// Those of the input and of `out`, `InvalidInput` if the input has another format, and
    /// `InvalidData` if it is no longer the one that `graph` was read from.
    pub fn write_scored(
        &self,
        graph: &Graph,
        scores: (&[NamedScores], &[NamedScores]),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let input: input::Stream<'_> = match &self.kept {
            Some(bytes) => Box::new(&bytes[..]),
            None => input::open(Path::new(&self.path))?,
        };
        decorate(input, self.format, graph, scores, out)
    }
}

/// Reads the graph at `path`, or from standard input for `-`. Gzip, zstd, bzip2 and xz are
/// decompressed.
///
/// # Errors
/// [`ReadError`], which names the file, the line if the problem is in one, and what to do.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(Graph, Source), ReadError> {
    let name = input::name(path);
    if let (Some((file, bytes)), Format::Auto | Format::Npz) = (zip_file(path), options.format) {
        return read_archive(&mut BufReader::new(file), bytes, &name, options);
    }
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    // `Source::path` cannot hold a path that is not UTF-8.
    let cannot_reopen = !is_file || path.to_str().is_none();
    match input::open(path) {
        Ok(stream) => read_any(stream, &name, options, options.keep && cannot_reopen),
        Err(problem) => Err(problem.in_file(&name, 0)),
    }
}

/// Returns the file at `path` and its size if it is a zip archive with random access.
fn zip_file(path: &Path) -> Option<(File, u64)> {
    // The kind is checked first, because reading from a pipe would consume its content.
    let metadata = fs::metadata(path).ok()?;
    if path == Path::new("-") || !metadata.is_file() {
        return None;
    }
    let mut file = File::open(path).ok()?;
    let mut magic = [0; 4];
    file.read_exact(&mut magic).ok()?;
    (&magic == b"PK\x03\x04").then_some((file, metadata.len()))
}

/// Reads a zip archive. `bytes` is the number of bytes read, before decompression.
fn read_archive(
    input: &mut dyn npz::Input,
    bytes: u64,
    name: &str,
    options: &ReadOptions,
) -> Result<(Graph, Source), ReadError> {
    let (graph, note) = refuse_foreign_options(Format::Npz, options)
        .and_then(|()| npz::read(input, options.weights.as_ref(), options.directed))
        .map_err(|problem| problem.in_file(name, 0))?;
    let source = Source {
        path: name.into(),
        format: Format::Npz,
        bytes,
        notes: note.into_iter().collect(),
        vertex_weights: None,
        kept: None,
    };
    Ok((graph, source))
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
    read_any(stream, name, options, options.keep)
}

fn read_any(
    mut stream: input::Stream<'_>,
    name: &str,
    options: &ReadOptions,
    keep: bool,
) -> Result<(Graph, Source), ReadError> {
    let failed = |problem: Problem| problem.in_file(name, 0);
    if keep {
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes);
        read.map_err(|error| failed(Problem::of_stream(&error)))?;
        let (graph, mut source) = read_any(Box::new(&bytes[..]), name, options, false)?;
        source.kept = source.has_attributes().then(|| bytes.into());
        return Ok((graph, source));
    }
    let mut lines =
        LineReader::new(stream, options.progress.clone().unwrap_or_default()).map_err(failed)?;
    let format = resolve(options.format, lines.buffered(), name).map_err(failed)?;
    let (weights, labels) = (options.weights.as_ref(), &options.labels);
    refuse_foreign_options(format, options).map_err(failed)?;
    if format == Format::Npz {
        let mut bytes = Vec::new();
        lines
            .read_to_end(&mut bytes)
            .map_err(|error| failed(Problem::of_stream(&error)))?;
        return read_archive(&mut Cursor::new(bytes), lines.taken(), name, options);
    }
    let attributes = AttributeOptions {
        weights,
        labels,
        vertex_weights: options.vertex_weights.as_deref(),
    };
    let mut format = format;
    let parsed = match format {
        Format::Auto
        | Format::Edgelist
        | Format::Labels
        | Format::Sif
        | Format::Matrix
        | Format::Adjlist => {
            let read = table::read(&mut lines, format, weights, &options.edge_list);
            read.map(|(parsed, found)| {
                format = found;
                parsed
            })
        }
        Format::Mtx => mtx::read(&mut lines, weights),
        Format::Metis => metis::read(&mut lines, weights),
        Format::Dimacs => dimacs::read(&mut lines, weights),
        Format::Gml => gml::read(&mut lines, attributes),
        Format::Graphml | Format::Gexf => {
            xml_graph::read(&mut lines, attributes, format == Format::Gexf)
        }
        Format::Pajek => pajek::read(&mut lines, weights, labels),
        Format::Dl => dl::read(&mut lines, weights, labels),
        // `Npz` was read above.
        Format::Lgl | Format::Npz => lgl::read(&mut lines, weights),
    };
    let parsed = parsed.map_err(|problem| problem.in_file(name, lines.number()))?;
    let source = Source {
        path: name.into(),
        format,
        bytes: lines.taken(),
        notes: parsed.notes,
        vertex_weights: parsed.vertex_weights,
        kept: None,
    };
    let graph = parsed.edges.build(parsed.labels, options.directed);
    Ok((graph.map_err(|error| failed(error.into()))?, source))
}

/// Refuses options that are for other formats.
fn refuse_foreign_options(format: Format, options: &ReadOptions) -> Result<(), Problem> {
    let is_edge_list = matches!(format, Format::Auto | Format::Edgelist | Format::Labels);
    let has_attributes = matches!(format, Format::Gml | Format::Graphml | Format::Gexf);
    let has_labels = has_attributes || matches!(format, Format::Pajek | Format::Dl);
    let has_columns = matches!(format, Format::Sif | Format::Matrix | Format::Adjlist);
    let usual = |weights: &WeightOptions| weights.choice == WeightChoice::Usual;
    let other = options.edge_list.given();
    let other = other.filter(|&option| !(is_edge_list || has_columns && option == "--delimiter"));
    if options.labels != LabelChoice::Usual && !has_labels {
        return Err(unfit!(
            "vertices have one name only in this format; --labels is for GraphML, GEXF, GML, Pajek \
             and DL (leave it out)"
        ));
    }
    if options.vertex_weights.is_some() && !has_attributes {
        return Err(unfit!(
            "vertices have no attributes in this format (give the weights of vertices in a file, \
             or the graph as GraphML, GEXF or GML)"
        ));
    }
    if format == Format::Lgl && options.directed {
        return Err(unfit!(
            "LGL files do not store the directions of edges (leave --directed out, or export the \
             graph in another format)"
        ));
    }
    if !(is_edge_list || has_attributes || options.weights.as_ref().is_none_or(usual)) {
        return Err(Problem::weight_column());
    }
    match other {
        None => Ok(()),
        Some(option) => Err(unfit!("{option} is for edge lists only (leave it out)")),
    }
}

/// Returns the format of an input that starts with `head`: the requested one, or else the one that
/// its content or its `name` shows.
fn resolve(requested: Format, head: &[u8], name: &str) -> Result<Format, Problem> {
    match (requested, list::detect(head, name)) {
        (Format::Npz, _) => Ok(requested),
        (_, Err(problem)) => Err(problem),
        (Format::Auto, Ok(Some(row))) => match row.format()? {
            // `table::read` decides by the shape of the rows.
            Format::Edgelist => Ok(Format::Auto),
            format => Ok(format),
        },
        _ => Ok(requested),
    }
}
