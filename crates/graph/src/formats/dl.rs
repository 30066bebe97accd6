//! UCINET's DL, as igraph reads it: `dl n=4 format=edgelist1`, labels, and data as a matrix (the
//! usual format, `fullmatrix`), as edges (`edgelist1`) or as lists of neighbours (`nodelist1`).
//!
//! Entries are arcs between vertices 1 to n. Where labels are embedded in the data, names stand in
//! place of these numbers.

use std::{iter, mem};

use super::matrix::MatrixRows;
use super::names::labelled;
use super::parsed::{Parsed, check_vertices, declared_vertex, list_for};
use crate::error::Problem;
use crate::input::LineReader;
use crate::labels::NameInterner;
use crate::tokens::{Scan, Tokens, shown};
use crate::{EdgeList, LabelChoice, Vertex, WeightOptions};

/// The meaning of the words of a line.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    Header,
    Labels,
    /// The names of the columns of a matrix, where labels are embedded.
    Columns,
    Data,
}

#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Matrix,
    Edges,
    Neighbours,
}

struct Body {
    section: Section,
    layout: Layout,
    vertices: Option<u64>,
    /// Labels of the header.
    listed: Vec<Vec<u8>>,
    embedded: bool,
    /// Labels that are embedded in the data, in the order of their vertices.
    names: NameInterner,
    matrix: MatrixRows,
    edges: EdgeList,
}

/// The words of a line.
type Words = std::vec::IntoIter<Vec<u8>>;

/// Reads the one network of the file.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
    choice: &LabelChoice,
) -> Result<Parsed, Problem> {
    let mut body = Body {
        section: Section::Header,
        layout: Layout::Matrix,
        vertices: None,
        listed: Vec::new(),
        embedded: false,
        names: NameInterner::new(),
        matrix: MatrixRows::default(),
        edges: list_for(0, weights)?,
    };
    while let Some(line) = lines.line()? {
        let mut words = words(line);
        while let Some(word) = words.next() {
            match body.section {
                Section::Header | Section::Labels => body.header(word, &mut words)?,
                Section::Columns => {
                    for name in iter::once(word).chain(words.by_ref()) {
                        body.named(&name)?;
                    }
                    body.section = Section::Data;
                }
                Section::Data => body.row(&word, &mut words)?,
            }
        }
    }
    body.finish(choice)
}

impl Body {
    /// A word in front of the data.
    fn header(&mut self, word: Vec<u8>, rest: &mut Words) -> Result<(), Problem> {
        let mut value = || rest.next().unwrap_or_default().to_ascii_lowercase();
        match &word.to_ascii_lowercase()[..] {
            b"data:" => self.start_data()?,
            b"labels:" => self.section = Section::Labels,
            b"labels" => match &value()[..] {
                b"embedded" | b"embedded:" => self.embedded = true,
                word => refuse!(
                    "{} stands behind labels (write: labels embedded)",
                    shown(word)
                ),
            },
            _ if self.section == Section::Labels => self.listed.push(word),
            b"dl" => {}
            b"n" => {
                let count = value();
                let Scan::Number(vertices) = Tokens::new(&count).number() else {
                    refuse!(
                        "n is {} (write the number of vertices: n=10)",
                        shown(&count)
                    );
                };
                check_vertices(vertices)?;
                self.vertices = Some(vertices);
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
                "{} is not supported in a header (keep n=, format=, labels: and data:, and one \
                 network whose rows and columns are the same vertices)",
                shown(&word)
            ),
        }
        Ok(())
    }

    fn start_data(&mut self) -> Result<(), Problem> {
        let Some(vertices) = self.vertices else {
            refuse!("data stand before the number of vertices (start with: dl n=10)");
        };
        let listed = self.listed.len() as u64;
        if listed > 0 && listed != vertices {
            return Err(Problem::count("vertices", vertices, listed));
        }
        self.section = Section::Data;
        if self.layout == Layout::Matrix {
            self.matrix = MatrixRows::new(vertices);
        }
        if self.embedded {
            for name in mem::take(&mut self.listed) {
                self.named(&name)?;
            }
            if self.layout == Layout::Matrix {
                self.section = Section::Columns;
            }
        }
        Ok(())
    }

    /// The vertex of an embedded label.
    fn named(&mut self, name: &[u8]) -> Result<Vertex, Problem> {
        let vertices = self.vertices.unwrap_or(0);
        match self.names.intern(name) {
            Ok(vertex) if u64::from(vertex) < vertices => Ok(vertex),
            _ => Err(malformed!(
                "{} is one name more than the {vertices} vertices (correct it, or n=)",
                shown(name)
            )),
        }
    }

    fn vertex(&mut self, word: &[u8]) -> Result<Vertex, Problem> {
        if self.embedded {
            return self.named(word);
        }
        let malformed = || {
            malformed!(
                "{} is no number of a vertex (if it is its name, write in the header: labels \
                 embedded)",
                shown(word)
            )
        };
        let vertices = self.vertices.unwrap_or(0);
        let vertex = declared_vertex(&mut Tokens::new(word), vertices, |_| malformed())?;
        vertex.ok_or_else(malformed)
    }

    /// A line of the data.
    fn row(&mut self, first: &[u8], rest: &mut Words) -> Result<(), Problem> {
        if self.layout == Layout::Matrix {
            if !self.embedded {
                self.matrix.number(first, &mut self.edges)?;
            }
            return rest.try_for_each(|word| self.matrix.number(&word, &mut self.edges));
        }
        let tail = self.vertex(first)?;
        if self.layout == Layout::Edges {
            let head = self.vertex(&rest.next().unwrap_or_default())?;
            let weight = self.edges.weight_of(rest.next().as_deref())?;
            self.edges.push_weighted(tail, head, weight);
            return match rest.next() {
                None => Ok(()),
                Some(word) => Err(malformed!(
                    "{} is more than an edge can hold (write: from to [weight])",
                    shown(&word)
                )),
            };
        }
        rest.try_for_each(|word| {
            let head = self.vertex(&word)?;
            let weight = self.edges.weight_of(None)?;
            self.edges.push_weighted(tail, head, weight);
            Ok(())
        })
    }

    fn finish(self, choice: &LabelChoice) -> Result<Parsed, Problem> {
        let (true, Some(vertices)) = (self.section == Section::Data, self.vertices) else {
            return Err(unfit!("there are no data (write: data: in front of them)"));
        };
        self.matrix.finish()?;
        if !self.embedded {
            return labelled(self.edges, self.listed, vertices, choice);
        }
        let named = self.names.len() as u64;
        match choice {
            _ if named != vertices => Err(Problem::count("vertices", vertices, named)),
            LabelChoice::Usual => Ok(Parsed::named(self.edges, self.names)),
            _ => Ok(Parsed::numbered(self.edges, vertices)),
        }
    }
}

/// Cuts a line at blanks, commas and equal signs outside quotes. A quote is left out.
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
