//! Measurements against earlier ones: which strategies got faster or slower on which graphs.
//!
//! Medians are compared. Where the ranges of the times then and now overlap, or the medians are
//! within [`SMALLEST_CHANGE`] or [`SMALLEST_SECONDS`] of each other, that is noise.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::timing::Spread;
use brandes::output::read_back;

/// Changes up to this part of the earlier time are noise.
pub const SMALLEST_CHANGE: f64 = 0.05;

/// So are changes of up to so many seconds: waking a thread takes as long, and longer on some days.
pub const SMALLEST_SECONDS: f64 = 0.001;

/// The only version of the shape of the file that there is.
const VERSION: u64 = 1;

/// Options that times do not depend on.
const HARMLESS: [&str; 2] = ["repeat", "limit_seconds"];

/// What a file of `brandes bench --report` says, as far as it is compared. Its fields are those of
/// the file.
#[derive(Debug, Clone, Deserialize)]
pub struct Measurements {
    program: Program,
    host: Value,
    /// None if only CPU workers were measured.
    devices: Vec<Value>,
    /// By names with underscores.
    options: BTreeMap<String, Value>,
    graphs: Vec<Measured>,
}

/// The program that measured.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The commit it was built from, if known.
    pub commit: Option<String>,
}

/// A graph.
#[derive(Debug, Clone, Deserialize)]
struct Measured {
    path: String,
    directed: bool,
    vertices: usize,
    edges: usize,
    strategies: Vec<Times>,
}

/// A strategy on a graph.
#[derive(Debug, Clone, Deserialize)]
struct Times {
    strategy: String,
    seconds: Vec<f64>,
    /// Whether they are scaled from a sample.
    estimated: bool,
    roots_searched: usize,
    failure: Option<String>,
}

/// What became of a strategy on a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Faster beyond noise.
    Faster,
    /// Slower beyond noise.
    Slower,
    /// Neither can be said.
    WithinNoise,
    /// Not in the baseline, or could not search then.
    New,
    /// Not measured now.
    Gone,
    /// Could search then and cannot now.
    Failed,
    /// Something else was measured.
    NotComparable,
}

impl Verdict {
    /// For tables.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::WithinNoise => "within noise",
            Verdict::New => "new",
            Verdict::Gone => "gone",
            Verdict::Failed => "failed",
            Verdict::NotComparable => "not comparable",
        }
    }

    /// Whether `--fail-slower` is about this.
    pub fn is_worse(self) -> bool {
        matches!(self, Verdict::Slower | Verdict::Failed)
    }
}

/// All of it, as it goes into the report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Comparison {
    /// The baseline, as given.
    pub path: String,
    /// What measured it.
    pub program: Program,
    /// [`SMALLEST_CHANGE`].
    pub smallest_change: f64,
    /// [`SMALLEST_SECONDS`].
    pub smallest_seconds: f64,
    /// What else has changed since then, so that times may have for that reason.
    pub warnings: Vec<String>,
    /// One entry per graph and strategy that was measured now or, on the same graphs, then.
    pub rows: Vec<Row>,
    /// Graphs of the baseline that were not measured now.
    pub graphs_gone: Vec<String>,
}

/// A strategy on a graph.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Row {
    /// The graph: the last part of its path.
    pub graph: String,
    /// The strategy.
    pub strategy: String,
    /// What became of it.
    pub verdict: Verdict,
    /// Median of the earlier times.
    pub baseline_seconds: Option<f64>,
    /// Median of the times now.
    pub seconds: Option<f64>,
    /// From one to the other: 0.2 for a fifth more time.
    #[schemars(extend("minimum" = -1))]
    pub change: Option<f64>,
    /// What else is to be said.
    pub note: Option<String>,
}

impl Measurements {
    /// Reads the file that an earlier `brandes bench --report` wrote.
    ///
    /// # Errors
    /// In one line, if it cannot be read or is something else.
    pub fn read(path: &Path) -> Result<Measurements> {
        let shown = path.display();
        let text = read_back(path).with_context(|| format!("{shown}: cannot be read"))?;
        let report = serde_json::from_slice(&text).map_err(anyhow::Error::new);
        report.and_then(Measurements::of).map_err(|reason| {
            anyhow!("{shown}: is no report of 'brandes bench' that can be compared with: {reason}")
        })
    }

    /// Of a report that need not be a file.
    ///
    /// # Errors
    /// What a report of `brandes bench` should have and this one has not.
    pub fn of(report: Value) -> Result<Measurements> {
        let kind = report["kind"].as_str().unwrap_or("bench");
        ensure!(kind == "bench", "it is of kind '{kind}'");
        let version = report["schema_version"].as_u64().unwrap_or(VERSION);
        ensure!(version == VERSION, "it has schema_version {version}");
        Ok(serde_json::from_value(report)?)
    }

    /// The measurements of the graph that `other` was measured on, wherever it was then: the path
    /// decides, and else the name of the file.
    fn graph_like(&self, other: &Measured) -> Option<&Measured> {
        let same_path = self.graphs.iter().find(|graph| graph.path == other.path);
        same_path.or_else(|| self.graphs.iter().find(|g| g.name() == other.name()))
    }

    /// An option as on the command line. Early reports do not say `--roots`.
    fn option(&self, name: &str) -> String {
        match self.options.get(name) {
            None if name == "roots" => "all".into(),
            None | Some(Value::Null) => "auto".into(),
            Some(Value::String(text)) => text.clone(),
            Some(number) => number.to_string(),
        }
    }

    fn host(&self) -> String {
        let cpu = self.host["cpu"].as_str().unwrap_or("an unknown CPU");
        format!("{} cores of {cpu}", self.host["cores"])
    }

    fn devices(&self) -> String {
        let word = |device: &Value, field| device[field].as_str().unwrap_or("unknown").to_string();
        let words = |d: &Value| format!("{} (driver {})", word(d, "name"), word(d, "driver"));
        let all: Vec<String> = self.devices.iter().map(words).collect();
        match all.is_empty() {
            true => "no device".into(),
            false => all.join(", "),
        }
    }
}

impl Measured {
    /// The last part of the path: what tables call it.
    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    fn times(&self, strategy: &str) -> Option<&Times> {
        self.strategies.iter().find(|t| t.strategy == strategy)
    }

    fn shape(&self) -> (bool, usize, usize) {
        (self.directed, self.vertices, self.edges)
    }
}

impl Times {
    fn spread(&self) -> Option<Spread> {
        Spread::of(&self.seconds).filter(|_| self.failure.is_none())
    }
}

/// Compares `now` with `then`, which was read from `path`.
pub fn compare(path: &str, then: &Measurements, now: &Measurements) -> Comparison {
    let same_roots = then.option("roots") == now.option("roots");
    let mut rows = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for graph in &now.graphs {
        let earlier = then.graph_like(graph);
        seen.extend(earlier.map(|earlier| earlier.path.as_str()));
        let other = match earlier {
            _ if !same_roots => Some("searched from other --roots"),
            Some(earlier) if earlier.shape() != graph.shape() => Some("another graph of this name"),
            _ => None,
        };
        for times in &graph.strategies {
            let before = earlier.and_then(|earlier| earlier.times(&times.strategy));
            rows.extend(row(graph.name(), before, Some(times), other));
        }
        let all = earlier.iter().flat_map(|earlier| &earlier.strategies);
        let gone = all.filter(|before| graph.times(&before.strategy).is_none());
        rows.extend(gone.filter_map(|before| row(graph.name(), Some(before), None, None)));
    }
    let paths = then.graphs.iter().map(|graph| &graph.path);
    Comparison {
        path: path.to_string(),
        program: then.program.clone(),
        smallest_change: SMALLEST_CHANGE,
        smallest_seconds: SMALLEST_SECONDS,
        warnings: warnings(then, now),
        rows,
        graphs_gone: paths
            .filter(|p| !seen.contains(&p.as_str()))
            .cloned()
            .collect(),
    }
}

/// None if there are times neither then nor now.
fn row(graph: &str, then: Option<&Times>, now: Option<&Times>, other: Option<&str>) -> Option<Row> {
    let (earlier, later) = (then.and_then(Times::spread), now.and_then(Times::spread));
    let mut change = None;
    let (verdict, note) = match (earlier, later) {
        (None, None) => return None,
        (None, Some(_)) => (Verdict::New, then.map(|_| "could not search then")),
        (Some(_), None) => match now {
            None => (Verdict::Gone, None),
            Some(now) => (Verdict::Failed, now.failure.as_deref()),
        },
        (Some(earlier), Some(later)) => match other.or(otherwise_timed(then?, now?)) {
            Some(why) => (Verdict::NotComparable, Some(why)),
            None => {
                change = Some(later.median / earlier.median - 1.0);
                (judge(earlier, later), None)
            }
        },
    };
    Some(Row {
        graph: graph.to_string(),
        strategy: now.or(then)?.strategy.clone(),
        verdict,
        baseline_seconds: earlier.map(|spread| spread.median),
        seconds: later.map(|spread| spread.median),
        change,
        note: note.map(str::to_string),
    })
}

/// Why times cannot be compared although the strategy and the graph are the same.
fn otherwise_timed(then: &Times, now: &Times) -> Option<&'static str> {
    match (then.estimated, now.estimated) {
        (false, false) => None,
        (true, true) if then.roots_searched == now.roots_searched => None,
        (true, true) => Some("estimates from samples of different sizes"),
        _ => Some("one of the two times is an estimate"),
    }
}

/// The verdict on times of the same work.
fn judge(then: Spread, now: Spread) -> Verdict {
    let longer = |a: Spread, b: Spread| {
        let least = (b.median * SMALLEST_CHANGE).max(SMALLEST_SECONDS);
        a.min > b.max && a.median - b.median > least
    };
    if longer(now, then) {
        Verdict::Slower
    } else if longer(then, now) {
        Verdict::Faster
    } else {
        Verdict::WithinNoise
    }
}

/// What else is different, one line each.
fn warnings(then: &Measurements, now: &Measurements) -> Vec<String> {
    let mut pairs = vec![
        ("on".to_string(), then.host(), now.host()),
        ("on".to_string(), then.devices(), now.devices()),
    ];
    for name in now
        .options
        .keys()
        .filter(|n| !HARMLESS.contains(&n.as_str()))
    {
        let words = format!("with --{}", name.replace('_', "-"));
        pairs.push((words, then.option(name), now.option(name)));
    }
    let differ = pairs.into_iter().filter(|(_, then, now)| then != now);
    differ
        .map(|(what, then, now)| {
            format!("the baseline was measured {what} {then}, this {what} {now}")
        })
        .collect()
}

#[cfg(test)]
mod tests;
