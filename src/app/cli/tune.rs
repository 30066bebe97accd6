//! `brandes tune`: the best setting of a device, or of CPU workers, for a graph.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, bail};
use clap::ValueEnum;

use super::input::{read_shown, say};
use super::run_args::ProgressArg;
use super::tune_args::TuneArgs;
use super::{UsageError, check_outputs, json, one_device};
use crate::app::bench::{Preparations, Subject};
use crate::app::report::columns::screen;
use crate::app::report::schema::{About, Input};
use crate::app::report::tune_schema::{PreparedGraph, TunePart, TuneReport};
use crate::app::report::{Status, TuneLive, cpu_model, tune_table};
use crate::app::tune::setting::Place;
use crate::app::tune::{self, Hardware, Knob, Lists, Machine, Measurer, Plan, Profile, Setting};
use brandes::cpu::EngineName;
use brandes::device::{DeviceOptions, DeviceSelection, Session};
use brandes::engine::Precision;
use brandes::graph::{Format, ReadOptions};
use brandes::output::Output;
use brandes::prepare::{Order, PrepareOptions};
use brandes::runner::CpuWorkers;
use brandes::strategy::Strategy;

/// Tunes. Exit code 0: something was found, and all scores agree.
pub fn tune(args: &TuneArgs) -> Result<i32> {
    let mut cpu_only = args.device == DeviceSelection::None;
    let mut subjects = subjects(args, cpu_only)?;
    let outputs = [("--report", &args.report), ("--profile", &args.profile)];
    check_outputs(&[("the graph", &args.graph)], outputs)?;
    let mut report_out = args.report.as_deref().map(Output::open).transpose()?;
    let mut profile_out = args.profile.as_deref().map(Output::open).transpose()?;
    let read_options = ReadOptions {
        format: args.format,
        directed: args.directed,
        edge_list: args.edge_list.options(),
        ..ReadOptions::default()
    };
    let shown = !args.quiet && args.progress == ProgressArg::Auto;
    let (graph, source) = read_shown(&args.graph, &read_options, shown)?;
    say(&graph, &source);
    let status = Status::new(shown);
    let options = DeviceOptions {
        precision: args.precision,
        cache: !args.no_cache,
        ..DeviceOptions::default()
    };
    let session = match cpu_only {
        true => None,
        false => {
            status.tell(|| "opening the device, building kernels".into());
            status.aside(|| open(args, options))?
        }
    };
    if session.is_none() && !cpu_only {
        cpu_only = true;
        subjects = self::subjects(args, cpu_only)?;
    }
    let default = match cpu_only {
        true => Setting::CPU,
        false => Setting::DEFAULT,
    };
    status.tell(|| "preparing the graph".into());
    let prepare_options = PrepareOptions {
        fold: !args.no_fold,
        order: args.order,
        ..PrepareOptions::default()
    };
    let mut prepared_for = subjects.clone();
    prepared_for.push(default.subject);
    let prepared = Preparations::new(&graph, &prepare_options, &prepared_for)?;
    let roots = prepared.plain().roots.len();
    if roots == 0 {
        bail!(
            "{}: folding leaves nothing to search, so there is nothing to tune",
            source.path
        );
    }
    let info = session.as_ref().map(|session| session.info.clone());
    let plan = Plan {
        default,
        subjects,
        lists: lists(args),
        place: Place::new(info.as_ref(), roots),
        sweep: args.sweep,
        budget: args.budget,
    };
    let mut machine = Machine::new(session, args.cpu_workers, &prepared);
    drop(status);
    let mut live = TuneLive::new(args.budget, shown);
    let tuning = tune::tune(&plan, &mut machine, &mut |tracks, now| {
        live.tell(tracks, now)
    });
    let seconds = machine.now();
    drop(live);
    let tuning = match tuning {
        Ok(tuning) => tuning,
        Err(reason) => bail!("{}: nothing could be measured: {reason}", source.path),
    };

    let adopted = &tuning.tracks[tuning.adopted()];
    let line = command_line(args, &adopted.setting);
    let taken = [&args.report, &args.profile]
        .into_iter()
        .any(|path| path.as_deref() == Some(Path::new("-")));
    let mut shown = io::stdout().lock();
    if !taken {
        if !args.quiet {
            match &info {
                Some(info) => writeln!(shown, "device {}\n", info.name)?,
                None => writeln!(shown, "CPU workers, no device\n")?,
            }
            writeln!(shown, "{}", tune_table::result(&tuning, screen()))?;
        }
        if machine.differs.is_none() {
            writeln!(shown, "{line}")?;
        }
    }
    drop(shown);
    let plain = prepared.plain();
    let report = TuneReport {
        about: About::this("tune"),
        device: info.clone(),
        input: Input::new(&graph, &source),
        prepared: PreparedGraph {
            vertices: plain.graph.vertices(),
            arcs: plain.graph.arcs(),
            folded: plain.folded,
            roots,
        },
        tune: TunePart::new(&tuning, args.budget, seconds, args.sweep, roots),
    };
    write_json(report_out.take(), &report)?;
    if let Some(text) = &machine.differs {
        bail!("{}: {text}", source.path);
    }
    let profile = Profile::new(
        &graph,
        &info
            .as_ref()
            .map_or_else(|| Hardware::cores(cpu_model()), Hardware::device),
        args.precision,
        &adopted.setting,
        adopted.predicted(),
    );
    write_json(profile_out.take(), &profile)?;
    if !args.no_cache {
        profile.keep();
    }
    Ok(0)
}

fn write_json(out: Option<Output>, value: &impl serde::Serialize) -> Result<()> {
    if let Some(mut out) = out {
        out.write(|out| json(out, value))?;
        out.finish()?;
    }
    Ok(())
}

/// Opens the device. Where there is none, CPU workers are tuned, unless strategies were asked for.
fn open(args: &TuneArgs, options: DeviceOptions) -> Result<Option<Session>> {
    if args.strategies.iter().any(|subject| !subject.is_cpu()) {
        return one_device::open(&args.device, options, Strategy::Virtual).map(Some);
    }
    one_device::open_if_any(&args.device, options, Strategy::Virtual)
}

/// Strategies to try beside the default; with `cpu_only`, engines of CPU workers. Refuses what
/// contradicts itself.
fn subjects(args: &TuneArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    let usage = |text: String| Err(UsageError(text));
    if cpu_only && args.strategies.iter().any(|subject| !subject.is_cpu()) {
        return usage("these --strategies need a device; leave --device none out".into());
    }
    let mut subjects: Vec<Subject> = if args.strategies.is_empty() && cpu_only {
        let directed = args.directed;
        let able = |s: &Subject| !(directed && *s == Subject::Engine(EngineName::Chains));
        Subject::ENGINES.into_iter().filter(able).collect()
    } else if args.strategies.is_empty() {
        // Those that are fastest on most graphs first, should time be short.
        let first = [
            Strategy::Lanes,
            Strategy::Local,
            Strategy::Chains,
            Strategy::Warp,
        ];
        let others = Strategy::value_variants().iter().copied();
        let others = others.filter(|strategy| !first.contains(strategy));
        first
            .into_iter()
            .chain(others)
            .map(Subject::Device)
            .collect()
    } else {
        args.strategies.clone()
    };
    // It takes part as the default.
    let default = if cpu_only {
        Setting::CPU
    } else {
        Setting::DEFAULT
    };
    subjects.retain(|&subject| subject != default.subject);
    let mut once = Vec::new();
    for subject in subjects {
        if !once.contains(&subject) {
            once.push(subject);
        }
    }
    let lists = lists(args);
    for knob in Knob::ALL {
        let of = |subject: &Subject| match subject {
            Subject::Device(strategy) => knob.is_of(*strategy),
            Subject::Cpu | Subject::Engine(_) | Subject::Ablation(_) => false,
        };
        if !lists.given(knob).is_empty() && !once.iter().any(of) {
            return usage(format!(
                "{} mean nothing to these --strategies; leave one of the two out",
                knob.list_option()
            ));
        }
    }
    Ok(once)
}

fn lists(args: &TuneArgs) -> Lists {
    Lists {
        degrees: args.degrees.clone(),
        lanes: args.lanes.clone(),
        warp_sizes: args.warp_sizes.clone(),
        work_groups: args.work_groups.clone(),
    }
}

/// The run that does what was found, to be pasted into a shell.
fn command_line(args: &TuneArgs, setting: &Setting) -> String {
    let mut words = vec![
        "brandes".to_string(),
        "run".to_string(),
        args.graph.to_string_lossy().into_owned(),
    ];
    words.extend(setting.arguments());
    let mut option = |given: bool, words_of: &[&str]| {
        if given {
            words.extend(words_of.iter().map(|word| word.to_string()));
        }
    };
    option(args.directed, &["--directed"]);
    option(args.precision == Precision::F32, &["--precision", "f32"]);
    let device = args.device.to_string();
    // Strategy cpu drives none.
    let driven = !setting.subject.is_cpu();
    option(
        driven && args.device != DeviceSelection::Auto,
        &["--device", &device],
    );
    let format = args.format.to_possible_value();
    let format = format.as_ref().map_or("auto", |value| value.get_name());
    option(args.format != Format::Auto, &["--format", format]);
    option(args.no_fold, &["--no-fold"]);
    option(args.order == Order::None, &["--order", "none"]);
    match args.cpu_workers {
        CpuWorkers::Count(0) => {}
        CpuWorkers::Auto => option(true, &["--cpu-workers", "auto"]),
        CpuWorkers::Count(count) => option(true, &["--cpu-workers", &count.to_string()]),
    }
    let quoted = words.iter().map(|word| {
        // Only a NUL cannot be quoted, and no argument has one.
        shlex::try_quote(word).map_or_else(|_| word.clone(), |quoted| quoted.into_owned())
    });
    quoted.collect::<Vec<_>>().join(" ")
}
