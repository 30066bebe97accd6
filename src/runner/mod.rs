//! The runner: searches from all roots on all processors.
//!
//! One counter ([`counter`]) hands roots to the participants, which are CPU workers ([`worker`])
//! and one driver per device ([`driver`]). No participant has a fixed share. CPU workers start as
//! soon as the graph is prepared, or a moment later if they would slow down the initialisation of
//! devices ([`pool`]). A driver that fails, or finds more shortest paths than its numbers can
//! count, gives its unfinished roots back, and other participants search from them.

mod checkpoints;
mod counter;
#[cfg(test)]
mod counter_tests;
mod devices;
mod driver;
#[cfg(test)]
mod driver_tests;
#[cfg(test)]
mod interleavings_tests;
mod ledger;
#[cfg(test)]
mod ledger_tests;
mod pace;
mod pool;
mod ranges;
mod read_back;
mod records;
mod request;
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

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use checkpoints::Checkpointing;
pub use devices::Devices;
pub use ledger::Committed;
pub(crate) use ranges::{gaps, merged, total};
pub use records::{DriverRecord, DriverState, Outcome, WorkerRecord};
pub use request::{CpuRequest, CpuWorkers, DeviceRequest, Probe};
pub use supply::{Supplied, Supply, SupplyRequest};
pub(crate) use sync::lock;
pub use threads::WorkerThreads;

use crate::cancel::CancelToken;
use crate::device::{DeviceError, DeviceSelection};
use crate::engine::EngineError;
use crate::error::Error;
use crate::prepare::Prepared;
use checkpoints::CheckpointWriter;
use counter::RootCounter;
use pool::{DeviceCount, WorkerPool};
use shared::Event;
use sharing::Search;
use worker::COMMIT_EVERY;

/// The interval of progress reports and of checks for participants that take too long.
const TICK: Duration = Duration::from_millis(100);

/// The interval in a run with [`RunOptions::batches`], whose participants wait for the next batch.
const BATCH_TICK: Duration = Duration::from_millis(2);

/// The longest time that a finished run waits for the times of a device's commands.
const PROFILING_LIMIT: Duration = Duration::from_secs(10);

/// The progress of a run.
#[derive(Debug, Clone, Copy)]
pub struct SoFar {
    /// The number of roots searched.
    pub done: usize,
    /// Whether the search for devices goes on, or a device that may still search has no result yet.
    pub awaits_devices: bool,
}

/// Options of a run.
#[derive(Default)]
pub struct RunOptions<'a> {
    /// Cancels the run, which then ends within about a tenth of a second, or, with checkpoints, a
    /// few seconds.
    pub cancel: CancelToken,
    /// Whether and how the run writes checkpoints.
    pub checkpoints: Option<Checkpointing<'a>>,
    /// The supplier of roots, if they are not all known from the start.
    pub supply: Option<Arc<dyn Supply>>,
    /// Returns the next batch of roots once all earlier ones are committed; `None` ends the run.
    pub batches: Option<NextBatch<'a>>,
}

/// See [`RunOptions::batches`].
pub type NextBatch<'a> = Box<dyn FnMut(&Committed) -> Option<Range<usize>> + 'a>;

/// Searches from all roots of `prepared`, and returns the sums and the record of each participant.
/// Calls `progress` about ten times a second.
///
/// # Errors
/// [`Error::Engine`] if an engine cannot search the graph, or, in a reproducible run, if a device
/// fails; [`Error::Device`] if a named device does not exist, if only devices may search and there
/// is none, or, in a reproducible run, if one does not answer in time; [`Error::Thread`],
/// [`Error::Worker`] and [`Error::Cancelled`].
pub fn run(
    prepared: &Arc<Prepared>,
    devices: &Devices,
    cpu: CpuRequest,
    options: RunOptions,
    progress: &mut dyn FnMut(SoFar),
) -> Result<Outcome, Error> {
    let start = Instant::now();
    let mut pool = WorkerPool::new(cpu, num_cpus::get());
    pool.knows_roots = options.supply.is_none() && options.batches.is_none();
    let participants = pool.wanted(&devices.count()) + devices.count().live;
    let mut counter = RootCounter::new(prepared.roots.len(), prepared.root_group, participants);
    counter.whole_groups = prepared.chains.is_some();
    counter.in_blocks = pool.options.reproducible;
    if counter.in_blocks {
        devices.shared.ledger.keep_order();
    }
    if !pool.knows_roots {
        counter = counter.awaiting_supply();
    }
    let search = Search {
        prepared: Arc::clone(prepared),
        counter: Arc::new(counter),
        ledger: Arc::clone(&devices.shared.ledger),
    };
    let checkpoints = options.checkpoints;
    let every = checkpoints
        .as_ref()
        .map_or(COMMIT_EVERY, |options| options.every);
    pool.commit_every = every.min(COMMIT_EVERY);
    let mut writer = checkpoints.map(|options| CheckpointWriter::new(options, &search));
    if let Some(supply) = &options.supply {
        let started = supply::start(Arc::clone(supply), search.clone());
        started.map_err(|error| Error::of_thread(1, 1, error))?;
    }
    let mut progress = |mut so_far: SoFar| {
        if let Some(supply) = &options.supply {
            so_far.done = supply.done(so_far.done);
        }
        progress(so_far);
    };
    let mut run = Run {
        start,
        search: &search,
        devices,
        pool: &mut pool,
        writer: writer.as_mut(),
        batches: options.batches,
    };
    let result = run.until_committed(&options.cancel, &mut progress);
    search.counter.close();
    if let Some(writer) = &mut writer {
        writer.write();
    }
    pool.halt();
    let (end, Committed { sums, .. }) = result?;
    Ok(Outcome {
        workers: search.ledger.workers(),
        lost_workers: pool.lost,
        threads: pool.threads,
        ..devices.outcome(sums, (start, end))
    })
}

/// A run under way.
struct Run<'r, 'w, 'b> {
    start: Instant,
    search: &'r Search,
    devices: &'r Devices,
    pool: &'r mut WorkerPool,
    writer: Option<&'r mut CheckpointWriter<'w>>,
    batches: Option<NextBatch<'b>>,
}

impl Run<'_, '_, '_> {
    /// Returns all committed roots and their sums, if `is_complete` accepts the number of roots.
    fn committed_if(&self, is_complete: impl Fn(usize) -> bool) -> Option<Committed> {
        let ledger = &self.search.ledger;
        let committed = || ledger.committed(self.search.prepared.zero_sums());
        let all = is_complete(ledger.roots()).then(committed)?;
        // A participant may have withdrawn its commits since they were counted.
        is_complete(total(&all.roots)).then_some(all)
    }

    /// Supplies the next batch if all roots supplied so far are committed.
    fn supply_batch(&mut self) {
        let counter = &self.search.counter;
        if self.batches.is_some()
            && let Some(all) = self.committed_if(|roots| counter.has_supplied(roots))
            && let Some(next) = &mut self.batches
        {
            match next(&all) {
                Some(batch) => counter.supply(batch, 0),
                None => {
                    counter.end_supply();
                    self.batches = None;
                }
            }
        }
    }

    /// Gives back the roots of devices that exceed their time limits. Returns whether the search
    /// for devices has ended. It is an error if the run needs a device that failed or does not
    /// exist.
    fn check_devices(&self) -> Result<bool, Error> {
        let found = self.devices.found(self.start.elapsed());
        let needs_devices = self.pool.requested == CpuWorkers::Count(0);
        if let Some(Err(error)) = &found
            && !matches!(error, DeviceError::NoAnswer { .. })
            && (needs_devices || matches!(error, DeviceError::NoMatch { .. }))
        {
            return Err(Error::Device(error.clone().into()));
        }
        let late = self.devices.fail_late(&self.search.counter);
        match late.into_iter().next() {
            Some(error) if self.pool.options.reproducible => Err(Error::Device(error.into())),
            _ => Ok(found.is_some()),
        }
    }

    /// Supervises workers and devices until all roots are committed. Returns the time of the last
    /// commit, and the sums.
    fn until_committed(
        &mut self,
        cancel: &CancelToken,
        progress: &mut dyn FnMut(SoFar),
    ) -> Result<(Instant, Committed), Error> {
        let (devices, request) = (self.devices, &self.devices.request);
        let (counter, ledger) = (&self.search.counter, &self.search.ledger);
        let mut committed = None;
        let mut uncountable = None;
        let is_silent = |record: &DriverRecord| record.state == DriverState::Starting;
        // The drivers begin the search as soon as they are ready.
        let _ = devices.shared.search.set(self.search.clone());
        loop {
            let writer = self.writer.as_mut();
            if cancel.is_cancelled() && writer.is_none_or(|writer| writer.shut_down()) {
                return Err(Error::Cancelled);
            }
            let finding_has_ended = self.check_devices()?;
            let count = devices.count();
            counter.set_participants(self.pool.wanted(&count) + count.live);
            if !self.pool.waits(self.search, &count, self.start.elapsed()) {
                let events = &devices.shared.events;
                self.pool.adjust(self.search, &count, events)?;
            }
            self.supply_batch();
            let end = Instant::now();
            if committed.is_none()
                && let Some(all) = self.committed_if(|roots| counter.is_final_count(roots))
            {
                counter.close();
                committed = Some((end, all));
            }
            // If options ask for a device, the run ends only after the search for devices: a named
            // device that does not exist is an error even if it was not needed.
            if finding_has_ended || !request.is_explicit {
                let ended = |(end, _): &mut (Instant, _)| {
                    !devices.any_profiling() || end.elapsed() > PROFILING_LIMIT
                };
                if let Some(committed) = committed.take_if(ended) {
                    return Ok(committed);
                }
                // The caller may repeat the search without the reduction of chains.
                if let Some(error) = uncountable.take() {
                    return Err(Error::Engine(error));
                }
            }
            let tick = match self.batches {
                Some(_) => BATCH_TICK,
                None => TICK,
            };
            let event = devices.events.recv_timeout(tick).ok();
            match event.map_or(Ok(()), |event| handle(event, self.pool, &devices.count())) {
                // The engine cannot give single roots back, so only a repeated search can succeed.
                Err(Error::Engine(error @ EngineError::PathCount { .. })) => {
                    counter.close();
                    uncountable = Some(error);
                }
                result => result?,
            }
            if let Some(writer) = &mut self.writer {
                writer.write_if_due();
            }
            progress(SoFar {
                done: ledger.searched(),
                awaits_devices: request.selection != DeviceSelection::None
                    && (!finding_has_ended || devices.any(is_silent)),
            });
        }
    }
}

/// Handles an event. An error that it returns ends the run.
fn handle(event: Event, pool: &mut WorkerPool, devices: &DeviceCount) -> Result<(), Error> {
    match event {
        Event::WorkerEnded(number) => pool.remove(number),
        Event::WorkerFailed(error) => return Err(error.into()),
        Event::WorkerPanicked(number) => {
            if !pool.remove_panicked(number, devices) {
                return Err(Error::Worker);
            }
        }
        Event::DriverFailed(error @ EngineError::LengthLost { .. }) => return Err(error.into()),
        Event::DriverFailed(error) if pool.options.reproducible => return Err(error.into()),
        // A worker gets the core of the failed driver, and claims the returned roots.
        Event::DriverFailed(_) | Event::Devices => {}
    }
    Ok(())
}
