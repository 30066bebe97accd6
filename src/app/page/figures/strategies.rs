//! Strategies side by side, graph by graph.

use super::{Drawing, Figure, Reports, counted};
use crate::app::page::files::{AutoChoice, Bench, BenchGraph, Measured};
use crate::app::page::number::duration;
use crate::app::page::read::last_part;
use crate::app::page::svg::dots::{Dots, Row};
use crate::app::page::table::{Cell, Table};
use crate::app::report::words::chosen;

const NAMED: usize = 0;
const AUTO: usize = 3;

pub fn figures(reports: &Reports) -> Vec<Figure> {
    let graphs = reports.benches.iter();
    let graphs = graphs.flat_map(|(_, bench)| bench.graphs.iter().map(move |graph| (bench, graph)));
    graphs
        .filter(|(_, graph)| !graph.strategies.is_empty())
        .map(|(bench, graph)| figure(bench, graph))
        .collect()
}

fn figure(bench: &Bench, graph: &BenchGraph) -> Figure {
    let mut measured: Vec<&Measured> = graph.strategies.iter().collect();
    let median = |m: &Measured| m.spread.map_or(f64::INFINITY, |spread| spread.median);
    measured.sort_by(|a, b| median(a).total_cmp(&median(b)));
    let fastest = measured.first().map_or(f64::INFINITY, |m| median(m));

    let mut table = Table::new([
        "strategy",
        "median s",
        "min s",
        "max s",
        "times fastest",
        "estimated",
        "roots searched",
        "roots",
        "D",
        "lanes",
        "failure",
    ]);
    let mut rows = Vec::new();
    for m in &measured {
        rows.push(row(m));
        let plan = m.plan.as_ref();
        let spread = m.spread;
        table.row([
            Cell::text(&m.strategy),
            Cell::seconds(spread.map(|s| s.median)),
            Cell::seconds(spread.map(|s| s.min)),
            Cell::seconds(spread.map(|s| s.max)),
            Cell::of(spread.map(|s| s.median / fastest), |times| {
                format!("{times:.2}")
            }),
            Cell::text(if m.estimated { "yes" } else { "no" }),
            Cell::count(m.roots_searched),
            Cell::count(m.roots),
            Cell::count(plan.and_then(|plan| plan.degree)),
            Cell::count(plan.map(|plan| plan.lanes)),
            m.failure.as_ref().map_or(Cell::None, Cell::text),
        ]);
    }
    let mut legend = Vec::new();
    if measured.iter().any(|m| m.strategy == "auto") {
        legend = vec![
            (NAMED, false, "strategy".into()),
            (AUTO, false, "auto".into()),
        ];
    }
    if measured.iter().any(|m| m.estimated) {
        legend.push((NAMED, true, "~ estimated from a sample of the roots".into()));
    }
    let name = last_part(&graph.path);
    let on = bench
        .devices
        .first()
        .map_or("the CPU", |device| &device.name);
    let mut notes = vec![format!(
        "{}, {}, {} to search.",
        counted(graph.vertices, "vertex"),
        counted(graph.edges, "edge"),
        counted(graph.roots, "root"),
    )];
    if let Some(auto) = &graph.auto {
        notes.push(auto_words(auto, &graph.strategies));
    }
    Figure {
        title: format!("{name} on {on}"),
        notes,
        drawing: Drawing::Dots(Dots {
            name: format!("Search time of strategies on {name}"),
            legend,
            rows,
        }),
        table,
    }
}

/// What `auto` chose and whether that was right.
fn auto_words(auto: &AutoChoice, strategies: &[Measured]) -> String {
    let spread = |name: &str| strategies.iter().find(|m| m.strategy == name)?.spread;
    let range = |name: &str| spread(name).map(|spread| (spread.min, spread.max));
    let (chose, best) = (auto.chose.as_str(), auto.best.as_str());
    let words = chosen(chose, best, auto.times_best, range("auto").zip(range(best)));
    format!("{words}.")
}

fn row(m: &Measured) -> Row {
    let series = if m.strategy == "auto" { AUTO } else { NAMED };
    let (end, title) = match m.spread {
        None => ("cannot search it".to_string(), String::new()),
        Some(spread) => {
            let about = if m.estimated { "~" } else { "" };
            (
                format!("{about}{}", duration(spread.median)),
                format!(
                    "{}: median {about}{}, from {} to {}; {} searched",
                    m.strategy,
                    duration(spread.median),
                    duration(spread.min),
                    duration(spread.max),
                    counted(m.roots_searched, "root")
                ),
            )
        }
    };
    Row {
        label: m.strategy.clone(),
        series,
        value: m.spread.map(|spread| spread.median),
        range: m
            .spread
            .map_or((0.0, 0.0), |spread| (spread.min, spread.max)),
        hollow: m.estimated,
        end,
        title,
    }
}
