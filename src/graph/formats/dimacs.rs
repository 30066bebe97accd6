//! DIMACS files: a problem line `p KIND vertices lines`, then a line for each arc or edge.
//!
//! Shortest paths (`sp`, 9th challenge) have arcs `a tail head length`; flow networks (`max`) have
//! arcs `a tail head capacity`; graphs to colour (`edge`, `col`) have edges `e vertex vertex`.
//! Vertices are numbered from 1, comments start with `c`. Road networks list each road as two arcs;
//! asked for an undirected graph, the second one is merged. Lengths are dropped unless asked for,
//! capacities always.

use super::parsed::{Parsed, check_vertices, declared_vertex, list_for};
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::tokens::{Scan, Tokens, shown};
use crate::graph::weights::Weight;
use crate::graph::{EdgeList, Labels, WeightOptions};

/// What a file is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    ShortestPaths,
    Flow,
    Colouring,
}

impl Kind {
    /// The letters that lines can start with.
    fn known(self) -> &'static str {
        match self {
            Kind::ShortestPaths => "c, p and a",
            Kind::Flow => "c, p, n and a",
            Kind::Colouring => "c, p, e, n, d, v and x",
        }
    }
}

/// The problem line and what was read since.
struct Body {
    kind: Kind,
    vertices: u64,
    declared: u64,
    edges: EdgeList,
    weighted: bool,
}

/// Reads all arcs and checks that there are as many as declared.
pub(in crate::graph) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    let mut body: Option<Body> = None;
    while let Some(line) = lines.line()? {
        let mut tokens = Tokens::new(line);
        let of_line = |problem: Problem| problem.in_row(line);
        let kind = body.as_ref().map(|body| body.kind);
        match (tokens.token(), &mut body, kind) {
            (None | Some(b"c"), _, _) => {}
            (Some(b"a"), Some(body), Some(Kind::ShortestPaths)) => {
                read_arc(&mut tokens, body).map_err(of_line)?;
            }
            (Some(b"a"), Some(body), Some(Kind::Flow)) => {
                read_flow_arc(&mut tokens, body).map_err(of_line)?;
            }
            (Some(b"e"), Some(body), Some(Kind::Colouring)) => {
                read_edge(&mut tokens, body).map_err(of_line)?;
            }
            // Source and sink of a flow; weights, dimensions, positions and parameters of
            // colourings.
            (Some(b"n"), Some(_), Some(Kind::Flow)) => {}
            (Some(b"n" | b"d" | b"v" | b"x"), Some(_), Some(Kind::Colouring)) => {}
            (Some(b"a" | b"e"), None, _) => return Err(of_line(Problem::DimacsProblem)),
            (Some(b"p"), None, _) => {
                body = Some(read_problem(&mut tokens, weights).map_err(of_line)?);
            }
            (Some(b"p"), Some(_), _) => return Err(Problem::DimacsSecondProblem),
            (Some(other), _, kind) => {
                return Err(Problem::DimacsLine {
                    token: shown(other),
                    known: kind.unwrap_or(Kind::ShortestPaths).known(),
                });
            }
        }
    }
    let Body {
        kind,
        vertices,
        declared,
        edges,
        weighted: _,
    } = body.ok_or(Problem::DimacsProblem)?;
    // Files in use list an edge once or twice, and count it once or as often as they list it.
    let found = edges.entries();
    let matches = match kind {
        Kind::Colouring => found == declared || Some(found) == declared.checked_mul(2),
        Kind::ShortestPaths | Kind::Flow => found == declared,
    };
    if !matches {
        return Err(Problem::Count {
            what: if kind == Kind::Colouring {
                "edges"
            } else {
                "arcs"
            },
            declared,
            found,
        });
    }
    Ok(Parsed::new(
        edges,
        Labels::consecutive(1, vertices as usize),
    ))
}

fn read_problem(tokens: &mut Tokens<'_>, weights: Option<&WeightOptions>) -> Result<Body, Problem> {
    let kind = match tokens.token() {
        Some(b"sp") => Kind::ShortestPaths,
        Some(b"max") => Kind::Flow,
        Some(b"edge" | b"edges" | b"col") => Kind::Colouring,
        Some(kind) => return Err(Problem::DimacsKind { token: shown(kind) }),
        None => return Err(Problem::DimacsProblem),
    };
    let (Scan::Number(vertices), Scan::Number(declared)) = (tokens.number(), tokens.number())
    else {
        return Err(Problem::DimacsProblem);
    };
    check_vertices(vertices)?;
    let mut edges = list_for(declared);
    match (kind, weights) {
        (Kind::ShortestPaths, Some(weights)) => edges.take_weights(weights.meaning),
        (Kind::Flow, Some(_)) => return Err(Problem::DimacsCapacities),
        (Kind::Colouring, Some(_)) => return Err(Problem::NoWeights),
        (_, None) => {}
    }
    if kind == Kind::Colouring {
        edges.set_both_ways();
    }
    Ok(Body {
        kind,
        vertices,
        declared,
        edges,
        weighted: weights.is_some(),
    })
}

fn read_arc(tokens: &mut Tokens<'_>, body: &mut Body) -> Result<(), Problem> {
    let malformed = |_: &[u8]| Problem::DimacsArc;
    let tail = declared_vertex(tokens, body.vertices, malformed)?;
    let head = declared_vertex(tokens, body.vertices, malformed)?;
    let (Some(tail), Some(head), Some(length)) = (tail, head, tokens.token()) else {
        return Err(Problem::DimacsArc);
    };
    let weight = body.weighted.then(|| Weight::parse(length)).transpose()?;
    // The format has no unweighted graphs; lengths that are all 1 say the same.
    if weight.is_none() && length != b"1" {
        body.edges.set_weights_dropped();
    }
    body.edges.push_weighted(tail, head, weight);
    Ok(())
}

fn read_flow_arc(tokens: &mut Tokens<'_>, body: &mut Body) -> Result<(), Problem> {
    let malformed = |_: &[u8]| Problem::DimacsFlowArc;
    let tail = declared_vertex(tokens, body.vertices, malformed)?;
    let head = declared_vertex(tokens, body.vertices, malformed)?;
    let (Some(tail), Some(head), Some(capacity)) = (tail, head, tokens.token()) else {
        return Err(Problem::DimacsFlowArc);
    };
    if capacity != b"1" {
        body.edges.set_weights_dropped();
    }
    body.edges.push(tail, head);
    Ok(())
}

fn read_edge(tokens: &mut Tokens<'_>, body: &mut Body) -> Result<(), Problem> {
    let malformed = |_: &[u8]| Problem::DimacsEdge;
    let tail = declared_vertex(tokens, body.vertices, malformed)?;
    let head = declared_vertex(tokens, body.vertices, malformed)?;
    let (Some(tail), Some(head)) = (tail, head) else {
        return Err(Problem::DimacsEdge);
    };
    body.edges.push(tail, head);
    Ok(())
}
