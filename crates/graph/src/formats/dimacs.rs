//! DIMACS files: a problem line `p KIND vertices lines`, then a line for each arc or edge.
//!
//! Shortest paths (`sp`, 9th challenge) have arcs `a tail head length`; flow networks (`max`) have
//! arcs `a tail head capacity`; graphs to colour (`edge`, `col`) have edges `e vertex vertex`.
//! Vertices are numbered from 1, comments start with `c`. Road networks list each road as two arcs;
//! asked for an undirected graph, the second one is merged. Lengths are dropped unless asked for,
//! capacities always.

use super::parsed::{Parsed, check_vertices, declared_ends, list_for};
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{Scan, Tokens, shown};
use crate::{EdgeList, WeightOptions};

/// What a file is about.
struct Kind {
    /// The letter of an edge, and letters of lines that are skipped.
    edge: &'static str,
    skipped: &'static [&'static str],
    /// All letters that lines can start with.
    known: &'static str,
    /// What messages call an edge and the number behind its ends, if there is one.
    what: &'static str,
    number: Option<&'static str>,
}

static SHORTEST_PATHS: Kind = Kind {
    edge: "a",
    skipped: &[],
    known: "c, p and a",
    what: "arc",
    number: Some("length"),
};

static FLOW: Kind = Kind {
    edge: "a",
    // Source and sink.
    skipped: &["n"],
    known: "c, p, n and a",
    what: "arc",
    number: Some("capacity"),
};

static COLOURING: Kind = Kind {
    edge: "e",
    // Weights, dimensions, positions and parameters.
    skipped: &["n", "d", "v", "x"],
    known: "c, p, e, n, d, v and x",
    what: "edge",
    number: None,
};

/// The problem line and what was read since.
struct Body {
    kind: &'static Kind,
    vertices: u64,
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
        let text = str::from_utf8(letter).unwrap_or_default();
        match &mut body {
            _ if text == "c" => {}
            Some(_) if text == "p" => {
                refuse!("there is a second problem line (keep one graph per file)")
            }
            None if text == "p" => body = Some(read_problem(tokens, weights, line)?),
            None if text == "a" || text == "e" => return Err(no_problem_line().in_row(line)),
            Some(body) if text == body.kind.edge => body.read_edge(tokens, line)?,
            Some(body) if body.kind.skipped.contains(&text) => {}
            body => {
                let known = body.as_ref().map_or(SHORTEST_PATHS.known, |b| b.kind.known);
                refuse!(
                    "a line starts with {} (only {known} lines are known)",
                    shown(letter)
                );
            }
        }
    }
    let body = body.ok_or_else(no_problem_line)?;
    // Files in use list an edge to be coloured once or twice, and count it once or as often as they
    // list it.
    let (declared, found) = (body.declared, body.edges.entries());
    let twice = body.kind.number.is_none() && Some(found) == declared.checked_mul(2);
    if found != declared && !twice {
        let what = format!("{}s", body.kind.what);
        return Err(Problem::count(&what, declared, found));
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
        b"sp" => &SHORTEST_PATHS,
        b"max" => &FLOW,
        b"edge" | b"edges" | b"col" => &COLOURING,
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
    match kind.number {
        None if weights.is_some() => return Err(Problem::no_weights()),
        Some("capacity") if weights.is_some() => {
            return Err(unfit!(
                "the numbers of a flow network are capacities, not lengths (leave --weighted out)"
            ));
        }
        _ => {}
    }
    let mut edges = list_for(declared, weights)?;
    if kind.number.is_none() {
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
        let malformed = |_: &str| {
            let problem = match self.kind.number {
                Some(number) => malformed!(
                    "expected a tail, a head and a {number} (write an arc as: a tail head {number})"
                ),
                None => malformed!("expected two vertices (write an edge as: e vertex vertex)"),
            };
            problem.in_row(line)
        };
        let [tail, head] = declared_ends(&mut tokens, self.vertices, malformed)?;
        let mut weight = None;
        if self.kind.number.is_some() {
            let number = tokens.token().ok_or_else(|| malformed(""))?;
            if self.kind.number == SHORTEST_PATHS.number {
                weight = self.edges.weight_of(Some(number))?;
            }
        }
        if !tokens.at_end() {
            return Err(malformed(""));
        }
        self.edges.push_weighted(tail, head, weight);
        Ok(())
    }
}
