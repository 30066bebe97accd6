//! One timed search.

use std::sync::Arc;

use anyhow::{Result, bail};

use brandes::cpu::{self, CpuEngine, CpuOptions, CpuPlan, EngineName, Staff};
use brandes::device::{DeviceSelection, Session};
use brandes::engine::{EngineError, Precision, Root, feed};
use brandes::prepare::Prepared;
use brandes::runner::{self, CpuRequest, CpuWorkers, DeviceRequest, Devices, DriverState};
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
    /// All that can be asked for by name: CPU workers, their engines, and every strategy.
    pub fn all() -> impl Iterator<Item = Subject> {
        use EngineName::{Clustered, Hierarchy, Lanes, Plain};
        let engines = [Plain, Lanes, Clustered, Hierarchy].map(Subject::Engine);
        let cpu = std::iter::once(Subject::Cpu).chain(engines);
        cpu.chain(Strategy::all().map(Subject::Device))
    }

    /// The names of all of them, for schemas.
    pub fn names() -> Vec<&'static str> {
        Subject::all().map(Subject::name).collect()
    }

    /// Whether CPU workers search alone.
    pub fn is_cpu(self) -> bool {
        matches!(self, Subject::Cpu | Subject::Engine(_))
    }

    /// Whether it searches over a hierarchy, and so serves sources inside chains where it can.
    pub fn serves_chains(self) -> bool {
        self == Subject::Device(Strategy::Hierarchy)
            || self == Subject::Engine(EngineName::Hierarchy)
    }

    /// Name as on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Cpu => "cpu",
            Subject::Engine(EngineName::Plain | EngineName::Dijkstra) => "cpu-plain",
            Subject::Engine(EngineName::Lanes) => "cpu-lanes",
            Subject::Engine(EngineName::Clustered) => "cpu-clustered",
            Subject::Engine(EngineName::Hierarchy) => "cpu-hierarchy",
            Subject::Device(strategy) => strategy.name(),
            Subject::Ablation(None) => "all on",
            Subject::Ablation(Some(switch)) => switch.name(),
        }
    }

    /// What is asked of CPU workers.
    fn cpu_options(self, lanes: Option<usize>) -> CpuOptions {
        CpuOptions {
            engine: match self {
                Subject::Engine(EngineName::Plain | EngineName::Dijkstra) => CpuEngine::Plain,
                Subject::Engine(EngineName::Lanes) => CpuEngine::Lanes,
                Subject::Engine(EngineName::Clustered) => CpuEngine::Clustered,
                Subject::Engine(EngineName::Hierarchy) => CpuEngine::Hierarchy,
                _ => CpuEngine::Auto,
            },
            lanes,
            ..CpuOptions::default()
        }
    }

    /// Refuses a graph that another engine would search in place of the one asked for.
    fn check(self, prepared: &Prepared, options: &CpuOptions, workers: usize) -> Result<()> {
        let Subject::Engine(asked) = self else {
            return Ok(());
        };
        let taken = cpu::plan(prepared, options, Staff::of(prepared, workers)).engine;
        match asked {
            _ if asked == taken => Ok(()),
            EngineName::Plain if taken == EngineName::Dijkstra => Ok(()),
            EngineName::Hierarchy => match prepared.hierarchy() {
                Err(why) => bail!("the graph has no hierarchy: {why}"),
                Ok(_) => bail!("its twins are merged"),
            },
            EngineName::Lanes => bail!("it is for graphs without weights"),
            _ => bail!(
                "its rows need more than a quarter of the memory, or lengths differ too much in \
                 size"
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
    /// Roots that it takes to keep the engine busy.
    pub fn together(&self) -> usize {
        let cpu = self.cpu_plan.map_or(1, |plan| self.workers * plan.lanes);
        self.plan.as_ref().map_or(cpu, EnginePlan::together)
    }
}

/// Where to measure.
pub struct Bench {
    /// The device, opened; `None` to measure CPU workers only.
    pub session: Option<Session>,
    /// In what numbers CPU workers search where they have a choice; the device has its own.
    pub cpu_precision: Precision,
    /// CPU workers beside the device.
    pub cpu_workers: CpuWorkers,
    /// Roots that a CPU worker with engine `lanes` searches together; `None` for a good number.
    pub cpu_lanes: Option<usize>,
}

impl Bench {
    /// In what numbers the subject searches; `None` for CPU workers in f64.
    pub fn precision(&self, subject: Subject, prepared: &Prepared) -> Option<Precision> {
        match &self.session {
            Some(session) if !subject.is_cpu() => Some(session.options.precision),
            _ => (self.cpu_options(subject, prepared).mixed).then_some(Precision::Mixed),
        }
    }

    /// What is asked of CPU workers; mixed precision where they have it.
    fn cpu_options(&self, subject: Subject, prepared: &Prepared) -> CpuOptions {
        let mut options = subject.cpu_options(self.cpu_lanes);
        options.mixed = self.cpu_precision == Precision::Mixed;
        let workers = self.cpu_workers.count(num_cpus::get());
        options.mixed = cpu::plan(prepared, &options, Staff::of(prepared, workers)).mixed;
        options
    }

    /// Searches from `roots`. An engine on a device is made, and searches from `warm`, before the
    /// clock starts. The error is the reason in one line.
    pub fn search(
        &self,
        subject: Subject,
        prepared: &Arc<Prepared>,
        warm: &[Root],
        roots: &[Root],
    ) -> Result<Done> {
        let alone = self.cpu_workers == CpuWorkers::Count(0);
        let made = match (subject, &self.session) {
            (Subject::Cpu | Subject::Engine(_), _) => {
                return self.shared(subject, None, prepared, roots);
            }
            (_, None) => bail!("there is no device"),
            (Subject::Device(strategy), Some(session)) if !alone => {
                return self.shared(subject, Some((session, strategy)), prepared, roots);
            }
            (Subject::Device(strategy), Some(session)) => strategy.engine(session, prepared)?,
            (Subject::Ablation(off), Some(session)) => ablation::engine(session, prepared, off)?,
        };
        // The device alone: claims as the runner hands them out, without the runner.
        let mut engine = made.engine;
        let mut sums = prepared.zero_sums();
        feed(&mut *engine, warm, &mut prepared.zero_sums())?;
        let seconds = feed(&mut *engine, roots, &mut sums)?;
        // Of some of the roots, sums are those of their searches alone.
        if roots.len() == prepared.roots.len() {
            prepared.complete(&mut sums);
        }
        Ok(Done {
            seconds,
            sums: sums.vertices,
            plan: Some(made.plan),
            workers: 0,
            cpu_plan: None,
            device_roots: roots.len(),
        })
    }

    /// CPU workers and perhaps a device, as in `brandes run`. The device is ready before the clock
    /// starts; that it gets the graph is part of the time.
    fn shared(
        &self,
        subject: Subject,
        device: Option<(&Session, Strategy)>,
        prepared: &Arc<Prepared>,
        roots: &[Root],
    ) -> Result<Done> {
        let mut request = DeviceRequest {
            selection: DeviceSelection::None,
            ..DeviceRequest::default()
        };
        if let Some((session, strategy)) = device {
            let number = session.info.number.to_string();
            request = DeviceRequest {
                selection: DeviceSelection::Named(vec![number]),
                options: session.options,
                strategy,
                asked: true,
                workers: self.cpu_workers,
                ..request
            };
        }
        let workers = match self.cpu_workers {
            CpuWorkers::Count(0) if device.is_none() => CpuWorkers::Auto,
            workers => workers,
        };
        let options = self.cpu_options(subject, prepared);
        let count = workers.count(num_cpus::get());
        subject.check(prepared, &options, count)?;
        let mut part = Arc::clone(prepared);
        if roots.len() < prepared.roots.len() {
            Arc::make_mut(&mut part).roots = roots.to_vec();
        }
        let precision = request.options.precision;
        let devices = Devices::start(request);
        devices.wait_until_ready();
        let cpu = CpuRequest { workers, options };
        let mut outcome = runner::run(&part, &devices, cpu, &mut |_| {})?;
        if roots.len() == prepared.roots.len() {
            outcome.complete(prepared);
        }
        // The next measurement is to have the cores for itself.
        outcome.threads.join();
        for driver in &outcome.drivers {
            if let Some(error) = &driver.error {
                bail!("{error}");
            }
            // CPU workers finished what it could not: that would be no time of the device.
            if driver.state == DriverState::PathCounts {
                let root = None;
                bail!(EngineError::PathCount { root, precision });
            }
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
