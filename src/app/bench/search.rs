//! Runs one timed search.

use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::results::SettingPart;
use super::setting::{Setting, Subject};
use brandes::cpu::{self, CpuEngine, CpuOptions, CpuPlan};
use brandes::device::{DeviceError, DeviceSelection, Session};
use brandes::engine::{EngineError, Precision, Root, feed};
use brandes::prepare::Prepared;
use brandes::runner::{
    self, CpuRequest, CpuWorkers, DeviceRequest, Devices, DriverState, RunOptions,
};
use brandes::strategy::{EnginePlan, Strategy, engine_without};

/// The reason why engine `clustered` cannot search a graph.
const CLUSTERED_MISFIT: &str =
    "its rows need more than a quarter of the memory, or lengths differ too much in size";

/// The result of a search.
#[derive(Debug)]
pub struct TimedSearch {
    /// Seconds from the first claim of roots until all sums are on the host.
    pub seconds: f64,
    /// Sums over the roots, one entry per prepared vertex.
    pub sums: Vec<f64>,
    /// The plan of the engine on the device.
    pub plan: Option<EnginePlan>,
    /// The number of CPU workers, beside the device or alone.
    pub workers: usize,
    /// The engine of these workers; `None` without any.
    pub cpu_plan: Option<CpuPlan>,
    /// The number of roots that the device searched.
    pub device_roots: usize,
}

impl TimedSearch {
    /// Returns the number of roots that keep the engine busy.
    pub fn roots_to_saturate(&self) -> usize {
        let cpu = self.cpu_plan.map_or(1, |plan| self.workers * plan.lanes);
        let plan = self.plan.as_ref();
        plan.map_or(cpu, EnginePlan::roots_to_saturate)
    }
}

/// A setting, the graph that it searches, and the device to measure it on.
#[derive(Clone)]
pub struct Bench {
    /// The setting.
    pub setting: Setting,
    /// The graph.
    pub prepared: Arc<Prepared>,
    /// The device with the values of the setting, or the reason why it cannot use them; `None` to
    /// measure CPU workers only.
    pub(super) session: Option<Result<Rc<Session>, DeviceError>>,
}

impl Bench {
    /// Measures a setting on the device of `session`, unless the setting is for CPU workers.
    pub fn new(setting: Setting, prepared: &Arc<Prepared>, session: Option<&Session>) -> Bench {
        let session = session.filter(|_| !setting.subject.is_cpu());
        let session = session.map(|session| {
            let options = setting.device_options(session.options);
            session.with_options(options).map(Rc::new)
        });
        Bench {
            setting,
            prepared: Arc::clone(prepared),
            session,
        }
    }

    /// Returns the setting with the number type that the search uses, and its workers.
    pub fn setting_part(&self) -> SettingPart {
        let precision = match &self.session {
            Some(_) => Some(self.setting.precision),
            None => (self.cpu().1.mixed).then_some(Precision::Mixed),
        };
        let session = self.session.iter().flatten().next();
        let device = session.map(|session| session.info.kind);
        SettingPart::new(&self.setting, precision, device)
    }

    /// Returns the number of CPU workers. Without a device, 0 stands for one per core.
    fn workers(&self) -> CpuWorkers {
        match self.setting.workers {
            CpuWorkers::Count(0) if self.session.is_none() => CpuWorkers::Auto,
            workers => workers,
        }
    }

    /// Returns the options of CPU workers, with mixed precision only if their engine supports it,
    /// and their plan.
    fn cpu(&self) -> (CpuOptions, CpuPlan) {
        let mut options = CpuOptions {
            mixed: self.setting.precision == Precision::Mixed,
            ..CpuOptions::default()
        };
        if let Subject::Cores(engine) = self.setting.subject {
            options.engine = engine;
            options.lanes = self.setting.numbers.lanes.map(|lanes| lanes as usize);
        }
        let workers = self.workers().count(num_cpus::get());
        let plan = cpu::plan(&self.prepared, &options, workers);
        options.mixed = plan.mixed;
        (options, plan)
    }

    /// Searches from `roots`. If a device searches alone, its engine is made, and warms up on
    /// `warm_up_roots`, before the clock starts.
    ///
    /// # Errors
    /// The setting cannot search this graph; the message is one line.
    pub fn search(&self, warm_up_roots: &[Root], roots: &[Root]) -> Result<TimedSearch> {
        let (prepared, workers) = (&*self.prepared, self.setting.workers);
        let Some(session) = &self.session else {
            return self.search_as_in_run(DeviceRequest::none(), roots);
        };
        let session = session.as_ref().map_err(DeviceError::clone)?;
        let device_engine = match self.setting.subject {
            Subject::Device(strategy) if workers != CpuWorkers::Count(0) => {
                let request = DeviceRequest {
                    selection: DeviceSelection::Named(vec![session.info.number.to_string()]),
                    options: session.options,
                    strategy,
                    is_explicit: true,
                    workers,
                    ..DeviceRequest::default()
                };
                return self.search_as_in_run(request, roots);
            }
            Subject::Device(strategy) => strategy.engine(session, prepared)?,
            Subject::Ablation(Some(off)) => engine_without(session, prepared, off)?,
            // Subjects on cores have no session.
            _ => Strategy::Virtual.engine(session, prepared)?,
        };
        // The device searches alone, in batches of the size that its engine wants.
        let mut engine = device_engine.engine;
        let mut sums = prepared.zero_sums();
        feed(&mut *engine, warm_up_roots, &mut prepared.zero_sums())?;
        let seconds = feed(&mut *engine, roots, &mut sums)?;
        // Closed forms are added only to sums over all roots.
        if roots.len() == prepared.roots.len() {
            prepared.complete(&mut sums);
        }
        Ok(TimedSearch {
            seconds,
            sums: sums.vertices,
            plan: Some(device_engine.plan),
            workers: 0,
            cpu_plan: None,
            device_roots: roots.len(),
        })
    }

    /// Fails if a run would search this graph with another CPU engine than that of the setting.
    fn check(&self, chosen: CpuEngine) -> Result<()> {
        let prepared = &self.prepared;
        match self.setting.subject.engine() {
            Some(CpuEngine::Hierarchy) if prepared.multiplicity.is_some() => {
                bail!("engine hierarchy cannot search merged twins")
            }
            Some(requested) if requested != chosen => {
                let why = match requested {
                    CpuEngine::Hierarchy => prepared.hierarchy().err().map(|why| why.to_string()),
                    CpuEngine::Clustered => Some(CLUSTERED_MISFIT.into()),
                    _ => None,
                };
                let why = why.map_or(String::new(), |why| format!(" ({why})"));
                bail!("engine {requested} cannot search this graph{why}; a run would use {chosen}")
            }
            _ => Ok(()),
        }
    }

    /// Searches with CPU workers and the requested device, if any, as in `brandes run`. The device
    /// is ready before the clock starts, but copying the graph to it is part of the time.
    fn search_as_in_run(&self, request: DeviceRequest, roots: &[Root]) -> Result<TimedSearch> {
        let (options, plan) = self.cpu();
        self.check(plan.engine)?;
        let mut part = Arc::clone(&self.prepared);
        if roots.len() < self.prepared.roots.len() {
            Arc::make_mut(&mut part).roots = roots.to_vec();
        }
        let precision = request.options.precision;
        let devices = Devices::start(request);
        devices.wait_until_ready();
        let workers = self.workers();
        let cpu = CpuRequest { workers, options };
        let mut outcome = runner::run(&part, &devices, cpu, RunOptions::default(), &mut |_| {})?;
        if roots.len() == self.prepared.roots.len() {
            self.prepared.complete(&mut outcome.sums);
        }
        // No thread of this search runs during the next one.
        outcome.threads.join();
        for driver in &outcome.drivers {
            if let Some(error) = &driver.error {
                bail!("{error}");
            }
            // CPU workers searched the roots whose path counts overflowed on the device, so the
            // time is not that of the device.
            if driver.state == DriverState::PathCounts {
                let root = None;
                bail!(EngineError::PathCount { root, precision });
            }
        }
        let (start, end) = outcome.search;
        Ok(TimedSearch {
            seconds: end.duration_since(start).as_secs_f64(),
            plan: outcome.drivers.iter().find_map(|d| d.plan.clone()),
            workers: outcome.workers.len(),
            cpu_plan: outcome.workers.first().map(|worker| worker.plan),
            device_roots: outcome.drivers.iter().map(|d| d.roots).sum(),
            sums: outcome.sums.vertices,
        })
    }
}
