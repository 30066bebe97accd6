//! What the page shows: charts and the tables behind them, by the part of a report that they are
//! made of.

mod ablation;
mod figure;
mod results;
mod strategies;
mod timeline;
mod tuning;
mod workers;

use clap::ValueEnum;

pub use figure::{Figure, Reports, Run};

/// The charts there are, in the order of the page, each a section of it with the text here as its
/// heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ChartKind {
    /// The vertices of the highest scores
    Top,
    /// Score against degree
    ScoreByDegree,
    /// How scores are spread
    ScoreDistribution,
    /// Seconds of each run by phase
    Phases,
    /// Strategies side by side
    Strategies,
    /// What each idea of strategy virtual is worth
    Ablation,
    /// Time against D, the most arcs of a virtual vertex
    Degree,
    /// Candidates of a search for the best options
    Tuning,
    /// Roots per worker
    Workers,
    /// Seconds of the kernels of a device
    Kernels,
    /// Who did what when in a run
    Timeline,
}

impl ChartKind {
    /// As it is called on the command line and in links.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or(String::new(), |value| value.get_name().into())
    }

    /// The heading of its section.
    pub fn heading(self) -> String {
        let value = self.to_possible_value();
        let help = value.and_then(|value| value.get_help().map(ToString::to_string));
        help.unwrap_or_default()
    }

    /// Its figures, none if the files hold nothing for it; and what has to be known to read them.
    pub fn figures(self, reports: &Reports) -> (Vec<Figure>, &'static str) {
        match self {
            ChartKind::Top => (
                each(&results::different(reports), results::top),
                "The vertices that most shortest paths go through: the score of a vertex is the \
                 sum over all pairs of other vertices of the share of their shortest paths that it \
                 lies on.",
            ),
            ChartKind::ScoreByDegree => (
                each(&results::different(reports), results::by_degree),
                "The highest and the mean score of the vertices of about one degree. Each bin of \
                 degrees reaches to twice where it begins; both axes are logarithmic. High scores \
                 at low degrees belong to vertices that join parts of the graph.",
            ),
            ChartKind::ScoreDistribution => (
                results::scores(reports).into_iter().collect(),
                "Vertices of the input by score. Each bin reaches to twice where it begins; both \
                 axes are logarithmic.",
            ),
            ChartKind::Phases => (
                timeline::phases(reports).into_iter().collect(),
                "Wall-clock time of whole runs, from the start of the process to the last byte of \
                 the scores. Other is what lies between the phases.",
            ),
            ChartKind::Strategies => (
                each(&reports.benches, |bench| strategies::figures(bench)),
                "Time of the search, from the first root to the last sum on the host: the median \
                 of the repeats, with whiskers from the shortest to the longest. The scale is \
                 logarithmic. Hollow marks and ~ are estimates from a sample of the roots.",
            ),
            ChartKind::Ablation => (
                each(&reports.benches, |bench| ablation::figure(bench)),
                "Each idea of strategy virtual is switched off alone. The change is what switching \
                 it on does to the search time: bars to the left are savings, the mean of all \
                 graphs. Hollow marks are single graphs. Marks with whiskers are figures of the \
                 original report, of the total time on other devices: mean and standard deviation \
                 over eight graphs.",
            ),
            ChartKind::Degree => (
                each(&reports.tunes, |tune| tuning::degree(tune)),
                "D is the most arcs that a work-item takes at a time: vertices of more arcs are \
                 split. Times are of the search alone; both axes are logarithmic. Hollow marks \
                 were dropped early, judged by fewer roots.",
            ),
            ChartKind::Tuning => (
                each(&reports.tunes, |tune| tuning::candidates(tune)),
                "Every combination of options that was tried, by its time for all roots as \
                 predicted from samples. What falls behind is dropped early, judged by fewer \
                 roots: hollow marks.",
            ),
            ChartKind::Workers => (
                each(&reports.runs, workers::workers),
                "CPU workers and devices take roots from one counter, so no share is given in \
                 advance: the faster of them take more.",
            ),
            ChartKind::Kernels => (
                each(&reports.runs, workers::kernels),
                "All launches of each kernel, by the clock of the device. Taking the times slows \
                 the search down.",
            ),
            ChartKind::Timeline => (
                each(&reports.runs, timeline::figure),
                "Time since the start of the process. Main reads, prepares and writes; devices get \
                 ready meanwhile on threads of their own. The table has all times with all digits.",
            ),
        }
    }
}

/// The figures that there are of each of these.
fn each<R, F: IntoIterator<Item = Figure>>(all: &[R], figures: impl Fn(&R) -> F) -> Vec<Figure> {
    all.iter().flat_map(figures).collect()
}
