//! What a run tells people behind its results: what ran where and how long; more if it is asked
//! for.

use std::fmt::Write;

use super::columns::aligned;
use super::schema::{KernelPart, ProfilePart, Report};
use super::words::{counted, grouped};
use brandes::engine::Precision;
use brandes::runner::DriverState;

/// What was searched, by whom and how long, in a line, and what has to be known about the scores.
pub fn summary(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_summary(report, &mut text);
    text
}

fn write_summary(report: &Report, out: &mut String) -> std::fmt::Result {
    let input = &report.input;
    let seconds = Seconds::of(report);
    writeln!(
        out,
        "{} and {} in {:.3} s {} (read {:.3}, prepare {:.3}, search {:.3}, write {:.3})",
        counted(input.vertices, "vertex"),
        counted(input.edges, "edge"),
        report.totals.seconds,
        searchers(report),
        seconds.read,
        seconds.prepare,
        seconds.search,
        seconds.write,
    )?;
    if report.prepared.partial {
        writeln!(
            out,
            "partial scores: {} of {} are sources",
            grouped(report.prepared.sources as u64),
            counted(input.vertices, "vertex")
        )?;
    }
    if let Some(profile) = &report.plan.profile {
        writeln!(out, "as tuned: {profile}")?;
    }
    for note in &input.notes {
        writeln!(out, "note: {note}")?;
    }
    for device in &report.devices {
        if let Some(profile) = &device.profile {
            writeln!(out, "kernels of {}:", device.info.name)?;
            write_kernels(profile, out)?;
        }
    }
    Ok(())
}

/// Who searched, as in "on 1 device and 15 CPU workers".
fn searchers(report: &Report) -> String {
    let count = |kind: &str| {
        let of_kind = |w: &&super::schema::WorkerPart| w.kind == kind && w.roots > 0;
        report.workers.iter().filter(of_kind).count()
    };
    match (count("device"), count("cpu")) {
        (0, 0) => "without a search".into(),
        (0, workers) => format!("on {}", counted(workers, "CPU worker")),
        (devices, 0) => format!("on {}", counted(devices, "device")),
        (devices, workers) => format!(
            "on {} and {}",
            counted(devices, "device"),
            counted(workers, "CPU worker")
        ),
    }
}

/// Seconds of the phases of a run.
struct Seconds {
    read: f64,
    prepare: f64,
    search: f64,
    write: f64,
}

impl Seconds {
    fn of(report: &Report) -> Seconds {
        let phase = |names: &[&str]| {
            let spans = report.timeline.iter().filter(|s| s.track == "main");
            let spans = spans.filter(|s| names.contains(&s.name.as_str()));
            spans.map(|s| s.end - s.start).sum::<f64>()
        };
        Seconds {
            read: phase(&["read"]),
            prepare: phase(&["prepare"]),
            search: phase(&["search"]),
            write: phase(&["unfold", "write scores", "finish scores"]),
        }
    }
}

/// Graph, plan, and who did what, for `--verbose`.
pub fn details(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_details(report, &mut text);
    text
}

fn write_details(report: &Report, out: &mut String) -> std::fmt::Result {
    let input = &report.input;
    writeln!(
        out,
        "graph     {}: {}, {}, {}",
        input.path,
        counted(input.vertices, "vertex"),
        counted(input.edges, "edge"),
        if input.directed {
            "directed"
        } else {
            "undirected"
        },
    )?;
    if input.loops_dropped + input.edges_merged > 0 {
        writeln!(
            out,
            "          dropped {}, merged {}",
            counted(input.loops_dropped as usize, "self loop"),
            counted(input.edges_merged as usize, "repeated edge")
        )?;
    }
    if let Some(weights) = &report.weights {
        writeln!(out, "weights   {}", weights.words())?;
    }
    let prepared = &report.prepared;
    writeln!(
        out,
        "prepared  {} and {} to search from {}; {} folded away",
        counted(prepared.vertices, "vertex"),
        counted(prepared.arcs, "arc"),
        counted(prepared.roots, "root"),
        grouped(prepared.folded as u64),
    )?;
    if let (Some(junctions), Some(chains), Some(longest)) =
        (prepared.junctions, prepared.chains, prepared.longest_chain)
    {
        writeln!(
            out,
            "          contracted to {} and {} of up to {}",
            counted(junctions, "junction"),
            counted(chains, "chain"),
            counted(longest as usize, "edge"),
        )?;
    }
    writeln!(out, "plan      {}", report.plan.why)?;
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
                "{} in {:.3} s",
                counted(done.map_or(0, |w| w.roots), "root"),
                done.map_or(0.0, |w| w.busy_seconds)
            ),
        };
        writeln!(out, "device    {}: {state}", device.info.name)?;
    }
    let workers: Vec<_> = report.workers.iter().filter(|w| w.kind == "cpu").collect();
    if !workers.is_empty() {
        writeln!(
            out,
            "cpu       {}: {}, {:.3} s busy on average",
            counted(workers.len(), "worker"),
            counted(workers.iter().map(|w| w.roots).sum(), "root"),
            workers.iter().map(|w| w.busy_seconds).sum::<f64>() / workers.len() as f64
        )?;
    }
    if report.checks.wide_roots > 0 {
        writeln!(
            out,
            "          {} with more shortest paths than {} can count: searched with wider numbers",
            counted(report.checks.wide_roots, "root"),
            Precision::F64.paths()
        )?;
    }
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
    let mut rows = vec![
        ["kernel", "launches", "seconds", "share"]
            .map(String::from)
            .to_vec(),
    ];
    let (shown, others) = profile.kernels.split_at(KERNELS.min(profile.kernels.len()));
    let mut row = |name: &str, launches: u64, seconds: f64, share: f64| {
        rows.push(vec![
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
    for line in aligned(&rows, &[0]).lines() {
        writeln!(out, "  {line}")?;
    }
    let transfers: Vec<String> = profile
        .transfers
        .iter()
        .map(|t| format!("{} {:.6} s", counted(t.count as usize, &t.name), t.seconds))
        .collect();
    if !transfers.is_empty() {
        writeln!(out, "  {}", transfers.join(", "))?;
    }
    writeln!(
        out,
        "  timed by --profile-kernels, which slows searches down ({:.3} s to read the times, and what \
         the device takes)",
        profile.reading_seconds
    )
}
