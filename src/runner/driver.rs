//! Drivers: one thread per device, from initialisation to its last root.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;

use super::claim::Claim;
use super::counter::Participant;
use super::idle;
use super::ledger::Account;
use super::measured::Kind;
use super::ranges::total;
use super::read_back::Bounds;
use super::records::{DriverRecord, DriverState};
use super::rehearsal;
use super::shared::{DeviceRequest, DriverEvent, Shared, Work};
use super::sync::{lock, wait};
use super::verify;
use crate::cpu::CpuPlan;
use crate::cpu_time::thread_seconds;
use crate::device::{DeviceError, FoundDevice, Session, Step, priority};
use crate::engine::{Engine, EngineError, Precision, Sums};
use crate::prepare::Prepared;
use crate::span::Span;
use crate::strategy::LengthType;
use crate::strategy::{Strategy, self_test};

/// How much work a failing device can lose: scores are read back this often, unless that takes
/// more than one part in [`COLLECT_SHARE`] of the time.
const COLLECT_EVERY: Duration = Duration::from_secs(1);
const COLLECT_SHARE: u32 = 20;

/// A device that is being made ready has this time for each step, unless another is asked for:
/// compilers may take long.
const STEP_LIMIT: u32 = 120;

/// A device that searches has this time, unless another is asked for, or so many times as long as
/// its work is expected to take.
const SEARCH_LIMIT: u32 = 10;
const SLACK: f64 = 20.0;

pub(super) struct Driver {
    pub(super) shared: Arc<Shared>,
    pub(super) request: DeviceRequest,
    /// Position of its record.
    pub(super) slot: usize,
    pub(super) account: Arc<Account>,
    /// With less memory than this it is given up.
    pub(super) least_memory: u64,
    /// The part of its processors that it has at least. If that is not all, it leaves them to
    /// workers.
    pub(super) share: f64,
}

impl Driver {
    fn record(&self, change: impl FnOnce(&mut DriverRecord)) {
        if let Some(record) = lock(&self.shared.records).get_mut(self.slot) {
            change(record);
        }
    }

    /// Drives the device, and tells what becomes of it.
    pub(super) fn run(&self, found: &FoundDevice, events: &Sender<DriverEvent>) {
        let mut session = None;
        let told = Cell::new(false);
        let yields = self.yields();
        let ready = || {
            if !told.replace(true) {
                let _ = events.send(DriverEvent::Ready { yields });
            }
        };
        if yields {
            priority::lower_own();
            ready();
        }
        let drive = || self.drive(found, ready, &mut session);
        let result = catch_unwind(AssertUnwindSafe(drive))
            .unwrap_or_else(|panic| Err(DeviceError::Panic(panic_text(panic.as_ref())).into()));
        let Some(group) = self.account.close() else {
            // The run goes on without this device. It is told so already.
            return;
        };
        let mut returned = 0;
        if result.is_err()
            && let Some(work) = lock(&self.shared.orders).work.clone()
        {
            returned = work.counter.give_all_back(group);
        }
        let roots = self.account.roots();
        self.record(|record| {
            (record.roots, record.returned) = (roots, returned);
            let error = result.as_ref().err();
            record.error = error.and_then(EngineError::device_error).cloned();
            record.state = match &result {
                Err(EngineError::PathCount { .. } | EngineError::Uncounted { .. }) => {
                    DriverState::PathCounts
                }
                Err(
                    EngineError::Device(_) | EngineError::LengthLost { .. } | EngineError::Stopped,
                ) => DriverState::Failed,
                Ok(()) if roots > 0 => DriverState::Worked,
                Ok(()) => DriverState::Idle,
            };
        });
        // No worker has to wait for it any more.
        ready();
        let (error, yielded) = (result.err(), yields);
        let _ = events.send(DriverEvent::Ended { error, yielded });
        // Only now: releasing takes its time.
        drop(session);
    }

    /// Everything from initialisation to the last root. The session is left in `kept`.
    fn drive(
        &self,
        found: &FoundDevice,
        ready: impl Fn(),
        kept: &mut Option<Session>,
    ) -> Result<(), EngineError> {
        let mut spans = Vec::new();
        let strategy = self.request.strategy;
        let known = || lock(&self.shared.orders).work.clone();
        let likely = |work: Option<&Work>| {
            work.map_or(strategy, |work| work.strategy.likely(&work.prepared))
        };
        if let Some(rehearse) = self.request.rehearse {
            let (options, limit) = (&self.request.options, self.step_limit());
            Span::time(&mut spans, "rehearsal", || {
                self.step(|| rehearsal::check(rehearse, &found.info, options, strategy, limit))
            })?;
        }
        let session = self.step(|| {
            let likely = || likely(known().as_ref());
            Session::open(found, self.request.options, likely, &mut spans)
        });
        // With the graph there already, only what will search it needs to be warm.
        let known = known();
        let lengths = LengthType::of_graph(known.as_ref().map(|work| &*work.prepared));
        let warm_for = likely(known.as_ref());
        let warm = session.and_then(|session| {
            Span::time(&mut spans, "warm-up", || {
                self.step(|| self_test::run(&session, warm_for, lengths))
            })?;
            Ok(session)
        });
        self.record(|record| {
            record.spans = spans;
            record.from_cache = warm.as_ref().is_ok_and(|session| session.from_cache);
        });
        let mut session = kept.insert(warm?);
        let work = self.wait_for_work();
        if work.prepared.roots.is_empty() {
            return Ok(());
        }
        let mut tested = warm_for.candidates(self.request.options.weighted);
        if work.options != session.options {
            let other = self.step(|| session.with_options(work.options))?;
            session = kept.insert(other);
            // Its kernels may be others.
            tested = &[];
        }
        self.work(session, &work, (tested, lengths), ready)
    }

    /// Uploads the graph and searches.
    fn work(
        &self,
        session: &Session,
        work: &Work,
        (tested, tested_lengths): (&[Strategy], LengthType),
        ready: impl Fn(),
    ) -> Result<(), EngineError> {
        let made = self.recorded_step("upload", || {
            self.request.options.faults.check(Step::Allocate)?;
            work.strategy.engine(session, &work.prepared)
        });
        let made = match made {
            // Another plan would give other bits.
            Err(error)
                if error.device_error().is_some_and(DeviceError::lacks_memory)
                    && !session.options.reproducible
                    && session.info.memory > self.least_memory =>
            {
                let smaller = self.step(|| session.with_half_the_memory())?;
                return self.work(&smaller, work, (tested, tested_lengths), ready);
            }
            made => made?,
        };
        let lengths = LengthType::of_graph(Some(&work.prepared));
        if !tested.contains(&made.plan.strategy) || lengths != tested_lengths {
            self.step(|| self_test::run(session, made.plan.strategy, lengths))?;
        }
        self.record(|record| record.plan = Some(made.plan));
        let mut engine = made.engine;
        session.begin_profile();
        // Not later: it changes with time.
        work.counter.block(engine.roots_wanted(), Kind::Driver);
        let mut participant = work.counter.join(Kind::Driver);
        if self.yields() {
            participant.guess(core_seconds(&work.prepared) / self.share);
        }
        self.account.joined_as(participant.number());
        ready();
        let precision = session.options.precision;
        self.search(&mut *engine, work, &participant, precision)?;
        drop(participant);
        let profile = session.end_profile();
        let profile = profile.map(|profile| profile.map(Arc::new));
        self.record(|record| record.profile = profile);
        Ok(())
    }

    /// The driver's share of the roots.
    pub(super) fn search(
        &self,
        engine: &mut dyn Engine,
        work: &Work,
        participant: &Participant<'_>,
        precision: Precision,
    ) -> Result<(), EngineError> {
        let (prepared, counter) = (&work.prepared, &work.counter);
        let start = Instant::now();
        let cpu = thread_seconds();
        let mut collected = start;
        let mut batches = 0;
        let faults = self.request.options.faults;
        let bounds = Bounds::new(prepared, precision);
        let mut fresh = prepared.zero_sums();
        let mut verified = self.verify(engine, prepared, precision)?;
        let ledger = &*self.shared.ledger;
        let in_order = ledger.is_in_order();
        loop {
            if in_order {
                idle::until_in_order((counter, ledger), || false);
            }
            let claim = participant.claim(&*engine);
            let more = matches!(claim, Claim::Roots(_));
            if let Claim::Roots(range) = claim.clone() {
                batches += 1;
                self.account.claim(range.clone());
                faults.check(Step::Search(batches))?;
                assert!(faults.check(Step::Panic).is_ok(), "planned panic");
                let roots = &prepared.roots[range.clone()];
                let limit = self.limit(prepared, start);
                let search = || {
                    while faults.check(Step::Hang).is_err() {
                        thread::park();
                    }
                    engine.search(roots)
                };
                self.account.timed(limit, search)?;
                self.account.searched();
            }
            let pause = COLLECT_EVERY.max(COLLECT_SHARE * engine.collect_time());
            let group = match more && !in_order && collected.elapsed() <= pause {
                true => Vec::new(),
                false => self.account.group(),
            };
            if !group.is_empty() || self.account.is_taken() {
                faults.check(Step::Collect)?;
                let limit = self.limit(prepared, start);
                let collect = || engine.collect(&mut fresh.lend());
                self.account.timed(limit, collect)?;
                idle::take_back((counter, ledger), &self.account);
                let group = self.account.group();
                let mut trusted = bounds.check(&fresh, &group).map_err(EngineError::from);
                if !more && trusted.is_ok() && verified.elapsed() > COLLECT_EVERY {
                    trusted = self
                        .verify(engine, prepared, precision)
                        .map(|now| verified = now);
                }
                if trusted.is_err() && !self.account.is_taken() {
                    // What it committed before may be wrong too.
                    ledger.discard(&self.account);
                    return trusted;
                }
                collected = Instant::now();
                let size = total(&group);
                // Before the commit: the run may be over at once then.
                self.record(|record| {
                    record.roots = self.account.roots() + size;
                    record.state = DriverState::Worked;
                    record.batches = batches as usize;
                    record.busy = start.elapsed().as_secs_f64();
                    record.error_bound = engine.error_bound();
                    record.cpu = thread_seconds() - cpu;
                    record.active = Some((start, collected));
                });
                let zero = || prepared.zero_sums();
                let add = |sums: &mut Sums<'_>| {
                    fresh.move_to(sums);
                    Ok::<_, EngineError>(())
                };
                if in_order {
                    engine.forget();
                }
                if !ledger.commit(&self.account, zero, add)? {
                    fresh = zero();
                    counter.give_all_back(self.account.discarded());
                    self.record(|record| {
                        record.roots = self.account.roots();
                        if record.roots == 0 {
                            record.state = DriverState::Idle;
                        }
                    });
                }
            }
            match claim {
                Claim::Roots(_) => {}
                Claim::Later => participant.wait(),
                Claim::Nothing => {
                    let shared = (&**counter, ledger, &prepared.roots[..]);
                    match idle::next(shared, (participant, &self.account), || false) {
                        idle::Next::Claim => {}
                        idle::Next::End => return Ok(()),
                        idle::Next::Search(roots) => {
                            let limit = self.limit(prepared, start);
                            self.account.timed(limit, || engine.search(&roots))?;
                            self.account.searched();
                        }
                    }
                }
            }
        }
    }

    /// Compares the device with a core, if that is asked for. Returns when.
    fn verify(
        &self,
        engine: &mut dyn Engine,
        prepared: &Prepared,
        precision: Precision,
    ) -> Result<Instant, EngineError> {
        let count = self.request.options.verify as usize;
        if count > 0 {
            let how = (count, precision);
            let limit = self.limit_of(count, core_seconds(prepared));
            let compare = || verify::compare(engine, prepared, how);
            self.account.timed(limit, compare)?;
        }
        Ok(Instant::now())
    }

    /// How long what is claimed and not committed may take: a device is expected to be no slower
    /// than it was so far, or, at first, than a core.
    fn limit(&self, prepared: &Prepared, start: Instant) -> Duration {
        let seconds_for_root = match self.account.roots() {
            0 => core_seconds(prepared),
            done => start.elapsed().as_secs_f64() / done as f64,
        };
        self.limit_of(total(&self.account.group()), seconds_for_root)
    }

    /// The same for so many roots.
    fn limit_of(&self, roots: usize, seconds_for_root: f64) -> Duration {
        let least = self.request.options.timeout.unwrap_or(SEARCH_LIMIT);
        let expected = SLACK * roots as f64 * seconds_for_root / self.share;
        Duration::from_secs_f64(f64::from(least).max(expected))
    }

    /// Does a step of making it ready.
    fn step<T, E: Into<EngineError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, EngineError> {
        self.account.timed(self.step_limit(), work)
    }

    /// The same, with a span in the record.
    fn recorded_step<T, E: Into<EngineError>>(
        &self,
        name: &'static str,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, EngineError> {
        let mut spans = Vec::new();
        let done = Span::time(&mut spans, name, || self.step(work));
        self.record(|record| record.spans.append(&mut spans));
        done
    }

    /// How long a step of making it ready may take.
    fn step_limit(&self) -> Duration {
        let seconds = f64::from(STEP_LIMIT) / self.share;
        Duration::from_secs_f64(self.request.options.timeout.map_or(seconds, f64::from))
    }

    /// Whether its processors are cores that it leaves to workers.
    fn yields(&self) -> bool {
        self.share < 1.0
    }

    /// Waits for the work of a run.
    fn wait_for_work(&self) -> Work {
        let mut orders = lock(&self.shared.orders);
        loop {
            if let Some(work) = &orders.work {
                return work.clone();
            }
            orders = wait(&self.shared.ordered, orders);
        }
    }
}

/// Seconds of a search on a core.
fn core_seconds(prepared: &Prepared) -> f64 {
    CpuPlan::root_by_root(prepared).seconds(prepared, 1)
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}
