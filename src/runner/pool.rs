//! The pool of CPU workers of a run: their number, how they search, and when they start.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::Sender;

use super::request::{CpuRequest, CpuWorkers};
use super::shared::Event;
use super::sharing::Search;
use super::threads::WorkerThreads;
use super::worker::{self, Task};
use crate::cpu::{self, CpuOptions, Trial};
use crate::error::Error;
use crate::memory;
use crate::prepare::Prepared;

/// If devices search, workers start only if they are expected to do at least this share of the
/// work, since the allocation of their memory delays the drivers.
const MIN_SHARE: f64 = 0.05;

/// The longest time, in seconds, that workers wait for the first result of a device. An H200 is
/// ready in a quarter of a second, and later if other threads map memory meanwhile.
const MAX_WAIT: f64 = 0.5;

/// On a large graph, whose upload takes a second, workers wait longer: up to this share of the time
/// that they need for all roots without a device.
const MAX_WAIT_SHARE: f64 = 0.04;

/// Workers start at once if they can do the whole search in this many seconds, since no device is
/// ready much earlier.
const SHORT_SEARCH: f64 = 0.3;

/// A single worker searches on the calling thread if it can do that in this many seconds, since a
/// new thread may have to wait for a core.
const SHORTEST_SEARCH: f64 = 0.001;

/// The numbers of devices.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DeviceCount {
    /// Devices that search or are being initialised.
    pub(super) live: usize,
    /// Live devices that are being initialised.
    pub(super) starting: usize,
    /// Live devices that are the host CPU, at a lower priority than the workers.
    pub(super) yielding: usize,
}

/// The CPU workers of a run.
#[derive(Default)]
pub(super) struct WorkerPool {
    pub(super) requested: CpuWorkers,
    pub(super) options: CpuOptions,
    /// The engines among which workers choose by measurement; set by [`Self::choose_engines`].
    pub(super) trial: Option<Arc<Trial>>,
    pub(super) cores: usize,
    /// The number of workers that panicked.
    pub(super) lost: usize,
    /// Whether all roots are known from the start, so that no worker has to wait for others.
    pub(super) knows_roots: bool,
    /// Whether workers abandon their searches.
    halted: Arc<AtomicBool>,
    /// The number of claims of all workers.
    claims: Arc<AtomicUsize>,
    /// The interval of commits.
    pub(super) commit_every: Duration,
    /// The number of workers that were started.
    pub(super) started: usize,
    /// The workers that have not ended, by number, with a flag that is set when there are too many
    /// workers: the worker then ends before all roots are searched.
    pub(super) live: BTreeMap<usize, Arc<AtomicBool>>,
    /// The threads of all workers.
    pub(super) threads: WorkerThreads,
}

impl WorkerPool {
    /// Makes a pool without workers, for a machine with `cores` cores.
    pub(super) fn new(cpu: CpuRequest, cores: usize) -> Self {
        WorkerPool {
            requested: cpu.workers,
            options: cpu.options,
            cores,
            ..WorkerPool::default()
        }
    }

    /// Returns how many workers should search beside these devices. Workers that panicked are not
    /// replaced.
    pub(super) fn wanted(&self, devices: &DeviceCount) -> usize {
        let wanted = match self.requested {
            CpuWorkers::Count(count @ 1..) => count,
            // No device can search any more.
            _ if devices.live == 0 => self.cores,
            CpuWorkers::Count(_) => 0,
            CpuWorkers::Auto => self.cores - devices.live.min(self.cores) + devices.yielding,
        };
        wanted.saturating_sub(self.lost)
    }

    /// Removes the worker of this number, which panicked. Returns whether other participants can
    /// finish the search.
    pub(super) fn remove_panicked(&mut self, number: usize, devices: &DeviceCount) -> bool {
        self.remove(number);
        self.lost += 1;
        self.wanted(devices) > 0 || devices.live > 0
    }

    /// Makes workers abandon their searches, because the run has ended.
    pub(super) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Removes the worker of this number, which has ended.
    pub(super) fn remove(&mut self, number: usize) {
        self.live.remove(&number);
    }

    /// Returns whether workers do not start yet, because devices are expected to be faster.
    /// `waited` is the time since the start of the run.
    pub(super) fn waits(
        &mut self,
        search: &Search,
        devices: &DeviceCount,
        waited: Duration,
    ) -> bool {
        let workers = self.wanted(devices);
        let roots = search.counter.left(search.ledger.searched());
        let all_yield = devices.live == devices.yielding;
        if all_yield || self.started > 0 || workers == 0 || roots == 0 {
            return false;
        }
        let plan = self.choose_engines(&search.prepared, roots).plan(0);
        let seconds = plan.seconds(&search.prepared, roots) / workers as f64;
        match search.counter.drivers_rate() {
            Some(theirs) if devices.starting == 0 => {
                let ours = roots as f64 / seconds;
                ours < MIN_SHARE * (ours + theirs)
            }
            _ => {
                let limit = MAX_WAIT.max(MAX_WAIT_SHARE * seconds);
                seconds > SHORT_SEARCH && waited.as_secs_f64() < limit
            }
        }
    }

    /// Returns the engines among which workers choose by measurement. The first call lists them.
    fn choose_engines(&mut self, prepared: &Prepared, roots: usize) -> Arc<Trial> {
        let workers = self.requested.most(self.cores);
        let make = || {
            let plans = cpu::candidates(prepared, &self.options, workers, roots);
            Arc::new(Trial::new(plans, roots, prepared.component_arcs_per_root()))
        };
        Arc::clone(self.trial.get_or_insert_with(make))
    }

    /// Starts workers while there are roots to claim, or stops surplus ones.
    ///
    /// # Errors
    /// [`Error::Thread`] if the system refuses to start a thread.
    pub(super) fn adjust(
        &mut self,
        search: &Search,
        devices: &DeviceCount,
        sender: &Sender<Event>,
    ) -> Result<(), Error> {
        let (counter, ledger) = (&search.counter, &search.ledger);
        let stays = |surplus: &&Arc<AtomicBool>| !surplus.load(Ordering::Relaxed);
        let staying: Vec<_> = self.live.values().filter(stays).collect();
        let (count, wanted) = (staying.len(), self.wanted(devices));
        for surplus in staying.iter().skip(wanted) {
            surplus.store(true, Ordering::Relaxed);
        }
        if count >= wanted || !counter.has_work() {
            return Ok(());
        }
        let failed = |number, error: io::Error| Error::of_thread(number + 1, wanted, error);
        memory::room_for_threads(wanted - count).map_err(|error| failed(self.started, error))?;
        // New workers need the memory of those that have ended.
        self.threads.release();
        let roots = counter.left(ledger.searched());
        let trial = self.choose_engines(&search.prepared, roots);
        let seconds = trial.plan(0).seconds(&search.prepared, roots);
        let is_short = self.knows_roots && devices.live == 0 && seconds < SHORTEST_SEARCH;
        let task = Task {
            search: search.clone(),
            trial,
            halted: Arc::clone(&self.halted),
            claims: Arc::clone(&self.claims),
            commit_every: self.commit_every,
        };
        for _ in count..wanted {
            let (number, sender) = (self.started, sender.clone());
            let release = self.threads.release_signal();
            let task = task.clone();
            let account = ledger.open(None);
            let surplus = Arc::new(AtomicBool::new(false));
            self.live.insert(number, Arc::clone(&surplus));
            let work = move || worker::run(number, &task, &account, &surplus, (&sender, &release));
            self.started += 1;
            if is_short && wanted == 1 {
                self.threads.release();
                work();
            } else {
                let thread = thread::Builder::new().spawn(work);
                let thread = thread.map_err(|error| failed(number, error))?;
                self.threads.push(thread);
            }
        }
        Ok(())
    }
}
