//! Compares a report of `brandes bench` with an earlier one: which settings became faster or slower
//! on which graphs.
//!
//! Medians are compared. A difference is noise if the ranges of the two sets of times overlap, or
//! if the medians differ by at most [`SMALLEST_CHANGE`] or [`SMALLEST_SECONDS`].

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use super::results::{Measured, SettingPart};
use super::timing::Spread;
use crate::app::distinct::distinct;
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
    let file = path.display();
    let text = read_back(path).with_context(|| format!("{file}: cannot be read"))?;
    let report = serde_json::from_slice(&text).map_err(anyhow::Error::new);
    let report = report.and_then(parse);
    report.map_err(|reason| anyhow!("{file}: cannot be used as a baseline: {reason}"))
}

/// Parses a report.
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

/// Compares report `now` with the earlier report `then`, which was read from `path`: joins their
/// measurements of the same settings on the same graphs.
pub fn compare(path: &str, then: &BenchReport, now: &BenchReport) -> Comparison {
    let same_roots = then.options.roots == now.options.roots;
    let shape = |graph: &GraphPart| (graph.directed, graph.vertices, graph.edges);
    let paths: Vec<&str> = now.graphs.iter().map(|graph| &*graph.path).collect();
    let mut gone: Vec<String> = then.graphs.iter().map(|graph| graph.path.clone()).collect();
    let mut rows = Vec::new();
    for graph in &now.graphs {
        let name = short_name(&graph.path, &paths);
        let earlier = counterpart(then, graph);
        gone.retain(|path| earlier.is_none_or(|earlier| earlier.path != *path));
        let mismatch = match earlier {
            _ if !same_roots => Some("searched from other --roots"),
            Some(earlier) if shape(earlier) != shape(graph) => Some("another graph of this name"),
            _ => None,
        };
        let sides = [
            earlier.map_or(&[][..], |earlier| &earlier.strategies),
            &graph.strategies,
        ];
        for setting in distinct(sides.iter().rev().copied().flatten().map(|m| &m.setting)) {
            let measured = sides.map(|all| all.iter().find(|m| m.setting == *setting));
            rows.extend(row(name, setting, measured, mismatch));
        }
    }
    Comparison {
        path: path.to_string(),
        program: then.about.program.clone(),
        warnings: warnings(then, now),
        rows,
        graphs_gone: gone,
    }
}

/// Compares two measurements of a setting. Returns `None` if neither has times. `mismatch` is the
/// reason why times on this graph cannot be compared, if they cannot.
fn row(
    graph: &str,
    setting: &SettingPart,
    [then, now]: [Option<&Measured>; 2],
    mismatch: Option<&str>,
) -> Option<Row> {
    let spread = |measured: &Measured| {
        Spread::from_times(&measured.seconds).filter(|_| measured.failure.is_none())
    };
    let (earlier, later) = (then.and_then(spread), now.and_then(spread));
    let mut change = None;
    let (verdict, note) = match (earlier, later) {
        (None, None) => return None,
        (None, Some(_)) => (Verdict::New, then.map(|_| "could not search then")),
        (Some(_), None) => match now {
            None => (Verdict::Gone, None),
            Some(now) => (Verdict::Failed, now.failure.as_deref()),
        },
        (Some(earlier), Some(later)) => match mismatch.or(not_comparable(then?, now?)) {
            Some(why) => (Verdict::NotComparable, Some(why)),
            None => {
                change = Some(later.median / earlier.median - 1.0);
                (judge(earlier, later), None)
            }
        },
    };
    Some(Row {
        graph: graph.to_string(),
        setting: setting.clone(),
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
        let noise = (b.median * SMALLEST_CHANGE).max(SMALLEST_SECONDS);
        a.min > b.max && a.median - b.median > noise
    };
    if longer(now, then) {
        Verdict::Slower
    } else if longer(then, now) {
        Verdict::Faster
    } else {
        Verdict::WithinNoise
    }
}

/// Returns the circumstances that times depend on, in words.
fn circumstances(report: &BenchReport) -> [String; 3] {
    let host = &report.about.host;
    let cpu = host.cpu.as_deref().unwrap_or("an unknown CPU");
    let devices = report.devices.iter();
    let devices = devices.map(|info| format!("{} (driver {})", info.name, info.driver));
    let devices = devices.reduce(|all, device| all + ", " + &device);
    [
        format!("on {} cores of {cpu}", host.cores),
        format!("on {}", devices.unwrap_or("no device".into())),
        format!("with --roots {}", report.options.roots),
    ]
}

/// Returns a warning for each circumstance that has changed.
fn warnings(then: &BenchReport, now: &BenchReport) -> Vec<String> {
    let pairs = circumstances(then).into_iter().zip(circumstances(now));
    let changed = pairs.filter(|(then, now)| then != now);
    let warning = |(then, now)| format!("the baseline was measured {then}, this {now}");
    changed.map(warning).collect()
}

#[cfg(test)]
mod tests;
