//! LGL: `# name` starts the block of a vertex. Each line after it has a neighbour and perhaps a
//! weight. The graph is undirected.

use super::names::named;
use super::parsed::{Parsed, new_edge_list};
use crate::error::Problem;
use crate::input::LineReader;
use crate::labels::NameInterner;
use crate::tokens::{Tokens, shown};
use crate::{ReadOptions, Vertex};

/// Reads all blocks.
pub(crate) fn read(lines: &mut LineReader<'_>, options: &ReadOptions) -> Result<Parsed, Problem> {
    let mut edges = new_edge_list(0, options)?;
    edges.both_ways = true;
    let mut names = NameInterner::default();
    let mut block: Option<Vertex> = None;
    while let Some(line) = lines.line()? {
        let mut tokens = Tokens::new(line);
        match (tokens.token(), block) {
            (None, _) => continue,
            (Some([b'#', name @ ..]), _) => {
                let name = Some(name).filter(|name| !name.is_empty());
                let Some(name) = name.or_else(|| tokens.token()) else {
                    refuse!("a block has no vertex (write: # vertex)");
                };
                block = Some(names.intern(name)?);
            }
            (Some(first), None) => refuse!(
                "{} stands before the first block (start with: # vertex)",
                shown(first)
            ),
            (Some(first), Some(vertex)) => {
                let neighbour = names.intern(first)?;
                let weight = edges.weight_of(tokens.token())?;
                edges.push_weighted(vertex, neighbour, weight);
            }
        }
        if let Some(token) = tokens.token() {
            refuse!(
                "{} is one value too many (write: # vertex, and below it: neighbour [weight])",
                shown(token)
            );
        }
    }
    Ok(named(edges, names))
}
