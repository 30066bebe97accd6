//! Generators: random graphs with fixed seeds, and shapes whose scores are known.
//!
//! All graphs are undirected and labelled 0, 1, ... The same parameters and seed always give the
//! same graph, whatever the number of threads.

mod barabasi_albert;
mod erdos_renyi;
mod grid;
mod rmat;
mod road;
mod shapes;
mod trees;
mod watts_strogatz;

pub use barabasi_albert::barabasi_albert;
pub use erdos_renyi::erdos_renyi;
pub use grid::grid;
pub use rmat::{RMAT_A, RMAT_B, RMAT_C, rmat};
pub use road::{ROAD_BENDS, ROAD_DROP, Road, road};
pub use shapes::{complete, complete_bipartite, cycle, diamonds, path, star};
pub use trees::{binary_tree, random_tree};
pub use watts_strogatz::watts_strogatz;

use std::fmt::Display;

use rand::SeedableRng;
use rand_pcg::Pcg64;
use thiserror::Error;

use super::{BuildError, EdgeList, Graph, Labels, Vertex};

/// The reason why a graph cannot be generated. The message is one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// A parameter is outside its range.
    #[error("{0}")]
    Parameter(String),
    /// The graph would have more than 2^32 - 1 vertices or arcs.
    #[error(
        "{generator}: {vertices} vertices and {edges} edges are too many (a graph has at most \
         4294967295 vertices and 2147483647 edges)"
    )]
    TooLarge {
        /// The name of the generator.
        generator: &'static str,
        /// The number of vertices.
        vertices: u64,
        /// The number of edges.
        edges: u64,
    },
    /// The generated edges do not fit into a graph.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Checks the size of a graph before its edges are generated, and makes room for them.
fn list_for(generator: &'static str, vertices: u64, edges: u64) -> Result<EdgeList, GenerateError> {
    const MOST: u64 = u32::MAX as u64;
    if vertices > MOST || edges > MOST / 2 {
        return Err(GenerateError::TooLarge {
            generator,
            vertices,
            edges,
        });
    }
    Ok(EdgeList::with_capacity(edges as usize))
}

/// Builds the undirected graph of `edges` on the vertices `0..vertices`.
fn finish(edges: EdgeList, vertices: u64) -> Result<Graph, GenerateError> {
    Ok(edges.build(Labels::consecutive(0, vertices as usize), false)?)
}

/// Builds the undirected graph of `vertices` vertices and of `edges`, the number of which is
/// `count`.
fn built(
    generator: &'static str,
    vertices: impl Into<u64>,
    count: impl Into<u64>,
    edges: impl Iterator<Item = (Vertex, Vertex)>,
) -> Result<Graph, GenerateError> {
    let vertices = vertices.into();
    let mut list = list_for(generator, vertices, count.into())?;
    edges.for_each(|(v, u)| list.push(v, u));
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
