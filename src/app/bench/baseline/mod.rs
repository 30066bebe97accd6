//! Measurements against earlier ones: which strategies got faster or slower on which graphs.
//!
//! A strategy is slower if its times are longer by more than [`SMALLEST_CHANGE`] and
//! [`SMALLEST_SECONDS`], and that is no accident: the probability that repeats fall so if they are
//! not is at most [`SIGNIFICANCE`]. `docs/bench.md` says what that means for false alarms.

mod measurements;
mod significance;

use schemars::JsonSchema;
use serde::Serialize;

pub use measurements::{Measured, Measurements, Program, Times};

/// Changes up to this part of the earlier time are not told.
pub const SMALLEST_CHANGE: f64 = 0.05;

/// Nor are changes of up to so many seconds: waking a thread takes as long, and longer on some
/// days.
pub const SMALLEST_SECONDS: f64 = 0.001;

/// How probable it may be at most that a verdict is an accident. Five repeats against five reach 1
/// in 252, four against four not.
pub const SIGNIFICANCE: f64 = 0.005;

/// What became of a strategy on a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Faster by more than the smallest change.
    Faster,
    /// Slower by more than the smallest change.
    Slower,
    /// Neither can be said.
    WithinNoise,
    /// Neither could be said, whatever the times: there are too few.
    TooFewRepeats,
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
            Verdict::TooFewRepeats => "too few repeats",
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
    /// [`SIGNIFICANCE`].
    pub significance: f64,
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
    /// Probability that times fall so if it is not slower by more than the smallest change.
    #[schemars(extend("maximum" = 1))]
    pub p_slower: Option<f64>,
    /// The same of faster.
    #[schemars(extend("maximum" = 1))]
    pub p_faster: Option<f64>,
    /// What else is to be said.
    pub note: Option<String>,
}

/// Compares `now` with `then`, which was read from `path`.
pub fn compare(path: &str, then: &Measurements, now: &Measurements) -> Comparison {
    let same_roots = then.options.roots == now.options.roots;
    let mut rows = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for graph in &now.graphs {
        let earlier = then.graph_like(graph);
        seen.extend(earlier.map(|earlier| earlier.path.as_str()));
        let other = match earlier {
            _ if !same_roots => Some("searched from other --roots"),
            Some(earlier) if !same_graph(earlier, graph) => Some("another graph of this name"),
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
    let gone = then
        .graphs
        .iter()
        .filter(|g| !seen.contains(&g.path.as_str()));
    Comparison {
        path: path.to_string(),
        program: then.program.clone(),
        smallest_change: SMALLEST_CHANGE,
        smallest_seconds: SMALLEST_SECONDS,
        significance: SIGNIFICANCE,
        warnings: warnings(then, now),
        rows,
        graphs_gone: gone.map(|graph| graph.path.clone()).collect(),
    }
}

fn same_graph(a: &Measured, b: &Measured) -> bool {
    (a.directed, a.vertices, a.edges) == (b.directed, b.vertices, b.edges)
}

/// None if there are times neither then nor now.
fn row(graph: &str, then: Option<&Times>, now: Option<&Times>, other: Option<&str>) -> Option<Row> {
    let strategy = &now.or(then)?.strategy;
    let (earlier, later) = (then.and_then(Times::median), now.and_then(Times::median));
    let mut row = Row {
        graph: graph.to_string(),
        strategy: strategy.clone(),
        verdict: Verdict::NotComparable,
        baseline_seconds: earlier,
        seconds: later,
        change: None,
        p_slower: None,
        p_faster: None,
        note: None,
    };
    match (earlier, later) {
        (None, None) => return None,
        (None, Some(_)) => {
            row.verdict = Verdict::New;
            row.note = then.map(|_| "could not search then".to_string());
        }
        (Some(_), None) => {
            row.verdict = now.map_or(Verdict::Gone, |_| Verdict::Failed);
            row.note = now.and_then(|now| now.failure.clone());
        }
        (Some(earlier), Some(later)) => {
            let (then, now) = (then?, now?);
            row.note = other.or(otherwise_timed(then, now)).map(str::to_string);
            if row.note.is_none() {
                row.change = Some(later / earlier - 1.0);
                judge(&mut row, &then.seconds, &now.seconds);
            }
        }
    }
    Some(row)
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
fn judge(row: &mut Row, then: &[f64], now: &[f64]) {
    let longer_by_it = |times: &[f64]| -> Vec<f64> {
        let part = |seconds: f64| seconds * (1.0 + SMALLEST_CHANGE);
        let longer = times.iter().map(|&t| part(t).max(t + SMALLEST_SECONDS));
        longer.collect()
    };
    let slower = significance::probability(now, &longer_by_it(then));
    let faster = significance::probability(then, &longer_by_it(now));
    (row.p_slower, row.p_faster) = (Some(slower), Some(faster));
    row.verdict = if significance::smallest(then.len(), now.len()) > SIGNIFICANCE {
        row.note = Some(format!("{} times then, {} now", then.len(), now.len()));
        Verdict::TooFewRepeats
    } else if slower <= SIGNIFICANCE {
        Verdict::Slower
    } else if faster <= SIGNIFICANCE {
        Verdict::Faster
    } else {
        Verdict::WithinNoise
    };
}

/// What else is different, one line each.
fn warnings(then: &Measurements, now: &Measurements) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut differ = |what: &str, then: String, now: String| {
        if then != now {
            warnings.push(format!(
                "the baseline was measured {what} {then}, this {what} {now}"
            ));
        }
    };
    let host = |of: &Measurements| {
        let cpu = of.host.cpu.as_deref().unwrap_or("an unknown CPU");
        format!("{} cores of {cpu}", of.host.cores)
    };
    differ("on", host(then), host(now));
    let devices = |of: &Measurements| {
        let names: Vec<String> = of
            .devices
            .iter()
            .map(|device| format!("{} (driver {})", device.name, device.driver))
            .collect();
        if names.is_empty() {
            "no device".to_string()
        } else {
            names.join(", ")
        }
    };
    differ("on", devices(then), devices(now));
    let (a, b) = (&then.options, &now.options);
    differ("with --roots", a.roots.clone(), b.roots.clone());
    differ("with --precision", a.precision.clone(), b.precision.clone());
    let number = |number: Option<usize>| number.map_or("auto".to_string(), |n| n.to_string());
    for (option, a, b) in [
        ("--cpu-workers", a.cpu_workers, b.cpu_workers),
        ("--work-group", a.work_group, b.work_group),
        (
            "--degree",
            a.degree.map(|d| d as usize),
            b.degree.map(|d| d as usize),
        ),
        (
            "--lanes",
            a.lanes.map(|l| l as usize),
            b.lanes.map(|l| l as usize),
        ),
    ] {
        differ(&format!("with {option}"), number(a), number(b));
    }
    warnings
}

#[cfg(test)]
mod tests;
