//! `brandes run`: one graph from file to scores.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};

use super::UsageError;
use super::args::{ProgressArg, RunArgs, StrategyArg};
use super::output::Output;
use super::scores_file;
use crate::cpu::{CpuEngine, CpuOptions};
use crate::engine::{EngineError, Precision};
use crate::graph::{Graph, ReadOptions, Source, read};
use crate::opencl::{DeviceOptions, DeviceSelection, Faults, Strategy};
use crate::prepare::{
    Chains, ChainsOption, PrepareOptions, Prepared, RootSelection, Scale, prepare,
};
use crate::report::schema::{
    Checks, DevicePart, Host, Initialisation, Input, Plan, PreparedPart, Program, Report,
    SCHEMA_VERSION, Totals, WorkerPart,
};
use crate::report::{Progress, Timeline, Trace, peak_rss, summary};
use crate::runner::{self, CpuRequest, CpuWorkers, DeviceRequest, Devices, Outcome, RunError};

/// Runs; `start` is the start of the process.
pub fn run(start: Instant, args: &RunArgs) -> Result<i32> {
    let request = request(args)?;
    let cpu = cpu_request(args, &request)?;
    let chains = contraction(args, &request)?;
    let mut scores_out = args.scores.as_deref().map(Output::open).transpose()?;
    let mut report_out = args.report.as_deref().map(Output::open).transpose()?;
    let trace_out = args.trace.as_deref().map(Output::open).transpose()?;
    // From here on devices get ready while the graph is read.
    let devices = Devices::start(request.clone());
    let mut timeline = Timeline::new(start);

    let options = ReadOptions {
        format: args.format,
        directed: args.directed,
    };
    let (graph, source) = timeline.time("read", || read(&args.graph, &options))?;
    let mut warnings = Vec::new();
    if graph.simplified().weighted {
        warn(&mut warnings, "the input has weights; they are not used");
    }
    let prepared = timeline.time("prepare", || {
        prepare(
            &graph,
            &PrepareOptions {
                fold: !args.no_fold,
                order: args.order,
                endpoints: args.endpoints,
                roots: args.roots,
                chains,
                devices: request.selection != DeviceSelection::None,
            },
        )
    });
    let prepared = Arc::new(prepared.map_err(|error| UsageError(error.to_string()))?);
    let graph_ready = Instant::now();

    let wanted = !args.quiet && args.progress == ProgressArg::Auto;
    let mut progress = Progress::new(prepared.roots.len(), wanted);
    let outcome = runner::run(&prepared, &devices, cpu, &mut |done| {
        progress.tell(done);
    });
    drop(progress);
    let outcome = outcome.map_err(|error| explain(error, &graph, &prepared))?;
    device_warnings(&mut warnings, &request, &outcome);

    let scale = if args.normalized {
        Scale::Normalized
    } else {
        Scale::Pairs
    };
    let scores = timeline.time("unfold", || prepared.scores(&outcome.sums, scale));
    if let Some(bad) = scores.iter().position(|score| !score.is_finite()) {
        return Err(anyhow!(
            "the score of vertex {} is not a finite number; please report this defect",
            graph.labels().display(bad as u32)
        ));
    }
    if let Some(out) = &mut scores_out {
        timeline.time("write scores", || {
            scores_file::write(out, graph.labels(), &scores)
        })?;
    }
    if let Some(out) = scores_out {
        timeline.time("finish scores", || out.finish())?;
    }

    let report = Context {
        args,
        request: &request,
        graph: &graph,
        source: &source,
        prepared: &prepared,
        outcome: &outcome,
        scores: &scores,
        graph_ready,
    }
    .report(timeline, warnings);
    if let Some(out) = &mut report_out {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
    }
    if let Some(out) = report_out {
        out.finish()?;
    }
    if let Some(mut out) = trace_out {
        serde_json::to_writer(&mut out, &Trace::new(&report))?;
        writeln!(out)?;
        out.finish()?;
    }
    if !args.quiet {
        print(args, &report, &graph, &scores)?;
    }
    Ok(0)
}

/// What the options mean for the devices; refuses what contradicts itself.
fn request(args: &RunArgs) -> Result<DeviceRequest, UsageError> {
    let usage = |text: &str| Err(UsageError(text.into()));
    if let [first, second, ..] = on_standard_output(args)[..] {
        return Err(UsageError(format!(
            "{first} and {second} cannot both be standard output; give one a file"
        )));
    }
    let cpu_only = args.strategy == StrategyArg::Cpu;
    let named = !matches!(args.device, DeviceSelection::Auto | DeviceSelection::None);
    if cpu_only && named {
        return usage(
            "--strategy cpu drives no device; leave --device out, or choose another strategy",
        );
    }
    let strategy = match args.strategy {
        StrategyArg::Auto | StrategyArg::Cpu => Strategy::Auto,
        StrategyArg::Virtual => Strategy::Virtual,
        StrategyArg::Lanes => Strategy::Lanes,
        StrategyArg::Vertex => Strategy::Vertex,
        StrategyArg::Edge => Strategy::Edge,
        StrategyArg::EdgeDevice => Strategy::EdgeDevice,
        StrategyArg::WorkEfficient => Strategy::WorkEfficient,
        StrategyArg::Hybrid => Strategy::Hybrid,
        StrategyArg::Warp => Strategy::Warp,
        StrategyArg::Local => Strategy::Local,
        StrategyArg::Chains => Strategy::Chains,
    };
    knobs(args, strategy)?;
    let selection = if cpu_only {
        DeviceSelection::None
    } else {
        args.device.clone()
    };
    if selection == DeviceSelection::None {
        if strategy != Strategy::Auto {
            return usage("this --strategy needs a device; leave --device none out");
        }
        if args.cpu_workers == CpuWorkers::Count(0) {
            return usage("--cpu-workers 0 without a device leaves nobody to search");
        }
    }
    Ok(DeviceRequest {
        selection,
        options: DeviceOptions {
            precision: args.precision,
            work_group: args.work_group.map(|items| items as usize),
            degree: args.degree,
            lanes: args.lanes.0,
            warp_size: args.warp_size.0,
            cache: !args.no_cache,
            exact_access: args.exact_access,
            wide: args.wide,
            faults: Faults(args.fail_device_at),
        },
        asked: named || strategy != Strategy::Auto,
        strategy,
    })
}

/// What the options mean for the CPU; refuses what contradicts itself.
fn cpu_request(args: &RunArgs, request: &DeviceRequest) -> Result<CpuRequest, UsageError> {
    let usage = |text: &str| Err(UsageError(text.into()));
    if args.cpu_engine == CpuEngine::Plain && args.cpu_lanes.0.is_some() {
        return usage("--cpu-lanes means nothing to --cpu-engine plain; it is for auto and lanes");
    }
    if args.cpu_simd.is_some_and(|simd| !simd.is_available()) {
        return usage("this machine does not have the instructions of --cpu-simd");
    }
    let alone = request.selection == DeviceSelection::None;
    let engine = match args.cpu_engine {
        // A batch takes as long as dozens of searches: claimed near the end, it would keep a fast device
        // waiting. What that costs is not measured yet.
        CpuEngine::Auto if !alone && args.cpu_lanes.0.is_none() => CpuEngine::Plain,
        engine => engine,
    };
    Ok(CpuRequest {
        workers: args.cpu_workers,
        options: CpuOptions {
            engine,
            lanes: args.cpu_lanes.0,
            simd: args.cpu_simd,
        },
    })
}

/// The options that send an output to standard output.
fn on_standard_output(args: &RunArgs) -> Vec<&'static str> {
    [
        ("--scores", &args.scores),
        ("--report", &args.report),
        ("--trace", &args.trace),
    ]
    .into_iter()
    .filter(|(_, path)| path.as_deref() == Some(Path::new("-")))
    .map(|(option, _)| option)
    .collect()
}

/// Refuses options that the strategy would ignore.
fn knobs(args: &RunArgs, strategy: Strategy) -> Result<(), UsageError> {
    let cpu = args.strategy == StrategyArg::Cpu;
    let asked = if cpu { "cpu" } else { strategy.name() };
    for (option, given, known, whose) in [
        (
            "--degree",
            args.degree.is_some(),
            strategy.has_degree(),
            "auto, virtual and lanes",
        ),
        (
            "--lanes",
            args.lanes.0.is_some(),
            strategy.has_lanes(),
            "auto and lanes",
        ),
        (
            "--warp-size",
            args.warp_size.0.is_some(),
            strategy.has_warp_size(),
            "warp",
        ),
    ] {
        if given && (cpu || !known) {
            return Err(UsageError(format!(
                "{option} means nothing to --strategy {asked}; it is for {whose}"
            )));
        }
    }
    if let (Some(size), Some(group)) = (args.warp_size.0, args.work_group)
        && !group.is_multiple_of(size)
    {
        return Err(UsageError(format!(
            "--warp-size {size} does not divide --work-group {group}"
        )));
    }
    Ok(())
}

/// Whether chains may be contracted: only if everybody who may take roots can search from
/// junctions, which is decided before it is known whether there is a device.
fn contraction(args: &RunArgs, request: &DeviceRequest) -> Result<ChainsOption, UsageError> {
    let usage = |text: &str| Err(UsageError(text.into()));
    if args.chains == ChainsOption::Always && args.directed {
        return usage("--chains always is for undirected graphs; leave --directed or it out");
    }
    let contracts = args.chains == ChainsOption::Always || request.strategy == Strategy::Chains;
    if args.cpu_engine != CpuEngine::Auto {
        if contracts {
            return usage(
                "--cpu-engine plain and lanes do not search from junctions; leave it, or --chains \
                 always and --strategy chains, out",
            );
        }
        return Ok(ChainsOption::Never);
    }
    if request.strategy == Strategy::Chains {
        if args.directed {
            return usage("--strategy chains is for undirected graphs; leave --directed or it out");
        }
        if args.chains == ChainsOption::Never {
            return usage("--strategy chains contracts chains; leave --chains never or it out");
        }
        return Ok(ChainsOption::Always);
    }
    let able = request.selection == DeviceSelection::None || request.strategy.takes_chains();
    match args.chains {
        option if able => Ok(option),
        ChainsOption::Always => Err(UsageError(format!(
            "--chains always needs --strategy chains, auto or cpu: {} does not search from junctions",
            request.strategy.name()
        ))),
        ChainsOption::Auto | ChainsOption::Never => Ok(ChainsOption::Never),
    }
}

fn warn(warnings: &mut Vec<String>, text: impl Into<String>) {
    let text = text.into();
    eprintln!("brandes: warning: {text}");
    warnings.push(text);
}

fn device_warnings(warnings: &mut Vec<String>, request: &DeviceRequest, outcome: &Outcome) {
    if let Some(error) = &outcome.no_device {
        // Without being asked for, a device that is not there is nothing to worry about.
        if request.asked || !error.is_absence() {
            warn(warnings, format!("{error}; the CPU did all the work"));
        }
    }
    for driver in &outcome.drivers {
        if let Some(error) = &driver.error {
            let text = format!(
                "device {} failed: {error}; CPU workers finished its {} unfinished roots",
                driver.info.name, driver.returned
            );
            warn(warnings, text);
        }
    }
}

/// Names the vertex in the words of the input.
fn explain(error: RunError, graph: &Graph, prepared: &Prepared) -> anyhow::Error {
    match error {
        RunError::Engine(EngineError::PathCount { root, precision }) => {
            let from = root.map_or(String::new(), |root| {
                let vertex = graph.labels().display(prepared.input_vertex(root));
                format!(" from vertex {vertex}")
            });
            let help = match precision {
                Precision::F32 => "use --precision f64",
                Precision::F64 => "this graph cannot be computed yet",
            };
            anyhow!(
                "the shortest paths{from} are more than {} can count; {help}",
                precision.paths()
            )
        }
        other => other.into(),
    }
}

fn print(args: &RunArgs, report: &Report, graph: &Graph, scores: &[f64]) -> io::Result<()> {
    let mut text = summary::summary(report);
    if args.top > 0 {
        let order = summary::top(scores, args.top);
        text.push('\n');
        text.push_str(&summary::top_table(&order, graph.labels(), scores));
        text.push('\n');
    }
    if on_standard_output(args).is_empty() {
        io::stdout().lock().write_all(text.as_bytes())
    } else if io::stderr().is_terminal() {
        io::stderr().lock().write_all(text.as_bytes())
    } else {
        Ok(())
    }
}

/// Everything the report is made of.
struct Context<'a> {
    args: &'a RunArgs,
    request: &'a DeviceRequest,
    graph: &'a Graph,
    source: &'a Source,
    prepared: &'a Prepared,
    outcome: &'a Outcome,
    scores: &'a [f64],
    graph_ready: Instant,
}

impl Context<'_> {
    fn report(&self, mut timeline: Timeline, warnings: Vec<String>) -> Report {
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
        let seconds = timeline.seconds(Instant::now());
        let chains = prepared.chains.as_ref();
        let partial = args.roots != RootSelection::All;
        Report {
            schema_version: SCHEMA_VERSION,
            program: Program::this(),
            command: env::args_os()
                .map(|arg| arg.to_string_lossy().into_owned())
                .collect(),
            host: Host::this(),
            input: Input::new(graph, self.source),
            prepared: PreparedPart {
                vertices: prepared.graph.vertices(),
                arcs: prepared.graph.arcs(),
                folded: prepared.folded,
                components: prepared.components,
                order: args.order,
                sources: prepared.sources,
                roots: prepared.roots.len(),
                partial,
                junctions: chains.map(Chains::len),
                chains: chains.map(Chains::chains),
                longest_chain: chains.map(Chains::longest),
            },
            plan: self.plan(),
            devices: self.devices(),
            workers: self.workers(),
            initialisation: self.initialisation(&timeline),
            totals: Totals {
                seconds,
                search_seconds: search_end.duration_since(search_start).as_secs_f64(),
                teps: (!partial).then(|| graph.vertices() as f64 * graph.edges() as f64 / seconds),
                peak_rss_bytes: peak_rss(),
            },
            checks: Checks {
                score_sum: self.scores.iter().sum(),
                score_max: self.scores.iter().fold(0.0, |a, &b| a.max(b)),
                warnings,
            },
            timeline: timeline.into_spans(),
        }
    }

    fn plan(&self) -> Plan {
        let options = &self.request.options;
        let drivers = &self.outcome.drivers;
        let mut workers = match self.outcome.workers.len() {
            1 => "1 CPU worker".to_string(),
            count => format!("{count} CPU workers"),
        };
        if let Some(worker) = self.outcome.workers.first() {
            workers.push_str(&format!(" ({})", worker.plan.words()));
        }
        let driven = !drivers.is_empty();
        let names: Vec<&str> = drivers.iter().map(|d| d.info.name.as_str()).collect();
        let precision = match options.precision {
            Precision::F64 => "f64",
            Precision::F32 => "f32",
        };
        let why = match (&self.outcome.no_device, driven) {
            _ if self.prepared.roots.is_empty() => {
                "no search is needed: folding leaves nothing to search".to_string()
            }
            (_, true) => {
                let plan = drivers.iter().find_map(|driver| driver.plan.as_ref());
                let how = plan.map_or(self.request.strategy.name().to_string(), |plan| {
                    let mut numbers = Vec::new();
                    numbers.extend(plan.degree.map(|degree| format!("D {degree}")));
                    numbers.extend((plan.lanes > 1).then(|| format!("{} lanes", plan.lanes)));
                    numbers.extend(plan.slots.map(|slots| format!("{slots} slots")));
                    numbers.extend(
                        plan.warp_size
                            .map(|size| format!("virtual warps of {size}")),
                    );
                    numbers.push(precision.to_string());
                    format!("{} ({})", plan.strategy.name(), numbers.join(", "))
                });
                format!("{how} on {}, and {workers}", names.join(", "))
            }
            (Some(error), false) => format!("{workers}; {error}"),
            (None, false) if self.request.selection == DeviceSelection::None => {
                format!("{workers}; no device was asked for")
            }
            (None, false) => {
                format!("{workers}; all was done before devices were found")
            }
        };
        Plan {
            strategy: driven.then_some(self.request.strategy),
            why,
            precision: options.precision,
            degree: options.degree,
            lanes: options.lanes,
            warp_size: options.warp_size,
            work_group: options.work_group,
            cpu_workers: match self.args.cpu_workers {
                CpuWorkers::Auto => None,
                CpuWorkers::Count(count) => Some(count),
            },
        }
    }

    fn devices(&self) -> Vec<DevicePart> {
        let part = |driver: &runner::DriverRecord| DevicePart {
            info: driver.info.clone(),
            state: driver.state,
            error: driver.error.as_ref().map(ToString::to_string),
            returned: driver.returned,
            plan: driver.plan.clone(),
            program_from_cache: driver.from_cache,
            driver_cpu_seconds: driver.cpu,
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
            kind: "cpu",
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
        let devices = self
            .outcome
            .drivers
            .iter()
            .filter(|driver| driver.roots > 0)
            .map(|driver| WorkerPart {
                kind: "device",
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
        let ready = drivers
            .iter()
            .flat_map(|driver| &driver.spans)
            .filter(|span| span.name == "warm-up")
            .map(|span| timeline.seconds(span.end))
            .reduce(f64::max);
        // A device that is not ready yet sticks out by at least the time until now.
        let end = ready.unwrap_or_else(|| timeline.seconds(Instant::now()));
        Some(Initialisation {
            ready,
            graph_ready,
            sticks_out_seconds: (end - graph_ready).max(0.0),
        })
    }
}
