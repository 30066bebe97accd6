//! Running all searches on all processors.
//!
//! One counter ([`counter`]) hands roots to CPU workers ([`worker`]) and to one driver per device
//! ([`driver`]). No participant is given a share in advance; CPU workers start as soon as the graph
//! is ready, or a moment later, where they would only be in the way of devices being made ready
//! ([`pool`]). A device that fails gives its unfinished roots back, and CPU workers finish them. So
//! does one that meets more shortest paths than its numbers can count.

mod claim;
mod counter;
#[cfg(test)]
mod counter_tests;
mod devices;
mod driver;
#[cfg(test)]
mod driver_tests;
mod error;
mod fresh;
mod idle;
#[cfg(test)]
mod interleavings_tests;
mod keeper;
mod ledger;
#[cfg(test)]
mod ledger_tests;
mod measured;
mod pool;
mod ranges;
mod read_back;
mod records;
mod rehearsal;
mod scheduler;
mod share;
mod shared;
#[cfg(test)]
mod simulation_tests;
mod start;
mod supply;
mod sync;
#[cfg(test)]
mod take_over_tests;
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
pub use measured::Stock;
pub use pool::{CpuRequest, CpuWorkers};
pub(crate) use ranges::{gaps, joined, total};
pub use records::{DriverRecord, DriverState, Outcome, WorkerRecord};
pub use rehearsal::Rehearse;
pub use shared::DeviceRequest;
pub use supply::{Supplied, Supply};
pub(crate) use sync::lock;
pub use threads::WorkerThreads;

use crate::cancel::CancelToken;
use crate::device::{DeviceError, DeviceSelection};
use crate::engine::EngineError;
use crate::prepare::Prepared;
use counter::SourceCounter;
use keeper::Keeper;
use pool::WorkerPool;
use shared::DriverEvent;
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
    // Until devices have been looked for, one is expected.
    let expected = usize::from(devices.request.selection != DeviceSelection::None);
    let mut pool = WorkerPool::new(cpu.into(), num_cpus::get(), expected);
    let mut counter = SourceCounter::new(
        prepared.roots.len(),
        prepared.root_group,
        pool.wanted() + expected,
    )
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
    let counter = Arc::new(counter);
    let finding = devices.request.options.timeout.unwrap_or(FINDING_LIMIT);
    let finding = Duration::from_secs(finding.into());
    let ledger = devices.ledger();
    let begin = |keeping| Keeper::begin(keeping, &counter, ledger);
    let mut keeper = terms.keeping.map(begin);
    let mut gathered = Gathered::default();
    if let Some(supply) = &supply {
        let shared = (Arc::clone(&counter), Arc::clone(ledger));
        let started = supply::begin(Arc::clone(supply), shared);
        started.map_err(|error| RunError::Thread {
            number: 1,
            wanted: 1,
            reason: error.to_string(),
        })?;
    }

    let mut search = || -> Result<(Instant, Committed), RunError> {
        let mut whole = None;
        let (sender, worker_events) = unbounded();
        let mut device_events = devices.events.clone();
        devices.begin(Arc::clone(prepared), Arc::clone(&counter));
        loop {
            let stops = |keeper: &mut Keeper| keeper.stops(prepared, (&counter, ledger));
            if terms.cancel.is_cancelled() && keeper.as_mut().is_none_or(stops) {
                return Err(RunError::Cancelled);
            }
            // Before workers are started: what is known of devices by now.
            for event in device_events.try_iter() {
                gathered.note(Event::Driver(event), &mut pool, &counter)?;
            }
            if !gathered.selected && !gathered.late && start.elapsed() > finding {
                gathered.none_found_yet(&mut pool, finding);
                devices.gave_up_finding.set(true);
            }
            let late = devices.give_up_late(&counter);
            pool.given_up(late.len());
            if reproducible && let Some(error) = late.into_iter().next() {
                return Err(error.into());
            }
            counter.set_participants(pool.wanted() + pool.devices);
            let waits = pool.waits(prepared, counter.left(ledger.searched()), start.elapsed());
            if !waits {
                pool.adjust(prepared, (&counter, ledger), &sender)?;
            }
            // Asked-for devices that do not exist are a mistake even if they were not needed.
            let selected = gathered.selected || gathered.late || !devices.request.asked;
            if whole.is_none() && counter.are_all(ledger.roots()) {
                let end = Instant::now();
                let committed = ledger.committed(prepared.zero_sums());
                // A participant may have withdrawn its commits since they were counted.
                if counter.are_all(total(&committed.roots)) {
                    counter.close();
                    whole = Some((end, committed));
                }
            }
            let ended = |(end, _): &mut (Instant, _)| {
                selected && (!devices.any_profiling() || end.elapsed() > PROFILING_LIMIT)
            };
            if let Some(whole) = whole.take_if(ended) {
                return Ok(whole);
            }
            // The graph will be searched again in another way.
            if let Some(error) = gathered.uncountable.take_if(|_| selected) {
                return Err(error.into());
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
            if let Some(event) = event {
                gathered.note(event, &mut pool, &counter)?;
            }
            if let Some(keeper) = &mut keeper {
                keeper.look(prepared, ledger);
            }
            progress(SoFar {
                done: match &supply {
                    Some(supply) => supply.done(ledger.searched()),
                    None => ledger.searched(),
                },
                devices: if gathered.selected { pool.devices } else { 0 },
                silent: devices.request.selection != DeviceSelection::None
                    && (!gathered.selected || devices.any_silent()),
            });
        }
    };
    let result = search();
    counter.close();
    if let Some(keeper) = &mut keeper {
        keeper.keep(prepared, ledger);
    }
    pool.halt();
    let (end, Committed { sums, .. }) = result?;

    let (drivers, spans) = devices.records();
    Ok(Outcome {
        sums: sums.vertices,
        arc_sums: sums.arcs,
        workers: ledger.workers(),
        lost_workers: pool.lost,
        drivers,
        no_device: gathered.no_device,
        left_out: devices.left_out(),
        spans,
        search: (start, end),
        threads: pool.threads,
    })
}

enum Event {
    Worker(WorkerEvent),
    Driver(DriverEvent),
}

/// What is known of workers and devices.
#[derive(Default)]
struct Gathered {
    /// Whether devices have been looked for.
    selected: bool,
    /// Whether they are not waited for any more.
    late: bool,
    no_device: Option<DeviceError>,
    /// That the graph has to be searched in another way, since path counts are beyond an engine
    /// that cannot leave single roots to others.
    uncountable: Option<EngineError>,
}

impl Gathered {
    /// Takes an event. Uncountable paths end all claims; other errors are handed on.
    fn note(
        &mut self,
        event: Event,
        pool: &mut WorkerPool,
        counter: &SourceCounter,
    ) -> Result<(), RunError> {
        match self.take(event, pool) {
            Err(RunError::Engine(error @ EngineError::PathCount { .. })) => {
                counter.close();
                self.uncountable = Some(error);
                Ok(())
            }
            result => result,
        }
    }

    fn take(&mut self, event: Event, pool: &mut WorkerPool) -> Result<(), RunError> {
        match event {
            Event::Worker(WorkerEvent::Ended(number)) => pool.ended(number),
            Event::Worker(WorkerEvent::Failed(error)) => return Err(error.into()),
            Event::Worker(WorkerEvent::Panicked(number)) => {
                if !pool.panicked(number) {
                    return Err(RunError::Worker);
                }
            }
            Event::Driver(DriverEvent::Selected(Ok(count))) => {
                self.selected = true;
                self.no_device = None;
                pool.unready = Some(count);
                pool.devices = count;
                pool.finders_or_drivers = count;
            }
            Event::Driver(DriverEvent::Selected(Err(error))) => {
                self.selected = true;
                pool.devices = 0;
                pool.finders_or_drivers = 0;
                let alone = pool.asked == CpuWorkers::Count(0);
                if alone || matches!(error, DeviceError::NoMatch { .. }) {
                    return Err(error.into());
                }
                self.no_device = Some(error);
            }
            Event::Driver(DriverEvent::Ready { yields }) => {
                pool.unready = pool.unready.map(|unready| unready.saturating_sub(1));
                pool.yielding += usize::from(yields);
            }
            Event::Driver(DriverEvent::Ended { error, yielded }) => {
                if yielded && error.is_some() {
                    pool.yielding -= 1;
                }
                pool.finders_or_drivers = pool.finders_or_drivers.saturating_sub(1);
                match error {
                    Some(error @ EngineError::LengthLost { .. }) => return Err(error.into()),
                    // Its core is free for a worker, which finds its roots in the counter.
                    Some(error) if pool.options.reproducible => return Err(error.into()),
                    Some(
                        EngineError::Device(_)
                        | EngineError::PathCount { .. }
                        | EngineError::Uncounted { .. }
                        | EngineError::Stopped,
                    ) => pool.devices = pool.devices.saturating_sub(1),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// Devices that are still looked for are not waited for any more. They may come all the same.
    fn none_found_yet(&mut self, pool: &mut WorkerPool, waited: Duration) {
        self.late = true;
        self.no_device = Some(DeviceError::NoAnswer {
            what: "the list of OpenCL devices".into(),
            limit: waited,
        });
        (pool.devices, pool.finders_or_drivers) = (0, 0);
    }
}
