//! The report of `brandes run`, from everything that the run has left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::run_args::RunArgs;
use super::run_profile::Settings;
use crate::app::report::results::{Distributions, Results};
use crate::app::report::schema::{
    About, Checks, DevicePart, Initialisation, Input, Plan, PreparedPart, ProfilePart, Report,
    TimelineSpan, Totals, WorkerKind, WorkerPart,
};
use crate::app::report::weights::WeightsPart;
use crate::app::report::words::{counted, named};
use crate::app::report::{Timeline, peak_rss};
use brandes::device::{DeviceSelection, Profile};
use brandes::graph::{Graph, Source};
use brandes::prepare::{Chains, Prepared, RootSelection};
use brandes::ranks::RankRecord;
use brandes::runner::{CpuWorkers, DriverRecord, Outcome, WorkerRecord};

/// The times of a driver's kernels, if they were taken.
fn profile(driver: &DriverRecord) -> Option<&Profile> {
    let taken = driver.profile.as_ref()?.as_ref();
    taken.ok().map(Arc::as_ref)
}

/// The commands of all devices whose times were taken, as spans of their own tracks: there are too
/// many for the report.
pub(super) fn kernel_spans(outcome: &Outcome, zero: Instant) -> Vec<TimelineSpan> {
    let seconds = |instant: Instant| instant.saturating_duration_since(zero).as_secs_f64();
    let mut all = Vec::new();
    for driver in &outcome.drivers {
        let Some(profile) = profile(driver) else {
            continue;
        };
        let mut spans: Vec<_> = profile.spans.iter().collect();
        spans.sort_by_key(|span| (span.queue, span.start));
        // Commands of an in-order queue follow one another, but what devices say of their ends is a
        // little late at times, and viewers take spans that overlap for nested ones.
        let mut last = (usize::MAX, 0.0);
        for span in spans {
            let track = match span.queue {
                0 => format!("device {} kernels", driver.info.number),
                queue => format!("device {} kernels {}", driver.info.number, queue + 1),
            };
            let before = if last.0 == span.queue { last.1 } else { 0.0 };
            let start = seconds(span.start).max(before);
            let end = seconds(span.end).max(start);
            last = (span.queue, end);
            all.push(TimelineSpan {
                track,
                name: profile.commands[span.command].name.clone(),
                start,
                end,
            });
        }
    }
    all
}

/// How many workers there were and how they searched, as in "4 CPU workers (lanes, 64)".
fn workers_words(workers: &[WorkerRecord]) -> String {
    let count = counted(workers.len(), "CPU worker");
    match workers.first() {
        None => count,
        Some(first) => format!("{count} ({})", first.plan.words()),
    }
}

/// Everything the report is made of.
pub(super) struct Context<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) settings: &'a Settings,
    pub(super) graph: &'a Graph,
    pub(super) source: &'a Source,
    pub(super) prepared: &'a Prepared,
    pub(super) outcome: &'a Outcome,
    pub(super) scores: &'a [f64],
    pub(super) graph_ready: Instant,
    pub(super) ranks: &'a [RankRecord],
    pub(super) error_bound: Option<f64>,
}

impl Context<'_> {
    /// The report, with what the timeline does not have yet.
    pub(super) fn report(&self, mut timeline: Timeline, warnings: Vec<String>) -> Report {
        let Context {
            args,
            graph,
            prepared,
            outcome,
            ..
        } = self;
        let (search_start, search_end) = outcome.search;
        timeline.add("main", "search", search_start, search_end);
        timeline.extend("main", &prepared.spans);
        timeline.extend("devices", &outcome.spans);
        for worker in &outcome.workers {
            if let Some((start, end)) = worker.active {
                timeline.add(&format!("cpu {}", worker.number), "search", start, end);
            }
        }
        for driver in &outcome.drivers {
            let track = format!("device {}", driver.info.number);
            timeline.extend(&track, &driver.spans);
            if let Some((start, end)) = driver.active {
                timeline.add(&track, "search", start, end);
            }
        }
        if let Some(first) = self.ranks.first() {
            let after = |seconds: f64| {
                let later = Duration::from_secs_f64((seconds - first.began).max(0.0));
                search_start + later
            };
            for rank in self.ranks {
                let track = format!("rank {}", rank.rank);
                timeline.add(&track, "search", after(rank.began), after(rank.ended));
            }
        }
        let seconds = timeline.seconds(Instant::now());
        let chains = prepared.chains.as_ref();
        let partial = args.roots != RootSelection::All || args.part.is_some();
        // Those of a part say little of the whole.
        let top = if args.part.is_some() { 0 } else { args.top };
        let results = Results::of(graph, self.scores, top);
        Report {
            about: About::this("run"),
            input: Input::new(graph, self.source),
            weights: WeightsPart::new(graph, args.tie_tolerance),
            prepared: PreparedPart {
                vertices: prepared.graph.vertices(),
                arcs: prepared.graph.arcs(),
                folded: prepared.folded,
                components: prepared.components,
                order: args.order,
                sources: prepared.sources,
                roots: prepared.roots.len(),
                partial,
                part: args.part.map(|part| part.to_string()),
                blocks: prepared.blocks,
                junctions: chains.map(Chains::len),
                chains: chains.map(Chains::chains),
                longest_chain: chains.map(Chains::longest),
                steps: prepared.steps.clone(),
            },
            plan: self.plan(),
            devices: self.devices(),
            workers: self.workers(),
            ranks: self.ranks.to_vec(),
            initialisation: self.initialisation(&timeline),
            totals: Totals {
                seconds,
                search_seconds: search_end.duration_since(search_start).as_secs_f64(),
                teps: (!partial).then(|| graph.vertices() as f64 * graph.edges() as f64 / seconds),
                peak_rss_bytes: peak_rss(),
            },
            distributions: Distributions::of(&results, self.scores),
            results,
            checks: Checks {
                score_sum: self.scores.iter().sum(),
                score_max: self.scores.iter().fold(0.0, |a, &b| a.max(b)),
                wide_roots: outcome.wide_roots(),
                error_bound: self.error_bound,
                warnings,
            },
            timeline: timeline.into_spans(),
        }
    }

    fn plan(&self) -> Plan {
        let wishes = &self.settings.wishes;
        let options = &wishes.device;
        let drivers = &self.outcome.drivers;
        let workers = workers_words(&self.outcome.workers);
        let driven = !drivers.is_empty();
        let names: Vec<&str> = drivers.iter().map(|d| d.info.name.as_str()).collect();
        let why = match (&self.outcome.no_device, driven) {
            _ if self.prepared.roots.is_empty() => {
                "no search is needed: folding leaves nothing to search".to_string()
            }
            (_, true) => {
                let plan = drivers.iter().find_map(|driver| driver.plan.as_ref());
                let how = plan.map_or(wishes.strategy.name().to_string(), |plan| {
                    let mut numbers = Vec::new();
                    numbers.extend(plan.degree.map(|degree| format!("D {degree}")));
                    numbers.extend((plan.lanes > 1).then(|| format!("{} lanes", plan.lanes)));
                    numbers.extend(plan.slots.map(|slots| counted(slots, "slot")));
                    let warps = plan.warp_size;
                    numbers.extend(warps.map(|size| format!("virtual warps of {size}")));
                    numbers.push(named(options.precision));
                    format!("{} ({})", plan.strategy.name(), numbers.join(", "))
                });
                format!("{how} on {}, and {workers}", names.join(", "))
            }
            (Some(error), false) => format!("{workers}; {error}"),
            (None, false) if wishes.devices == DeviceSelection::None => {
                format!("{workers}; no device was asked for")
            }
            (None, false) => format!("{workers}; all was done before devices were found"),
        };
        let profile = self.settings.profile.as_ref();
        Plan {
            strategy: driven.then_some(wishes.strategy),
            why,
            precision: options.precision,
            degree: options.degree,
            lanes: options.lanes,
            warp_size: options.warp_size,
            work_group: options.work_group,
            profile: profile.map(|path| path.display().to_string()),
            cpu_workers: match self.args.cpu_workers {
                CpuWorkers::Auto => None,
                CpuWorkers::Count(count) => Some(count),
            },
            reproducible: wishes.reproducible,
        }
    }

    fn devices(&self) -> Vec<DevicePart> {
        let part = |driver: &DriverRecord| DevicePart {
            info: driver.info.clone(),
            state: driver.state,
            error: driver.error.as_ref().map(ToString::to_string),
            returned: driver.returned,
            plan: driver.plan.clone(),
            program_from_cache: driver.from_cache,
            driver_cpu_seconds: driver.cpu,
            profile: profile(driver).map(ProfilePart::new),
        };
        self.outcome.drivers.iter().map(part).collect()
    }

    fn workers(&self) -> Vec<WorkerPart> {
        let end = self.outcome.search.1;
        let tail = |active: Option<(Instant, Instant)>| {
            active.map_or(0.0, |(_, last)| {
                end.saturating_duration_since(last).as_secs_f64()
            })
        };
        let cpu = self.outcome.workers.iter().map(|worker| WorkerPart {
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
        let drivers = self.outcome.drivers.iter();
        let devices = drivers
            .filter(|driver| driver.roots > 0)
            .map(|driver| WorkerPart {
                kind: WorkerKind::Device,
                number: driver.info.number,
                engine: None,
                lanes: None,
                simd: None,
                bytes: None,
                roots: driver.roots,
                batches: driver.batches,
                busy_seconds: driver.busy,
                idle_tail_seconds: tail(driver.active),
            });
        cpu.chain(devices).collect()
    }

    fn initialisation(&self, timeline: &Timeline) -> Option<Initialisation> {
        let drivers = &self.outcome.drivers;
        if drivers.is_empty() {
            return None;
        }
        let graph_ready = timeline.seconds(self.graph_ready);
        let spans = drivers.iter().flat_map(|driver| &driver.spans);
        let warm_ups = spans.filter(|span| span.name == "warm-up");
        let ready = warm_ups.map(|span| timeline.seconds(span.end));
        let ready = ready.reduce(f64::max);
        // A device that is not ready yet sticks out by at least the time until now.
        let end = ready.unwrap_or_else(|| timeline.seconds(Instant::now()));
        Some(Initialisation {
            ready,
            graph_ready,
            sticks_out_seconds: (end - graph_ready).max(0.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brandes::cpu::{CpuPlan, EngineName};

    #[test]
    fn workers_are_told() {
        let lanes = WorkerRecord {
            plan: CpuPlan {
                engine: EngineName::Lanes,
                lanes: 64,
                ..CpuPlan::default()
            },
            ..WorkerRecord::default()
        };
        assert_eq!(workers_words(&[]), "0 CPU workers");
        let one = std::slice::from_ref(&lanes);
        assert_eq!(workers_words(one), "1 CPU worker (lanes, 64)");
        assert_eq!(
            workers_words(&[lanes.clone(), lanes]),
            "2 CPU workers (lanes, 64)"
        );
    }
}
