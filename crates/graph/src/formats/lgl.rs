//! LGL: `# name` starts the block of a vertex, the lines behind it name its neighbours, each with a
//! weight or none. The graph is undirected.

use super::names::tidy;
use super::parsed::{Parsed, list_for};
use crate::error::Problem;
use crate::input::LineReader;
use crate::labels::NameInterner;
use crate::tokens::{Tokens, shown};
use crate::{Vertex, WeightOptions};

/// Reads all blocks.
pub(crate) fn read(
    lines: &mut LineReader<'_>,
    weights: Option<&WeightOptions>,
) -> Result<Parsed, Problem> {
    let mut edges = list_for(0, weights)?;
    edges.set_both_ways();
    let mut names = NameInterner::new();
    let mut block: Option<Vertex> = None;
    while let Some(line) = lines.line()? {
        let mut tokens = Tokens::new(line);
        let Some(first) = tokens.token() else {
            continue;
        };
        if let [b'#', name @ ..] = first {
            let name = match name {
                [] => tokens.token(),
                name => Some(name),
            };
            let no_vertex = || malformed!("a block has no vertex (write: # vertex)");
            let name = name.ok_or_else(no_vertex)?;
            block = Some(names.intern(name)?);
            if !tokens.at_end() {
                return Err(too_long(tokens));
            }
            continue;
        }
        let Some(vertex) = block else {
            refuse!(
                "{} stands before the first block (start with: # vertex)",
                shown(first)
            );
        };
        let other = names.intern(first)?;
        let weight = edges.weight_of(tokens.token())?;
        if !tokens.at_end() {
            return Err(too_long(tokens));
        }
        edges.push_weighted(vertex, other, weight);
    }
    Ok(Parsed::new(edges, tidy(names.into_labels())))
}

fn too_long(mut rest: Tokens<'_>) -> Problem {
    let token = shown(rest.token().unwrap_or_default());
    malformed!(
        "{token} is more than a line can hold (write: # vertex, and below it: neighbour [weight])"
    )
}
