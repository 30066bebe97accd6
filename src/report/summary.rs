//! The short summary of a run for people.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};

use super::schema::{KernelPart, ProfilePart, Report};
use crate::engine::Precision;
use crate::graph::{Graph, Vertex};
use crate::runner::DriverState;

/// The highest scores, best first; equal ones in input order.
pub fn top(scores: &[f64], count: usize) -> Vec<Vertex> {
    let mut order: Vec<Vertex> = (0..scores.len() as Vertex).collect();
    let better = |&a: &Vertex, &b: &Vertex| {
        scores[b as usize]
            .total_cmp(&scores[a as usize])
            .then(a.cmp(&b))
    };
    let count = count.min(order.len());
    if count > 0 && count < order.len() {
        order.select_nth_unstable_by(count - 1, better);
    }
    order.truncate(count);
    order.sort_by(better);
    order
}

/// An aligned table of the vertices in `order`; degrees are those of the input.
pub fn top_table(order: &[Vertex], graph: &Graph, scores: &[f64]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let degree = if graph.directed() {
        "out-degree"
    } else {
        "degree"
    };
    table.set_header(["rank", "vertex", "score", degree]);
    for (rank, &v) in order.iter().enumerate() {
        table.add_row([
            (rank + 1).to_string(),
            graph.labels().display(v).to_string(),
            format!("{:.6}", scores[v as usize]),
            grouped(graph.csr().degree(v) as u64),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

/// Graph, plan, who did what, seconds by phase.
pub fn summary(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_summary(report, &mut text);
    text
}

fn write_summary(report: &Report, out: &mut String) -> std::fmt::Result {
    let input = &report.input;
    writeln!(
        out,
        "graph     {}: {} vertices, {} edges, {}",
        input.path,
        grouped(input.vertices as u64),
        grouped(input.edges as u64),
        if input.directed {
            "directed"
        } else {
            "undirected"
        },
    )?;
    if input.loops_dropped + input.edges_merged > 0 {
        writeln!(
            out,
            "          dropped {} self loops, merged {} repeated edges",
            grouped(input.loops_dropped),
            grouped(input.edges_merged)
        )?;
    }
    if let Some(weights) = &report.weights {
        writeln!(out, "weights   {}", weights.words())?;
    }
    let prepared = &report.prepared;
    writeln!(
        out,
        "prepared  {} vertices and {} arcs to search from {} roots; {} folded away",
        grouped(prepared.vertices as u64),
        grouped(prepared.arcs as u64),
        grouped(prepared.roots as u64),
        grouped(prepared.folded as u64),
    )?;
    if let (Some(junctions), Some(chains), Some(longest)) =
        (prepared.junctions, prepared.chains, prepared.longest_chain)
    {
        writeln!(
            out,
            "          contracted to {} junctions and {} chains of up to {} edges",
            grouped(junctions as u64),
            grouped(chains as u64),
            grouped(longest.into()),
        )?;
    }
    if prepared.partial {
        writeln!(
            out,
            "          partial scores: {} of {} vertices are sources",
            grouped(prepared.sources as u64),
            grouped(input.vertices as u64)
        )?;
    }
    writeln!(out, "plan      {}", report.plan.why)?;
    if let Some(profile) = &report.plan.profile {
        writeln!(out, "          as tuned: {profile}")?;
    }
    for device in &report.devices {
        let done = report
            .workers
            .iter()
            .find(|w| w.kind == "device" && w.number == device.info.number);
        let state = match device.state {
            DriverState::Starting => "not ready before all roots were claimed".to_string(),
            DriverState::Idle => "ready after all roots were claimed".to_string(),
            DriverState::Failed => "failed".to_string(),
            DriverState::PathCounts => {
                "stopped, since there are more shortest paths than its numbers can count"
                    .to_string()
            }
            DriverState::Worked => format!(
                "{} roots in {:.3} s",
                grouped(done.map_or(0, |w| w.roots) as u64),
                done.map_or(0.0, |w| w.busy_seconds)
            ),
        };
        writeln!(out, "device    {}: {state}", device.info.name)?;
        if let Some(profile) = &device.profile {
            write_kernels(profile, out)?;
        }
    }
    let workers: Vec<_> = report.workers.iter().filter(|w| w.kind == "cpu").collect();
    if !workers.is_empty() {
        writeln!(
            out,
            "cpu       {} worker{}: {} roots, {:.3} s busy on average",
            workers.len(),
            if workers.len() == 1 { "" } else { "s" },
            grouped(workers.iter().map(|w| w.roots as u64).sum()),
            workers.iter().map(|w| w.busy_seconds).sum::<f64>() / workers.len() as f64
        )?;
    }
    if report.checks.wide_roots > 0 {
        writeln!(
            out,
            "          {} roots with more shortest paths than {} can count: searched with wider numbers",
            grouped(report.checks.wide_roots as u64),
            Precision::F64.paths()
        )?;
    }
    let phase = |name: &str| {
        report
            .timeline
            .iter()
            .filter(|s| s.track == "main" && s.name == name)
            .map(|s| s.end - s.start)
            .sum::<f64>()
    };
    writeln!(
        out,
        "seconds   read {:.3}, prepare {:.3}, search {:.3}, write {:.3}, total {:.3}",
        phase("read"),
        phase("prepare"),
        phase("search"),
        phase("unfold") + phase("write scores") + phase("finish scores"),
        report.totals.seconds
    )?;
    // Below a million a second it is a toy, and its rate says nothing.
    if let Some(teps) = report.totals.teps.filter(|&teps| teps > 1e6) {
        writeln!(out, "rate      {:.3} GTEPS over the whole run", teps / 1e9)?;
    }
    Ok(())
}

/// Kernels that the summary shows.
const KERNELS: usize = 8;

/// The kernels of a device, longest first, and what may be wrong with their times.
fn write_kernels(profile: &ProfilePart, out: &mut String) -> std::fmt::Result {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["kernel", "launches", "seconds", "share"]);
    let (shown, others) = profile.kernels.split_at(KERNELS.min(profile.kernels.len()));
    let mut row = |name: &str, launches: u64, seconds: f64, share: f64| {
        table.add_row([
            name.to_string(),
            grouped(launches),
            format!("{seconds:.6}"),
            format!("{:.1}%", 100.0 * share),
        ]);
    };
    for kernel in shown {
        row(&kernel.name, kernel.launches, kernel.seconds, kernel.share);
    }
    if !others.is_empty() {
        let sum = |what: fn(&KernelPart) -> f64| others.iter().map(what).sum();
        let launches = others.iter().map(|kernel| kernel.launches).sum();
        row("others", launches, sum(|k| k.seconds), sum(|k| k.share));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for line in table.trim_fmt().lines() {
        writeln!(out, "          {line}")?;
    }
    let transfers: Vec<String> = profile
        .transfers
        .iter()
        .map(|t| format!("{} {}s {:.6} s", grouped(t.count), t.name, t.seconds))
        .collect();
    if !transfers.is_empty() {
        writeln!(out, "          {}", transfers.join(", "))?;
    }
    writeln!(
        out,
        "          timed by --profile-kernels, which slows searches down ({:.3} s to read the times, and what \
         the device takes)",
        profile.reading_seconds
    )
}

/// 1234567 as 1,234,567.
pub fn grouped(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_is_sorted_and_ties_keep_input_order() {
        let scores = [1.0, 3.0, 0.0, 3.0, 2.0];
        assert_eq!(top(&scores, 3), [1, 3, 4]);
        assert_eq!(top(&scores, 99), [1, 3, 4, 0, 2]);
        assert!(top(&scores, 0).is_empty());
        assert!(top(&[], 5).is_empty());
    }
}
