//! The CPU workers of a run: how many there are and should be, how they search, and when they begin.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::Sender;

use super::counter::SourceCounter;
use super::threads::WorkerThreads;
use super::worker::{self, WorkerEvent};
use super::{CpuRequest, CpuWorkers};
use crate::cpu::{self, CpuOptions, CpuPlan, Staff};
use crate::prepare::Prepared;

/// Devices are ready in less than that, if at all soon: an H200 in a quarter of a second, of which others who map
/// memory make a few hundredths more.
const PATIENCE: Duration = Duration::from_millis(500);

/// The CPU workers of a run: how many there are and should be.
pub(super) struct Crew {
    pub(super) asked: CpuWorkers,
    pub(super) options: CpuOptions,
    /// How they search; made for the first of them.
    pub(super) plan: Option<CpuPlan>,
    /// Whether the plan is one for workers on their own.
    pub(super) alone: bool,
    /// Whether it is the second one.
    pub(super) changed: bool,
    pub(super) cores: usize,
    /// Devices being driven or made ready.
    pub(super) devices: usize,
    /// Threads from which a device event may still come: zero when no device can take roots.
    pub(super) finders_or_drivers: usize,
    /// Devices that are still being made ready; `None` while they are looked for.
    pub(super) unready: Option<usize>,
    pub(super) started: usize,
    /// Workers of this plan.
    pub(super) live: usize,
    /// Workers of an earlier plan, each until its present claim is searched.
    pub(super) leaving: usize,
    /// Of all workers there have been.
    pub(super) threads: WorkerThreads,
}

/// How many workers are to retire, of those by the first plan and of those by a later one.
#[derive(Default)]
pub(super) struct Tickets([AtomicUsize; 2]);

impl Crew {
    /// Nobody yet, on a machine of so many cores where so many devices are expected.
    pub(super) fn new(cpu: CpuRequest, cores: usize, devices: usize) -> Self {
        Crew {
            asked: cpu.workers,
            options: cpu.options,
            plan: None,
            alone: false,
            changed: false,
            cores,
            devices,
            finders_or_drivers: devices,
            unready: None,
            started: 0,
            live: 0,
            leaving: 0,
            threads: WorkerThreads::default(),
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

    /// Whether workers had better wait until devices are ready, and have done so for less than too long: whoever maps
    /// memory meanwhile makes devices late. Not if workers could do without them by then.
    pub(super) fn waits(&mut self, prepared: &Prepared, roots: usize, so_long: Duration) -> bool {
        let ready = self.finders_or_drivers == 0 || self.unready == Some(0);
        let nobody = self.wanted() == 0 || roots == 0;
        if ready || nobody || self.started > 0 || so_long >= PATIENCE {
            return false;
        }
        let plan = self.make_plan(prepared, roots);
        let alone = plan.seconds(prepared, roots) / self.wanted() as f64;
        alone > PATIENCE.as_secs_f64()
    }

    /// How workers are to search. The plan is made for the first of them, and once more when it is known that no
    /// device can take roots (any more); if it is another one then, those there are have to leave.
    pub(super) fn make_plan(&mut self, prepared: &Prepared, roots: usize) -> CpuPlan {
        let alone = self.finders_or_drivers == 0;
        if let Some(plan) = self.plan
            && (self.alone || !alone)
        {
            return plan;
        }
        let staff = Staff {
            workers: self.asked.most(self.cores),
            roots,
            beside_devices: !alone,
        };
        let plan = cpu::plan(prepared, &self.options, staff);
        if self.plan.is_some_and(|old| old != plan) {
            self.leaving += std::mem::take(&mut self.live);
            self.changed = true;
        }
        self.alone = alone;
        *self.plan.insert(plan)
    }

    /// A worker that searched by `plan` has ended.
    pub(super) fn ended(&mut self, plan: &CpuPlan) {
        match self.plan {
            Some(current) if current != *plan => self.leaving -= 1,
            _ => self.live -= 1,
        }
    }

    /// Starts or retires workers, as long as there is something to claim.
    pub(super) fn adjust(
        &mut self,
        prepared: &Arc<Prepared>,
        counter: &Arc<SourceCounter>,
        tickets: &Arc<Tickets>,
        sender: &Sender<WorkerEvent>,
    ) {
        // Nobody has a plan before there is something to search.
        if self.wanted() > 0 && counter.has_work() {
            self.make_plan(prepared, counter.left());
        }
        let Some(plan) = self.plan else { return };
        let generation = usize::from(self.changed);
        if self.changed {
            tickets.0[0].store(self.leaving, Ordering::Relaxed);
        }
        let retiring = self.live.saturating_sub(self.wanted());
        tickets.0[generation].store(retiring, Ordering::Relaxed);
        if self.started > 0 && self.live + self.leaving < self.wanted() && counter.has_work() {
            self.threads.let_go_ended();
        }
        while self.live + self.leaving < self.wanted() && counter.has_work() {
            let (number, sender) = (self.started, sender.clone());
            let hold = self.threads.hold();
            let (prepared, counter) = (Arc::clone(prepared), Arc::clone(counter));
            let tickets = Arc::clone(tickets);
            self.threads.push(thread::spawn(move || {
                let retiring = &tickets.0[generation];
                worker::run(
                    number,
                    (&prepared, plan),
                    &counter,
                    retiring,
                    (&sender, &hold),
                );
            }));
            self.started += 1;
            self.live += 1;
        }
    }
}
