//! The summary of a run, which `brandes run` prints below the highest scores, and its details for
//! `--verbose`.

use std::collections::BTreeSet;

use brandes::Drawn;
use brandes::device::Profile;
use brandes::report::words::{counted, grouped};
use brandes::report::{DevicePart, Report, WorkerKind};
use brandes::runner::DriverState;

/// Returns a line with the graph, the participants and the times, and remarks on the scores.
pub fn summary(report: &Report) -> String {
    let input = &report.input;
    let phases = report.seconds;
    let vertices = counted(input.vertices, "vertex");
    let edges = counted(input.edges, "edge");
    let (seconds, searchers) = (report.totals.seconds, searchers(report));
    let mut text = format!(
        "{vertices} and {edges} in {seconds:.3} s {searchers} (read {:.3}, prepare {:.3}, \
         search {:.3}, write {:.3})\n",
        phases.read, phases.prepare, phases.search, phases.write
    );
    let sources = grouped(report.prepared.sources as u64);
    if let Some(part) = &report.prepared.part {
        text += &format!("part {part} of the search; 'brandes merge' adds up the sums of all\n");
    } else if let Some(estimate) = &report.estimate {
        text += &format!("{}\n", estimate.words());
    } else if report.prepared.rescale.is_some() {
        text += &format!(
            "scores from {sources} of {vertices} drawn at random, without a guarantee; --epsilon \
             gives one\n"
        );
    } else if report.prepared.partial {
        text += &format!("partial scores: {sources} of {vertices} are sources\n");
    }
    if let Some(query) = &report.query {
        text += &format!("{}\n", query.words());
        text.extend(query.distances().map(|distances| format!("{distances}\n")));
    }
    let profile = report.plan.profile.iter();
    text.extend(profile.map(|profile| format!("tuned profile: {profile}\n")));
    text.extend(input.notes.iter().map(|note| format!("note: {note}\n")));
    for device in &report.devices {
        if let Some(profile) = &device.profile {
            text += &format!("kernels of {}:\n{}", device.info.name, kernels(profile));
        }
    }
    text
}

/// Returns the participants that searched, as in "on 15 CPU workers", "on 1 device (900 roots) and
/// 15 CPU workers (100 roots)", or "on 4 ranks of 2 hosts: 3 devices".
fn searchers(report: &Report) -> String {
    let ranks = &report.ranks;
    // Kind, count and roots of participants. All workers of a rank are one entry.
    let mut all: Vec<(WorkerKind, usize, usize)> = Vec::new();
    if ranks.is_empty() {
        all.extend(report.workers.iter().map(|w| (w.kind, 1, w.roots)));
    }
    for rank in ranks {
        all.push((WorkerKind::Cpu, rank.workers, rank.worker_roots));
        let devices = rank.devices.iter();
        all.extend(devices.map(|device| (WorkerKind::Device, 1, device.roots)));
    }
    let searched = |kind| {
        let participants = all.iter().filter(|(k, _, roots)| *k == kind && *roots > 0);
        participants.fold((0, 0), |(total, sum), (_, count, roots)| {
            (total + count, sum + roots)
        })
    };
    let (devices, workers) = (searched(WorkerKind::Device), searched(WorkerKind::Cpu));
    let has_both = devices.0 > 0 && workers.0 > 0;
    let kinds = [(devices, "device"), (workers, "CPU worker")];
    let kinds = kinds.into_iter().filter(|((count, _), _)| *count > 0);
    let kinds = kinds.map(|((count, roots), name)| match has_both {
        true => format!("{} ({})", counted(count, name), counted(roots, "root")),
        false => counted(count, name),
    });
    let kinds = kinds.collect::<Vec<String>>().join(" and ");
    let hosts: BTreeSet<&str> = ranks.iter().map(|rank| &rank.host[..]).collect();
    let (places, hosts) = (counted(ranks.len(), "rank"), counted(hosts.len(), "host"));
    match (ranks.is_empty(), kinds.is_empty()) {
        (true, true) => match &report.estimate {
            Some(estimate) if estimate.kind == Drawn::Paths => "on CPU threads".into(),
            _ => "without a search".into(),
        },
        (true, false) => format!("on {kinds}"),
        (false, true) => format!("on {places} of {hosts}, without a search"),
        (false, false) => format!("on {places} of {hosts}: {kinds}"),
    }
}

/// Returns the times of the commands of a device, and a remark on the overhead.
fn kernels(profile: &Profile) -> String {
    let note = "timed by --kernel-times, which slows searches down".to_string();
    let times = profile.kernels.iter().chain(&profile.transfers);
    let times = times.map(|t| format!("{:9.6} s  {} x {}", t.seconds, t.name, grouped(t.count)));
    let lines = times.chain([note]);
    lines.map(|line| format!("  {line}\n")).collect()
}

/// Returns the graph, the plan, and the work of each participant, for `--verbose`.
pub fn details(report: &Report) -> String {
    let (input, prepared) = (&report.input, &report.prepared);
    let (path, direction) = (&input.path, input.direction());
    let vertices = counted(input.vertices, "vertex");
    let edges = counted(input.edges, "edge");
    // Names and texts; a row without a name continues the one before.
    let mut rows = vec![("graph", format!("{path}: {vertices}, {edges}, {direction}"))];
    if input.loops_dropped + input.edges_merged > 0 {
        let loops = counted(input.loops_dropped as usize, "self loop");
        let merged = counted(input.edges_merged as usize, "repeated edge");
        rows.push(("", format!("dropped {loops}, merged {merged}")));
    }
    let weights = report.weights.iter();
    rows.extend(weights.map(|weights| ("weights", weights.words())));
    let searched = format!(
        "{} and {} to search from {}; {} folded away",
        counted(prepared.vertices, "vertex"),
        counted(prepared.arcs, "arc"),
        counted(prepared.roots, "root"),
        grouped(prepared.folded as u64),
    );
    rows.push(("prepared", searched));
    if report.query.is_some() {
        let text = "without reductions, because of the measures or pairs";
        rows.push(("", text.into()));
    }
    if let (Some(blocks), [.., before, after]) = (prepared.blocks, &prepared.steps[..])
        && after.after == "blocks"
    {
        let left = 100.0 * after.work / before.work.max(1.0);
        let blocks = counted(blocks, "block");
        rows.push(("", format!("split into {blocks}, {left:.0}% of the work")));
    }
    if let (Some(junctions), Some(chains), Some(longest)) =
        (prepared.junctions, prepared.chains, prepared.longest_chain)
    {
        let (junctions, chains) = (counted(junctions, "junction"), counted(chains, "chain"));
        let longest = counted(longest as usize, "edge");
        let text = format!("sources inside {chains} of up to {longest} served, {junctions}");
        rows.push(("", text));
    }
    rows.push(("plan", report.plan.why.clone()));
    for device in &report.devices {
        let (name, state) = (&device.info.name, state(report, device));
        rows.push(("device", format!("{name}: {state}")));
    }
    let workers = report.cpu_workers().count();
    if workers > 0 {
        let roots = counted(report.cpu_workers().map(|w| w.roots).sum(), "root");
        let busy = report.cpu_workers().map(|w| w.busy_seconds).sum::<f64>() / workers as f64;
        let workers = counted(workers, "worker");
        let text = format!("{workers}: {roots}, {busy:.3} s busy on average");
        rows.push(("cpu", text));
    }
    if let Some(bound) = report.checks.error_bound {
        let text = format!("at most {bound:.0e} of each score, because of 32-bit numbers");
        rows.push(("error", text));
    }
    // The rate is left out for tiny graphs, whose times are mostly overhead.
    if let Some(teps) = report.totals.teps.filter(|&teps| teps > 1e6) {
        let gteps = teps / 1e9;
        let text = format!("{gteps:.3} GTEPS (searched roots times their edges a second)");
        rows.push(("rate", text));
    }
    let line = |(name, text)| format!("{name:10}{text}\n");
    rows.into_iter().map(line).collect()
}

/// Returns the state of a device in words.
fn state(report: &Report, device: &DevicePart) -> String {
    match device.state {
        DriverState::Starting | DriverState::Idle => {
            "others finished all roots before its first results".into()
        }
        DriverState::Failed => "failed".into(),
        DriverState::PathCounts => {
            "stopped, since there are more shortest paths than its numbers can count".into()
        }
        DriverState::Worked => {
            let work = report.work_of(device);
            let (roots, busy) = work.map_or((0, 0.0), |work| (work.roots, work.busy_seconds));
            format!("{} in {busy:.3} s", counted(roots, "root"))
        }
    }
}
