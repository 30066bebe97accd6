//! The pool of CPU workers of a run: how many there are and should be, how they search, and when
//! they begin.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::Sender;

use super::error::RunError;
use super::ledger::Owner;
use super::sharing::Search;
use super::threads::WorkerThreads;
use super::worker::{self, Task, WorkerEvent};
use crate::cpu::{self, CpuOptions, Trial, WorkerBudget};
use crate::device::priority;
use crate::memory;
use crate::prepare::Prepared;

/// Workers beside devices that are faster start if they are expected to save this part of the run:
/// they are in the way of drivers, which map memory as they do.
const WORTH: f64 = 0.05;

/// Seconds that workers wait for the first result of a device at most: an H200 is ready in a
/// quarter of a second, and later where other threads map memory meanwhile.
const PATIENCE: f64 = 0.5;

/// On a large graph they wait longer, for this part of their whole work: a device takes a second to
/// upload it.
const PATIENT_PART: f64 = 0.04;

/// Seconds of search that workers begin at once: they are done with it about when a device is
/// ready.
const AT_ONCE: f64 = 0.3;

/// Number of CPU workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CpuWorkers {
    /// Cores minus one per device driven that is not the CPU itself; all cores where no device is.
    #[default]
    Auto,
    /// Exactly this many. (Roots of a device that fails are finished on the CPU all the same.)
    Count(usize),
}

/// What is asked of the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuRequest {
    /// How many workers.
    pub workers: CpuWorkers,
    /// How they search.
    pub options: CpuOptions,
}

impl From<CpuWorkers> for CpuRequest {
    fn from(workers: CpuWorkers) -> Self {
        CpuRequest {
            workers,
            options: CpuOptions::default(),
        }
    }
}

impl CpuWorkers {
    /// The part of so many cores that they leave to a device that is the CPU itself, as long as it
    /// goes behind them.
    pub(super) fn leave(self, cores: usize) -> f64 {
        let left = match self {
            CpuWorkers::Auto => 0,
            CpuWorkers::Count(count) => cores.saturating_sub(count),
        };
        (left as f64 / cores as f64).max(priority::SHARE)
    }

    /// How many there are on so many cores.
    pub fn count(self, cores: usize) -> usize {
        match self {
            CpuWorkers::Count(count) => count,
            CpuWorkers::Auto => cores,
        }
    }

    /// The most that there may ever be.
    pub(crate) fn most(self, cores: usize) -> usize {
        match self {
            CpuWorkers::Count(count @ 1..) => count,
            // All cores, if devices fail.
            _ => cores,
        }
    }
}

/// How many devices there are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DeviceCount {
    /// Devices that take part, or are being made ready.
    pub(super) live: usize,
    /// Those of them that are being made ready.
    pub(super) starting: usize,
    /// Those of them that leave their cores to workers.
    pub(super) yielding: usize,
}

/// The CPU workers of a run: how many there are and should be.
#[derive(Default)]
pub(super) struct WorkerPool {
    pub(super) asked: CpuWorkers,
    pub(super) options: CpuOptions,
    /// How they search; made for the first of them.
    pub(super) trial: Option<Arc<Trial>>,
    pub(super) cores: usize,
    /// Workers that panicked.
    pub(super) lost: usize,
    /// Whether workers are to leave what they search.
    halted: Arc<AtomicBool>,
    /// Claims that all workers made.
    claims: Arc<AtomicUsize>,
    /// Workers that there have been.
    pub(super) started: usize,
    /// Those of them that have not ended.
    live: Vec<Live>,
    /// Of all workers there have been.
    pub(super) threads: WorkerThreads,
}

/// A worker that has not ended.
struct Live {
    number: usize,
    /// Whether it is to end before everything is searched.
    stop: Arc<AtomicBool>,
}

impl Live {
    fn stays(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }
}

impl WorkerPool {
    /// No workers yet, on a machine of so many cores.
    pub(super) fn new(cpu: CpuRequest, cores: usize) -> Self {
        WorkerPool {
            asked: cpu.workers,
            options: cpu.options,
            cores,
            ..WorkerPool::default()
        }
    }

    /// How many workers there should be beside these devices. None takes the place of one that
    /// panicked.
    pub(super) fn wanted(&self, devices: &DeviceCount) -> usize {
        let wanted = match self.asked {
            CpuWorkers::Count(count @ 1..) => count,
            // No device can take roots (any more), so workers have to.
            _ if devices.live == 0 => self.cores,
            CpuWorkers::Count(_) => 0,
            CpuWorkers::Auto => self.cores - devices.live.min(self.cores) + devices.yielding,
        };
        wanted.saturating_sub(self.lost)
    }

    /// Notes that the worker of this number panicked. Returns whether others can go on.
    pub(super) fn panicked(&mut self, number: usize, devices: &DeviceCount) -> bool {
        self.ended(number);
        self.lost += 1;
        self.wanted(devices) > 0 || devices.live > 0
    }

    /// Lets workers leave what they search, since the run has ended.
    pub(super) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// How many workers have not ended.
    #[cfg(test)]
    pub(super) fn live(&self) -> usize {
        self.live.len()
    }

    /// How many of them are to search on.
    #[cfg(test)]
    pub(super) fn staying(&self) -> usize {
        self.live.iter().filter(|worker| worker.stays()).count()
    }

    /// Notes that this worker has ended.
    pub(super) fn ended(&mut self, number: usize) {
        self.live.retain(|worker| worker.number != number);
    }

    /// Whether workers leave all roots to devices for now, after this time.
    pub(super) fn waits(
        &mut self,
        search: &Search,
        devices: &DeviceCount,
        waited: Duration,
    ) -> bool {
        let workers = self.wanted(devices);
        let roots = search.counter.left(search.ledger.searched());
        let alone = devices.live == devices.yielding;
        if alone || self.started > 0 || workers == 0 || roots == 0 {
            return false;
        }
        let plan = self.make_plans(&search.prepared, roots).plan(0);
        let seconds = plan.seconds(&search.prepared, roots) / workers as f64;
        match search.counter.drivers_rate() {
            Some(theirs) if devices.starting == 0 => {
                let ours = roots as f64 / seconds;
                ours < WORTH * (ours + theirs)
            }
            _ => {
                let patience = PATIENCE.max(PATIENT_PART * seconds);
                seconds > AT_ONCE && waited.as_secs_f64() < patience
            }
        }
    }

    /// How workers are to search, now and later.
    fn make_plans(&mut self, prepared: &Prepared, roots: usize) -> Arc<Trial> {
        let workers = self.asked.most(self.cores);
        let make = || {
            let budget = WorkerBudget::for_roots(workers, roots);
            let plans = cpu::candidates(prepared, &self.options, budget);
            Arc::new(Trial::new(plans, roots, prepared.arcs_per_root))
        };
        Arc::clone(self.trial.get_or_insert_with(make))
    }

    /// Starts workers, as long as there is something to claim, or lets some end.
    ///
    /// # Errors
    /// [`RunError::Thread`] if the system gives no thread.
    pub(super) fn adjust(
        &mut self,
        search: &Search,
        devices: &DeviceCount,
        sender: &Sender<WorkerEvent>,
    ) -> Result<(), RunError> {
        let Search {
            counter, ledger, ..
        } = search;
        let staying: Vec<_> = self.live.iter().filter(|worker| worker.stays()).collect();
        let (count, wanted) = (staying.len(), self.wanted(devices));
        if count > wanted {
            for worker in &staying[wanted..] {
                worker.stop.store(true, Ordering::Relaxed);
            }
        }
        if count >= wanted || !counter.has_work() {
            return Ok(());
        }
        let failed = |number: usize, error: io::Error| RunError::Thread {
            number: number + 1,
            wanted,
            reason: error.to_string(),
        };
        memory::room_for_threads(wanted - count).map_err(|error| failed(self.started, error))?;
        // Others are to work now.
        self.threads.let_go();
        let trial = self.make_plans(&search.prepared, counter.left(ledger.searched()));
        let task = Task {
            search: search.clone(),
            trial,
            halted: Arc::clone(&self.halted),
            claims: Arc::clone(&self.claims),
            fails_at: self.options.fails_at,
        };
        for _ in count..wanted {
            let (number, sender) = (self.started, sender.clone());
            let hold = self.threads.hold();
            let task = task.clone();
            let account = ledger.open(Owner::Worker(number));
            let stop = Arc::new(AtomicBool::new(false));
            let stopped = Arc::clone(&stop);
            let work = move || worker::run(number, &task, &account, &stopped, (&sender, &hold));
            let thread = thread::Builder::new().spawn(work);
            self.threads
                .push(thread.map_err(|error| failed(number, error))?);
            self.started += 1;
            self.live.push(Live { number, stop });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_leave_the_cores_that_they_do_not_use() {
        let leave = |workers: CpuWorkers| workers.leave(8);
        assert!((leave(CpuWorkers::Count(0)) - 1.0).abs() < 1e-12);
        assert!((leave(CpuWorkers::Count(2)) - 0.75).abs() < 1e-12);
        for all in [CpuWorkers::Count(8), CpuWorkers::Count(9), CpuWorkers::Auto] {
            assert!((leave(all) - priority::SHARE).abs() < 1e-12);
        }
    }
}
