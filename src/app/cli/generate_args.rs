//! What can be typed behind `brandes generate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

const GENERATE_EXAMPLES: &str = "\
Examples:
  brandes generate rmat --scale 14 --edge-factor 8 -o rmat14.txt.gz
      A small-world graph of 2^14 vertices
  brandes generate grid --rows 300 --cols 300 --drop 0.2 -o grid.graph
      A grid with a fifth of its edges removed, in METIS format

The format follows the suffix: .csv, .mtx, .graph or .metis, .gr, .graphml, .npz, otherwise an \
edge list;
.gz, .zst, .bz2 and .xz compress. The same options and seed always give the same graph.";

/// Options of `brandes generate`.
#[derive(Debug, Args)]
#[command(after_help = GENERATE_EXAMPLES)]
pub struct GenerateArgs {
    /// What kind of graph
    #[command(subcommand)]
    pub family: Family,
    /// File to write
    #[arg(long, short, value_name = "FILE", global = true)]
    pub output: Option<PathBuf>,
}

/// The kinds of graphs that can be made.
#[derive(Debug, Subcommand)]
pub enum Family {
    /// Recursive matrix (Kronecker-like) graph, as small worlds are
    #[command(
        after_help = "Example:\n  brandes generate rmat --scale 16 --edge-factor 16 --seed 7 -o \
                      rmat16.txt.zst\n      About a million edges among 2^16 vertices"
    )]
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
        /// Seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Uniform random graph of given numbers of vertices and edges
    #[command(
        after_help = "Example:\n  brandes generate erdos-renyi --vertices 10000 --edges 50000 -o \
                      random.mtx\n      10,000 vertices of mean degree 10"
    )]
    ErdosRenyi {
        /// Vertices
        #[arg(long)]
        vertices: u32,
        /// Edges
        #[arg(long)]
        edges: u64,
        /// Seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Growing graph whose new vertices prefer high degrees
    #[command(
        after_help = "Example:\n  brandes generate barabasi-albert --vertices 10000 \
                      --edges-per-vertex 4 -o growing.txt\n      Few vertices of high degree, many \
                      of degree 4"
    )]
    BarabasiAlbert {
        /// Vertices
        #[arg(long)]
        vertices: u32,
        /// Edges of each new vertex
        #[arg(long)]
        edges_per_vertex: u32,
        /// Seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Ring of near neighbours, some edges rewired
    #[command(
        after_help = "Example:\n  brandes generate watts-strogatz --vertices 10000 --neighbours 6 \
                      --rewire 0.05 -o ring.gr\n      A ring with 5 percent of its edges rewired, \
                      in DIMACS format"
    )]
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
        /// Seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Rectangular grid, as roads are
    #[command(
        after_help = "Example:\n  brandes generate grid --rows 200 --cols 300 --drop 0.1 -o \
                      grid.graph\n      A grid without a tenth of its edges, in METIS format"
    )]
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
        /// Seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Path
    #[command(
        after_help = "Example:\n  brandes generate path --vertices 1000 -o path.txt\n      \
                      All of it folds away"
    )]
    Path {
        /// Vertices
        #[arg(long)]
        vertices: u32,
    },
    /// Cycle
    #[command(
        after_help = "Example:\n  brandes generate cycle --vertices 1000 -o cycle.txt\n      \
                      One chain"
    )]
    Cycle {
        /// Vertices
        #[arg(long)]
        vertices: u32,
    },
    /// Star: vertex 0 joined to all others
    #[command(
        after_help = "Example:\n  brandes generate star --vertices 1000 -o star.txt\n      \
                      One vertex between all others"
    )]
    Star {
        /// Vertices
        #[arg(long)]
        vertices: u32,
    },
    /// Complete graph
    #[command(
        after_help = "Example:\n  brandes generate complete --vertices 100 -o complete.txt\n      \
                      All scores are 0"
    )]
    Complete {
        /// Vertices
        #[arg(long)]
        vertices: u32,
    },
    /// Complete bipartite graph
    #[command(
        after_help = "Example:\n  brandes generate complete-bipartite --left 3 --right 5 -o -\n\
                      \x20     To standard output, as an edge list"
    )]
    CompleteBipartite {
        /// Vertices of the one side
        #[arg(long)]
        left: u32,
        /// Vertices of the other side
        #[arg(long)]
        right: u32,
    },
    /// Complete binary tree
    #[command(
        after_help = "Example:\n  brandes generate binary-tree --depth 10 -o tree.txt\n      \
                      2,047 vertices"
    )]
    BinaryTree {
        /// Levels below the root
        #[arg(long)]
        depth: u32,
    },
    /// Random tree
    #[command(
        after_help = "Example:\n  brandes generate random-tree --vertices 1000 --seed 3 -o \
                      tree.graph.gz\n      In METIS format, compressed"
    )]
    RandomTree {
        /// Vertices
        #[arg(long)]
        vertices: u32,
        /// Seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Chain of diamonds, with 2^COUNT shortest paths from end to end
    #[command(
        after_help = "Example:\n  brandes generate diamonds --count 20 -o diamonds.mtx\n      \
                      About a million shortest paths from end to end"
    )]
    Diamonds {
        /// Diamonds
        #[arg(long)]
        count: u32,
    },
}
