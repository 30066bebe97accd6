//! The report of a search.

use std::time::{Duration, Instant};

use super::Timeline;
use super::estimate::EstimatePart;
use super::participants::{DevicePart, WorkerKind, WorkerPart};
use super::query::QueryPart;
use super::results::{Distributions, Results};
use super::schema::{About, Checks, Input, Phases, Plan, PreparedPart, Report, Totals};
use super::weights::WeightsPart;
use super::words::{counted, named};
use crate::device::{DeviceSelection, Profile};
use crate::graph::{Graph, Source};
use crate::os::peak_rss;
use crate::plan::SearchOptions;
use crate::prepare::{Order, Prepared, RootSelection};
use crate::runner::{CpuWorkers, DriverRecord, Outcome, WorkerRecord};
use crate::scores::Scores;
use crate::search::ranks::RankRecord;
use crate::strategy::EnginePlan;

impl Report {
    /// Makes the report of a search, with the `top` highest scores, and adds the spans of the
    /// search to the timeline. `profile` is the path of the profile of `brandes tune`, if one was
    /// used.
    pub fn new(
        (graph, source): (&Graph, &Source),
        (options, profile): (&SearchOptions, Option<String>),
        (scores, top): (&Scores, usize),
        mut timeline: Timeline,
        warnings: Vec<String>,
    ) -> Report {
        let record = scores.record();
        let (prepared, outcome) = (&*record.prepared, &record.outcome);
        timeline.extend("main", &record.spans);
        timeline.extend("main", &prepared.spans);
        add_work(&mut timeline, outcome);
        add_ranks(&mut timeline, &record.ranks, outcome.search.0);
        let seconds = timeline.seconds(Instant::now());
        let (search_start, search_end) = outcome.search;
        let search_seconds = search_end.duration_since(search_start).as_secs_f64();
        let work = prepared.steps.last().map_or(0.0, |step| step.work);
        let edges_searched = if graph.directed() { work } else { work / 2.0 };
        let query = prepared.query.as_deref();
        let query = query.filter(|query| !query.original.is_plain());
        let estimated = scores.estimated();
        let has_fewer_sources = prepared.sources < graph.vertices();
        // If only a query restricts the sources, scores are complete.
        let roots_restrict = query.is_none() || options.prepare.roots != RootSelection::All;
        let partial = has_fewer_sources && roots_restrict || prepared.part.is_some();
        let is_whole =
            !partial && query.is_none() && estimated.is_none() && record.resumed.is_none();
        let timeline = timeline.into_spans();
        Report {
            about: About::this("run"),
            input: Input::new(graph, source),
            weights: WeightsPart::new(graph, options.prepare.tie_tolerance),
            query: query.map(|query| QueryPart::new(query, scores)),
            estimate: estimated.map(EstimatePart::new),
            prepared: prepared_part(scores, options.prepare.order, partial),
            plan: Plan {
                strategy: (!outcome.drivers.is_empty()).then_some(options.strategy),
                why: why(options, prepared, outcome),
                precision: outcome.precision(options.device.precision),
                numbers: options.device.numbers,
                profile,
                cpu_workers: match options.cpu.workers {
                    CpuWorkers::Auto => None,
                    CpuWorkers::Count(count) => Some(count),
                },
                reproducible: options.reproducible,
            },
            devices: outcome.drivers.iter().map(device).collect(),
            workers: workers(outcome),
            ranks: record.ranks.clone(),
            totals: Totals {
                seconds,
                search_seconds,
                teps: is_whole.then(|| edges_searched / search_seconds),
                peak_rss_bytes: peak_rss(),
            },
            results: Results::new(graph, scores, top),
            distributions: Distributions::new(scores.vertices()),
            checks: Checks {
                score_sum: scores.vertices().iter().sum(),
                score_max: scores.vertices().iter().copied().fold(0.0, f64::max),
                wide_roots: outcome.wide_roots(),
                error_bound: record.error_bound,
                warnings,
            },
            seconds: Phases::new(&timeline),
            timeline,
        }
    }
}

/// Describes the prepared graph for the report.
fn prepared_part(scores: &Scores, order: Order, partial: bool) -> PreparedPart {
    let (prepared, estimated) = (&*scores.record().prepared, scores.estimated());
    PreparedPart {
        vertices: prepared.graph.vertices(),
        arcs: prepared.graph.arcs(),
        folded: prepared.folded,
        components: prepared.components,
        order,
        sources: prepared.sources,
        // For an estimate, the prepared graph has the roots of all sources that may be drawn.
        roots: estimated.map_or(prepared.roots.len(), |estimated| estimated.searches),
        partial,
        rescale: (prepared.rescale != 1.0).then_some(prepared.rescale),
        part: prepared.part.map(|of| of.part.to_string()),
        blocks: prepared.blocks(),
        steps: prepared.steps.clone(),
    }
}

/// Adds the spans of workers and devices.
fn add_work(timeline: &mut Timeline, outcome: &Outcome) {
    timeline.add("main", "search", outcome.search);
    timeline.extend("devices", &outcome.spans);
    for worker in &outcome.workers {
        if let Some(active) = worker.active {
            timeline.add(&format!("cpu {}", worker.number), "search", active);
        }
    }
    for driver in &outcome.drivers {
        let track = format!("device {}", driver.info.number);
        timeline.extend(&track, &driver.spans);
        if let Some(active) = driver.active {
            timeline.add(&track, "search", active);
        }
    }
}

/// Adds the spans of all ranks. The first rank began at `start`.
fn add_ranks(timeline: &mut Timeline, ranks: &[RankRecord], start: Instant) {
    let first = ranks.first().map_or(0.0, |first| first.began);
    let after = |seconds: f64| start + Duration::from_secs_f64((seconds - first).max(0.0));
    for rank in ranks {
        let track = format!("rank {}", rank.rank);
        timeline.add(&track, "search", (after(rank.began), after(rank.ended)));
    }
}

/// Returns the participants that searched and their engines, with the reason if no device searched.
fn why(options: &SearchOptions, prepared: &Prepared, outcome: &Outcome) -> String {
    if prepared.roots.is_empty() {
        return "no search is needed: folding leaves nothing to search".into();
    }
    let workers = workers_words(&outcome.workers);
    let names = |drivers: &[&DriverRecord]| -> String {
        let names: Vec<&str> = drivers.iter().map(|d| d.info.name.as_str()).collect();
        names.join(", ")
    };
    let (searched, idle): (Vec<_>, Vec<_>) = outcome.drivers.iter().partition(|d| d.roots > 0);
    let mut text = match &outcome.no_device {
        _ if !searched.is_empty() => {
            let plan = searched.iter().find_map(|driver| driver.plan.as_ref());
            let how = plan.map_or(options.strategy.name().to_string(), |plan| {
                let mut numbers = engine_numbers(plan);
                numbers.push(named(outcome.precision(options.device.precision)));
                format!("{} ({})", plan.strategy.name(), numbers.join(", "))
            });
            format!("{how} on {}, and {workers}", names(&searched))
        }
        _ if !idle.is_empty() => workers,
        Some(error) => format!("{workers}; {error}"),
        None if options.devices == DeviceSelection::None => {
            format!("{workers}; no device was asked for")
        }
        None => format!("{workers}; all roots were searched before devices were found"),
    };
    if !idle.is_empty() {
        text += &format!("; {} searched nothing", names(&idle));
    }
    text
}

/// Returns the numbers of a device engine, such as "D 128" and "512 lanes".
pub fn engine_numbers(plan: &EnginePlan) -> Vec<String> {
    let slots = |slots| format!("{} of {}", counted(slots, "slot"), plan.work_group);
    let numbers = [
        plan.degree.map(|degree| format!("D {degree}")),
        (plan.lanes > 1).then(|| counted(plan.lanes, "lane")),
        plan.slots.map(slots),
        plan.warp_size.map(|size| format!("warps of {size}")),
    ];
    numbers.into_iter().flatten().collect()
}

/// Returns the number of workers and their engine, such as "4 CPU workers (lanes, 64)".
fn workers_words(workers: &[WorkerRecord]) -> String {
    let engine = workers.first();
    let engine = engine.map(|one| format!(" ({})", one.plan.words()));
    counted(workers.len(), "CPU worker") + &engine.unwrap_or_default()
}

/// Describes a device for the report.
fn device(driver: &DriverRecord) -> DevicePart {
    let mut profiles = driver.profile.iter().flatten();
    DevicePart {
        info: driver.info.clone(),
        state: driver.state,
        error: driver.error.as_ref().map(ToString::to_string),
        returned: driver.returned,
        plan: driver.plan.clone(),
        program_from_cache: driver.from_cache,
        profile: profiles.next().map(|profile| Profile::clone(profile)),
    }
}

/// Describes the CPU workers, and the devices that searched, for the report.
fn workers(outcome: &Outcome) -> Vec<WorkerPart> {
    let tail = |active: Option<(Instant, Instant)>| {
        let idle = active.map(|(_, last)| outcome.search.1.saturating_duration_since(last));
        idle.map_or(0.0, |idle| idle.as_secs_f64())
    };
    let cpu = outcome.workers.iter().map(|worker| WorkerPart {
        kind: WorkerKind::Cpu,
        number: worker.number,
        engine: Some(worker.plan.engine),
        lanes: Some(worker.plan.lanes),
        simd: worker.plan.simd,
        bytes: worker.plan.bytes,
        roots: worker.roots,
        batches: worker.batches,
        busy_seconds: worker.busy,
        idle_tail_seconds: tail(worker.active),
    });
    let drivers = outcome.drivers.iter().filter(|driver| driver.roots > 0);
    let devices = drivers.map(|driver| WorkerPart {
        kind: WorkerKind::Device,
        number: driver.info.number,
        roots: driver.roots,
        batches: driver.batches,
        busy_seconds: driver.busy,
        idle_tail_seconds: tail(driver.active),
        ..WorkerPart::default()
    });
    cpu.chain(devices).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::OwnSums;
    use crate::report::TimelineSpan;
    use crate::runner::{DeviceRequest, Devices};

    #[test]
    fn the_schema_allows_all_tracks() {
        let rank = |rank| RankRecord {
            rank,
            host: "one".into(),
            roots: 0,
            workers: 0,
            worker_roots: 0,
            devices: Vec::new(),
            began: 0.0,
            ended: 1.0,
            messages: 0.0,
        };
        let now = Instant::now();
        let mut timeline = Timeline::new(now);
        let mut outcome = outcome();
        (outcome.workers, outcome.drivers) = (vec![Default::default()], vec![Default::default()]);
        outcome.workers[0].active = Some((now, now));
        outcome.drivers[0].active = Some((now, now));
        add_work(&mut timeline, &outcome);
        add_ranks(&mut timeline, &[rank(0), rank(12)], now);
        let schema = schemars::schema_for!(TimelineSpan).to_value();
        let pattern = schema["properties"]["track"]["pattern"].as_str().unwrap();
        let tracks = regex::Regex::new(pattern).unwrap();
        let spans = timeline.into_spans();
        assert_eq!(spans.len(), 5);
        for span in spans {
            assert!(tracks.is_match(&span.track), "{}", span.track);
        }
    }

    fn outcome() -> Outcome {
        let now = Instant::now();
        Devices::start(DeviceRequest::none()).outcome(OwnSums::default(), (now, now))
    }
}
