//! DIMACS files: a problem line `p KIND vertices lines`, then a line for each arc or edge.
//!
//! Shortest paths (`sp`, 9th challenge) have arcs `a tail head length`; flow networks (`max`) have
//! arcs `a tail head capacity`; graphs to colour (`edge`, `col`) have edges `e vertex vertex`.
//! Vertices are numbered from 1, comments start with `c`. Road networks list each road as two arcs;
//! in an undirected graph the second one is merged. Lengths are dropped unless the user asks for
//! them. Capacities are never read as lengths.

use super::parsed::{Parsed, check_vertices, declared_ends, list_for};
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{Scan, Tokens, shown};
use crate::{EdgeList, WeightOptions};

/// The problem that a file states.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    ShortestPaths,
    Flow,
    Colouring,
}

impl Kind {
    /// The form of a line with an edge, whose first letter marks such lines.
    fn form(self) -> &'static str {
        match self {
            Kind::ShortestPaths => "a tail head length",
            Kind::Flow => "a tail head capacity",
            Kind::Colouring => "e vertex vertex",
        }
    }
}

/// A graph while its file is read.
struct Body {
    kind: Kind,
    vertices: u64,
    /// The declared number of arcs or edges.
    declared: u64,
    edges: EdgeList,
}

/// Reads all arcs and checks that there are as many as declared.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    let mut body: Option<Body> = None;
    while let Some(line) = lines.line()? {
        let mut tokens = Tokens::new(line);
        let Some(letter) = tokens.token() else {
            continue;
        };
        match (&mut body, letter) {
            (_, b"c") => {}
            (None, b"p") => body = Some(read_problem(tokens, weights, line)?),
            (None, b"a" | b"e") => return Err(no_problem_line().in_row(line)),
            (Some(_), b"p") => refuse!("there is a second problem line (keep one graph per file)"),
            (Some(body), letter) if body.kind.form().as_bytes()[..1] == *letter => {
                body.read_edge(tokens, line)?;
            }
            // Sources and sinks, weights, dimensions, positions and parameters are skipped.
            (Some(_), b"n" | b"d" | b"v" | b"x") => {}
            (body, _) => refuse!(
                "a line starts with {} (write comments as: c text, and edges as: {})",
                shown(letter),
                body.as_ref()
                    .map_or(Kind::ShortestPaths, |body| body.kind)
                    .form()
            ),
        }
    }
    let body = body.ok_or_else(no_problem_line)?;
    // Some files of colouring problems list each edge twice but count it once.
    let (declared, found) = (body.declared, body.edges.entries());
    let twice = body.kind == Kind::Colouring && Some(found) == declared.checked_mul(2);
    if found != declared && !twice {
        return Err(Problem::count("arcs or edges", declared, found));
    }
    Ok(Parsed::numbered(body.edges, body.vertices))
}

fn no_problem_line() -> Problem {
    malformed!("the problem line is missing or malformed (start with: p sp vertices arcs)")
}

fn read_problem(
    mut tokens: Tokens<'_>,
    weights: Option<&WeightOptions>,
    line: &[u8],
) -> Result<Body, Problem> {
    let malformed = || no_problem_line().in_row(line);
    let name = tokens.token().ok_or_else(malformed)?;
    let kind = match name {
        b"sp" => Kind::ShortestPaths,
        b"max" if weights.is_some() => {
            return Err(unfit!(
                "the numbers of a flow network are capacities, not lengths (leave --weighted out)"
            ));
        }
        b"max" => Kind::Flow,
        b"edge" | b"edges" | b"col" if weights.is_some() => return Err(Problem::no_weights()),
        b"edge" | b"edges" | b"col" => Kind::Colouring,
        _ => refuse!(
            "DIMACS problem {} is not supported (use sp, max, edge or col)",
            shown(name)
        ),
    };
    let (Scan::Number(vertices), Scan::Number(declared)) = (tokens.number(), tokens.number())
    else {
        return Err(malformed());
    };
    check_vertices(vertices)?;
    let mut edges = list_for(declared, weights)?;
    if kind == Kind::Colouring {
        edges.set_both_ways();
    }
    Ok(Body {
        kind,
        vertices,
        declared,
        edges,
    })
}

impl Body {
    fn read_edge(&mut self, mut tokens: Tokens<'_>, line: &[u8]) -> Result<(), Problem> {
        let form = self.kind.form();
        let malformed = || malformed!("the line is malformed (write: {form})").in_row(line);
        let [tail, head] = declared_ends(&mut tokens, self.vertices, malformed)?;
        let number = tokens.token();
        if number.is_none() != (self.kind == Kind::Colouring) || !tokens.at_end() {
            return Err(malformed());
        }
        let length = number.filter(|_| self.kind == Kind::ShortestPaths);
        let weight = length.map(|length| self.edges.weight_of(Some(length)));
        self.edges
            .push_weighted(tail, head, weight.transpose()?.flatten());
        Ok(())
    }
}
