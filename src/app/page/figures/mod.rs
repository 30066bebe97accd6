//! What the page shows: a file per section, each of which makes charts and the tables behind them.

mod ablation;
mod candidates;
mod degree;
mod distributions;
mod phases;
mod results;
mod strategies;
mod timeline;
mod workers;

use super::files::{Bench, Run, Tune};
use super::read::{Content, Document, last_part};
use super::svg::bars::Bars;
use super::svg::changes::Changes;
use super::svg::dots::Dots;
use super::svg::gantt::Gantt;
use super::svg::lines::Lines;
use super::svg::{Svg, Width};
use super::table::Table;

/// The charts there are, each a section of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ChartKind {
    /// The vertices of the highest scores
    Top,
    /// Score against degree
    ScoreByDegree,
    /// Seconds of each run by phase
    Phases,
    /// Time against D, the most arcs of a virtual vertex
    Degree,
    /// Candidates of a search for the best options
    Tuning,
    /// Roots per worker
    Workers,
    /// Strategies side by side
    Strategies,
    /// What each idea of strategy virtual is worth
    Ablation,
    /// Who did what when in a run
    Timeline,
    /// The beginning of a run, while devices get ready
    Start,
    /// How degrees are spread
    DegreeDistribution,
    /// How scores are spread
    ScoreDistribution,
}

impl ChartKind {
    /// All, in the order of the page.
    pub const ALL: [ChartKind; 12] = [
        ChartKind::Top,
        ChartKind::ScoreByDegree,
        ChartKind::ScoreDistribution,
        ChartKind::DegreeDistribution,
        ChartKind::Phases,
        ChartKind::Strategies,
        ChartKind::Ablation,
        ChartKind::Degree,
        ChartKind::Tuning,
        ChartKind::Workers,
        ChartKind::Timeline,
        ChartKind::Start,
    ];

    /// As it is called on the command line and in links.
    pub fn name(self) -> &'static str {
        match self {
            ChartKind::Top => "top",
            ChartKind::ScoreByDegree => "score-by-degree",
            ChartKind::Phases => "phases",
            ChartKind::Degree => "degree",
            ChartKind::Tuning => "tuning",
            ChartKind::Workers => "workers",
            ChartKind::Strategies => "strategies",
            ChartKind::Ablation => "ablation",
            ChartKind::Timeline => "timeline",
            ChartKind::Start => "start",
            ChartKind::DegreeDistribution => "degree-distribution",
            ChartKind::ScoreDistribution => "score-distribution",
        }
    }

    /// The heading of its section.
    pub fn heading(self) -> &'static str {
        match self {
            ChartKind::Top => "The highest scores",
            ChartKind::ScoreByDegree => "Score against degree",
            ChartKind::Phases => "Seconds by phase",
            ChartKind::Degree => "Time against D",
            ChartKind::Tuning => "Candidates of tuning",
            ChartKind::Workers => "Roots per worker",
            ChartKind::Strategies => "Strategies side by side",
            ChartKind::Ablation => "What each idea is worth",
            ChartKind::Timeline => "Timeline",
            ChartKind::Start => "The start of the run",
            ChartKind::DegreeDistribution => "Degrees",
            ChartKind::ScoreDistribution => "Scores",
        }
    }

    /// What has to be known to read its charts.
    pub fn explanation(self) -> &'static str {
        match self {
            ChartKind::Top => {
                "The vertices that most shortest paths go through: the score of a vertex is the \
                 sum over all pairs of other vertices of the share of their shortest paths that it \
                 lies on."
            }
            ChartKind::ScoreByDegree => {
                "The highest and the mean score of the vertices of about one degree. Each bin of \
                 degrees reaches to twice where it begins; both axes are logarithmic. High scores \
                 at low degrees belong to vertices that join parts of the graph."
            }
            ChartKind::Phases => {
                "Wall-clock time of whole runs, from the start of the process to the last byte of the \
                 scores. Other is what lies between the phases."
            }
            ChartKind::Degree => {
                "D is the most arcs that a work-item takes at a time: vertices of more arcs are \
                 split. Times are of the search alone."
            }
            ChartKind::Tuning => {
                "Every combination of options that was tried, by its time for all roots as \
                 predicted from samples. What falls behind is dropped early, judged by fewer roots."
            }
            ChartKind::Workers => {
                "CPU workers and devices take roots from one counter, so nobody is given a share \
                 in advance: who is faster takes more."
            }
            ChartKind::Strategies => {
                "Time of the search, from the first root to the last sum on the host: the median \
                 of the repeats, with whiskers from the shortest to the longest. The scale is \
                 logarithmic."
            }
            ChartKind::Ablation => {
                "Each idea of strategy virtual is switched off alone. The change is what switching \
                 it on does to the search time: bars to the left are savings."
            }
            ChartKind::Timeline => {
                "Time since the start of the process. Main reads, prepares and writes; devices get \
                 ready meanwhile on threads of their own."
            }
            ChartKind::Start => {
                "The same up to the moment when graph and devices are ready: initialisation of \
                 devices is meant to be hidden behind reading and preparing."
            }
            ChartKind::DegreeDistribution => {
                "Vertices of the input by degree. Each bin reaches to twice where it begins; both \
                 axes are logarithmic."
            }
            ChartKind::ScoreDistribution => {
                "Vertices of the input by score. Each bin reaches to twice where it begins; both \
                 axes are logarithmic."
            }
        }
    }

    /// Its figures; none if the files hold nothing for it.
    pub fn figures(self, reports: &Reports) -> Vec<Figure> {
        match self {
            ChartKind::Top => results::top(reports),
            ChartKind::ScoreByDegree => results::by_degree(reports),
            ChartKind::Phases => phases::figures(reports),
            ChartKind::Degree => degree::figures(reports),
            ChartKind::Tuning => candidates::figures(reports),
            ChartKind::Workers => workers::figures(reports),
            ChartKind::Strategies => strategies::figures(reports),
            ChartKind::Ablation => ablation::figures(reports),
            ChartKind::Timeline => timeline::whole(reports),
            ChartKind::Start => timeline::start(reports),
            ChartKind::DegreeDistribution => distributions::degrees(reports),
            ChartKind::ScoreDistribution => distributions::scores(reports),
        }
    }
}

/// A chart and the table behind it.
#[derive(Debug)]
pub struct Figure {
    /// Of what; empty where the section says it.
    pub title: String,
    /// Lines below the chart.
    pub notes: Vec<String>,
    /// The chart.
    pub drawing: Drawing,
    /// All its numbers.
    pub table: Table,
}

/// A chart of one of the kinds that can be drawn.
#[derive(Debug)]
pub enum Drawing {
    Bars(Bars),
    Changes(Changes),
    Dots(Dots),
    Gantt(Gantt),
    Lines(Lines),
}

impl Drawing {
    /// Draws it.
    pub fn draw(&self, width: Width) -> Svg {
        match self {
            Drawing::Bars(chart) => chart.draw(width),
            Drawing::Changes(chart) => chart.draw(width),
            Drawing::Dots(chart) => chart.draw(width),
            Drawing::Gantt(chart) => chart.draw(width),
            Drawing::Lines(chart) => chart.draw(width),
        }
    }
}

/// The files by what they are.
#[derive(Debug)]
pub struct Reports<'d> {
    /// Each with a name that no other run has.
    pub runs: Vec<(String, &'d Run)>,
    /// Each with the name of its file.
    pub benches: Vec<(&'d str, &'d Bench)>,
    /// Each with the name of its file.
    pub tunes: Vec<(&'d str, &'d Tune)>,
}

impl<'d> Reports<'d> {
    /// Sorts them.
    pub fn new(documents: &'d [Document]) -> Reports<'d> {
        let mut reports = Reports {
            runs: Vec::new(),
            benches: Vec::new(),
            tunes: Vec::new(),
        };
        let graph_of = |document: &'d Document| match &document.content {
            Content::Run(run) => Some(last_part(&run.input.path)),
            _ => None,
        };
        for document in documents {
            match &document.content {
                Content::Run(run) => {
                    let graph = last_part(&run.input.path);
                    let alike = documents.iter().filter(|d| graph_of(d) == Some(graph));
                    let name = if alike.count() > 1 {
                        format!("{graph} ({})", document.name)
                    } else {
                        graph.to_string()
                    };
                    reports.runs.push((name, run));
                }
                Content::Bench(bench) => reports.benches.push((&document.name, bench)),
                Content::Tune(tune) => reports.tunes.push((&document.name, tune)),
            }
        }
        reports
    }
}

/// "1 vertex", "2 vertices".
fn counted(count: u64, one: &str) -> String {
    crate::app::report::words::counted(count as usize, one)
}
