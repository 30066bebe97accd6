//! One timed search.

use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::setting::{Setting, Subject};
use brandes::cpu::{self, CpuEngine, CpuOptions, CpuPlan, EngineName, WorkerBudget};
use brandes::device::{DeviceSelection, Session};
use brandes::engine::{EngineError, Precision, Root, feed};
use brandes::prepare::Prepared;
use brandes::runner::{self, CpuRequest, CpuWorkers, DeviceRequest, Devices, DriverState};
use brandes::strategy::ablation;
use brandes::strategy::{EnginePlan, Strategy};

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

/// A setting, and where to measure it.
#[derive(Clone)]
pub struct Bench {
    /// What searches, with which values.
    pub setting: Setting,
    /// The device, opened with these values; `None` to measure CPU workers only.
    pub session: Option<Rc<Session>>,
    /// In what numbers CPU workers search where they have a choice; the device has its own.
    pub cpu_precision: Precision,
}

impl Bench {
    /// Measures a setting on the device of `session`, unless it is of CPU workers.
    pub fn new(setting: Setting, session: Option<&Session>) -> Result<Bench> {
        let session = session.filter(|_| !setting.subject.is_cpu());
        let with =
            |session: &Session| session.with_options(setting.device_options(session.options));
        Ok(Bench {
            setting,
            session: session.map(with).transpose()?.map(Rc::new),
            cpu_precision: setting.precision,
        })
    }

    /// In what numbers it searches; `None` for CPU workers in f64.
    pub fn precision(&self, prepared: &Prepared) -> Option<Precision> {
        match &self.session {
            Some(session) => Some(session.options.precision),
            None => (self.cpu_options(prepared).mixed).then_some(Precision::Mixed),
        }
    }

    /// What is asked of CPU workers; mixed precision where they have it.
    fn cpu_options(&self, prepared: &Prepared) -> CpuOptions {
        let mut options = CpuOptions {
            mixed: self.cpu_precision == Precision::Mixed,
            ..CpuOptions::default()
        };
        if let Subject::Engine(engine) = self.setting.subject {
            options.lanes = self.setting.numbers.lanes.map(|lanes| lanes as usize);
            options.engine = match engine {
                EngineName::Plain | EngineName::Dijkstra => CpuEngine::Plain,
                EngineName::Lanes => CpuEngine::Lanes,
                EngineName::Clustered => CpuEngine::Clustered,
                EngineName::Hierarchy => CpuEngine::Hierarchy,
            };
        }
        let workers = self.setting.workers.count(num_cpus::get());
        options.mixed = cpu::plan(
            prepared,
            &options,
            WorkerBudget::for_all_roots(prepared, workers),
        )
        .mixed;
        options
    }

    /// Searches from `roots`. An engine on a device is made, and searches from `warm`, before the
    /// clock starts. The error is the reason in one line.
    pub fn search(&self, prepared: &Arc<Prepared>, warm: &[Root], roots: &[Root]) -> Result<Done> {
        let alone = self.setting.workers == CpuWorkers::Count(0);
        let made = match (self.setting.subject, &self.session) {
            (Subject::Cpu | Subject::Engine(_), _) => return self.shared(None, prepared, roots),
            (_, None) => bail!("there is no device"),
            (Subject::Device(strategy), Some(session)) if !alone => {
                return self.shared(Some((session, strategy)), prepared, roots);
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

    /// Refuses a graph that another engine would search in place of the one asked for.
    fn check(&self, prepared: &Prepared, options: &CpuOptions, workers: usize) -> Result<()> {
        let Subject::Engine(asked) = self.setting.subject else {
            return Ok(());
        };
        let taken = cpu::plan(
            prepared,
            options,
            WorkerBudget::for_all_roots(prepared, workers),
        )
        .engine;
        match asked {
            _ if asked == taken => Ok(()),
            EngineName::Plain if taken == EngineName::Dijkstra => Ok(()),
            EngineName::Hierarchy => match prepared.hierarchy() {
                Err(why) => bail!("the graph has no hierarchy: {why}"),
                Ok(_) => {
                    bail!("twins of the graph are merged, which engine hierarchy cannot search")
                }
            },
            EngineName::Lanes => bail!("engine lanes cannot search weighted graphs"),
            _ => bail!(
                "the rows of engine clustered need more than a quarter of the memory, or lengths \
                 differ too much in size"
            ),
        }
    }

    /// CPU workers and perhaps a device, as in `brandes run`. The device is ready before the clock
    /// starts; that it gets the graph is part of the time.
    fn shared(
        &self,
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
                workers: self.setting.workers,
                ..request
            };
        }
        let workers = match self.setting.workers {
            CpuWorkers::Count(0) if device.is_none() => CpuWorkers::Auto,
            workers => workers,
        };
        let options = self.cpu_options(prepared);
        let count = workers.count(num_cpus::get());
        self.check(prepared, &options, count)?;
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
