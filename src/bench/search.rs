//! One timed search.

use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::time::Instant;

use clap::ValueEnum;

use crate::engine::{Engine, EngineError, Root, Sums};
use crate::opencl::strategy::DeviceEngine;
use crate::opencl::strategy::ablation::{self, Switch};
use crate::opencl::{DeviceSelection, EnginePlan, Session, Strategy};
use crate::prepare::Prepared;
use crate::runner::{self, CpuWorkers, DeviceRequest, Devices, DriverRecord, DriverState};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// CPU workers alone.
    Cpu,
    /// A strategy on the device.
    Device(Strategy),
    /// Strategy `virtual`, whole or with an idea switched off.
    Ablation(Option<Switch>),
}

impl Subject {
    /// All that can be asked for by name: CPU workers and every strategy.
    pub fn all() -> impl Iterator<Item = Subject> {
        let strategies = Strategy::value_variants().iter().copied();
        std::iter::once(Subject::Cpu).chain(strategies.map(Subject::Device))
    }

    /// Name as on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Cpu => "cpu",
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
            Subject::Cpu => return Err("CPU workers are measured without a device".into()),
            Subject::Device(strategy) => strategy.engine(session, prepared),
            Subject::Ablation(off) => ablation::engine(session, prepared, off),
        };
        made.map_err(|error| error.to_string())
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
    /// Roots that the device searched.
    pub device_roots: usize,
}

/// Where to measure.
pub struct Bench {
    /// The device, opened; `None` to measure CPU workers only.
    pub session: Option<Session>,
    /// CPU workers beside the device.
    pub cpu_workers: CpuWorkers,
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
            (Subject::Cpu, _) => self.shared(None, prepared, roots),
            (Subject::Device(strategy), Some(session)) if !self.device_alone() => {
                self.shared(Some((session, strategy)), prepared, roots)
            }
            (_, Some(session)) => alone(session, subject, prepared, warm, roots),
            (_, None) => Err("there is no device".into()),
        }
    }

    /// CPU workers and perhaps a device, as in `brandes run`. The device is ready before the clock
    /// starts; that it gets the graph is part of the time.
    fn shared(
        &self,
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
        let part = if roots.len() == prepared.roots.len() {
            Arc::clone(prepared)
        } else {
            let mut part = Prepared::clone(prepared);
            part.roots = roots.to_vec();
            Arc::new(part)
        };
        let devices = Devices::start(request);
        devices.wait_until_ready();
        let outcome = runner::run(&part, &devices, workers, &mut |_| {})
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
    let mut engine = ManuallyDrop::new(made.engine);
    let n = prepared.graph.vertices();
    let mut timed = || -> Result<(f64, Vec<f64>), EngineError> {
        feed(&mut **engine, warm, &mut vec![0.0; n])?;
        let mut sums = vec![0.0; n];
        let start = Instant::now();
        feed(&mut **engine, roots, &mut sums)?;
        Ok((start.elapsed().as_secs_f64(), sums))
    };
    let result = timed();
    // As in the runner's driver: what a failed device holds is not released, which may panic.
    if !matches!(result, Err(EngineError::Device(_))) {
        drop(ManuallyDrop::into_inner(engine));
    }
    let (seconds, sums) = result.map_err(|error| error.to_string())?;
    Ok(Done {
        seconds,
        sums,
        plan: Some(made.plan),
        workers: 0,
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
