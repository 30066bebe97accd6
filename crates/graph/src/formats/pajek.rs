//! Pajek networks: `*Vertices`, then `*Edges`, `*Arcs`, `*Edgeslist`, `*Arcslist` and `*Matrix` in
//! any order. Partitions, vectors and other parts of Pajek projects are skipped.
//!
//! The labels of vertices are kept if each has a different one; otherwise their numbers, which
//! start at 1, are the labels. The third number of an edge is its weight, and so are the numbers of
//! a matrix. Edges of all relations, as in `*Arcs :2 "friends"`, and vertices and edges with times
//! in brackets, as in `1 2 1 [1-5,7]`, are read like all others.

use std::mem;

use super::matrix::MatrixRows;
use super::names::distinct;
use super::parsed::{Parsed, declared_ends, declared_vertex, new_edge_list};
use crate::builder::check_vertices;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{Tokens, shown};
use crate::{EdgeList, LabelChoice, ReadOptions};

/// The meaning of the lines of a section.
#[derive(Clone, Copy)]
enum Section {
    Vertices,
    /// Two vertices in a line.
    Pairs,
    /// A vertex and its neighbours in a line.
    Lists,
    Matrix,
    /// Something other than edges, such as a partition.
    Skipped,
}

/// A network while its file is read.
#[derive(Default)]
struct Network {
    section: Option<Section>,
    /// Whether the edges of the section are undirected.
    undirected: bool,
    /// The declared number of vertices.
    vertices: Option<u64>,
    /// The labels of the vertices whose lines were read.
    labels: Vec<Option<Vec<u8>>>,
    /// Whether the next `*Vertices` line belongs to a section that is skipped.
    skips_vertices: bool,
    matrix: MatrixRows,
    edges: EdgeList,
}

/// Reads the one network of the file.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    let mut network = Network {
        edges: new_edge_list(0, options)?,
        ..Network::default()
    };
    while let Some(line) = lines.line()? {
        let mut tokens = Tokens::new(line);
        match tokens.token() {
            None | Some([b'%', ..]) => {}
            Some([b'*', name @ ..]) => network.start_section(name, tokens)?,
            Some(first) => network.line(first, line)?,
        }
    }
    let Some(vertices) = network.vertices else {
        return Err(unfit!("there is no *Vertices line (write: *Vertices 10)"));
    };
    network.matrix.finish()?;
    let labels = network.labels.into_iter().map(Option::unwrap_or_default);
    let number = |vertex| (u64::from(vertex) + 1).to_string();
    let mut parsed = Parsed::numbered(network.edges, vertices);
    match options.labels {
        LabelChoice::Usual => match distinct(labels.collect(), vertices as usize, number) {
            Ok(labels) => parsed.labels = labels,
            Err(why) => {
                let note = |why| format!("the labels of vertices are their numbers, because {why}");
                parsed.notes.extend(why.map(note));
            }
        },
        LabelChoice::Id => {}
        LabelChoice::Named(_) => {
            return Err(unfit!(
                "vertices have a number and a label here, and no attributes (give --labels id for \
                 the numbers, or leave --labels out)"
            ));
        }
    }
    Ok(parsed)
}

impl Network {
    fn start_section(&mut self, name: &[u8], mut rest: Tokens<'_>) -> Result<(), Problem> {
        let name = name.to_ascii_lowercase();
        let section = match &name[..] {
            b"network" => {
                self.skips_vertices = false;
                return Ok(());
            }
            b"vertices" if mem::take(&mut self.skips_vertices) => return Ok(()),
            b"vertices" => {
                self.section = Some(Section::Vertices);
                let Some(Ok(vertices)) = rest.number() else {
                    refuse!("*Vertices has no number (write: *Vertices 10)");
                };
                check_vertices(vertices)?;
                if self.vertices.replace(vertices).is_some() {
                    refuse!("there is a second *Vertices line (keep one network per file)");
                }
                return Ok(());
            }
            b"edges" | b"arcs" => Section::Pairs,
            b"edgeslist" | b"arcslist" => Section::Lists,
            b"matrix" => Section::Matrix,
            // These sections have no edges, and a `*Vertices` line of their own.
            b"partition" | b"vector" | b"permutation" | b"cluster" | b"hierarchy" => {
                self.skips_vertices = true;
                self.section = Some(Section::Skipped);
                return Ok(());
            }
            _ => refuse!(
                "a section *{} is not supported (keep *Vertices, *Edges, *Arcs, *Edgeslist, \
                 *Arcslist and *Matrix; save the network in Pajek with them)",
                shown(&name).replace('\'', "")
            ),
        };
        let Some(vertices) = self.vertices else {
            refuse!("edges stand before *Vertices (start with: *Vertices 10)");
        };
        if let Section::Matrix = section {
            self.matrix.finish()?;
            self.matrix = MatrixRows::new(vertices, None);
        }
        self.section = Some(section);
        self.undirected = name.starts_with(b"edges");
        Ok(())
    }

    /// Reads a line of the section, which starts with the token `first`, so that its first number
    /// is never missing.
    fn line(&mut self, first: &[u8], line: &[u8]) -> Result<(), Problem> {
        let vertices = self.vertices.unwrap_or(0);
        let mut tokens = Tokens::new(line);
        let vertex = |tokens: &mut Tokens<'_>| {
            declared_vertex(tokens, vertices, |token: &str| {
                malformed!(
                    "{token} is not the number of a vertex (write a vertex as: number \"label\", \
                     and a list as: vertex neighbour neighbour ...)"
                )
            })
        };
        match self.section {
            None => refuse!(
                "{} stands before the first section (start with: *Vertices 10)",
                shown(first)
            ),
            Some(Section::Skipped) => {}
            Some(Section::Vertices) => {
                let vertex = vertex(&mut tokens)?.unwrap_or_default() as usize;
                let label = label(tokens.rest())?;
                if self.labels.len() <= vertex {
                    self.labels.resize(vertex + 1, None);
                }
                if self.labels[vertex].replace(label.to_vec()).is_some() {
                    let number = vertex + 1;
                    refuse!("vertex {number} has a second line (number each vertex once)");
                }
            }
            Some(Section::Pairs) => {
                let ends = declared_ends(&mut tokens, vertices, || {
                    malformed!(
                        "expected two vertices, found {} (write an edge as: from to [weight])",
                        shown(line.trim_ascii())
                    )
                })?;
                let weight = tokens.token().filter(|token| !is_time(token));
                let weight = self.edges.weight_of(weight)?;
                self.edges.push_mixed(ends, weight, self.undirected);
            }
            Some(Section::Lists) => {
                // Lists hold no weights.
                let weight = self.edges.weight_of(None)?;
                let tail = vertex(&mut tokens)?.unwrap_or_default();
                while let Some(head) = vertex(&mut tokens)? {
                    self.edges.push_mixed([tail, head], weight, self.undirected);
                }
            }
            Some(Section::Matrix) => {
                while let Some(number) = tokens.token() {
                    if let Some(ends) = self.matrix.read_number(number)? {
                        let weight = self.edges.weight_of(Some(number))?;
                        self.edges.push_mixed(ends, weight, false);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a token starts times in brackets, as in `[1-5,7]`.
fn is_time(token: &[u8]) -> bool {
    matches!(token, [b'[', b'0'..=b'9', ..])
}

/// Returns the label after the number of a vertex, which is in quotes or ends at a blank; empty if
/// there is none.
fn label(rest: &[u8]) -> Result<&[u8], Problem> {
    let rest = rest.trim_ascii_start();
    let Some(quoted) = rest.strip_prefix(b"\"") else {
        let label = Tokens::new(rest).token().filter(|token| !is_time(token));
        return Ok(label.unwrap_or_default());
    };
    match quoted.iter().position(|&byte| byte == b'"') {
        Some(length) => Ok(&quoted[..length]),
        None => Err(malformed!(
            "a label has no end (close it with a quotation mark)"
        )),
    }
}
