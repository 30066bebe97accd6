//! Reads files that name vertices of a graph: weights of vertices, or trips between pairs of them.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::text::Delimiter;
use super::text::cells::{Value, cut, decimal, is_comment, number, trim, whole};
use super::text::header;
use super::text::preamble::stated_delimiter;
use super::text::sample::{Row, Sample, is_empty};
use crate::error::{Problem, ReadError};
use crate::input::{self, LineReader};
use crate::tokens::{shown, whole_number};
use crate::{Labels, Vertex};

/// Names of columns of vertices.
const VERTICES: &str = "vertex node vertexid nodeid id name label source target";

/// Names of columns of weights or trips, the likeliest first.
const WEIGHTS: &str = "weight weights w trips demand flow volume population count value";

/// Reads the weight of each vertex of a graph from the file at `path`, or from standard input for
/// `-`. Gzip, zstd, bzip2 and xz are decompressed.
///
/// A row names a vertex and may have its weight in a second column; otherwise the weight is 1.
/// Vertices that the file does not name have weight 0. Rows have the syntax of edge lists, with a
/// header, comments and quotes.
///
/// # Errors
/// [`ReadError`] with the line of the first row that names no vertex of the graph, that names a
/// vertex again, or whose weight is not a finite number of at least zero.
pub fn read_vertex_weights(path: &Path, labels: &Labels) -> Result<Vec<f64>, ReadError> {
    let mut weights: Vec<Option<f64>> = vec![None; labels.len()];
    read(path, labels, |[vertex], weight| {
        if weights[vertex as usize].replace(weight).is_some() {
            let vertex = shown(labels.display(vertex).to_string().as_bytes());
            refuse!("vertex {vertex} has a second row (keep one of them)");
        }
        Ok(())
    })?;
    Ok(weights.into_iter().map(Option::unwrap_or_default).collect())
}

/// Reads pairs of vertices of a graph, and the trips from the first to the second one, from the
/// file at `path`, or from standard input for `-`. Compressed files are decompressed.
///
/// A row names the source and the target and may have the number of trips in a third column;
/// otherwise the number is 1. Trips of rows with the same pair are added. Pairs without trips and
/// trips from a vertex to itself are left out.
///
/// # Errors
/// [`ReadError`] with the line of the first row that names no vertex of the graph, or whose number
/// of trips is not a finite number of at least zero.
pub fn read_demand(path: &Path, labels: &Labels) -> Result<Vec<(Vertex, Vertex, f64)>, ReadError> {
    let mut pairs: IndexMap<(Vertex, Vertex), f64, FxBuildHasher> = IndexMap::default();
    read(path, labels, |[source, target], trips| {
        if source != target && trips > 0.0 {
            *pairs.entry((source, target)).or_default() += trips;
        }
        Ok(())
    })?;
    let trips = |((source, target), trips)| (source, target, trips);
    Ok(pairs.into_iter().map(trips).collect())
}

/// Calls `add` with the `N` vertices and the weight of each row.
fn read<const N: usize>(
    path: &Path,
    labels: &Labels,
    add: impl FnMut([Vertex; N], f64) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    let name = input::name(path);
    let lines = input::open(path).and_then(|stream| LineReader::new(stream, Arc::default()));
    let mut lines = lines.map_err(|problem| problem.in_file(&name, 0))?;
    let read = read_rows(&mut lines, &*index(labels), add);
    read.map_err(|problem| problem.in_file(&name, lines.number))
}

fn read_rows<const N: usize>(
    lines: &mut LineReader<'_>,
    index: &Index<'_>,
    mut add: impl FnMut([Vertex; N], f64) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let stated = lines.line()?.and_then(stated_delimiter);
    if stated.is_none() {
        lines.step_back();
    }
    let find = |sample: &Sample<'_>| Ok(Layout::<N>::find(sample, index));
    let layout = Sample::decide(lines, stated, find)?;
    let mut rows = 0u64;
    while let Some(line) = lines.line()? {
        let is_comment = is_comment(line)? && !layout.names_vertex(line, index);
        if is_comment || is_empty(line) {
            continue;
        }
        rows += 1;
        // A name may have delimiters although it has no quotes.
        let vertex = (N == 1).then(|| index(line.trim_ascii())).flatten();
        if let Some(vertex) = vertex {
            add([vertex; N], 1.0)?;
        } else if rows > 1 || !layout.has_header {
            let (vertices, weight) = layout.row(line, index)?;
            add(vertices, weight)?;
        }
    }
    match rows > u64::from(layout.has_header) {
        true => Ok(()),
        false => Err(unfit!("no row names a vertex (write one in each row)")),
    }
}

/// A function that returns the vertex with a label.
type Index<'l> = dyn Fn(&[u8]) -> Option<Vertex> + 'l;

/// Returns a function that finds vertices by their labels.
fn index(labels: &Labels) -> Box<Index<'_>> {
    match labels {
        &Labels::Consecutive { first, count } => Box::new(move |label| {
            let vertex = whole_number(label)?.checked_sub(first)?;
            (vertex < count as u64).then_some(vertex as Vertex)
        }),
        Labels::Numbers(numbers) => {
            let known: FxHashMap<u64, Vertex> = numbers.iter().copied().zip(0..).collect();
            Box::new(move |label| known.get(&whole_number(label)?).copied())
        }
        Labels::Names { .. } => {
            let vertices = 0..labels.len() as Vertex;
            let known: FxHashMap<&[u8], Vertex> = vertices.map(|v| (labels.name(v), v)).collect();
            Box::new(move |label| known.get(label).copied())
        }
    }
}

/// Returns the vertex of a value, which pandas may have written as `1.0` in place of `1`.
fn vertex_of(value: &Value<'_>, delimiter: Delimiter, index: &Index<'_>) -> Option<Vertex> {
    let number = || index(whole(value, delimiter)?.to_string().as_bytes());
    index(&value.text).or_else(number)
}

/// The meaning of the columns of a file with `N` vertices in a row.
struct Layout<const N: usize> {
    delimiter: Delimiter,
    has_header: bool,
    /// The columns of the vertices, from 0.
    vertices: [usize; N],
    /// The column of the weight, from 0.
    weight: usize,
    /// The number of columns that a row may have at most.
    most_columns: usize,
}

impl<const N: usize> Layout<N> {
    /// Finds the columns by the header, if there is one. Otherwise the vertices are in the first
    /// columns and the weight is in the next one.
    fn find(sample: &Sample<'_>, index: &Index<'_>) -> Self {
        let words = sample.rows.first().map_or_else(Vec::new, Row::texts);
        let named: Option<[usize; N]> = match N {
            1 => first_listed(&words, VERTICES, &[]).map(|column| [column; N]),
            _ => (header::pairs(&words).first())
                .map(|pair| std::array::from_fn(|end| pair.columns[end])),
        };
        let known = |row: &Row<'_>| {
            let first = row.values.first();
            first.is_some_and(|value| vertex_of(value, sample.delimiter, index).is_some())
        };
        let has_header = !sample.rows.first().is_some_and(known)
            && (named.is_some() || sample.has_words_above_numbers());
        let vertices = named.filter(|_| has_header);
        let vertices = vertices.unwrap_or_else(|| std::array::from_fn(|end| end));
        let next = vertices.iter().max().map_or(N, |last| last + 1);
        let weight = first_listed(&words, WEIGHTS, &vertices).filter(|_| has_header);
        Layout {
            delimiter: sample.delimiter,
            has_header,
            vertices,
            weight: weight.unwrap_or(next),
            most_columns: weight.map_or(next + 1, |_| words.len()),
        }
    }

    /// Returns whether a line that looks like a comment is the row of a vertex: score files do not
    /// quote names such as `#1`.
    fn names_vertex(&self, line: &[u8], index: &Index<'_>) -> bool {
        let mut values = Vec::new();
        let cut = cut(line, self.delimiter, &mut values);
        let vertex = values.get(self.vertices[0]).filter(|_| cut.is_ok());
        vertex.is_some_and(|value| vertex_of(value, self.delimiter, index).is_some())
    }

    /// Returns the vertices and the weight of a row.
    fn row(&self, line: &[u8], index: &Index<'_>) -> Result<([Vertex; N], f64), Problem> {
        let mut values = Vec::new();
        cut(line, self.delimiter, &mut values)?;
        trim(&mut values, self.most_columns);
        if values.len() > self.most_columns {
            let vertices = if N == 1 { "a vertex" } else { "two vertices" };
            refuse!(
                "this row has {} columns (write {vertices} and perhaps a weight in each row, or a \
                 header that calls a column 'weight', and put names that hold a delimiter in \
                 double quotes)",
                values.len()
            );
        }
        let mut vertices = [0; N];
        for (vertex, &column) in vertices.iter_mut().zip(&self.vertices) {
            let Some(value) = values.get(column).filter(|value| !value.text.is_empty()) else {
                let column = column + 1;
                refuse!("there is no vertex in column {column} (write its name)");
            };
            *vertex = vertex_of(value, self.delimiter, index).ok_or_else(|| {
                malformed!(
                    "the graph has no vertex {} (correct the name, or remove the row)",
                    shown(&value.text)
                )
            })?;
        }
        let Some(weight) = values.get(self.weight) else {
            return Ok((vertices, 1.0));
        };
        let Some(number) = parse_weight(&decimal(&weight.text, self.delimiter)) else {
            let weight = shown(&weight.text);
            refuse!("the weight {weight} is not a finite number of at least zero (correct it)");
        };
        Ok((vertices, number))
    }
}

/// Returns the column whose word comes earliest in `list`, except the `excluded` columns.
fn first_listed(words: &[&[u8]], list: &str, excluded: &[usize]) -> Option<usize> {
    let position = |word: &[u8]| {
        let word = String::from_utf8_lossy(word).to_lowercase();
        let word = word.split('(').next()?;
        let word = word.replace(|c: char| !c.is_alphanumeric(), "");
        list.split(' ').position(|known| known == word)
    };
    let columns = (0..words.len()).filter(|column| !excluded.contains(column));
    let places = columns.filter_map(|column| Some((position(words[column])?, column)));
    places.min().map(|(_, column)| column)
}

/// Returns the weight of a vertex or of a pair, if the text is a finite number of at least zero.
pub(super) fn parse_weight(text: &[u8]) -> Option<f64> {
    number(text).filter(|number| number.is_finite() && *number >= 0.0)
}

#[cfg(test)]
mod tests;
