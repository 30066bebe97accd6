//! Running all searches on all processors.
//!
//! One counter ([`counter`]) hands roots to CPU workers ([`worker`]) and to one driver per device
//! ([`driver`]). No participant is given a share in advance; CPU workers start as soon as the graph
//! is ready, or a moment later, where they would only be in the way of devices being made ready
//! ([`pool`]). A device that fails gives its unfinished roots back, and CPU workers finish them. So
//! does one that meets more shortest paths than its numbers can count.

mod counter;
#[cfg(test)]
mod counter_tests;
mod devices;
mod driver;
#[cfg(test)]
mod driver_tests;
mod error;
#[cfg(test)]
mod interleavings_tests;
mod keeper;
mod ledger;
#[cfg(test)]
mod ledger_tests;
mod pace;
mod pool;
mod ranges;
mod read_back;
mod records;
mod rehearsal;
mod shared;
mod sharing;
#[cfg(test)]
mod simulation_tests;
mod supply;
mod sync;
#[cfg(test)]
mod tests;
mod threads;
mod verify;
mod worker;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, unbounded};

pub use devices::Devices;
pub use error::RunError;
pub use keeper::Keeping;
pub use ledger::Committed;
pub use pool::{CpuRequest, CpuWorkers};
pub(crate) use ranges::{gaps, joined, total};
pub use records::{DriverRecord, DriverState, Outcome, WorkerRecord};
pub use rehearsal::Rehearse;
pub use shared::DeviceRequest;
pub use supply::{Stock, Supplied, Supply};
pub(crate) use sync::lock;
pub use threads::WorkerThreads;

use crate::cancel::CancelToken;
use crate::device::{DeviceError, DeviceSelection};
use crate::engine::EngineError;
use crate::prepare::Prepared;
use counter::SourceCounter;
use keeper::Keeper;
use pool::{DeviceCount, WorkerPool};
use shared::DriverEvent;
use sharing::Search;
use worker::WorkerEvent;

/// How often progress is told, and what takes too long is looked for.
const TICK: Duration = Duration::from_millis(100);

/// So many seconds devices are waited for before it is known which there are, unless another limit
/// is asked for.
const FINDING_LIMIT: u32 = 10;

/// So long the times of a device's commands are waited for when all is searched.
const PROFILING_LIMIT: Duration = Duration::from_secs(10);

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub struct SoFar {
    /// Roots searched.
    pub done: usize,
    /// Devices that take part or are being made ready.
    pub devices: usize,
    /// Whether one of them has no result yet, or they are still being looked for.
    pub silent: bool,
}

/// Searches from all roots of `prepared` and returns the sums, and which participants made them.
///
/// `progress` is told about ten times a second how far it is.
pub fn run(
    prepared: &Arc<Prepared>,
    devices: &Devices,
    cpu: impl Into<CpuRequest>,
    progress: &mut dyn FnMut(SoFar),
) -> Result<Outcome, RunError> {
    run_until(prepared, devices, cpu, Terms::default(), progress)
}

/// What else a run is told.
#[derive(Default)]
pub struct Terms<'a> {
    /// It ends when this is cancelled, which it looks at about ten times a second.
    pub cancel: CancelToken,
    /// What is committed may be kept now and then, and when it is cancelled.
    pub keeping: Option<Keeping<'a>>,
    /// Where its roots come from, if not all are its own.
    pub supply: Option<Arc<dyn Supply>>,
}

/// The same on these terms.
pub fn run_until(
    prepared: &Arc<Prepared>,
    devices: &Devices,
    cpu: impl Into<CpuRequest>,
    terms: Terms,
    progress: &mut dyn FnMut(SoFar),
) -> Result<Outcome, RunError> {
    let start = Instant::now();
    let mut pool = WorkerPool::new(cpu.into(), num_cpus::get());
    let participants = pool.wanted(&devices.count()) + devices.count().live;
    let mut counter = SourceCounter::new(prepared.roots.len(), prepared.root_group, participants)
        .in_whole_groups(prepared.chains.is_some());
    let reproducible = pool.options.reproducible;
    if reproducible {
        counter = counter.in_blocks();
        devices.ledger().keep_order();
    }
    let supply = terms.supply;
    if supply.is_some() {
        counter = counter.supplied();
    }
    let search = Search {
        prepared: Arc::clone(prepared),
        counter: Arc::new(counter),
        ledger: Arc::clone(devices.ledger()),
    };
    let Search {
        counter, ledger, ..
    } = &search;
    let finding = devices.request.options.timeout.unwrap_or(FINDING_LIMIT);
    let finding = Duration::from_secs(finding.into());
    let mut keeper = terms.keeping.map(|keeping| Keeper::begin(keeping, &search));
    if let Some(supply) = &supply {
        let started = supply::begin(Arc::clone(supply), search.clone());
        started.map_err(|error| RunError::Thread {
            number: 1,
            wanted: 1,
            reason: error.to_string(),
        })?;
    }

    let mut run = || -> Result<(Instant, Committed), RunError> {
        let mut whole = None;
        let mut uncountable = None;
        let (sender, worker_events) = unbounded();
        let mut device_events = devices.events.clone();
        devices.begin(&search);
        loop {
            if terms.cancel.is_cancelled() && keeper.as_mut().is_none_or(Keeper::stops) {
                return Err(RunError::Cancelled);
            }
            let found = devices.found();
            if found.is_none() && start.elapsed() > finding {
                devices.gave_up_finding.set(true);
            }
            let selected = found.is_some();
            if let Some(Err(error)) = found
                && (pool.asked == CpuWorkers::Count(0)
                    || matches!(error, DeviceError::NoMatch { .. }))
            {
                return Err(error.into());
            }
            let late = devices.give_up_late(counter);
            if reproducible && let Some(error) = late.into_iter().next() {
                return Err(error.into());
            }
            let count = devices.count();
            counter.set_participants(pool.wanted(&count) + count.live);
            if !pool.waits(&search, &count, start.elapsed()) {
                pool.adjust(&search, &count, &sender)?;
            }
            if whole.is_none() && counter.are_all(ledger.roots()) {
                let end = Instant::now();
                let committed = ledger.committed(prepared.zero_sums());
                // A participant may have withdrawn its commits since they were counted.
                if counter.are_all(total(&committed.roots)) {
                    counter.close();
                    whole = Some((end, committed));
                }
            }
            // Asked-for devices that do not exist are a mistake even if they were not needed.
            let known = selected || devices.gave_up_finding.get() || !devices.request.asked;
            let ended = |(end, _): &mut (Instant, _)| {
                known && (!devices.any_profiling() || end.elapsed() > PROFILING_LIMIT)
            };
            if let Some(whole) = whole.take_if(ended) {
                return Ok(whole);
            }
            // The graph will be searched again in another way.
            if let Some(error) = uncountable.take_if(|_| known) {
                return Err(RunError::Engine(error));
            }
            let event = channel::select! {
                recv(worker_events) -> event => event.map(Event::Worker).ok(),
                recv(device_events) -> event => match event {
                    Ok(event) => Some(Event::Driver(event)),
                    Err(_) => {
                        device_events = channel::never();
                        None
                    }
                },
                default(TICK) => None,
            };
            match event.map_or(Ok(()), |event| note(event, &mut pool, &devices.count())) {
                // Path counts are beyond an engine that cannot leave single roots to others.
                Err(RunError::Engine(error @ EngineError::PathCount { .. })) => {
                    counter.close();
                    uncountable = Some(error);
                }
                result => result?,
            }
            if let Some(keeper) = &mut keeper {
                keeper.look();
            }
            progress(SoFar {
                done: match &supply {
                    Some(supply) => supply.done(ledger.searched()),
                    None => ledger.searched(),
                },
                devices: if selected { count.live } else { 0 },
                silent: devices.request.selection != DeviceSelection::None
                    && (!selected || devices.any_silent()),
            });
        }
    };
    let result = run();
    counter.close();
    if let Some(keeper) = &mut keeper {
        keeper.keep();
    }
    pool.halt();
    let (end, Committed { sums, .. }) = result?;

    let mut outcome = Outcome {
        sums: sums.vertices,
        arc_sums: sums.arcs,
        workers: ledger.workers(),
        lost_workers: pool.lost,
        drivers: Vec::new(),
        no_device: None,
        left_out: Vec::new(),
        spans: Vec::new(),
        search: (start, end),
        threads: pool.threads,
    };
    devices.describe(&mut outcome);
    if devices.found().is_none() && devices.gave_up_finding.get() {
        outcome.no_device = Some(DeviceError::NoAnswer {
            what: "the list of OpenCL devices".into(),
            limit: finding,
        });
    }
    Ok(outcome)
}

enum Event {
    Worker(WorkerEvent),
    Driver(DriverEvent),
}

/// Takes an event. Returns errors that end the run.
fn note(event: Event, pool: &mut WorkerPool, devices: &DeviceCount) -> Result<(), RunError> {
    match event {
        Event::Worker(WorkerEvent::Ended(number)) => pool.ended(number),
        Event::Worker(WorkerEvent::Failed(error)) => return Err(error.into()),
        Event::Worker(WorkerEvent::Panicked(number)) => {
            if !pool.panicked(number, devices) {
                return Err(RunError::Worker);
            }
        }
        Event::Driver(Some(error @ EngineError::LengthLost { .. })) => return Err(error.into()),
        // Otherwise its core is free for a worker, which finds its roots in the counter.
        Event::Driver(Some(error)) if pool.options.reproducible => return Err(error.into()),
        Event::Driver(_) => {}
    }
    Ok(())
}
