//! The CPU workers of a run: how many there are and should be, how they search, and when they
//! begin.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::Sender;

use super::counter::SourceCounter;
use super::threads::WorkerThreads;
use super::worker::{self, WorkerEvent};
use super::{CpuRequest, CpuWorkers, RunError};
use crate::cpu::{self, CpuOptions, CpuPlan, Staff};
use crate::prepare::Prepared;

/// Devices are ready in less than that, if at all soon: an H200 in a quarter of a second, of which
/// others who map memory make a few hundredths more.
const PATIENCE: Duration = Duration::from_millis(500);

/// Seconds of search that workers begin at once: they are done with it about when a device is
/// ready.
const AT_ONCE: f64 = 0.3;

/// The CPU workers of a run: how many there are and should be.
pub(super) struct Crew {
    pub(super) asked: CpuWorkers,
    pub(super) options: CpuOptions,
    /// How they search; made for the first of them.
    pub(super) plan: Option<CpuPlan>,
    pub(super) cores: usize,
    /// Devices being driven or made ready.
    pub(super) devices: usize,
    /// Threads from which a device event may still come: zero when no device can take roots.
    pub(super) finders_or_drivers: usize,
    /// Devices that are still being made ready; `None` while they are looked for.
    pub(super) unready: Option<usize>,
    pub(super) started: usize,
    pub(super) live: usize,
    /// Of all workers there have been.
    pub(super) threads: WorkerThreads,
    /// How many workers are to stop.
    retiring: Arc<AtomicUsize>,
}

impl Crew {
    /// Nobody yet, on a machine of so many cores where so many devices are expected.
    pub(super) fn new(cpu: CpuRequest, cores: usize, devices: usize) -> Self {
        Crew {
            asked: cpu.workers,
            options: cpu.options,
            plan: None,
            cores,
            devices,
            finders_or_drivers: devices,
            unready: None,
            started: 0,
            live: 0,
            threads: WorkerThreads::default(),
            retiring: Arc::default(),
        }
    }

    pub(super) fn wanted(&self) -> usize {
        match self.asked {
            CpuWorkers::Count(count @ 1..) => count,
            // No device can take roots (any more), and somebody has to.
            _ if self.finders_or_drivers == 0 => self.cores,
            CpuWorkers::Count(_) => 0,
            CpuWorkers::Auto => self.cores.saturating_sub(self.devices),
        }
    }

    /// Whether workers had better wait until devices are ready, and have done so for less than too
    /// long: whoever maps memory meanwhile makes devices late. Not if workers could do without them
    /// by then.
    pub(super) fn waits(&mut self, prepared: &Prepared, roots: usize, so_long: Duration) -> bool {
        let ready = self.finders_or_drivers == 0 || self.unready == Some(0);
        let nobody = self.wanted() == 0 || roots == 0;
        if ready || nobody || self.started > 0 || so_long >= PATIENCE {
            return false;
        }
        let plan = self.make_plan(prepared, roots);
        let alone = plan.seconds(prepared, roots) / self.wanted() as f64;
        alone > AT_ONCE
    }

    /// How workers are to search, now and later.
    fn make_plan(&mut self, prepared: &Prepared, roots: usize) -> CpuPlan {
        let workers = self.asked.most(self.cores);
        let make = || cpu::plan(prepared, &self.options, Staff { workers, roots });
        *self.plan.get_or_insert_with(make)
    }

    /// Starts or retires workers, as long as there is something to claim.
    ///
    /// # Errors
    /// [`RunError::Thread`] if the system gives no thread.
    pub(super) fn adjust(
        &mut self,
        prepared: &Arc<Prepared>,
        counter: &Arc<SourceCounter>,
        sender: &Sender<WorkerEvent>,
    ) -> Result<(), RunError> {
        let surplus = self.live.saturating_sub(self.wanted());
        self.retiring.store(surplus, Ordering::Relaxed);
        if self.live >= self.wanted() || !counter.has_work() {
            return Ok(());
        }
        if self.started > 0 {
            self.threads.let_go_ended();
        }
        let plan = self.make_plan(prepared, counter.left());
        while self.live < self.wanted() {
            let (number, sender) = (self.started, sender.clone());
            let hold = self.threads.hold();
            let (prepared, counter) = (Arc::clone(prepared), Arc::clone(counter));
            let retiring = Arc::clone(&self.retiring);
            let work = move || {
                worker::run(
                    number,
                    (&prepared, plan),
                    &counter,
                    &retiring,
                    (&sender, &hold),
                );
            };
            let thread = thread::Builder::new().spawn(work);
            self.threads.push(thread.map_err(|error| RunError::Thread {
                number: number + 1,
                wanted: self.wanted(),
                reason: error.to_string(),
            })?);
            self.started += 1;
            self.live += 1;
        }
        Ok(())
    }
}
