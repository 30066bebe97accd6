//! DIMACS files: a problem line `p KIND vertices lines`, then a line for each arc or edge.
//!
//! Shortest paths (`sp`, 9th challenge) have arcs `a tail head length`; flow networks (`max`) have
//! arcs `a tail head capacity`; graphs to colour (`edge`, `col`) have edges `e vertex vertex`.
//! Vertices are numbered from 1, comments start with `c`. Road networks list each road as two arcs;
//! in an undirected graph the second one is merged. Lengths are dropped unless the user asks for
//! them. Capacities are never read as lengths.

use super::parsed::{Parsed, declared_ends, new_edge_list};
use crate::ReadOptions;
use crate::builder::check_vertices;
use crate::error::Problem;
use crate::input::LineReader;
use crate::tokens::{Tokens, shown};

/// The form of a line with an edge in each problem. The first letter marks these lines.
const SHORTEST_PATHS: &str = "a tail head length";
const FLOW: &str = "a tail head capacity";
const COLOURING: &str = "e vertex vertex";

/// Reads all arcs and checks that there are as many as declared.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    let (form, vertices, declared) = read_problem(lines, options.weights.is_some())?;
    let mut edges = new_edge_list(declared, options)?;
    let (is_colouring, has_lengths) = (form == COLOURING, form == SHORTEST_PATHS);
    edges.both_ways = is_colouring;
    while let Some(line) = lines.line()? {
        let mut tokens = Tokens::new(line);
        match tokens.token() {
            Some(letter) if form.as_bytes()[..1] == *letter => {
                let malformed = || malformed!("the line is malformed (write: {form})").in_row(line);
                let [tail, head] = declared_ends(&mut tokens, vertices, malformed)?;
                let number = tokens.token();
                if number.is_none() != is_colouring || !tokens.at_end() {
                    return Err(malformed());
                }
                let length = number.filter(|_| has_lengths);
                let weight = length.map(|length| edges.weight_of(Some(length)));
                edges.push_weighted(tail, head, weight.transpose()?.flatten());
            }
            // Sources and sinks, weights, dimensions, positions and parameters are skipped.
            None | Some(b"c" | b"n" | b"d" | b"v" | b"x") => {}
            Some(b"p") => refuse!("there is a second problem line (keep one graph per file)"),
            Some(letter) => refuse!(
                "a line starts with {} (write comments as: c text, and edges as: {form})",
                shown(letter)
            ),
        }
    }
    // Some files of colouring problems list each edge twice but count it once.
    let found = edges.entries();
    let twice = is_colouring && Some(found) == declared.checked_mul(2);
    if found != declared && !twice {
        return Err(Problem::count("arcs or edges", declared, found));
    }
    Ok(Parsed::numbered(edges, vertices))
}

/// Reads the problem line. Returns the form of lines with edges, and the declared numbers of
/// vertices and of edges.
fn read_problem(
    lines: &mut LineReader<'_>,
    weighted: bool,
) -> Result<(&'static str, u64, u64), Problem> {
    let line = lines.line_unless(|line| matches!(Tokens::new(line).token(), None | Some(b"c")))?;
    let mut tokens = Tokens::new(&line);
    let malformed = || {
        let form = "start with: p sp vertices arcs";
        malformed!("the problem line is missing or malformed ({form})").in_row(&line)
    };
    let (Some(b"p"), Some(name)) = (tokens.token(), tokens.token()) else {
        return Err(malformed());
    };
    let form = match name {
        b"sp" => SHORTEST_PATHS,
        b"max" if weighted => {
            return Err(unfit!(
                "the numbers of a flow network are capacities, not lengths (leave --weighted out)"
            ));
        }
        b"max" => FLOW,
        b"edge" | b"edges" | b"col" if weighted => return Err(Problem::no_weights()),
        b"edge" | b"edges" | b"col" => COLOURING,
        _ => refuse!(
            "DIMACS problem {} is not supported (use sp, max, edge or col)",
            shown(name)
        ),
    };
    let (Some(Ok(vertices)), Some(Ok(declared))) = (tokens.number(), tokens.number()) else {
        return Err(malformed());
    };
    check_vertices(vertices)?;
    Ok((form, vertices, declared))
}
