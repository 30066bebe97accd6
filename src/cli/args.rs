//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::bench_args::BenchArgs;
use crate::cpu::CpuEngine;
use crate::cpu::lanes::{LANES, Simd};
use crate::engine::Precision;
use crate::graph::Format;
use crate::opencl::strategy::WARP_SIZES;
use crate::opencl::{DeviceSelection, Step};
use crate::prepare::{ChainsOption, Order, RootSelection};
use crate::runner::CpuWorkers;

/// Exact betweenness centrality of large graphs on all the processors of a machine.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compute the betweenness centrality of every vertex of a graph
    Run(Box<RunArgs>),
    /// Measure strategies side by side
    Bench(Box<BenchArgs>),
    /// Describe a graph: size, degrees, depth, and what there is to search
    Info(InfoArgs),
    /// List the OpenCL devices of this machine
    Devices(DevicesArgs),
    /// Compare two score files
    Compare(CompareArgs),
    /// Make a graph
    Generate(GenerateArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write manual pages
    Man(ManArgs),
}

const EXAMPLES: &str = "\
Examples:
  brandes info graph.txt.gz
      What the graph is like
  brandes run graph.txt.gz --scores scores.csv
      Its scores; 'brandes run --help' has more";

const RUN_EXAMPLES: &str = "\
Examples:
  brandes run bench-graphs/karate.txt
      Every core and the best GPU; prints a summary and the top vertices
  brandes run graph.mtx.gz --scores scores.csv --report report.json
      Scores of all vertices as CSV, timings as JSON
  brandes run graph.txt --trace trace.json
      Who did what when, to look at in https://ui.perfetto.dev
  brandes run graph.txt --device none --cpu-workers 4
      Four CPU workers; OpenCL is not touched
  brandes run graph.txt --device 'H200' --cpu-workers 0 --degree 32
      One device alone, at most 32 arcs per virtual vertex
  zcat graph.gz | brandes run - --directed --scores - --quiet
      From standard input to standard output";

/// Options of `brandes run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub struct RunArgs {
    /// Graph file, plain or .gz or .zst; - reads standard input
    pub graph: PathBuf,

    /// Write the score of every vertex as CSV; - writes standard output
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
    /// Write a JSON report of what was done and how long it took
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write the timeline as a trace for Perfetto or chrome://tracing; - writes standard output
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Show this many vertices of the highest scores
    #[arg(long, value_name = "K", default_value_t = 10)]
    pub top: usize,

    /// Format of the graph file
    #[arg(long, value_enum, default_value_t = Format::Auto)]
    pub format: Format,
    /// Take edges as arcs of one direction; otherwise a directed file is symmetrised
    #[arg(long)]
    pub directed: bool,
    /// Divide scores by the number of pairs that could meet a vertex
    #[arg(long)]
    pub normalized: bool,
    /// Count the ends of a path as lying on it
    #[arg(long)]
    pub endpoints: bool,

    /// How to search
    #[arg(long, value_enum, default_value_t = StrategyArg::Auto)]
    pub strategy: StrategyArg,
    /// Most arcs of a virtual vertex (D) [default: by strategy: virtual 16, lanes 128 to 512 by mean degree]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    pub degree: Option<u32>,
    /// Roots searched together by strategy lanes, a multiple of 32; or auto, by the device's memory
    #[arg(long, value_name = "N", default_value = "auto", value_parser = lanes)]
    pub lanes: Lanes,
    /// Work-items that share a vertex in strategy warp: 4, 8, 16 or 32; or auto, by the mean degree
    #[arg(long, value_name = "N", default_value = "auto", value_parser = warp_size)]
    pub warp_size: WarpSize,
    /// Work-items of a work-group, of kernels that do not choose their own [default: by strategy:
    /// local 384, chains 128, others 256]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub work_group: Option<u32>,
    /// Build the kernels even if an earlier run kept them
    #[arg(long)]
    pub no_cache: bool,
    /// Number type on devices
    #[arg(long, value_enum, default_value_t = Precision::F64)]
    pub precision: Precision,
    /// Devices to drive: auto (the best GPU or accelerator), all (GPUs and accelerators), none, or
    /// numbers or parts of names as 'brandes devices' shows them, separated by commas
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub device: DeviceSelection,
    /// CPU threads that search; auto: the cores that no device driver needs
    #[arg(long, value_name = "N", default_value = "auto", value_parser = cpu_workers)]
    pub cpu_workers: CpuWorkers,
    /// How CPU workers search. plain and lanes search the graph as it stands: chains are then not
    /// contracted
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t = CpuEngine::Auto)]
    pub cpu_engine: CpuEngine,
    /// Roots searched together by CPU engine lanes: 8, 16, 32 or 64; or auto. Fewer are taken if the
    /// workers would need more than a quarter of the memory
    #[arg(long, value_name = "N", default_value = "auto", value_parser = cpu_lanes)]
    pub cpu_lanes: CpuLanes,
    /// Sources: all; K, spread over the input; or FIRST..LAST, positions in the input from 0, LAST
    /// not included. Scores are then partial: those of ranges that cover the graph add up
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub roots: RootSelection,
    /// Do not fold degree-1 vertices away
    #[arg(long)]
    pub no_fold: bool,
    /// Contract chains of degree-2 vertices of undirected graphs, and search from junctions only
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ChainsOption::Auto)]
    pub chains: ChainsOption,
    /// Numbering of the searched vertices
    #[arg(long, value_enum, default_value_t = Order::Bfs)]
    pub order: Order,

    /// Print nothing but errors and warnings
    #[arg(long, short)]
    pub quiet: bool,
    /// Show a progress bar
    #[arg(long, value_enum, default_value_t = ProgressArg::Auto)]
    pub progress: ProgressArg,

    /// Make the device fail at a step, to see what becomes of the run (for tests)
    #[arg(long, value_name = "STEP", hide = true)]
    pub fail_device_at: Option<Step>,
    /// Build kernels without accesses that are harmless races (for tools that look for races)
    #[arg(long, hide = true)]
    pub exact_access: bool,
    /// Vector instructions of CPU engine lanes (for tests and measurements)
    #[arg(long, value_name = "SIMD", hide = true)]
    pub cpu_simd: Option<Simd>,
    /// Let strategy hybrid search frontiers wider than this by arcs (for tests on small graphs)
    #[arg(long, value_name = "N", hide = true)]
    pub wide: Option<u32>,
}

/// Reads `--cpu-workers`.
pub(super) fn cpu_workers(text: &str) -> Result<CpuWorkers, String> {
    match text {
        "auto" => Ok(CpuWorkers::Auto),
        _ => text
            .parse()
            .map(CpuWorkers::Count)
            .map_err(|_| format!("'{text}' is neither a number nor auto")),
    }
}

/// `--lanes`: `None` is auto. (A type of its own: clap takes a bare `Option` for "may be left out".)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lanes(pub Option<u32>);

/// Reads `--lanes`.
pub(super) fn lanes(text: &str) -> Result<Lanes, String> {
    match (text, text.parse::<u32>()) {
        ("auto", _) => Ok(Lanes(None)),
        // 2^20 lanes of the smallest graph fill any device.
        (_, Ok(lanes)) if lanes > 0 && lanes % 32 == 0 && lanes <= 1 << 20 => {
            Ok(Lanes(Some(lanes)))
        }
        _ => Err(format!(
            "'{text}' is neither auto nor a multiple of 32 from 32 to 1048576"
        )),
    }
}

/// `--cpu-lanes`: `None` is auto.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CpuLanes(pub Option<usize>);

fn cpu_lanes(text: &str) -> Result<CpuLanes, String> {
    match (text, text.parse::<usize>()) {
        ("auto", _) => Ok(CpuLanes(None)),
        (_, Ok(lanes)) if LANES.contains(&lanes) => Ok(CpuLanes(Some(lanes))),
        _ => Err(format!("'{text}' is neither auto nor 8, 16, 32 or 64")),
    }
}

/// `--warp-size`: `None` is auto.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WarpSize(pub Option<u32>);

fn warp_size(text: &str) -> Result<WarpSize, String> {
    match (text, text.parse::<u32>()) {
        ("auto", _) => Ok(WarpSize(None)),
        (_, Ok(size)) if WARP_SIZES.contains(&size) => Ok(WarpSize(Some(size))),
        _ => Err(format!("'{text}' is neither auto nor 4, 8, 16 or 32")),
    }
}

/// `--strategy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrategyArg {
    /// The best for the graph and the devices
    Auto,
    /// CPU workers only
    Cpu,
    /// On devices: one root at a time over the whole device, virtual vertices
    Virtual,
    /// On devices: batches of roots in one search, a lane each
    Lanes,
    /// On devices: one work-group per root, a work-item per vertex (Jia et al. 2011)
    Vertex,
    /// On devices: one work-group per root, a work-item per arc (Jia et al. 2011)
    Edge,
    /// On devices: one root at a time over the whole device, a work-item per arc (GPU-FAN 2011)
    EdgeDevice,
    /// On devices: one work-group per root, an explicit frontier (McLaughlin and Bader 2014)
    WorkEfficient,
    /// On devices: work-efficient, but wide frontiers by arcs on shallow graphs (McLaughlin and Bader 2014)
    Hybrid,
    /// On devices: work-efficient, several work-items per vertex (Hong et al. 2011, Fan et al. 2017)
    Warp,
    /// On devices: one work-group per root, its state in local memory; for roads and meshes
    Local,
    /// On devices: sweeps from junctions only, chains of degree-2 vertices contracted; undirected graphs
    Chains,
}

/// `--progress`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressArg {
    /// On a terminal, for runs of more than a second
    Auto,
    /// Never
    Never,
}

const INFO_EXAMPLES: &str = "\
Examples:
  brandes info bench-graphs/karate.txt
      A table: size, degrees, depth, what folding removes, what contracting chains would leave
  brandes info graph.mtx.gz --directed --json
      The same of a directed graph, as JSON (docs/info.md)

Nothing is searched but a few vertices to see how deep searches are. Memory is that of the arrays
named; a whole run needs more.";

/// Options of `brandes info`.
#[derive(Debug, Args)]
#[command(after_help = INFO_EXAMPLES)]
pub struct InfoArgs {
    /// Graph file, plain or .gz or .zst; - reads standard input
    pub graph: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Format of the graph file
    #[arg(long, value_enum, default_value_t = Format::Auto)]
    pub format: Format,
    /// Take edges as arcs of one direction; otherwise a directed file is symmetrised
    #[arg(long)]
    pub directed: bool,
    /// Do not fold degree-1 vertices away
    #[arg(long)]
    pub no_fold: bool,
}

const DEVICES_EXAMPLES: &str = "\
Examples:
  brandes devices
      A table; the number or a part of the name selects a device in 'brandes run --device'
  brandes devices --json
      The same as JSON";

/// Options of `brandes devices`.
#[derive(Debug, Args)]
#[command(after_help = DEVICES_EXAMPLES)]
pub struct DevicesArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  brandes compare scores.csv reference.csv.gz
      Exit code 0 if every score agrees, 1 if one does not
  brandes compare a.csv b.csv --rtol 1e-4
      Allow relative differences up to 1e-4

Scores a and b agree if |a - b| <= ATOL + RTOL * max(|a|, |b|).";

/// Options of `brandes compare`.
#[derive(Debug, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub struct CompareArgs {
    /// Score file (CSV with a header; the last column is the score)
    pub a: PathBuf,
    /// Score file to compare with it
    pub b: PathBuf,
    /// Relative difference allowed
    #[arg(long, value_name = "X", default_value_t = 1e-9, value_parser = tolerance)]
    pub rtol: f64,
    /// Absolute difference allowed
    #[arg(long, value_name = "X", default_value_t = 1e-9, value_parser = tolerance)]
    pub atol: f64,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        _ => Err(format!("'{text}' is not a number of at least 0")),
    }
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  brandes completions bash > ~/.local/share/bash-completion/completions/brandes
      For bash, from the next shell on
  brandes completions zsh > ~/.zfunc/_brandes
      For zsh, if ~/.zfunc is in its fpath";

/// Options of `brandes completions`.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

const MAN_EXAMPLES: &str = "\
Examples:
  brandes man -o ~/.local/share/man/man1
      Then 'man brandes' and 'man brandes-run' show the pages
  brandes man | man -l -
      The page of the program itself";

/// Options of `brandes man`.
#[derive(Debug, Args)]
#[command(after_help = MAN_EXAMPLES)]
pub struct ManArgs {
    /// Folder for the pages of all commands; without it, the page of the program goes to standard
    /// output
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

const GENERATE_EXAMPLES: &str = "\
Examples:
  brandes generate rmat --scale 14 --edge-factor 8 -o rmat14.txt.gz
      A small-world graph of 2^14 vertices
  brandes generate grid --rows 300 --cols 300 --drop 0.2 -o grid.graph
      A grid with a fifth of its edges removed, in METIS format

The format follows the suffix: .mtx, .graph or .metis, .gr, otherwise an edge list; .gz and .zst
compress. The same options and seed always give the same graph.";

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
        after_help = "Example:\n  brandes generate rmat --scale 16 --edge-factor 16 --seed 7 -o rmat16.txt.zst\n      About a million edges among 2^16 vertices"
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
        after_help = "Example:\n  brandes generate erdos-renyi --vertices 10000 --edges 50000 -o random.mtx\n      10,000 vertices of mean degree 10"
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
        after_help = "Example:\n  brandes generate barabasi-albert --vertices 10000 --edges-per-vertex 4 -o growing.txt\n      Few vertices of high degree, many of degree 4"
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
        after_help = "Example:\n  brandes generate watts-strogatz --vertices 10000 --neighbours 6 --rewire 0.05 -o ring.gr\n      A ring with 5 percent of its edges rewired, in DIMACS format"
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
        after_help = "Example:\n  brandes generate grid --rows 200 --cols 300 --drop 0.1 -o grid.graph\n      A grid without a tenth of its edges, in METIS format"
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
        after_help = "Example:\n  brandes generate path --vertices 1000 -o path.txt\n      All of it folds away"
    )]
    Path {
        /// Vertices
        #[arg(long)]
        vertices: u32,
    },
    /// Cycle
    #[command(
        after_help = "Example:\n  brandes generate cycle --vertices 1000 -o cycle.txt\n      One chain"
    )]
    Cycle {
        /// Vertices
        #[arg(long)]
        vertices: u32,
    },
    /// Star: vertex 0 joined to all others
    #[command(
        after_help = "Example:\n  brandes generate star --vertices 1000 -o star.txt\n      One vertex between all others"
    )]
    Star {
        /// Vertices
        #[arg(long)]
        vertices: u32,
    },
    /// Complete graph
    #[command(
        after_help = "Example:\n  brandes generate complete --vertices 100 -o complete.txt\n      All scores are 0"
    )]
    Complete {
        /// Vertices
        #[arg(long)]
        vertices: u32,
    },
    /// Complete bipartite graph
    #[command(
        after_help = "Example:\n  brandes generate complete-bipartite --left 3 --right 5 -o -\n      To standard output, as an edge list"
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
        after_help = "Example:\n  brandes generate binary-tree --depth 10 -o tree.txt\n      2,047 vertices"
    )]
    BinaryTree {
        /// Levels below the root
        #[arg(long)]
        depth: u32,
    },
    /// Random tree
    #[command(
        after_help = "Example:\n  brandes generate random-tree --vertices 1000 --seed 3 -o tree.graph.gz\n      In METIS format, compressed"
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
        after_help = "Example:\n  brandes generate diamonds --count 20 -o diamonds.mtx\n      About a million shortest paths from end to end"
    )]
    Diamonds {
        /// Diamonds
        #[arg(long)]
        count: u32,
    },
}
