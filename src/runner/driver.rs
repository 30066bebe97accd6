//! Drivers: a thread for each device, which initialises the device and searches on it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::counter::Participant;
use super::ledger::Account;
use super::pace::{EngineRoots, Kind};
use super::ranges::total;
use super::read_back;
use super::records::{DriverRecord, DriverState};
use super::request::DeviceRequest;
use super::shared::{Event, Shared};
use super::sharing::{Search, Searcher, take_part};
use super::sync::lock;
use super::verify;
use crate::cpu::CpuPlan;
use crate::device::{DeviceError, DeviceKind, FoundDevice, Session};
use crate::engine::{Engine, EngineError, OwnSums, Precision, Root, Sums};
use crate::os::lower_priority;
use crate::prepare::Prepared;
use crate::span::Span;
use crate::strategy::{LengthType, Strategy, self_test};

/// The interval at which sums are read back, which limits the work that a failing device loses. The
/// interval is longer if reading would take more than one part in [`COLLECT_SHARE`] of it.
const COLLECT_EVERY: Duration = Duration::from_secs(1);
const COLLECT_SHARE: u32 = 20;

/// The default time limit of each initialisation step, in seconds. Compilers may take long.
const STEP_LIMIT: u32 = 120;

/// The default time limit of a call that searches is this many seconds, or [`SLACK`] times the
/// expected time for all uncommitted roots, whichever is longer.
const SEARCH_LIMIT: u32 = 10;
const SLACK: f64 = 20.0;

/// The driver of a device.
pub(super) struct Driver {
    pub(super) shared: Arc<Shared>,
    pub(super) request: DeviceRequest,
    /// The index of the device in [`super::shared::DeviceState::devices`].
    pub(super) index: usize,
    pub(super) account: Arc<Account>,
    /// An upload that lacks memory is repeated with half of the memory, as long as the memory is
    /// larger than this number of bytes.
    pub(super) min_memory: u64,
    /// The least share of its processors that the device gets. If it is less than 1, the device is
    /// the host CPU, and CPU workers have priority on its cores.
    pub(super) share: f64,
}

impl Driver {
    /// Changes the record of the device.
    fn record(&self, change: impl FnOnce(&mut DriverRecord)) {
        if let Some(driven) = lock(&self.shared.state).devices.get_mut(self.index) {
            change(&mut driven.record);
        }
    }

    /// Runs the driver from initialisation to its last root, and records the result.
    pub(super) fn run(&self, found: &FoundDevice) {
        let mut session = None;
        if self.yields() {
            lower_priority(None);
        }
        let drive = || self.drive(found, &mut session);
        let result = catch_unwind(AssertUnwindSafe(drive))
            .unwrap_or_else(|panic| Err(DeviceError::Panic(panic_text(panic.as_ref())).into()));
        let Some(group) = self.account.close() else {
            // The runner has closed the account, because this driver did not answer in time.
            return;
        };
        self.record(|record| {
            record.state = match &result {
                Ok(()) => DriverState::Idle,
                Err(EngineError::PathCount { .. } | EngineError::Uncounted { .. }) => {
                    DriverState::PathCounts
                }
                Err(_) => DriverState::Failed,
            };
            if let Err(error) = &result {
                record.returned = total(&group);
                record.error = error.device_error().cloned();
            }
        });
        // The roots go back after the record is complete, because others may search these roots and
        // end the run at once.
        if result.is_err()
            && let Some(search) = self.shared.search.get()
        {
            search.counter.give_back(group);
        }
        let event = result.map_or_else(Event::DriverFailed, |()| Event::Devices);
        let _ = self.shared.events.send(event);
        // This comes last, because releasing a session takes time.
        drop(session);
    }

    /// Initialises the device and searches. Leaves the session in `slot`, because dropping a
    /// session takes long.
    fn drive(&self, found: &FoundDevice, slot: &mut Option<Session>) -> Result<(), EngineError> {
        let mut spans = Vec::new();
        let strategy = self.request.strategy;
        let likely = |search: Option<&Search>| {
            search.map_or(strategy, |search| strategy.likely(&search.prepared))
        };
        if let Some(probe) = self.request.probe
            && found.info.kind == DeviceKind::Cpu
        {
            // The kernels of a device that is the host CPU run in this process, and a crash would
            // end it. So another process tests the device first (out-of-process probe).
            let limit = self.step_limit();
            let probe = || match probe(&found.info, &self.request.options, strategy, limit) {
                Some(how) => Err(DeviceError::Crash(found.info.name.clone(), how)),
                None => Ok(()),
            };
            Span::time(&mut spans, "probe", || self.step(probe))?;
        }
        let session = self.step(|| {
            let programs = |options: &_, info: &_| {
                let strategy = likely(self.shared.search.get());
                strategy.kernels(options, info)
            };
            Session::open(found, self.request.options, programs, &mut spans)
        });
        // If the graph is prepared already, only the strategy for it needs a test.
        let known = self.shared.search.get();
        let lengths = LengthType::of_graph(known.map(|search| &*search.prepared));
        let expected = likely(known);
        let session = session.and_then(|session| {
            Span::time(&mut spans, "warm-up", || {
                self.step(|| self_test::run(&session, expected, lengths))
            })?;
            Ok(session)
        });
        self.record(|record| {
            record.spans = spans;
            record.from_cache = session.as_ref().is_ok_and(|session| session.from_cache);
        });
        let session = slot.insert(session?);
        let search = self.shared.search.wait();
        if search.prepared.roots.is_empty() {
            return Ok(());
        }
        let tested = expected.candidates(self.request.options.weighted);
        self.work(session, search, (tested, lengths))
    }

    /// Uploads the graph and searches. `tested` lists the strategies that have passed the
    /// self-test, with lengths of type `tested_lengths`.
    fn work(
        &self,
        session: &Session,
        search: &Search,
        (tested, tested_lengths): (&[Strategy], LengthType),
    ) -> Result<(), EngineError> {
        let prepared = &*search.prepared;
        let asked = self.request.options.precision;
        if asked.is_double() && !session.info.fp64 && prepared.chains.is_some() {
            let why = "has no 64-bit floats, and 32-bit ones would lose the scores at the ends of \
                       chains; use --precision f32, which leaves chains alone";
            let name = &session.info.name;
            return Err(DeviceError::Refused(format!("{name} {why}")).into());
        }
        let mut spans = Vec::new();
        let uploaded = Span::time(&mut spans, "upload", || {
            self.step(|| self.request.strategy.engine(session, prepared))
        });
        self.record(|record| record.spans.append(&mut spans));
        let engine = match uploaded {
            // With less memory the plan may differ, but a reproducible run needs the same plan on
            // every device.
            Err(error)
                if error.device_error().is_some_and(DeviceError::lacks_memory)
                    && !session.options.reproducible
                    && session.info.memory > self.min_memory =>
            {
                let smaller = self.step(|| session.with_half_the_memory())?;
                return self.work(&smaller, search, (tested, tested_lengths));
            }
            uploaded => uploaded?,
        };
        let lengths = LengthType::of_graph(Some(prepared));
        if !tested.contains(&engine.plan.strategy) || lengths != tested_lengths {
            self.step(|| self_test::run(session, engine.plan.strategy, lengths))?;
        }
        let (mut engine, plan) = (engine.engine, engine.plan);
        session.begin_profile();
        let counter = &search.counter;
        // The size of blocks is fixed now, since `roots_wanted` may change during the search.
        counter.block_size(engine.roots_wanted(), Kind::Driver);
        let guess = (self.yields()).then(|| self.share / core_seconds(prepared).max(1e-12));
        let participant = counter.join(Kind::Driver, guess);
        self.record(|record| record.plan = Some(plan));
        let _ = self.shared.events.send(Event::Devices);
        let mut options = session.options;
        match self.search(&mut *engine, search, participant, options.precision) {
            // Some engines count paths in floats then.
            Err(EngineError::PathCount { .. }) if options.precision == Precision::Mixed => {
                drop(engine);
                counter.give_back(self.account.discard_group());
                options.precision = Precision::F64;
                let wider = self.step(|| session.with_options(options))?;
                return self.work(&wider, search, (&[], lengths));
            }
            searched => searched?,
        }
        let profile = session.end_profile();
        let profile = profile.map(|profile| profile.map(Arc::new));
        self.record(|record| record.profile = profile);
        Ok(())
    }

    /// Claims roots and searches from them until all roots are committed.
    pub(super) fn search(
        &self,
        engine: &mut dyn Engine,
        search: &Search,
        participant: Participant<'_>,
        precision: Precision,
    ) -> Result<(), EngineError> {
        let now = Instant::now();
        let mut searcher = DeviceSearcher {
            driver: self,
            engine,
            search,
            precision,
            uncommitted: search.prepared.zero_sums(),
            start: now,
            last_collected: now,
            last_verified: now,
            batches: 0,
        };
        searcher.verify()?;
        take_part(&mut searcher, search, &self.account, participant)
    }

    /// Returns the time limit of a search from `roots` roots.
    fn search_limit(&self, roots: usize, seconds_per_root: f64) -> Duration {
        let least = self.request.options.timeout.unwrap_or(SEARCH_LIMIT);
        let expected = SLACK * roots as f64 * seconds_per_root / self.share;
        Duration::from_secs_f64(f64::from(least).max(expected))
    }

    /// Runs an initialisation step within its time limit.
    fn step<T, E: Into<EngineError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, EngineError> {
        self.account.with_limit(self.step_limit(), work)
    }

    /// Returns the time limit of an initialisation step.
    fn step_limit(&self) -> Duration {
        let seconds = f64::from(STEP_LIMIT) / self.share;
        Duration::from_secs_f64(self.request.options.timeout.map_or(seconds, f64::from))
    }

    /// Returns whether the device is the host CPU and has a lower priority than CPU workers.
    pub(super) fn yields(&self) -> bool {
        self.share < 1.0
    }
}

/// The part of a driver that searches, once the graph is on the device.
struct DeviceSearcher<'d> {
    driver: &'d Driver,
    engine: &'d mut dyn Engine,
    search: &'d Search,
    precision: Precision,
    /// Sums that were read back and are not committed yet.
    uncommitted: OwnSums,
    start: Instant,
    /// When sums were last read back.
    last_collected: Instant,
    /// When the device was last compared with a core.
    last_verified: Instant,
    batches: u32,
}

impl DeviceSearcher<'_> {
    /// Compares the device with a core, if the options ask for it.
    fn verify(&mut self) -> Result<(), EngineError> {
        let (driver, prepared) = (self.driver, &self.search.prepared);
        let count = driver.request.options.verify as usize;
        if count > 0 {
            let how = (count, self.precision);
            let limit = driver.search_limit(count, core_seconds(prepared));
            let compare = || verify::compare(self.engine, prepared, how);
            driver.account.with_limit(limit, compare)?;
        }
        self.last_verified = Instant::now();
        Ok(())
    }

    /// Returns the time limit of a call, from the expected time for all roots that are claimed and
    /// not committed. The device is expected to be as fast as it was so far; before its first
    /// commit, as fast as a core.
    fn limit(&self) -> Duration {
        let account = &self.driver.account;
        let seconds_per_root = match account.roots() {
            0 => core_seconds(&self.search.prepared),
            done => self.start.elapsed().as_secs_f64() / done as f64,
        };
        let roots = total(&account.group());
        self.driver.search_limit(roots, seconds_per_root)
    }
}

impl Searcher for DeviceSearcher<'_> {
    fn engine_roots(&self) -> EngineRoots {
        EngineRoots::new(self.engine)
    }

    fn search(&mut self, roots: &[Root], _: &mut Participant<'_>) -> Result<(), EngineError> {
        self.batches += 1;
        let limit = self.limit();
        let search = || self.engine.search(roots);
        self.driver.account.with_limit(limit, search)
    }

    fn is_due(&mut self) -> bool {
        let pause = COLLECT_EVERY.max(COLLECT_SHARE * self.engine.collect_time());
        self.last_collected.elapsed() > pause
    }

    fn commit(&mut self, last: bool) -> Result<(), EngineError> {
        let (driver, account) = (self.driver, &self.driver.account);
        let (prepared, ledger) = (&self.search.prepared, &self.search.ledger);
        let limit = self.limit();
        account.with_limit(limit, || self.engine.collect(&mut self.uncommitted.lend()))?;
        let group = account.group();
        let checked = read_back::check(prepared, self.precision, &self.uncommitted, &group);
        let mut trusted = match checked {
            // The sums of a superseded group are discarded below. They may fail the check wrongly,
            // since the group has lost ranges.
            Err(error) if !account.is_superseded() => Err(error.into()),
            _ => Ok(()),
        };
        if last && trusted.is_ok() && self.last_verified.elapsed() > COLLECT_EVERY {
            trusted = self.verify();
        }
        if trusted.is_err() {
            // Earlier commits of this device may be wrong too.
            ledger.withdraw(account);
            return trusted;
        }
        self.last_collected = Instant::now();
        // The record is updated before the commit, which may end the run.
        driver.record(|record| {
            record.batches = self.batches as usize;
            record.busy = self.start.elapsed().as_secs_f64();
            // Earlier commits may be of an engine of lower precision.
            record.error_bound = record.error_bound.max(self.engine.error_bound());
            record.active = Some((self.start, self.last_collected));
        });
        if ledger.is_in_order() {
            self.engine.forget();
        }
        let add = |sums: &mut Sums<'_>| {
            self.uncommitted.move_to(sums);
            Ok::<_, EngineError>(())
        };
        if !ledger.commit(account, || prepared.zero_sums(), add)? {
            self.uncommitted = prepared.zero_sums();
            self.search.counter.give_back(account.discard_group());
        }
        Ok(())
    }
}

/// Returns the expected seconds of a search from one root on a core.
fn core_seconds(prepared: &Prepared) -> f64 {
    CpuPlan::root_by_root(prepared).seconds(prepared, 1)
}

/// Returns the message of a panic.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}
