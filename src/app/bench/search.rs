//! One timed search.

use std::sync::Arc;
use std::time::Instant;

use clap::ValueEnum;

use brandes::cpu::lanes::weighted;
use brandes::cpu::{self, CpuEngine, CpuOptions, CpuPlan, EngineName, Staff};
use brandes::device::{DeviceSelection, Session};
use brandes::engine::{Engine, EngineError, Root, Sums};
use brandes::prepare::Prepared;
use brandes::runner::{
    self, CpuRequest, CpuWorkers, DeviceRequest, Devices, DriverRecord, DriverState,
};
use brandes::strategy::DeviceEngine;
use brandes::strategy::ablation::{self, Switch};
use brandes::strategy::{EnginePlan, Strategy};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// CPU workers alone, with the engine that a run would choose.
    Cpu,
    /// CPU workers alone, with this engine; `Plain` stands for Dijkstra's algorithm on weighted
    /// graphs.
    Engine(EngineName),
    /// A strategy on the device.
    Device(Strategy),
    /// Strategy `virtual`, whole or with an idea switched off.
    Ablation(Option<Switch>),
}

impl Subject {
    /// The engines of CPU workers.
    pub const ENGINES: [Subject; 4] = [
        Subject::Engine(EngineName::Plain),
        Subject::Engine(EngineName::Lanes),
        Subject::Engine(EngineName::Clustered),
        Subject::Engine(EngineName::Chains),
    ];

    /// All that can be asked for by name: CPU workers, their engines, and every strategy.
    pub fn all() -> impl Iterator<Item = Subject> {
        let strategies = Strategy::value_variants().iter().copied();
        let cpu = std::iter::once(Subject::Cpu).chain(Subject::ENGINES);
        cpu.chain(strategies.map(Subject::Device))
    }

    /// The names of all of them, for schemas.
    pub fn names() -> Vec<&'static str> {
        Subject::all().map(Subject::name).collect()
    }

    /// Whether CPU workers search alone.
    pub fn is_cpu(self) -> bool {
        matches!(self, Subject::Cpu | Subject::Engine(_))
    }

    /// Name as on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Cpu => "cpu",
            Subject::Engine(EngineName::Plain | EngineName::Dijkstra) => "cpu-plain",
            Subject::Engine(EngineName::Lanes) => "cpu-lanes",
            Subject::Engine(EngineName::Clustered) => "cpu-clustered",
            Subject::Engine(EngineName::Chains) => "cpu-chains",
            Subject::Device(strategy) => strategy.name(),
            Subject::Ablation(None) => "all on",
            Subject::Ablation(Some(switch)) => switch.name(),
        }
    }

    fn engine<'s>(
        self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, String> {
        let made = match self {
            Subject::Cpu | Subject::Engine(_) => {
                return Err("CPU workers are measured without a device".into());
            }
            Subject::Device(strategy) => strategy.engine(session, prepared),
            Subject::Ablation(off) => ablation::engine(session, prepared, off),
        };
        made.map_err(|error| error.to_string())
    }

    /// What is asked of CPU workers.
    fn cpu_options(self, lanes: Option<usize>) -> CpuOptions {
        let engine = match self {
            Subject::Engine(EngineName::Plain | EngineName::Dijkstra) => CpuEngine::Plain,
            Subject::Engine(EngineName::Lanes) => CpuEngine::Lanes,
            Subject::Engine(EngineName::Clustered) => CpuEngine::Clustered,
            _ => CpuEngine::Auto,
        };
        CpuOptions {
            engine,
            lanes,
            simd: None,
        }
    }

    /// Refuses a graph that another engine would search in place of the one asked for.
    fn check(
        self,
        prepared: &Prepared,
        options: &CpuOptions,
        workers: usize,
    ) -> Result<(), String> {
        let Subject::Engine(asked) = self else {
            return Ok(());
        };
        let has = cpu::plan(prepared, options, Staff::of(prepared, workers)).engine;
        match (asked, has) {
            (EngineName::Plain, EngineName::Dijkstra) => Ok(()),
            _ if asked == has => Ok(()),
            (EngineName::Chains, _) => {
                Err("there are chains to contract in undirected graphs without weights only".into())
            }
            (EngineName::Lanes, _) => Err(format!(
                "it needs integer lengths up to {} once they are scaled",
                weighted::LONGEST
            )),
            _ => Err(
                "its rows need more than a quarter of the memory, or lengths differ too much in size".into(),
            ),
        }
    }
}

/// A search that ended well.
#[derive(Debug)]
pub struct Done {
    /// Seconds from the first root to the last sum on the host.
    pub seconds: f64,
    /// Sums over its roots, one entry per prepared vertex.
    pub sums: Vec<f64>,
    /// The engine on the device.
    pub plan: Option<EnginePlan>,
    /// CPU workers beside it, or alone.
    pub workers: usize,
    /// How each of these searched; `None` without any.
    pub cpu_plan: Option<CpuPlan>,
    /// Roots that the device searched.
    pub device_roots: usize,
}

impl Done {
    /// Roots that were searched together.
    pub fn together(&self) -> usize {
        match (&self.plan, self.cpu_plan) {
            (Some(plan), _) => plan.lanes,
            (None, Some(plan)) => self.workers * plan.lanes,
            (None, None) => 1,
        }
    }
}

/// Where to measure.
pub struct Bench {
    /// The device, opened; `None` to measure CPU workers only.
    pub session: Option<Session>,
    /// CPU workers beside the device.
    pub cpu_workers: CpuWorkers,
    /// Roots that a CPU worker with engine `lanes` searches together; `None` for a good number.
    pub cpu_lanes: Option<usize>,
}

impl Bench {
    /// Whether a device searches without CPU workers beside it.
    pub fn device_alone(&self) -> bool {
        self.cpu_workers == CpuWorkers::Count(0)
    }

    /// Searches from `roots`. An engine on a device is made, and searches from `warm`, before the
    /// clock starts. The error is the reason in one line.
    pub fn search(
        &self,
        subject: Subject,
        prepared: &Arc<Prepared>,
        warm: &[Root],
        roots: &[Root],
    ) -> Result<Done, String> {
        let session = self.session.as_ref();
        match (subject, session) {
            (Subject::Cpu | Subject::Engine(_), _) => self.shared(subject, None, prepared, roots),
            (Subject::Device(strategy), Some(session)) if !self.device_alone() => {
                self.shared(subject, Some((session, strategy)), prepared, roots)
            }
            (_, Some(session)) => alone(session, subject, prepared, warm, roots),
            (_, None) => Err("there is no device".into()),
        }
    }

    /// CPU workers and perhaps a device, as in `brandes run`. The device is ready before the clock
    /// starts; that it gets the graph is part of the time.
    fn shared(
        &self,
        subject: Subject,
        device: Option<(&Session, Strategy)>,
        prepared: &Arc<Prepared>,
        roots: &[Root],
    ) -> Result<Done, String> {
        let request = match device {
            None => DeviceRequest {
                selection: DeviceSelection::None,
                ..DeviceRequest::default()
            },
            Some((session, strategy)) => DeviceRequest {
                selection: DeviceSelection::Named(vec![session.info.number.to_string()]),
                options: session.options,
                strategy,
                asked: true,
            },
        };
        let workers = match (device, self.cpu_workers) {
            (None, CpuWorkers::Count(0)) => CpuWorkers::Auto,
            (_, workers) => workers,
        };
        let options = subject.cpu_options(self.cpu_lanes);
        let count = match workers {
            CpuWorkers::Auto => num_cpus::get(),
            CpuWorkers::Count(count) => count,
        };
        subject.check(prepared, &options, count)?;
        let part = if roots.len() == prepared.roots.len() {
            Arc::clone(prepared)
        } else {
            let mut part = Prepared::clone(prepared);
            part.roots = roots.to_vec();
            Arc::new(part)
        };
        let devices = Devices::start(request);
        devices.wait_until_ready();
        let request = CpuRequest { workers, options };
        let outcome = runner::run(&part, &devices, request, &mut |_| {})
            .map_err(|error| error.to_string())?;
        // The next measurement is to have the cores for itself.
        outcome.threads.join();
        if let Some(error) = outcome.drivers.iter().find_map(|d| d.error.as_ref()) {
            return Err(error.to_string());
        }
        // CPU workers finished what it could not: that would be no time of the device.
        let stopped = |d: &DriverRecord| d.state == DriverState::PathCounts;
        if outcome.drivers.iter().any(stopped)
            && let Some((session, _)) = device
        {
            let precision = session.options.precision;
            return Err(EngineError::PathCount {
                root: None,
                precision,
            }
            .to_string());
        }
        let (start, end) = outcome.search;
        Ok(Done {
            seconds: end.duration_since(start).as_secs_f64(),
            plan: outcome.drivers.iter().find_map(|d| d.plan.clone()),
            workers: outcome.workers.len(),
            cpu_plan: outcome.workers.first().map(|worker| worker.plan),
            device_roots: outcome.drivers.iter().map(|d| d.roots).sum(),
            sums: outcome.sums,
        })
    }
}

/// The device alone: claims as the runner hands them out, without the runner.
fn alone(
    session: &Session,
    subject: Subject,
    prepared: &Prepared,
    warm: &[Root],
    roots: &[Root],
) -> Result<Done, String> {
    let made = subject.engine(session, prepared)?;
    let mut engine = made.engine;
    let n = prepared.graph.vertices();
    let mut timed = || -> Result<(f64, Vec<f64>), EngineError> {
        feed(&mut *engine, warm, &mut vec![0.0; n])?;
        let mut sums = vec![0.0; n];
        let start = Instant::now();
        feed(&mut *engine, roots, &mut sums)?;
        Ok((start.elapsed().as_secs_f64(), sums))
    };
    let result = timed();
    let (seconds, sums) = result.map_err(|error| error.to_string())?;
    Ok(Done {
        seconds,
        sums,
        plan: Some(made.plan),
        workers: 0,
        cpu_plan: None,
        device_roots: roots.len(),
    })
}

fn feed(engine: &mut dyn Engine, roots: &[Root], sums: &mut [f64]) -> Result<(), EngineError> {
    let mut rest = roots;
    while !rest.is_empty() {
        let (now, later) = rest.split_at(engine.roots_wanted().clamp(1, rest.len()));
        engine.search(now)?;
        rest = later;
    }
    engine.collect(&mut Sums::of_vertices(sums))
}
