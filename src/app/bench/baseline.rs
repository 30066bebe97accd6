//! Compares a report of `brandes bench` with an earlier one: which settings became faster or slower
//! on which graphs.
//!
//! Medians are compared. A difference is noise if the ranges of the two sets of times overlap, or
//! if the medians differ by at most [`SMALLEST_CHANGE`] or [`SMALLEST_SECONDS`].

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use super::results::Measured;
use super::timing::Spread;
use crate::app::page::known_kind;
use crate::app::report::bench_schema::{
    BenchReport, Comparison, GraphPart, Row, Verdict, short_name,
};
use brandes::output::read_back;

/// A change of at most this fraction of the shorter time is noise.
pub const SMALLEST_CHANGE: f64 = 0.05;

/// A change of at most this number of seconds is noise, since waking a thread may take as long.
pub const SMALLEST_SECONDS: f64 = 0.001;

/// Reads the file that an earlier `brandes bench --json` wrote.
///
/// # Errors
/// The file cannot be read, or is not a report of `brandes bench`. The message is one line.
pub fn read(path: &Path) -> Result<BenchReport> {
    let shown = path.display();
    let text = read_back(path).with_context(|| format!("{shown}: cannot be read"))?;
    let report = serde_json::from_slice(&text).map_err(anyhow::Error::new);
    report
        .and_then(parse)
        .map_err(|reason| anyhow!("{shown}: cannot be used as a baseline: {reason}"))
}

/// Parses a report. The error says what is missing or wrong.
fn parse(report: Value) -> Result<BenchReport> {
    let kind = known_kind(&report)?;
    ensure!(kind == "bench", "its kind is '{kind}', not 'bench'");
    Ok(serde_json::from_value(report)?)
}

/// Returns the graph of an earlier report that `other` is compared with: the one whose path has the
/// most trailing components in common with the path of `other`, at least the file name.
fn counterpart<'r>(report: &'r BenchReport, other: &GraphPart) -> Option<&'r GraphPart> {
    let shared = |graph: &&GraphPart| {
        let parts = graph.path.rsplit('/').zip(other.path.rsplit('/'));
        parts.take_while(|(a, b)| a == b).count()
    };
    let graphs = report.graphs.iter().rev().filter(|graph| shared(graph) > 0);
    graphs.max_by_key(shared)
}

/// Returns the measurement on `graph` with the same setting as `other`.
fn same_setting<'g>(graph: &'g GraphPart, other: &Measured) -> Option<&'g Measured> {
    graph.strategies.iter().find(|m| m.asked == other.asked)
}

fn spread(measured: &Measured) -> Option<Spread> {
    Spread::from_times(&measured.seconds).filter(|_| measured.failure.is_none())
}

/// Compares report `now` with the earlier report `then`, which was read from `path`.
pub fn compare(path: &str, then: &BenchReport, now: &BenchReport) -> Comparison {
    let same_roots = then.options.roots == now.options.roots;
    let shape = |graph: &GraphPart| (graph.directed, graph.vertices, graph.edges);
    let mut rows = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let paths: Vec<&str> = now.graphs.iter().map(|graph| &*graph.path).collect();
    for graph in &now.graphs {
        let name = short_name(&graph.path, &paths);
        let earlier = counterpart(then, graph);
        seen.extend(earlier.map(|earlier| earlier.path.as_str()));
        let other = match earlier {
            _ if !same_roots => Some("searched from other --roots"),
            Some(earlier) if shape(earlier) != shape(graph) => Some("another graph of this name"),
            _ => None,
        };
        for measured in &graph.strategies {
            let before = earlier.and_then(|earlier| same_setting(earlier, measured));
            rows.extend(row(name, before, Some(measured), other));
        }
        let all = earlier.iter().flat_map(|earlier| &earlier.strategies);
        let gone = all.filter(|before| same_setting(graph, before).is_none());
        rows.extend(gone.filter_map(|before| row(name, Some(before), None, None)));
    }
    let paths = then.graphs.iter().map(|graph| &graph.path);
    let gone = paths.filter(|path| !seen.contains(&path.as_str()));
    Comparison {
        path: path.to_string(),
        program: then.about.program.clone(),
        warnings: warnings(then, now),
        rows,
        graphs_gone: gone.cloned().collect(),
    }
}

/// Compares two measurements. Returns `None` if neither has times.
fn row(
    graph: &str,
    then: Option<&Measured>,
    now: Option<&Measured>,
    other: Option<&str>,
) -> Option<Row> {
    let (earlier, later) = (then.and_then(spread), now.and_then(spread));
    let mut change = None;
    let (verdict, note) = match (earlier, later) {
        (None, None) => return None,
        (None, Some(_)) => (Verdict::New, then.map(|_| "could not search then")),
        (Some(_), None) => match now {
            None => (Verdict::Gone, None),
            Some(now) => (Verdict::Failed, now.failure.as_deref()),
        },
        (Some(earlier), Some(later)) => match other.or(not_comparable(then?, now?)) {
            Some(why) => (Verdict::NotComparable, Some(why)),
            None => {
                change = Some(later.median / earlier.median - 1.0);
                (judge(earlier, later), None)
            }
        },
    };
    Some(Row {
        graph: graph.to_string(),
        asked: now.or(then)?.asked.clone(),
        verdict,
        baseline_seconds: earlier.map(|spread| spread.median),
        seconds: later.map(|spread| spread.median),
        change,
        note: note.map(str::to_string),
    })
}

/// Returns why times of the same setting on the same graph cannot be compared; `None` if they can.
fn not_comparable(then: &Measured, now: &Measured) -> Option<&'static str> {
    match (then.estimated, now.estimated) {
        (false, false) => None,
        (true, true) if then.roots_searched == now.roots_searched => None,
        (true, true) => Some("estimates from samples of different sizes"),
        _ => Some("one of the two times is an estimate"),
    }
}

/// Returns the verdict on times of the same work.
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

/// Returns the circumstances that times depend on, each after the words that introduce it in a
/// warning.
fn circumstances(report: &BenchReport) -> [(&'static str, String); 3] {
    let host = &report.about.host;
    let cpu = host.cpu.as_deref().unwrap_or("an unknown CPU");
    let devices = report.devices.iter();
    let devices = devices.map(|info| format!("{} (driver {})", info.name, info.driver));
    let devices: Vec<String> = devices.collect();
    let devices = match devices.is_empty() {
        true => "no device".into(),
        false => devices.join(", "),
    };
    let cores = format!("{} cores of {cpu}", host.cores);
    [
        ("on", cores),
        ("on", devices),
        ("with --roots", report.options.roots.clone()),
    ]
}

/// Returns a warning for each circumstance that has changed.
fn warnings(then: &BenchReport, now: &BenchReport) -> Vec<String> {
    let pairs = circumstances(then).into_iter().zip(circumstances(now));
    let warning = |((with, then), (_, now))| {
        (then != now).then(|| format!("the baseline was measured {with} {then}, this {with} {now}"))
    };
    pairs.filter_map(warning).collect()
}

#[cfg(test)]
mod tests;
