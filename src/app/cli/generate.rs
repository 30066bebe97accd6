//! `brandes generate`.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use super::{UsageError, check_outputs, format_of, refuse, warn, write_graph, write_output};
use brandes::graph::{Graph, WriteFormat, generate as families};
use brandes::output::{Output, Sink, suffix};

const EXAMPLES: &str = "\
Examples:
  brandes generate rmat --scale 14 --edge-factor 8 -o rmat14.txt.gz
      A small-world graph of 2^14 vertices
  brandes generate grid --rows 300 --cols 300 --drop 0.2 -o grid.graph
      A grid with a fifth of its edges removed, in METIS format

The format follows the suffix: .txt (an edge list), .csv, .mtx, .graph or .metis, .gr, .graphml,
.gexf, .npz; .gz, .zst, .bz2 and .xz compress. The same options and seed always give the same
graph.";

/// Options of `brandes generate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GenerateArgs {
    /// What kind of graph
    #[command(subcommand)]
    family: Family,
    /// File to write
    #[arg(long, short, value_name = "FILE", global = true)]
    output: Option<PathBuf>,
    /// Seed of the random numbers of random graphs
    #[arg(long, value_name = "N", default_value_t = 1, global = true)]
    seed: u64,
}

/// The kinds of graphs.
#[derive(Debug, Subcommand)]
enum Family {
    /// Recursive matrix (Kronecker-like) graph, a small world
    #[command(after_help = example("rmat --scale 16 --edge-factor 16 --seed 7 -o rmat16.txt.zst"))]
    Rmat {
        /// 2^SCALE vertices
        #[arg(long)]
        scale: u32,
        /// Edges drawn per vertex
        #[arg(long, default_value_t = 8)]
        edge_factor: u32,
        /// Probability of the first quadrant
        #[arg(long, default_value_t = 0.57)]
        a: f64,
        /// Probability of the second quadrant
        #[arg(long, default_value_t = 0.19)]
        b: f64,
        /// Probability of the third quadrant
        #[arg(long, default_value_t = 0.19)]
        c: f64,
    },
    /// Growing graph whose new vertices prefer high degrees
    #[command(after_help = example("barabasi-albert --vertices 99 --edges-per-vertex 4 -o ba.gr"))]
    BarabasiAlbert {
        /// Vertices
        #[arg(long)]
        vertices: u32,
        /// Edges of each new vertex
        #[arg(long)]
        edges_per_vertex: u32,
    },
    /// Ring of near neighbours, some edges rewired
    #[command(after_help = example("watts-strogatz --vertices 999 --neighbours 6 -o ring.gr"))]
    WattsStrogatz {
        /// Vertices
        #[arg(long)]
        vertices: u32,
        /// Neighbours of each vertex on the ring; even
        #[arg(long)]
        neighbours: u32,
        /// Probability that an edge is rewired
        #[arg(long, default_value_t = 0.1)]
        rewire: f64,
    },
    /// Rectangular grid, similar to a road network
    #[command(after_help = example("grid --rows 200 --cols 300 --drop 0.1 -o grid.graph"))]
    Grid {
        /// Rows
        #[arg(long)]
        rows: u32,
        /// Columns
        #[arg(long)]
        cols: u32,
        /// Share of the edges removed at random
        #[arg(long, default_value_t = 0.0)]
        drop: f64,
    },
    /// Planar road network: streets with bends and lengths
    #[command(after_help = example("road --vertices 20000 -o town.gr --coordinates town.co"))]
    Road {
        /// Vertices: crossings and bends
        #[arg(long)]
        vertices: u32,
        /// Share of the streets removed at random, as far as the network stays connected
        #[arg(long, default_value_t = families::ROAD_DROP)]
        drop: f64,
        /// Mean number of bends in a street
        #[arg(long, default_value_t = families::ROAD_BENDS)]
        bends: f64,
        /// File for the positions of vertices: a DIMACS file if it ends in .co, else rows of
        /// vertex,x,y
        #[arg(long, value_name = "FILE")]
        coordinates: Option<PathBuf>,
    },
    /// Random tree
    #[command(after_help = example("random-tree --vertices 1000 --seed 3 -o tree.graph.gz"))]
    RandomTree {
        /// Vertices
        #[arg(long)]
        vertices: u32,
    },
    /// Chain of diamonds, with 2^COUNT shortest paths from end to end
    #[command(after_help = example("diamonds --count 20 -o diamonds.mtx"))]
    Diamonds {
        /// Diamonds
        #[arg(long)]
        count: u32,
    },
}

/// Returns the example at the end of a family's help.
fn example(options: &str) -> String {
    format!("Example:\n  brandes generate {options}")
}

/// Generates a graph and writes it; `-` writes an edge list to standard output.
pub fn generate(args: &GenerateArgs) -> Result<i32> {
    use WriteFormat::{Dimacs, Metis, Mtx};
    let Some(output) = args.output.as_deref() else {
        return refuse("no file to write to; give -o FILE, or -o - for standard output");
    };
    // Rejects an unknown format before the graph is generated, which may take long.
    let format = format_of(output)?;
    let coordinates = match &args.family {
        Family::Road { coordinates, .. } => coordinates.as_deref(),
        _ => None,
    };
    let outputs = [("--coordinates", coordinates), ("--output", Some(output))];
    check_outputs(&[], &outputs)?;
    let coordinates_out = coordinates.map(Output::open).transpose()?;
    let (graph, positions) = generated(&args.family, args.seed)?;
    // Formats that number vertices from 1 would warn about lost labels, but those of a generated
    // graph are only the numbers of its vertices.
    let from_one = matches!(format, Mtx | Metis | Dimacs);
    if !from_one {
        format.losses(&graph).iter().for_each(warn);
    }
    let suffix = coordinates.and_then(suffix);
    let is_dimacs = suffix.is_some_and(|suffix| suffix == "co");
    let write = |out: &mut Sink| write_positions(&positions, from_one, is_dimacs, out);
    write_output(coordinates_out, write)?;
    write_graph(&graph, output, format)?;
    Ok(0)
}

/// Writes the positions of the vertices as rows of a DIMACS file or of CSV. With `from_one`, the
/// first vertex has the number 1, as in the file of the graph, else 0.
fn write_positions(
    positions: &[[u32; 2]],
    from_one: bool,
    is_dimacs: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    match is_dimacs {
        true => writeln!(out, "p aux sp co {}", positions.len())?,
        false => writeln!(out, "vertex,x,y")?,
    }
    let mut rows = (u64::from(from_one)..).zip(positions);
    rows.try_for_each(|(vertex, [x, y])| match is_dimacs {
        true => writeln!(out, "v {vertex} {x} {y}"),
        false => writeln!(out, "{vertex},{x},{y}"),
    })
}

/// Generates a graph, and the positions of its vertices if it is a road network.
fn generated(family: &Family, seed: u64) -> Result<(Graph, Vec<[u32; 2]>)> {
    let mut positions = Vec::new();
    let graph = match *family {
        Family::Rmat {
            scale,
            edge_factor,
            a,
            b,
            c,
        } => families::rmat(scale, edge_factor, a, b, c, seed),
        Family::BarabasiAlbert {
            vertices,
            edges_per_vertex,
        } => families::barabasi_albert(vertices, edges_per_vertex, seed),
        Family::WattsStrogatz {
            vertices,
            neighbours,
            rewire,
        } => families::watts_strogatz(vertices, neighbours, rewire, seed),
        Family::Grid { rows, cols, drop } => families::grid(rows, cols, drop, seed),
        Family::RandomTree { vertices } => families::random_tree(vertices, seed),
        Family::Diamonds { count } => families::diamonds(count),
        Family::Road {
            vertices,
            drop,
            bends,
            ..
        } => families::road(vertices, drop, bends, seed).map(|road| {
            positions = road.positions;
            road.graph
        }),
    };
    // A parameter out of range, or a graph too large, is a mistake on the command line.
    let graph = graph.map_err(|error| UsageError(error.to_string()))?;
    Ok((graph, positions))
}
