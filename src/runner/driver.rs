//! Drivers: one thread per device, from initialisation to its last root.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;

use super::counter::Participant;
use super::ledger::Account;
use super::pace::{Ask, Kind};
use super::ranges::total;
use super::read_back::Bounds;
use super::records::{DriverRecord, DriverState};
use super::rehearsal;
use super::shared::{DeviceRequest, Driven, DriverEvent, Phase, Shared, Work};
use super::sharing::{Search, Searcher, take_part};
use super::sync::{lock, wait};
use super::verify;
use crate::cpu::CpuPlan;
use crate::cpu_time::thread_seconds;
use crate::device::{DeviceError, FoundDevice, Session, Step, priority};
use crate::engine::{Engine, EngineError, OwnSums, Precision, Root, Sums};
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
    /// Changes what the runner knows of the device.
    fn note(&self, change: impl FnOnce(&mut Driven)) {
        if let Some(driven) = lock(&self.shared.state).devices.get_mut(self.slot) {
            change(driven);
        }
    }

    fn record(&self, change: impl FnOnce(&mut DriverRecord)) {
        self.note(|driven| change(&mut driven.record));
    }

    /// The work of a run, once it is known.
    fn known_work(&self) -> Option<Work> {
        lock(&self.shared.state).work.clone()
    }

    /// Drives the device, and notes what becomes of it.
    pub(super) fn run(&self, found: &FoundDevice, events: &Sender<DriverEvent>) {
        let mut session = None;
        if self.yields() {
            priority::lower_own();
        }
        let drive = || self.drive(found, events, &mut session);
        let result = catch_unwind(AssertUnwindSafe(drive))
            .unwrap_or_else(|panic| Err(DeviceError::Panic(panic_text(panic.as_ref())).into()));
        let Some(group) = self.account.close() else {
            // The run goes on without this device. It is told so already.
            return;
        };
        let roots = self.account.roots();
        self.note(|driven| {
            driven.phase = Phase::Ended;
            let record = &mut driven.record;
            record.roots = roots;
            if result.is_err() {
                record.returned = total(&group);
            }
            let error = result.as_ref().err();
            record.error = error.and_then(EngineError::device_error).cloned();
            record.state = match error {
                Some(EngineError::PathCount { .. } | EngineError::Uncounted { .. }) => {
                    DriverState::PathCounts
                }
                Some(_) => DriverState::Failed,
                None if roots > 0 => DriverState::Worked,
                None => DriverState::Idle,
            };
        });
        // After the record: the others may search these roots, and end the run, at once.
        if result.is_err()
            && let Some(work) = self.known_work()
        {
            work.search.counter.give_back(group);
        }
        let _ = events.send(result.err());
        // Only now: releasing takes its time.
        drop(session);
    }

    /// Everything from initialisation to the last root. The session is left in `kept`.
    fn drive(
        &self,
        found: &FoundDevice,
        events: &Sender<DriverEvent>,
        kept: &mut Option<Session>,
    ) -> Result<(), EngineError> {
        let mut spans = Vec::new();
        let strategy = self.request.strategy;
        let likely = |work: Option<&Work>| {
            work.map_or(strategy, |work| work.strategy.likely(&work.search.prepared))
        };
        if let Some(rehearse) = self.request.rehearse {
            let (options, limit) = (&self.request.options, self.step_limit());
            Span::time(&mut spans, "rehearsal", || {
                self.step(|| rehearsal::check(rehearse, &found.info, options, strategy, limit))
            })?;
        }
        let session = self.step(|| {
            let likely = || likely(self.known_work().as_ref());
            Session::open(found, self.request.options, likely, &mut spans)
        });
        // With the graph there already, only what will search it needs to be warm.
        let known = self.known_work();
        let lengths = LengthType::of_graph(known.as_ref().map(|work| &*work.search.prepared));
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
        if work.search.prepared.roots.is_empty() {
            return Ok(());
        }
        let mut tested = warm_for.candidates(self.request.options.weighted);
        if work.options != session.options {
            let other = self.step(|| session.with_options(work.options))?;
            session = kept.insert(other);
            // Its kernels may be others.
            tested = &[];
        }
        self.work(session, &work, (tested, lengths), events)
    }

    /// Uploads the graph and searches.
    fn work(
        &self,
        session: &Session,
        work: &Work,
        (tested, tested_lengths): (&[Strategy], LengthType),
        events: &Sender<DriverEvent>,
    ) -> Result<(), EngineError> {
        let prepared = &*work.search.prepared;
        let made = self.recorded_step("upload", || {
            self.request.options.faults.check(Step::Allocate)?;
            work.strategy.engine(session, prepared)
        });
        let made = match made {
            // Another plan would give other bits.
            Err(error)
                if error.device_error().is_some_and(DeviceError::lacks_memory)
                    && !session.options.reproducible
                    && session.info.memory > self.least_memory =>
            {
                let smaller = self.step(|| session.with_half_the_memory())?;
                return self.work(&smaller, work, (tested, tested_lengths), events);
            }
            made => made?,
        };
        let lengths = LengthType::of_graph(Some(prepared));
        if !tested.contains(&made.plan.strategy) || lengths != tested_lengths {
            self.step(|| self_test::run(session, made.plan.strategy, lengths))?;
        }
        let mut engine = made.engine;
        session.begin_profile();
        // Not later: it changes with time.
        let counter = &work.search.counter;
        counter.block(engine.roots_wanted(), Kind::Driver);
        let guess = (self.yields()).then(|| self.share / core_seconds(prepared).max(1e-12));
        let participant = counter.join(Kind::Driver, guess);
        self.note(|driven| {
            driven.record.plan = Some(made.plan);
            driven.phase = Phase::Searching;
        });
        let _ = events.send(None);
        let precision = session.options.precision;
        self.search(&mut *engine, &work.search, participant, precision)?;
        let profile = session.end_profile();
        let profile = profile.map(|profile| profile.map(Arc::new));
        self.record(|record| record.profile = profile);
        Ok(())
    }

    /// The driver's share of the roots.
    pub(super) fn search(
        &self,
        engine: &mut dyn Engine,
        search: &Search,
        participant: Participant<'_>,
        precision: Precision,
    ) -> Result<(), EngineError> {
        let now = Instant::now();
        let mut searching = Searching {
            driver: self,
            engine,
            search,
            precision,
            bounds: Bounds::new(&search.prepared, precision),
            fresh: search.prepared.zero_sums(),
            start: now,
            cpu: thread_seconds(),
            collected: now,
            verified: now,
            batches: 0,
        };
        searching.verify()?;
        take_part(&mut searching, search, &self.account, participant)
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
        let mut state = lock(&self.shared.state);
        loop {
            if let Some(work) = &state.work {
                return work.clone();
            }
            state = wait(&self.shared.ordered, state);
        }
    }
}

/// A driver whose device is ready and has the graph.
struct Searching<'d> {
    driver: &'d Driver,
    engine: &'d mut dyn Engine,
    search: &'d Search,
    precision: Precision,
    bounds: Bounds<'d>,
    /// Sums that were read back and are not committed yet.
    fresh: OwnSums,
    start: Instant,
    /// CPU seconds of the thread by then.
    cpu: f64,
    /// When sums were read back last, and when the device was compared with a core.
    collected: Instant,
    verified: Instant,
    batches: u32,
}

impl Searching<'_> {
    /// Compares the device with a core, if that is asked for.
    fn verify(&mut self) -> Result<(), EngineError> {
        let (driver, prepared) = (self.driver, &self.search.prepared);
        let count = driver.request.options.verify as usize;
        if count > 0 {
            let how = (count, self.precision);
            let limit = driver.limit_of(count, core_seconds(prepared));
            let compare = || verify::compare(self.engine, prepared, how);
            driver.account.timed(limit, compare)?;
        }
        self.verified = Instant::now();
        Ok(())
    }

    /// How long what is claimed and not committed may take.
    fn limit(&self) -> Duration {
        self.driver.limit(&self.search.prepared, self.start)
    }
}

impl Searcher for Searching<'_> {
    fn ask(&self) -> Ask {
        Ask::new(self.engine)
    }

    fn search(&mut self, roots: &[Root], _: &mut Participant<'_>) -> Result<(), EngineError> {
        self.batches += 1;
        let faults = self.driver.request.options.faults;
        faults.check(Step::Search(self.batches))?;
        assert!(faults.check(Step::Panic).is_ok(), "planned panic");
        let limit = self.limit();
        let search = || {
            while faults.check(Step::Hang).is_err() {
                thread::park();
            }
            self.engine.search(roots)
        };
        self.driver.account.timed(limit, search)
    }

    fn is_due(&mut self) -> bool {
        let pause = COLLECT_EVERY.max(COLLECT_SHARE * self.engine.collect_time());
        self.collected.elapsed() > pause
    }

    fn commit(&mut self, last: bool) -> Result<(), EngineError> {
        let (driver, account) = (self.driver, &self.driver.account);
        let (prepared, ledger) = (&self.search.prepared, &self.search.ledger);
        driver.request.options.faults.check(Step::Collect)?;
        let limit = self.limit();
        account.timed(limit, || self.engine.collect(&mut self.fresh.lend()))?;
        let group = account.group();
        let checked = self.bounds.check(&self.fresh, &group);
        let mut trusted = checked.map_err(EngineError::from);
        if last && trusted.is_ok() && self.verified.elapsed() > COLLECT_EVERY {
            trusted = self.verify();
        }
        if trusted.is_err() && !account.is_lost() {
            // What it committed before may be wrong too.
            ledger.discard(account);
            return trusted;
        }
        self.collected = Instant::now();
        let size = total(&group);
        // Before the commit: the run may be over at once then.
        driver.record(|record| {
            record.roots = account.roots() + size;
            record.state = DriverState::Worked;
            record.batches = self.batches as usize;
            record.busy = self.start.elapsed().as_secs_f64();
            record.error_bound = self.engine.error_bound();
            record.cpu = thread_seconds() - self.cpu;
            record.active = Some((self.start, self.collected));
        });
        let add = |sums: &mut Sums<'_>| {
            self.fresh.move_to(sums);
            Ok::<_, EngineError>(())
        };
        if ledger.is_in_order() {
            self.engine.forget();
        }
        if !ledger.commit(account, || prepared.zero_sums(), add)? {
            self.fresh = prepared.zero_sums();
            self.search.counter.give_back(account.discarded());
            driver.record(|record| {
                record.roots = account.roots();
                if record.roots == 0 {
                    record.state = DriverState::Idle;
                }
            });
        }
        Ok(())
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
