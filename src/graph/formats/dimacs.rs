//! Shortest-path files of the 9th DIMACS challenge: `p sp n m`, then `a tail head length`.
//!
//! Vertices are numbered from 1, comments start with `c`. Road networks list each road as two
//! arcs; asked for an undirected graph, the second one is merged. Lengths are dropped unless asked for.

use super::parsed::{Parsed, check_vertices, declared_vertex, list_for};
use crate::graph::error::Problem;
use crate::graph::input::LineReader;
use crate::graph::tokens::{Scan, Tokens, shown};
use crate::graph::weights::Weight;
use crate::graph::{EdgeList, Labels, WeightOptions};

/// The problem line and what was read since.
struct Body {
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
        match (tokens.token(), &mut body) {
            (None | Some(b"c"), _) => {}
            (Some(b"a"), Some(body)) => read_arc(&mut tokens, body)?,
            (Some(b"a"), None) => return Err(Problem::DimacsProblem),
            (Some(b"p"), None) => body = Some(read_problem(&mut tokens, weights)?),
            (Some(b"p"), Some(_)) => return Err(Problem::DimacsSecondProblem),
            (Some(other), _) => {
                return Err(Problem::DimacsLine {
                    token: shown(other),
                });
            }
        }
    }
    let Body {
        vertices,
        declared,
        edges,
        weighted: _,
    } = body.ok_or(Problem::DimacsProblem)?;
    if edges.entries() != declared {
        return Err(Problem::Count {
            what: "arcs",
            declared,
            found: edges.entries(),
        });
    }
    Ok(Parsed::new(
        edges,
        Labels::consecutive(1, vertices as usize),
    ))
}

fn read_problem(tokens: &mut Tokens<'_>, weights: Option<&WeightOptions>) -> Result<Body, Problem> {
    match tokens.token() {
        Some(b"sp") => {}
        Some(kind) => return Err(Problem::DimacsKind { token: shown(kind) }),
        None => return Err(Problem::DimacsProblem),
    }
    let (Scan::Number(vertices), Scan::Number(declared)) = (tokens.number(), tokens.number())
    else {
        return Err(Problem::DimacsProblem);
    };
    check_vertices(vertices)?;
    let mut edges = list_for(declared);
    if let Some(weights) = weights {
        edges.take_weights(weights.meaning);
    }
    Ok(Body {
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
