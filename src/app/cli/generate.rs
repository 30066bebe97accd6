//! `brandes generate`.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;

use super::UsageError;
use super::convert::warn;
use super::generate_args::{Family, GenerateArgs};
use brandes::graph::{Graph, WriteError, WriteFormat, generate as make, write_graph};
use brandes::report::words::counted;

/// Makes a graph and writes it; `-` writes an edge list to standard output.
pub fn generate(args: &GenerateArgs) -> Result<i32> {
    let Some(output) = &args.output else {
        return Err(UsageError(
            "no file to write to; give -o FILE, or -o - for standard output".into(),
        )
        .into());
    };
    let to_file = output != Path::new("-");
    let format = match to_file {
        // What cannot be written is told before the graph is made.
        true => WriteFormat::of(&output.display().to_string())?,
        false => WriteFormat::Edgelist,
    };
    let graph = graph(&args.family)?;
    // Numbers are all the labels that there are, and it does not matter where they start.
    if !matches!(
        format,
        WriteFormat::Mtx | WriteFormat::Metis | WriteFormat::Dimacs
    ) {
        format.losses(&graph).iter().for_each(|loss| warn(loss));
    }
    write_graph(&graph, output).map_err(|error| match error {
        WriteError::Output(error) => anyhow::Error::new(error),
        other => other.into(),
    })?;
    if to_file {
        let _ = writeln!(
            io::stderr(),
            "{}: {}, {}",
            output.display(),
            counted(graph.vertices(), "vertex"),
            counted(graph.edges(), "edge")
        );
    }
    Ok(0)
}

fn graph(family: &Family) -> Result<Graph> {
    let graph = match *family {
        Family::Rmat {
            scale,
            edge_factor,
            a,
            b,
            c,
            seed,
        } => make::rmat(scale, edge_factor, a, b, c, seed),
        Family::ErdosRenyi {
            vertices,
            edges,
            seed,
        } => make::erdos_renyi(vertices, edges, seed),
        Family::BarabasiAlbert {
            vertices,
            edges_per_vertex,
            seed,
        } => make::barabasi_albert(vertices, edges_per_vertex, seed),
        Family::WattsStrogatz {
            vertices,
            neighbours,
            rewire,
            seed,
        } => make::watts_strogatz(vertices, neighbours, rewire, seed),
        Family::Grid {
            rows,
            cols,
            drop,
            seed,
        } => make::grid(rows, cols, drop, seed),
        Family::Path { vertices } => make::path(vertices),
        Family::Cycle { vertices } => make::cycle(vertices),
        Family::Star { vertices } => make::star(vertices),
        Family::Complete { vertices } => make::complete(vertices),
        Family::CompleteBipartite { left, right } => make::complete_bipartite(left, right),
        Family::BinaryTree { depth } => make::binary_tree(depth),
        Family::RandomTree { vertices, seed } => make::random_tree(vertices, seed),
        Family::Diamonds { count } => make::diamonds(count),
    };
    graph.map_err(|error| match error {
        make::GenerateError::Build(error) => error.into(),
        // A parameter out of range is a mistake on the command line.
        error => UsageError(error.to_string()).into(),
    })
}
