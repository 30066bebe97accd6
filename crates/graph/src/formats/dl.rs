//! UCINET's DL, as igraph reads it: `dl n=4 format=edgelist1`, labels, and data as a matrix (the
//! usual format, `fullmatrix`), as edges (`edgelist1`) or as lists of neighbours (`nodelist1`).
//!
//! Entries are arcs between vertices 1 to n. If labels are embedded in the data, names replace
//! these numbers, and a matrix has the names of its columns before its rows, and the name of each
//! row before its numbers. As in UCINET, names that differ only in case are equal.

use std::{mem, vec};

use super::matrix::MatrixRows;
use super::names::{VertexLabels, labelled};
use super::parsed::{Parsed, declared_vertex, new_edge_list};
use crate::builder::check_vertices;
use crate::error::Problem;
use crate::input::LineReader;
use crate::labels::NameInterner;
use crate::tokens::{Tokens, shown, whole_number};
use crate::{EdgeList, ReadOptions, Vertex};

#[derive(Default)]
enum Layout {
    #[default]
    Matrix,
    Edges,
    Neighbours,
}

/// The words of a line.
type Words = vec::IntoIter<Vec<u8>>;

/// Reads the one network of the file.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    let mut data = Data {
        edges: new_edge_list(0, options)?,
        ..Data::default()
    };
    let rest = data.read_header(lines)?;
    if data.names.is_some() {
        for name in mem::take(&mut data.labels) {
            data.vertex(&name)?;
        }
    }
    if let Layout::Matrix = data.layout {
        data.matrix = MatrixRows::new(data.vertices, None);
    }
    data.row(rest)?;
    while let Some(line) = lines.line()? {
        data.row(words(line))?;
    }
    data.matrix.finish()?;
    data.check_labels()?;
    labelled(data.edges, data.labels, data.vertices, options)
}

/// A network while its file is read.
#[derive(Default)]
struct Data {
    layout: Layout,
    vertices: u64,
    /// The labels of the vertices in their order; empty if the file has none.
    labels: VertexLabels,
    /// The labels in lower case, if they are embedded.
    names: Option<NameInterner>,
    matrix: MatrixRows,
    /// The vertices of the columns and of the rows of a matrix, as far as their names were read.
    columns: Vec<Vertex>,
    rows: Vec<Vertex>,
    edges: EdgeList,
}

impl Data {
    /// Reads all words up to `data:`. Returns the rest of that line.
    fn read_header(&mut self, lines: &mut LineReader<'_>) -> Result<Words, Problem> {
        let (mut are_labels, mut vertices) = (false, None);
        let unsupported = |word: &[u8]| {
            malformed!(
                "{} is not supported in a header (it may have n=, format=, labels: and data:, and \
                 one network whose rows and columns are the same vertices)",
                shown(word)
            )
        };
        while let Some(line) = lines.line()? {
            let mut words = words(line);
            while let Some(word) = words.next() {
                let mut value = || words.next().unwrap_or_default().to_ascii_lowercase();
                match &word.to_ascii_lowercase()[..] {
                    b"data:" => {
                        self.vertices = vertices.ok_or_else(|| {
                            malformed!(
                                "data: comes before the number of vertices (start with: dl n=10)"
                            )
                        })?;
                        self.check_labels()?;
                        return Ok(words);
                    }
                    b"labels:" => are_labels = true,
                    b"labels" => match &value()[..] {
                        b"embedded" | b"embedded:" => self.names = Some(NameInterner::default()),
                        word => return Err(unsupported(word)),
                    },
                    _ if are_labels => self.labels.push(word),
                    b"dl" => {}
                    b"n" => {
                        let count = value();
                        let number = whole_number(&count).ok_or_else(|| unsupported(&count))?;
                        check_vertices(number)?;
                        vertices = Some(number);
                    }
                    b"format" => {
                        self.layout = match &value()[..] {
                            b"fullmatrix" => Layout::Matrix,
                            b"edgelist1" => Layout::Edges,
                            b"nodelist1" => Layout::Neighbours,
                            name => refuse!(
                                "the format {} is not supported (export fullmatrix, edgelist1 or \
                                 nodelist1)",
                                shown(name)
                            ),
                        };
                    }
                    _ => return Err(unsupported(&word)),
                }
            }
        }
        Err(unfit!(
            "the line 'data:' is missing (write it before the data)"
        ))
    }

    /// Checks that each vertex has a label, or none has.
    fn check_labels(&self) -> Result<(), Problem> {
        let count = self.labels.len() as u64;
        match count == 0 || count == self.vertices {
            true => Ok(()),
            false => Err(Problem::count("vertices", self.vertices, count)),
        }
    }

    /// Returns the vertex of this number or embedded label.
    fn vertex(&mut self, word: &[u8]) -> Result<Vertex, Problem> {
        let vertices = self.vertices;
        if let Some(names) = &mut self.names {
            let vertex = names.intern(&word.to_ascii_lowercase())?;
            if u64::from(vertex) >= vertices {
                refuse!(
                    "{} is one name too many for the {vertices} vertices of n= (correct the name, \
                     or n=)",
                    shown(word)
                );
            }
            if vertex as usize == self.labels.len() {
                self.labels.push(word.to_vec());
            }
            return Ok(vertex);
        }
        let malformed = || {
            malformed!(
                "{} is not the number of a vertex (if it is its name, write in the header: labels \
                 embedded)",
                shown(word)
            )
        };
        let vertex = declared_vertex(&mut Tokens::new(word), vertices, |_| malformed())?;
        vertex.ok_or_else(malformed)
    }

    /// Reads the words of a line of the data.
    fn row(&mut self, mut row: Words) -> Result<(), Problem> {
        if let Layout::Matrix = self.layout {
            return row.try_for_each(|word| self.cell(&word));
        }
        let Some(tail) = row.next() else {
            return Ok(());
        };
        let tail = self.vertex(&tail)?;
        if let Layout::Neighbours = self.layout {
            return row.try_for_each(|word| self.add_edge(tail, &word, None));
        }
        let head = row.next().unwrap_or_default();
        self.add_edge(tail, &head, row.next().as_deref())?;
        if let Some(word) = row.next() {
            let word = shown(&word);
            refuse!("{word} is one value too many (write: from to [weight])");
        }
        Ok(())
    }

    /// Reads a number of a matrix, or the name of a column or row.
    fn cell(&mut self, word: &[u8]) -> Result<(), Problem> {
        let columns_are_named = self.columns.len() as u64 == self.vertices;
        let row_is_complete = self.matrix.count == self.rows.len() as u64 * self.vertices;
        if self.names.is_none() || columns_are_named && !row_is_complete {
            if let Some(mut ends) = self.matrix.read_number(word)? {
                if self.names.is_some() {
                    let [row, column] = ends.map(|index| index as usize);
                    ends = [self.rows[row], self.columns[column]];
                }
                let weight = self.edges.weight_of(Some(word))?;
                self.edges.push_mixed(ends, weight, false);
            }
            return Ok(());
        }
        let vertex = self.vertex(word)?;
        let (named, what) = match columns_are_named {
            true => (&mut self.rows, "rows"),
            false => (&mut self.columns, "columns"),
        };
        if named.contains(&vertex) {
            let word = shown(word);
            refuse!("two {what} of the matrix are called {word} (correct one of the names, or n=)");
        }
        named.push(vertex);
        Ok(())
    }

    fn add_edge(
        &mut self,
        tail: Vertex,
        head: &[u8],
        weight: Option<&[u8]>,
    ) -> Result<(), Problem> {
        let head = self.vertex(head)?;
        let weight = self.edges.weight_of(weight)?;
        self.edges.push_weighted(tail, head, weight);
        Ok(())
    }
}

/// Cuts a line at blanks, commas and equal signs outside quotes, and leaves the quotes out.
fn words(line: &[u8]) -> Words {
    let (mut words, mut word, mut quoted) = (Vec::new(), Vec::new(), false);
    for &byte in line.iter().chain(b" ") {
        let ends = byte.is_ascii_whitespace() || matches!(byte, b',' | b'=');
        match byte {
            b'"' => quoted = !quoted,
            _ if !ends || quoted => word.push(byte),
            _ if word.is_empty() => {}
            _ => words.push(mem::take(&mut word)),
        }
    }
    words.into_iter()
}
