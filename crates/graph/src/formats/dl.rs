//! UCINET's DL, as igraph reads it: `dl n=4 format=edgelist1`, labels, and data as a matrix (the
//! usual format, `fullmatrix`), as edges (`edgelist1`) or as lists of neighbours (`nodelist1`).
//!
//! Entries are arcs between vertices 1 to n. If labels are embedded in the data, names replace
//! these numbers.

use std::{mem, vec};

use super::matrix::MatrixRows;
use super::names::{NodeLabels, labelled, named};
use super::parsed::{Parsed, check_vertices, declared_vertex, list_for};
use crate::error::Problem;
use crate::input::LineReader;
use crate::labels::NameInterner;
use crate::tokens::{Scan, Tokens, shown};
use crate::{EdgeList, LabelChoice, Vertex, WeightOptions};

enum Layout {
    Matrix,
    Edges,
    Neighbours,
}

/// The words of a line.
type Words = vec::IntoIter<Vec<u8>>;

/// Reads the one network of the file.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
    choice: &LabelChoice,
) -> Result<Parsed, Problem> {
    let mut data = Data {
        layout: Layout::Matrix,
        vertices: 0,
        names: None,
        matrix: MatrixRows::default(),
        edges: list_for(0, weights)?,
    };
    let (mut labels, mut row) = data.read_header(lines)?;
    if data.names.is_some() {
        for name in mem::take(&mut labels) {
            data.vertex(&name)?;
        }
    }
    let is_matrix = matches!(data.layout, Layout::Matrix);
    if is_matrix {
        data.matrix = MatrixRows::new(data.vertices);
    }
    // The first line of a matrix with embedded labels has the names of the columns.
    let mut are_columns = is_matrix && data.names.is_some();
    loop {
        if row.len() > 0 {
            match mem::take(&mut are_columns) {
                true => row.try_for_each(|name| data.vertex(&name).map(drop))?,
                false => data.row(row)?,
            }
        }
        match lines.line()? {
            Some(line) => row = words(line),
            None => break,
        }
    }
    let vertices = data.vertices;
    data.matrix.finish()?;
    match (data.names, choice) {
        (None, _) => labelled(data.edges, labels, vertices, choice),
        (Some(names), _) if names.len() as u64 != vertices => {
            Err(Problem::count("vertices", vertices, names.len() as u64))
        }
        (Some(names), LabelChoice::Usual) => Ok(named(data.edges, names)),
        (Some(_), _) => Ok(Parsed::numbered(data.edges, vertices)),
    }
}

/// A network while its file is read.
struct Data {
    layout: Layout,
    vertices: u64,
    /// The embedded labels, in the order of their vertices.
    names: Option<NameInterner>,
    matrix: MatrixRows,
    edges: EdgeList,
}

impl Data {
    /// Reads all words up to `data:`. Returns the labels in the header, and the rest of that line.
    fn read_header(&mut self, lines: &mut LineReader<'_>) -> Result<(NodeLabels, Words), Problem> {
        let (mut labels, mut are_labels, mut vertices) = (NodeLabels::new(), false, None);
        while let Some(line) = lines.line()? {
            let mut words = words(line);
            while let Some(word) = words.next() {
                let mut value = || words.next().unwrap_or_default().to_ascii_lowercase();
                match &word.to_ascii_lowercase()[..] {
                    b"data:" => {
                        let Some(vertices) = vertices else {
                            refuse!(
                                "data: comes before the number of vertices (start with: dl n=10)"
                            );
                        };
                        let listed = labels.len() as u64;
                        if listed > 0 && listed != vertices {
                            return Err(Problem::count("vertices", vertices, listed));
                        }
                        self.vertices = vertices;
                        return Ok((labels, words));
                    }
                    b"labels:" => are_labels = true,
                    b"labels" => match &value()[..] {
                        b"embedded" | b"embedded:" => self.names = Some(NameInterner::default()),
                        word => refuse!(
                            "{} stands after labels (write: labels embedded)",
                            shown(word)
                        ),
                    },
                    _ if are_labels => labels.push(word),
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
                        self.layout = match &name[..] {
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
        Err(unfit!("there is no line data: (write it before the data)"))
    }

    /// Returns the vertex of this number or embedded label.
    fn vertex(&mut self, word: &[u8]) -> Result<Vertex, Problem> {
        let vertices = self.vertices;
        if let Some(names) = &mut self.names {
            let vertex = names.intern(word)?;
            if u64::from(vertex) >= vertices {
                refuse!(
                    "there are more names than the {vertices} vertices of n=, and {} is the first \
                     of them (correct the name, or n=)",
                    shown(word)
                );
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
            if self.names.is_some() {
                // The name of the row is skipped: rows are in the order of the columns.
                row.next();
            }
            return row.try_for_each(|number| self.matrix.number(&number, &mut self.edges));
        }
        let tail = self.vertex(&row.next().unwrap_or_default())?;
        if let Layout::Neighbours = self.layout {
            return row.try_for_each(|word| self.edge(tail, &word, None));
        }
        let head = row.next().unwrap_or_default();
        self.edge(tail, &head, row.next().as_deref())?;
        row.next().map_or(Ok(()), |word| {
            Err(malformed!(
                "{} is more than an edge can hold (write: from to [weight])",
                shown(&word)
            ))
        })
    }

    fn edge(&mut self, tail: Vertex, head: &[u8], weight: Option<&[u8]>) -> Result<(), Problem> {
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
