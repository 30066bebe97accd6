//! The options of `brandes run`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, RangedI64ValueParser, TypedValueParser};
use clap::{Args, value_parser};

use super::input::InputArgs;
use super::query_args::{EstimateArgs, QueryArgs, time};
use super::scores::ScoreArgs;
use super::values::{auto_or_one_of, below_one, one_of};
use crate::app::bench::Subject;
use crate::app::progress::ProgressMode;
use brandes::cpu::lanes::{LANES, Simd};
use brandes::strategy::WARP_SIZES;
use brandes::{
    CpuEngine, CpuWorkers, DeviceSelection, Order, Part, Precision, Reductions, RootSelection,
    Strategy,
};

const RUN_EXAMPLES: &str = "\
Examples:
  brandes run bench-graphs/karate.txt
      Every core and the best GPU; prints the top vertices, and how long it took
  brandes run graph.mtx.gz --scores scores.csv --report report.json
      Scores of all vertices as CSV, timings as JSON
  brandes run graph.txt --scores graph.gexf
      The graph with its scores, to open in Gephi
  brandes run graph.txt --device none --cpu-workers 4
      Four CPU workers; OpenCL is not touched
  brandes run graph.txt --device 'H200' --cpu-workers 0 --degree 32
      One device alone, at most 32 arcs per virtual vertex
  brandes run roads.gr.gz --weighted --scores scores.csv
      Shortest paths by the lengths in the file
  brandes run roads.gr.gz --weighted --radius 800,1600 --measures betweenness,closeness
      Pairs of vertices at most 800 apart, and at most 1600
  brandes run graph.txt --sources homes.csv --targets schools.csv
      The paths from some vertices to others
  brandes run large.txt.zst --epsilon 0.001 --scores scores.csv
      Scores within 0.001 with a probability of 0.9, and their intervals, from few searches
  brandes run graph.txt --scores scores.csv --checkpoint graph.checkpoint
      Progress is saved; if the run is stopped, the same command resumes it
  zcat graph.gz | brandes run - --directed --scores - --quiet
      From standard input to standard output";

/// Options of `brandes run`.
#[derive(Debug, Clone, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub struct RunArgs {
    /// Graph file, plain or .gz or .zst; - reads standard input
    pub graph: PathBuf,

    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub output: ScoreArgs,
    /// Write a JSON report of what was done and how long it took
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Time every kernel by the device's clock: a table per device in summary and report. Timing
    /// slows the search down, most with many short launches
    #[arg(long)]
    pub kernel_times: bool,
    /// Save progress to FILE; run the same command again to resume
    ///
    /// FILE is written periodically and when a signal stops the run, and removed when the scores
    /// are written.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between writes of the checkpoint
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = time)]
    pub checkpoint_every: Duration,
    /// Save a checkpoint in the cache folder if a run is expected to take longer than this (for
    /// tests)
    #[arg(long, value_name = "SECONDS", default_value = "600", hide = true)]
    #[arg(value_parser = time)]
    pub checkpoint_after: Duration,
    /// Show this many vertices of the highest scores [default: 10]
    #[arg(long, value_name = "K")]
    pub top: Option<usize>,
    /// Print nothing but errors and warnings
    #[arg(long, short)]
    pub quiet: bool,
    /// Also print the graph as searched, the plan, and the work of each worker and device
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,
    /// How to show progress: auto, always, never, or log (a line a minute)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub progress: ProgressMode,

    #[command(flatten)]
    pub query: QueryArgs,
    #[command(flatten)]
    pub estimate: EstimateArgs,
    /// Search from all sources, K spread over the input, or FIRST..LAST
    ///
    /// FIRST and LAST are positions in the input from 0, LAST not included. Scores are then
    /// partial; those of disjoint ranges that cover all positions add up to the scores of the
    /// graph. With --rescale, the K sources are drawn at random.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub roots: RootSelection,
    /// Count the ends of a path as lying on it
    #[arg(long)]
    pub endpoints: bool,
    /// Treat paths as equally short if their lengths differ by at most this relative amount; 0
    /// compares them exactly [default: 0 if all lengths are multiples of one power of ten, with up
    /// to 15 digits, else 1e-12]
    #[arg(long, value_name = "X", requires = "weighted", value_parser = below_one)]
    pub tie_tolerance: Option<f64>,
    /// Search only part K of N of the roots, to share a search among machines; 'brandes merge'
    /// makes scores of the sums of all parts
    #[arg(long, value_name = "K/N", requires = "sums")]
    #[arg(conflicts_with_all = [
        "scores", "score_format", "sort", "edges", "normalized", "top"
    ])]
    pub part: Option<Part>,
    /// Write the sums of the part to this file, an archive of NumPy arrays (.npz)
    #[arg(long, value_name = "FILE", requires = "part")]
    pub sums: Option<PathBuf>,
    /// Write sums of edges too, so that 'brandes merge' can compute their scores
    #[arg(long, requires = "sums")]
    pub sum_edges: bool,

    /// Devices to drive: auto (the best GPU), all, none, numbers or names
    ///
    /// auto means the best GPU or accelerator, and all means all GPUs and accelerators. Numbers and
    /// parts of names are those that 'brandes devices' shows, separated by commas.
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub device: DeviceSelection,
    /// CPU threads that search; auto: cores less devices
    ///
    /// auto is the number of cores, less one for each device that is not the CPU itself.
    #[arg(long, value_name = "N", default_value = "auto", value_parser = cpu_workers)]
    pub cpu_workers: CpuWorkers,
    /// How to search [default: as in the profile; auto without one]
    #[arg(long, value_parser = strategy())]
    pub strategy: Option<Subject>,
    /// Type of numbers on devices; mixed applies to CPU engine lanes too
    #[arg(long, value_parser = precision(), default_value = "auto")]
    pub precision: AutoOr<Precision>,
    /// How CPU workers search
    ///
    /// plain, lanes and clustered search from every source. hierarchy can search from the ends of a
    /// chain of degree-2 vertices for the sources inside it too. Engine plain replaces clustered if
    /// the workers would need more than a quarter of the memory.
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    #[arg(value_parser = one_of::<CpuEngine>())]
    pub cpu_engine: CpuEngine,
    /// Use the profile FILE of 'brandes tune'; other options override it
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,

    /// Most arcs of a virtual vertex (D) [default: by strategy: virtual 32, hierarchy 16, lanes 128
    /// to 512 by mean degree]
    #[arg(long, value_name = "D", value_parser = positive())]
    pub degree: Option<u32>,
    /// Roots that strategy lanes searches together on a device, a multiple of 32; or auto, by the
    /// memory of the device
    #[arg(long = "device-lanes", value_name = "N")]
    #[arg(default_value = "auto", value_parser = lanes)]
    pub lanes: AutoOr<u32>,
    /// Roots that strategies virtual and edge-device search together on a device, or auto, by its
    /// memory and its compute units; 1 is the form of the papers
    #[arg(long = "device-searches", value_name = "N")]
    #[arg(default_value = "auto", value_parser = searches)]
    pub searches: AutoOr<u32>,
    /// Work-items that share a vertex in strategy warp: 4, 8, 16 or 32; or auto, by the mean degree
    #[arg(long, value_name = "N", default_value = "auto", value_parser = warp_size)]
    pub warp_size: AutoOr<u32>,
    /// Work-items of a work-group, for kernels without a fixed size [default: by strategy:
    /// local 64 to 384 by the width of levels, hierarchy at most 64, others 256, or 128 to 256 with
    /// --weighted]
    #[arg(long, value_name = "N", value_parser = positive())]
    pub work_group: Option<u32>,
    /// Roots that CPU engine lanes searches together on a core: 8, 16, 32 or 64; or auto. Fewer are
    /// used if the workers would need more than a quarter of the memory
    #[arg(long, value_name = "N", default_value = "auto", value_parser = cpu_lanes)]
    pub cpu_lanes: AutoOr<usize>,
    /// Reductions of the graph before the search; scores stay the same
    ///
    /// none, auto (those that save work), or some of fold (degree-1 vertices of an undirected graph
    /// are folded away), blocks (the graph is split at articulation points), reverse (a directed
    /// graph is searched against its arcs), and twins (vertices with the same neighbours are
    /// merged) or chains (in an undirected graph, searches from the two ends of a chain of degree-2
    /// vertices serve the sources inside it), with commas.
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    pub reduce: Reductions,
    /// Numbering of the searched vertices
    #[arg(long, value_parser = one_of::<Order>(), default_value = "bfs")]
    pub order: Order,
    /// Ignore the cache: build all kernels, and save no checkpoint in it
    #[arg(long)]
    pub no_cache: bool,
    /// Give scores the same bits in every run with the same options: with --device none, whatever
    /// the number of workers, or on equal devices with --cpu-workers 0
    #[arg(long)]
    pub reproducible: bool,
    /// Check each device: search K roots on it and on a core, before its first sums and before its
    /// last sums are added; if they differ, all results of the device are discarded
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub verify: u32,
    /// Seconds after which a device that does not answer is left out [default: 10 to find
    /// devices, 120 for each step of setup; for searching 10, or 20 times the expected time if that
    /// is longer]
    #[arg(long, value_name = "SECONDS", value_parser = positive())]
    pub device_timeout: Option<u32>,

    /// Build kernels without accesses that are harmless races (for tools that look for races)
    #[arg(long, hide = true)]
    pub exact_access: bool,
    /// Vector instructions of CPU engine lanes (for tests and measurements)
    #[arg(long, value_name = "SIMD", hide = true, value_parser = one_of::<Simd>())]
    pub cpu_simd: Option<Simd>,
    /// Let strategy hybrid search frontiers wider than this by arcs (for tests on small graphs)
    #[arg(long, value_name = "N", hide = true)]
    pub wide: Option<u32>,
}

/// Returns a parser of numbers of at least 1.
pub(super) fn positive() -> RangedI64ValueParser<u32> {
    value_parser!(u32).range(1..)
}

/// The largest number of CPU workers that every machine allows.
const MOST_WORKERS: usize = 1024;

/// Reads `--cpu-workers`: auto, or a number up to [`MOST_WORKERS`] or eight times the number of
/// cores, whichever is larger.
pub(super) fn cpu_workers(text: &str) -> Result<CpuWorkers, String> {
    let most = MOST_WORKERS.max(8 * num_cpus::get());
    let numbers = format!("a number of at most {most} on this machine");
    let count = auto_or(text, |&count| count <= most, &numbers)?;
    Ok(count.map_or(CpuWorkers::Auto, CpuWorkers::Count))
}

/// A number, or `None` for auto. The alias is needed because clap takes a field of type `Option`
/// for an optional argument.
pub type AutoOr<T> = Option<T>;

/// Reads auto, or a number that `fits` accepts; the message describes these numbers by `numbers`.
fn auto_or<T: FromStr>(
    text: &str,
    fits: impl Fn(&T) -> bool,
    numbers: &str,
) -> Result<AutoOr<T>, String> {
    match (text, text.parse()) {
        ("auto", _) => Ok(None),
        (_, Ok(number)) if fits(&number) => Ok(Some(number)),
        _ => Err(format!("'{text}' is neither auto nor {numbers}")),
    }
}

/// Reads `--precision`.
pub(super) fn precision() -> impl TypedValueParser<Value = AutoOr<Precision>> {
    auto_or_one_of("64 bits; on devices without 64-bit floats 32 bits, with a warning")
}

/// Reads `--device-lanes`.
pub(super) fn lanes(text: &str) -> Result<AutoOr<u32>, String> {
    auto_or(text, fit_device, "a multiple of 32 from 32 to 1048576")
}

/// Reads `--device-lanes` of `brandes tune`, which also takes lanes of CPU workers.
pub(super) fn any_lanes(text: &str) -> Result<AutoOr<u32>, String> {
    let fit = |lanes: &u32| LANES.contains(&(*lanes as usize)) || fit_device(lanes);
    auto_or(text, fit, "8, 16 or a multiple of 32 from 32 to 1048576")
}

fn fit_device(lanes: &u32) -> bool {
    // 2^20 lanes of the smallest graph fill any device.
    *lanes > 0 && lanes.is_multiple_of(32) && *lanes <= 1 << 20
}

/// Reads `--cpu-lanes`.
fn cpu_lanes(text: &str) -> Result<AutoOr<usize>, String> {
    auto_or(text, |lanes| LANES.contains(lanes), "8, 16, 32 or 64")
}

/// Reads `--device-searches`. Every slot is a row of a launch, whose number CUDA limits.
pub(super) fn searches(text: &str) -> Result<AutoOr<u32>, String> {
    let fits = |count: &u32| (1..=65_535).contains(count);
    auto_or(text, fits, "a number from 1 to 65535")
}

/// Reads `--warp-size`.
pub(super) fn warp_size(text: &str) -> Result<AutoOr<u32>, String> {
    auto_or(text, |size| WARP_SIZES.contains(size), "4, 8, 16 or 32")
}

/// Reads `cpu` or the name of a strategy for devices.
fn strategy() -> impl TypedValueParser<Value = Subject> {
    let names = Strategy::all().map(|s| PossibleValue::new(s.name()).help(s.about().line));
    let mut names: Vec<_> = names.collect();
    names.insert(1, PossibleValue::new("cpu").help("CPU workers only"));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Subject>())
}
