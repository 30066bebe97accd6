//! Roots per worker of each run.

use super::{Drawing, Figure, Reports, counted};
use crate::app::page::files::{Run, Worker};
use crate::app::page::number::duration;
use crate::app::page::svg::Unit;
use crate::app::page::svg::bars::{Bars, Part, Row};
use crate::app::page::table::{Cell, Table};

const CPU: usize = 0;
const DEVICE: usize = 1;

pub fn figures(reports: &Reports) -> Vec<Figure> {
    let runs = reports.runs.iter();
    let searched = runs.filter(|(_, run)| !(run.workers.is_empty() && run.devices.is_empty()));
    searched.map(|(name, run)| figure(name, run)).collect()
}

fn figure(name: &str, run: &Run) -> Figure {
    let mut table = Table::new([
        "worker",
        "how",
        "roots",
        "share",
        "busy s",
        "idle at the end s",
    ]);
    let total: u64 = run.workers.iter().map(|worker| worker.roots).sum();
    let share = |worker: &Worker| (total > 0).then(|| worker.roots as f64 / total as f64);
    let mut rows = Vec::new();
    for device in &run.devices {
        let number = device.info.number;
        let worker = run.workers.iter();
        let worker = worker
            .clone()
            .find(|w| w.kind == "device" && w.number == number);
        let label = format!("device {number}");
        let how = match &device.plan {
            Some(plan) => format!("{}, {}", plan.strategy, device.info.name),
            None => device.info.name.clone(),
        };
        let roots = worker.map_or(0, |worker| worker.roots);
        let end = match worker {
            Some(_) => counted(roots, "root"),
            None => format!("0 ({})", device.state),
        };
        rows.push(row(&label, DEVICE, roots, end, &how, worker));
        table.row([
            Cell::text(&label),
            Cell::text(&how),
            Cell::count(roots),
            Cell::of(worker.and_then(share), |part| {
                format!("{:.1}%", 100.0 * part)
            }),
            Cell::seconds(worker.map(|worker| worker.busy_seconds)),
            Cell::seconds(worker.map(|worker| worker.idle_tail_seconds)),
        ]);
    }
    for worker in run.workers.iter().filter(|worker| worker.kind == "cpu") {
        let label = format!("cpu {}", worker.number);
        let how = worker.engine.clone().unwrap_or_default();
        let end = counted(worker.roots, "root");
        rows.push(row(&label, CPU, worker.roots, end, &how, Some(worker)));
        table.row([
            Cell::text(&label),
            Cell::text(&how),
            Cell::count(worker.roots),
            Cell::of(share(worker), |part| format!("{:.1}%", 100.0 * part)),
            Cell::seconds(worker.busy_seconds),
            Cell::seconds(worker.idle_tail_seconds),
        ]);
    }
    let mut legend = Vec::new();
    if !run.devices.is_empty() {
        legend.push((DEVICE, "device".to_string()));
    }
    if run.workers.iter().any(|worker| worker.kind == "cpu") {
        legend.push((CPU, "CPU worker".to_string()));
    }
    Figure {
        title: name.into(),
        notes: vec![run.plan.why.clone()],
        drawing: Drawing::Bars(Bars {
            name: format!("Roots per worker of {name}"),
            legend,
            unit: Unit::Count,
            rows,
        }),
        table,
    }
}

fn row(
    label: &str,
    colour: usize,
    roots: u64,
    end: String,
    how: &str,
    worker: Option<&Worker>,
) -> Row {
    let busy = worker.map_or(String::new(), |worker| {
        format!(", busy for {}", duration(worker.busy_seconds))
    });
    Row {
        label: label.into(),
        parts: vec![Part {
            colour,
            value: roots as f64,
            title: format!("{label} ({how}): {}{busy}", counted(roots, "root")),
        }],
        end,
    }
}
