//! UCINET's DL, as igraph reads it: `dl n=4 format=edgelist1`, labels, and data as a matrix (the
//! usual format, `fullmatrix`), as edges (`edgelist1`) or as lists of neighbours (`nodelist1`).
//!
//! Entries are arcs between vertices 1 to n. If labels are embedded in the data, names stand in
//! place of these numbers.

use std::{mem, vec};

use super::matrix::MatrixRows;
use super::names::{NodeLabels, labelled, named};
use super::parsed::{Parsed, check_vertices, declared_vertex, list_for};
use crate::error::Problem;
use crate::input::LineReader;
use crate::labels::NameInterner;
use crate::tokens::{Scan, Tokens, shown};
use crate::{EdgeList, LabelChoice, Vertex, WeightOptions};

#[derive(Default)]
enum Layout {
    #[default]
    Matrix,
    Edges,
    Neighbours,
}

/// The part of a file in front of its data.
#[derive(Default)]
struct Header {
    layout: Layout,
    vertices: u64,
    /// The labels in the header.
    labels: NodeLabels,
    /// Whether the data have names in place of numbers.
    embedded: bool,
}

/// The words of a line.
type Words = vec::IntoIter<Vec<u8>>;

/// Reads the one network of the file.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
    choice: &LabelChoice,
) -> Result<Parsed, Problem> {
    let (mut header, mut row) = Header::read(lines)?;
    let vertices = header.vertices;
    let mut data = Data {
        vertices,
        names: header.embedded.then(NameInterner::new),
        matrix: MatrixRows::default(),
        edges: list_for(0, weights)?,
    };
    if header.embedded {
        for name in mem::take(&mut header.labels) {
            data.vertex(&name)?;
        }
    }
    let mut are_columns = false;
    if let Layout::Matrix = header.layout {
        data.matrix = MatrixRows::new(vertices);
        // The first line has the names of the columns.
        are_columns = header.embedded;
    }
    loop {
        if row.len() > 0 {
            match header.layout {
                _ if mem::take(&mut are_columns) => {
                    row.try_for_each(|name| data.vertex(&name).map(drop))?;
                }
                Layout::Matrix => data.matrix_row(row)?,
                Layout::Edges => data.edge(row)?,
                Layout::Neighbours => data.neighbours(row)?,
            }
        }
        match lines.line()? {
            Some(line) => row = words(line),
            None => break,
        }
    }
    data.matrix.finish()?;
    match (data.names, choice) {
        (None, _) => labelled(data.edges, header.labels, vertices, choice),
        (Some(names), _) if names.len() as u64 != vertices => {
            Err(Problem::count("vertices", vertices, names.len() as u64))
        }
        (Some(names), LabelChoice::Usual) => Ok(named(data.edges, names)),
        (Some(_), _) => Ok(Parsed::numbered(data.edges, vertices)),
    }
}

impl Header {
    /// Reads all words up to `data:`. Returns the rest of that line too.
    fn read(lines: &mut LineReader<'_>) -> Result<(Header, Words), Problem> {
        let mut header = Header::default();
        let (mut vertices, mut are_labels) = (None, false);
        while let Some(line) = lines.line()? {
            let mut words = words(line);
            while let Some(word) = words.next() {
                let mut value = || words.next().unwrap_or_default().to_ascii_lowercase();
                match &word.to_ascii_lowercase()[..] {
                    b"data:" => {
                        let Some(vertices) = vertices else {
                            refuse!(
                                "data stand before the number of vertices (start with: dl n=10)"
                            );
                        };
                        let listed = header.labels.len() as u64;
                        if listed > 0 && listed != vertices {
                            return Err(Problem::count("vertices", vertices, listed));
                        }
                        header.vertices = vertices;
                        return Ok((header, words));
                    }
                    b"labels:" => are_labels = true,
                    b"labels" => match &value()[..] {
                        b"embedded" | b"embedded:" => header.embedded = true,
                        word => refuse!(
                            "{} stands behind labels (write: labels embedded)",
                            shown(word)
                        ),
                    },
                    _ if are_labels => header.labels.push(word),
                    b"dl" => {}
                    b"n" => {
                        let count = value();
                        let Scan::Number(number) = Tokens::new(&count).number() else {
                            refuse!(
                                "n is {} (write the number of vertices: n=10)",
                                shown(&count)
                            );
                        };
                        check_vertices(number)?;
                        vertices = Some(number);
                    }
                    b"format" => {
                        let name = value();
                        header.layout = match &name[..] {
                            b"fullmatrix" => Layout::Matrix,
                            b"edgelist1" => Layout::Edges,
                            b"nodelist1" => Layout::Neighbours,
                            _ => refuse!(
                                "the format {} is not supported (export fullmatrix, edgelist1 or \
                                 nodelist1)",
                                shown(&name)
                            ),
                        };
                    }
                    _ => refuse!(
                        "{} is not supported in a header (keep n=, format=, labels: and data:, and \
                         one network whose rows and columns are the same vertices)",
                        shown(&word)
                    ),
                }
            }
        }
        Err(unfit!("there are no data (write: data: in front of them)"))
    }
}

/// The data of a network while they are read.
struct Data {
    vertices: u64,
    /// The embedded labels, in the order of their vertices.
    names: Option<NameInterner>,
    matrix: MatrixRows,
    edges: EdgeList,
}

impl Data {
    /// Returns the vertex of this number or embedded label.
    fn vertex(&mut self, word: &[u8]) -> Result<Vertex, Problem> {
        let vertices = self.vertices;
        if let Some(names) = &mut self.names {
            let vertex = names.intern(word)?;
            if u64::from(vertex) >= vertices {
                refuse!(
                    "{} is one name more than the {vertices} vertices (correct it, or n=)",
                    shown(word)
                );
            }
            return Ok(vertex);
        }
        let malformed = || {
            malformed!(
                "{} is no number of a vertex (if it is its name, write in the header: labels \
                 embedded)",
                shown(word)
            )
        };
        let vertex = declared_vertex(&mut Tokens::new(word), vertices, |_| malformed())?;
        vertex.ok_or_else(malformed)
    }

    fn matrix_row(&mut self, mut row: Words) -> Result<(), Problem> {
        if self.names.is_some() {
            row.next();
        }
        row.try_for_each(|number| self.matrix.number(&number, &mut self.edges))
    }

    fn edge(&mut self, mut row: Words) -> Result<(), Problem> {
        let mut end = || self.vertex(&row.next().unwrap_or_default());
        let (tail, head) = (end()?, end()?);
        let weight = self.edges.weight_of(row.next().as_deref())?;
        self.edges.push_weighted(tail, head, weight);
        match row.next() {
            None => Ok(()),
            Some(word) => Err(malformed!(
                "{} is more than an edge can hold (write: from to [weight])",
                shown(&word)
            )),
        }
    }

    fn neighbours(&mut self, mut row: Words) -> Result<(), Problem> {
        let tail = self.vertex(&row.next().unwrap_or_default())?;
        row.try_for_each(|word| {
            let head = self.vertex(&word)?;
            let weight = self.edges.weight_of(None)?;
            self.edges.push_weighted(tail, head, weight);
            Ok(())
        })
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
