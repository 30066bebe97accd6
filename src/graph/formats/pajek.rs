//! Pajek networks: `*Vertices`, then `*Edges`, `*Arcs`, `*Edgeslist` and `*Arcslist` in any order.
//!
//! Vertices are called by their labels if each has one of its own, else by their numbers, which
//! start at 1. The third number of an edge is its weight.

use std::mem;

use super::attributes::weight_at_end;
use super::names::NodeLabels;
use super::parsed::{Parsed, check_vertices, declared_ends, declared_vertex, list_for};
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::tokens::{Scan, Tokens, shown};
use crate::graph::{EdgeList, Labels, WeightOptions};

/// What the lines of a section are.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    Vertices,
    Edges,
    Arcs,
    EdgesList,
    ArcsList,
}

struct Body {
    section: Option<Section>,
    /// Declared number of vertices.
    vertices: Option<u64>,
    labels: NodeLabels,
    /// Per vertex: whether it has had its line.
    seen: Vec<bool>,
    /// The relation of arcs or edges that was named first.
    relation: Option<Vec<u8>>,
    edges: EdgeList,
    weighted: bool,
}

/// Reads the one network of the file.
pub(in crate::graph) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    let mut body = Body {
        section: None,
        vertices: None,
        labels: NodeLabels::new(),
        seen: Vec::new(),
        relation: None,
        edges: list_for(0, weights),
        weighted: weights.is_some(),
    };
    while let Some(line) = lines.line()? {
        let mut tokens = Tokens::new(line);
        let start = tokens;
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
                Some(section) => body.list(section, start)?,
            },
        }
    }
    let Some(vertices) = body.vertices else {
        return Err(unfit!("there is no *Vertices line (write: *Vertices 10)"));
    };
    let labels = body.labels.of_all(vertices as usize);
    let numbers = || Labels::consecutive(1, vertices as usize);
    let mut parsed = Parsed::new(body.edges, labels.unwrap_or_else(numbers));
    if let Labels::Names { offsets, .. } = &parsed.labels
        && offsets.windows(2).any(|pair| pair[0] == pair[1])
    {
        let note = "a vertex has an empty name, in quotes: is it none?";
        parsed.notes.push(note.into());
    }
    Ok(parsed)
}

impl Body {
    fn start_section(&mut self, name: &[u8], mut rest: Tokens<'_>) -> Result<(), Problem> {
        let name = name.to_ascii_lowercase();
        let section = match &name[..] {
            b"network" => return Ok(()),
            b"vertices" => Section::Vertices,
            b"edges" => Section::Edges,
            b"arcs" => Section::Arcs,
            b"edgeslist" => Section::EdgesList,
            b"arcslist" => Section::ArcsList,
            _ => refuse!(
                "a section *{} is not supported (keep *Vertices, *Edges, *Arcs, *Edgeslist and \
                 *Arcslist; save the network in Pajek with them)",
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
            if self.vertices.is_none() {
                refuse!("edges stand before *Vertices (start with: *Vertices 10)");
            }
            // As in: *Arcs :2 "friends"
            if let Some([b':', number @ ..]) = rest.token() {
                let first = self.relation.get_or_insert_with(|| number.to_vec());
                if first != number {
                    refuse!(
                        "several relations are not supported (save the network of one relation)"
                    );
                }
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
        if has_times(tokens.rest()) {
            refuse!(
                "vertex {} is one of some times only (keep the vertices of one time, or of all, \
                 without times in brackets)",
                u64::from(vertex) + 1
            );
        }
        let label = label(tokens.rest())?;
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
        if has_times(tokens.rest()) {
            refuse!(
                "{} is an edge of some times only (keep the edges of one time, or of all, without \
                 times in brackets)",
                shown(row)
            );
        }
        let weight = weight_at_end(tokens.token(), self.weighted, &mut self.edges)?;
        let undirected = section == Section::Edges;
        self.edges.push_mixed(ends, weight, undirected);
        Ok(())
    }

    /// A line of `*Edgeslist` or `*Arcslist`: a vertex and all its neighbours.
    fn list(&mut self, section: Section, mut tokens: Tokens<'_>) -> Result<(), Problem> {
        if self.weighted {
            return Err(Problem::attribute_missing("weight, being in a list"));
        }
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
            self.edges.push_mixed([tail, head], None, undirected);
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
        .any(|token| matches!(token, [b'[', b'0'..=b'9', ..]))
}

/// The label of a vertex line behind the number: in quotes, or up to a blank.
fn label(rest: &[u8]) -> Result<Option<&[u8]>, Problem> {
    let rest = rest.trim_ascii_start();
    let Some(quoted) = rest.strip_prefix(b"\"") else {
        return Ok(Tokens::new(rest).token());
    };
    let length = quoted.iter().position(|&byte| byte == b'"');
    let no_end = || malformed!("a label has no end (close it with a quotation mark)");
    Ok(Some(&quoted[..length.ok_or_else(no_end)?]))
}
