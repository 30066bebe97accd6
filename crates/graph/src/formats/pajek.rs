//! Pajek networks: `*Vertices`, then `*Edges`, `*Arcs`, `*Edgeslist`, `*Arcslist` and `*Matrix` in
//! any order. Partitions, vectors and the like, which projects have beside a network, are skipped.
//!
//! Vertices are called by their labels if each has one of its own, else by their numbers, which
//! start at 1. The third number of an edge is its weight, and so is what a matrix has. Vertices and
//! edges with times in brackets, as in `1 2 1 [1-5,7]`, are read like all others.

use std::collections::BTreeSet;
use std::mem;

use super::matrix::MatrixRows;
use super::names::NodeLabels;
use super::parsed::{Parsed, check_vertices, declared_ends, declared_vertex, list_for};
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{Scan, Tokens, shown};
use crate::{EdgeList, LabelChoice, WeightOptions};

/// What the lines of a section are.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    Vertices,
    Edges,
    Arcs,
    EdgesList,
    ArcsList,
    Matrix,
    /// Something that says nothing of edges, as partitions do.
    Skipped,
}

/// Sections that say nothing of edges. Each has a `*Vertices` line of its own.
const SKIPPED: [&[u8]; 5] = [
    b"partition",
    b"vector",
    b"permutation",
    b"cluster",
    b"hierarchy",
];

struct Body {
    section: Option<Section>,
    /// Declared number of vertices.
    vertices: Option<u64>,
    labels: NodeLabels,
    /// Per vertex: whether it has had its line.
    seen: Vec<bool>,
    /// Whether the next `*Vertices` line is of a section that is skipped.
    skips_vertices: bool,
    /// The numbers of the relations that arcs and edges are of.
    relations: BTreeSet<Vec<u8>>,
    matrix: MatrixRows,
    /// Whether some vertices or edges exist for some time only.
    has_times: bool,
    edges: EdgeList,
}

/// Reads the one network of the file.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
    choice: &LabelChoice,
) -> Result<Parsed, Problem> {
    let mut body = Body {
        section: None,
        vertices: None,
        labels: NodeLabels::new(),
        seen: Vec::new(),
        skips_vertices: false,
        relations: BTreeSet::new(),
        matrix: MatrixRows::default(),
        has_times: false,
        edges: list_for(0, weights)?,
    };
    while let Some(line) = lines.line()? {
        let mut tokens = Tokens::new(line);
        let mut start = tokens;
        match tokens.token() {
            None | Some([b'%', ..]) => {}
            Some([b'*', name @ ..]) => body.start_section(name, tokens)?,
            Some(first) => match body.section {
                None => refuse!(
                    "{} stands before the first section (start with: *Vertices 10)",
                    shown(first)
                ),
                Some(Section::Vertices) => body.vertex(line)?,
                Some(section @ (Section::Edges | Section::Arcs)) => body.pair(section, start)?,
                Some(Section::Matrix) => {
                    while let Some(number) = start.token() {
                        body.matrix.number(number, &mut body.edges)?;
                    }
                }
                Some(Section::Skipped) => {}
                Some(section) => body.list(section, start)?,
            },
        }
    }
    let Some(vertices) = body.vertices else {
        return Err(unfit!("there is no *Vertices line (write: *Vertices 10)"));
    };
    body.matrix.finish()?;
    let labels = body.labels;
    let mut parsed = labels.of_numbers(body.edges, vertices as usize, choice)?;
    if body.relations.len() > 1 {
        parsed.notes.push(format!(
            "there are {} relations: their edges were read as one graph",
            body.relations.len()
        ));
    }
    if body.has_times {
        parsed.notes.push(
            "vertices and edges have times in brackets: those of all times were read as one graph \
             (keep the lines of one time for the graph of that time)"
                .into(),
        );
    }
    Ok(parsed)
}

impl Body {
    fn start_section(&mut self, name: &[u8], mut rest: Tokens<'_>) -> Result<(), Problem> {
        let name = name.to_ascii_lowercase();
        let section = match &name[..] {
            b"network" => {
                self.skips_vertices = false;
                return Ok(());
            }
            b"vertices" if mem::take(&mut self.skips_vertices) => return Ok(()),
            b"vertices" => Section::Vertices,
            b"edges" => Section::Edges,
            b"arcs" => Section::Arcs,
            b"edgeslist" => Section::EdgesList,
            b"arcslist" => Section::ArcsList,
            b"matrix" => Section::Matrix,
            name if SKIPPED.contains(&name) => {
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
        if section == Section::Vertices {
            if self.vertices.is_some() {
                refuse!("there is a second *Vertices line (keep one network per file)");
            }
            let Scan::Number(vertices) = rest.number() else {
                refuse!("*Vertices has no number (write: *Vertices 10)");
            };
            check_vertices(vertices)?;
            self.vertices = Some(vertices);
            self.seen = vec![false; vertices as usize];
        } else {
            let Some(vertices) = self.vertices else {
                refuse!("edges stand before *Vertices (start with: *Vertices 10)");
            };
            // As in: *Arcs :2 "friends"
            if let Some([b':', number @ ..]) = rest.token() {
                self.relations.insert(number.to_vec());
            }
            if section == Section::Matrix {
                self.matrix.finish()?;
                self.matrix = MatrixRows::new(vertices);
            }
        }
        self.section = Some(section);
        Ok(())
    }

    fn vertex(&mut self, line: &[u8]) -> Result<(), Problem> {
        let vertices = self.vertices.unwrap_or(0);
        let mut tokens = Tokens::new(line);
        let malformed = |token: &str| {
            malformed!("{token} is no number of a vertex (write a vertex as: number \"label\")")
        };
        let Some(vertex) = declared_vertex(&mut tokens, vertices, malformed)? else {
            return Ok(());
        };
        self.has_times |= has_times(tokens.rest());
        let label = label(tokens.rest())?.unwrap_or_default();
        if mem::replace(&mut self.seen[vertex as usize], true) {
            refuse!(
                "vertex {} has a second line (number each vertex once)",
                u64::from(vertex) + 1
            );
        }
        self.labels.add(vertex, label);
        Ok(())
    }

    /// A line of `*Edges` or `*Arcs`.
    fn pair(&mut self, section: Section, mut tokens: Tokens<'_>) -> Result<(), Problem> {
        let vertices = self.vertices.unwrap_or(0);
        let row = tokens.rest().trim_ascii();
        let malformed = |_: &str| {
            let row = shown(row);
            malformed!("expected two vertices, found {row} (write an edge as: from to [weight])")
        };
        let ends = declared_ends(&mut tokens, vertices, malformed)?;
        self.has_times |= has_times(tokens.rest());
        let weight = tokens.token().filter(|token| !is_time(token));
        let weight = self.edges.weight_of(weight)?;
        let undirected = section == Section::Edges;
        self.edges.push_mixed(ends, weight, undirected);
        Ok(())
    }

    /// A line of `*Edgeslist` or `*Arcslist`: a vertex and all its neighbours.
    fn list(&mut self, section: Section, mut tokens: Tokens<'_>) -> Result<(), Problem> {
        // Lists hold no weights.
        let weight = self.edges.weight_of(None)?;
        let vertices = self.vertices.unwrap_or(0);
        let malformed = |token: &str| {
            malformed!(
                "{token} is no number of a vertex (write a line as: vertex neighbour neighbour ...)"
            )
        };
        let Some(tail) = declared_vertex(&mut tokens, vertices, malformed)? else {
            return Ok(());
        };
        while let Some(head) = declared_vertex(&mut tokens, vertices, malformed)? {
            let undirected = section == Section::EdgesList;
            self.edges.push_mixed([tail, head], weight, undirected);
        }
        Ok(())
    }
}

/// Whether times in brackets, as in `[1-5,7]`, stand in what follows a vertex or the ends of an
/// edge, outside quotes.
fn has_times(rest: &[u8]) -> bool {
    let outside = rest.split(|&byte| byte == b'"').step_by(2);
    outside
        .flat_map(|text| text.split(u8::is_ascii_whitespace))
        .any(is_time)
}

/// Whether a token starts times in brackets.
fn is_time(token: &[u8]) -> bool {
    matches!(token, [b'[', b'0'..=b'9', ..])
}

/// The label of a vertex line behind the number: in quotes, or up to a blank.
fn label(rest: &[u8]) -> Result<Option<&[u8]>, Problem> {
    let rest = rest.trim_ascii_start();
    let Some(quoted) = rest.strip_prefix(b"\"") else {
        return Ok(Tokens::new(rest).token().filter(|token| !is_time(token)));
    };
    let length = quoted.iter().position(|&byte| byte == b'"');
    let no_end = || malformed!("a label has no end (close it with a quotation mark)");
    Ok(Some(&quoted[..length.ok_or_else(no_end)?]))
}
