//! Generators: random graphs with fixed seeds, and shapes whose scores are known.
//!
//! All graphs are undirected and labelled 0, 1, ... The same parameters and seed always give the
//! same graph, whatever the number of threads.

mod random_families;
mod road;
mod shapes;

pub use random_families::{barabasi_albert, erdos_renyi, grid, random_tree, rmat, watts_strogatz};
pub use road::{ROAD_BENDS, ROAD_DROP, Road, road};
pub use shapes::{complete, complete_bipartite, cycle, diamonds, path, star};

use std::fmt::Display;

use rand::SeedableRng;
use rand_pcg::Pcg64;
use thiserror::Error;

use super::{BuildError, EdgeList, Graph, Labels, Vertex};

/// The reason why a graph cannot be generated. The message is one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// A parameter is outside its range, or the graph would have more than 2^32 - 1 vertices or
    /// arcs.
    #[error("{0}")]
    Parameter(String),
    /// The generated edges do not fit into a graph.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Checks the size of a graph before its edges are generated. If edges `may_repeat`, there may be
/// twice as many as a graph can have, because equal ones are merged.
fn check_size(
    generator: &str,
    vertices: u64,
    edges: u64,
    may_repeat: bool,
) -> Result<(), GenerateError> {
    const MOST: u64 = u32::MAX as u64;
    if vertices > MOST || edges > MOST / (2 - u64::from(may_repeat)) {
        return Err(GenerateError::Parameter(format!(
            "{generator}: {vertices} vertices and {edges} edges are too many (a graph has at most \
             4294967295 vertices and 2147483647 edges)"
        )));
    }
    Ok(())
}

/// Checks the size of a graph before its edges are generated, and makes room for them.
fn list_for(generator: &str, vertices: u64, edges: u64) -> Result<EdgeList, GenerateError> {
    check_size(generator, vertices, edges, false)?;
    Ok(EdgeList::with_capacity(edges as usize))
}

/// Builds the undirected graph of `edges` on the vertices `0..vertices`.
fn finish(edges: impl Into<EdgeList>, vertices: u64) -> Result<Graph, GenerateError> {
    let labels = Labels::consecutive(0, vertices as usize);
    Ok(edges.into().build(labels, false)?)
}

/// Builds the undirected graph of `vertices` vertices and of `edges`, the number of which is
/// `count`.
fn built(
    generator: &str,
    vertices: impl Into<u64>,
    count: impl Into<u64>,
    edges: impl Iterator<Item = [Vertex; 2]>,
) -> Result<Graph, GenerateError> {
    let vertices = vertices.into();
    let mut list = list_for(generator, vertices, count.into())?;
    edges.for_each(|[tail, head]| list.push(tail, head));
    finish(list, vertices)
}

/// Returns an error unless the value of a parameter is `within` the `allowed` range.
fn check(
    within: bool,
    generator: &str,
    parameter: &str,
    value: impl Display,
    allowed: impl Display,
) -> Result<(), GenerateError> {
    let problem = || format!("{generator}: {parameter} = {value} is not allowed (use {allowed})");
    match within {
        true => Ok(()),
        false => Err(GenerateError::Parameter(problem())),
    }
}

/// Returns the random number generator for a seed. Another algorithm would give other graphs for
/// the same seeds.
fn random(seed: u64) -> Pcg64 {
    Pcg64::seed_from_u64(seed)
}

#[cfg(test)]
mod tests;
