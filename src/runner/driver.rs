//! Device drivers: one thread per device, from initialisation to its last root.

use std::any::Any;
use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::counter::{Claim, Participant, SourceCounter};
use super::idle;
use super::ledger::{Account, Ledger, Owner};
use super::measured::Kind;
use super::read_back::Bounds;
use super::records::{DriverRecord, DriverState, Outcome};
use super::sync::{lock, wait};
use super::verify;
use crate::cpu::CpuPlan;
use crate::cpu_time::thread_seconds;
use crate::device::{
    DeviceError, DeviceInfo, DeviceOptions, DeviceSelection, FoundDevice, Session, Step, find,
};
use crate::engine::{Engine, EngineError, OwnSums, Sums};
use crate::prepare::Prepared;
use crate::span::Span;
use crate::strategy::LengthType;
use crate::strategy::{Strategy, self_test};

/// How much work a failing device can lose: scores are read back this often.
const COLLECT_EVERY: Duration = Duration::from_secs(1);

/// A device that is being made ready has this time for each step, unless another is asked for:
/// compilers may take long.
const STEP_LIMIT: u32 = 120;

/// A device that searches has this time, unless another is asked for, or so many times as long as
/// its work is expected to take.
const SEARCH_LIMIT: u32 = 10;
const SLACK: f64 = 20.0;

/// Which devices to drive, and how.
#[derive(Debug, Clone, Default)]
pub struct DeviceRequest {
    /// Which devices.
    pub selection: DeviceSelection,
    /// How kernels are built and launched.
    pub options: DeviceOptions,
    /// How to search.
    pub strategy: Strategy,
    /// Whether the user asked for a device, so that having none is worth a warning, and a run is
    /// not over before devices have been looked for.
    pub asked: bool,
}

/// What the runner hands the drivers once the graph is ready.
#[derive(Clone)]
pub(super) struct Work {
    pub prepared: Arc<Prepared>,
    pub counter: Arc<SourceCounter>,
    pub strategy: Strategy,
    pub options: DeviceOptions,
}

/// What drivers tell the runner.
pub(super) enum DriverEvent {
    /// How many devices will be driven, or why none.
    Selected(Result<usize, DeviceError>),
    /// A device is ready and begins to search, or will never be.
    Ready,
    /// A driver is done, perhaps with an error.
    Ended { error: Option<EngineError> },
}

/// State shared with the driver threads.
#[derive(Default)]
struct Shared {
    work: Mutex<Option<Work>>,
    work_ready: Condvar,
    /// One per device; drivers keep theirs up to date, so that it can be read at any time.
    records: Mutex<Vec<DriverRecord>>,
    spans: Mutex<Vec<Span>>,
    ledger: Arc<Ledger>,
    /// Why there are none, if so.
    no_device: Mutex<Option<DeviceError>>,
}

/// Devices being made ready on threads of their own while the graph is read and prepared.
///
/// A run does not wait for their threads to end: one that is still inside its OpenCL driver when
/// all roots are done would only hold it up. A driver that has claimed nothing has nothing to lose.
/// But see [`Devices::join`].
pub struct Devices {
    shared: Arc<Shared>,
    pub(super) events: Receiver<DriverEvent>,
    pub(super) request: DeviceRequest,
    /// Whether it was not waited for until devices were found.
    gave_up_finding: Cell<bool>,
}

/// How often it is looked whether a thread need not be waited for.
const JOIN_LOOK: Duration = Duration::from_millis(100);

impl Devices {
    /// Starts finding and initialising devices; returns at once.
    pub fn start(request: DeviceRequest) -> Devices {
        let (sender, events) = unbounded();
        let shared = Arc::new(Shared::default());
        if request.selection == DeviceSelection::None {
            let _ = sender.send(DriverEvent::Selected(Ok(0)));
        } else {
            let (shared, request, events) = (Arc::clone(&shared), request.clone(), sender.clone());
            let started = thread::Builder::new().spawn(move || find(&shared, &request, &events));
            if let Err(error) = started {
                let _ = sender.send(DriverEvent::Selected(Err(no_thread(&error))));
            }
        }
        Devices {
            shared,
            events,
            request,
            gave_up_finding: Cell::new(false),
        }
    }

    /// Waits until every device is ready or has failed, so that a measurement does not count that.
    pub fn wait_until_ready(&self) {
        // The event comes behind the records. Each has its spans when its driver is ready.
        let ready = || {
            !self.events.is_empty()
                && lock(&self.shared.records)
                    .iter()
                    .all(|record| !record.spans.is_empty() || record.state == DriverState::Failed)
        };
        while !ready() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until devices have been looked for. Returns those that will be driven.
    pub fn wait_until_found(&self) -> Vec<DeviceInfo> {
        // The first event says so, and comes behind the records.
        while self.events.is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        let records = lock(&self.shared.records);
        records.iter().map(|record| record.info.clone()).collect()
    }

    /// Waits, after a run, until no thread is inside an OpenCL driver any more, but for those of
    /// devices that do not answer. A process that ends before, other than by `_exit`, may crash:
    /// its exit handlers tear the driver down under that thread's feet.
    pub fn join(self) {
        // Every thread has a sender of its own.
        let ended = || {
            let event = self.events.recv_timeout(JOIN_LOOK);
            matches!(event, Err(RecvTimeoutError::Disconnected))
        };
        while !ended() {
            let late = !self.shared.ledger.late().is_empty();
            let records = lock(&self.shared.records);
            let silent =
                |record: &DriverRecord| matches!(record.error, Some(DeviceError::NoAnswer { .. }));
            if late || records.iter().any(silent) || self.gave_up_finding.get() {
                return;
            }
        }
    }

    /// Does without devices that have not been found by now, unless they are found later.
    pub(super) fn give_up_finding(&self) {
        self.gave_up_finding.set(true);
    }

    /// The accounts of all participants.
    pub(super) fn ledger(&self) -> &Arc<Ledger> {
        &self.shared.ledger
    }

    /// Closes the accounts of devices that do not answer, and gives their roots back. Returns how
    /// many there are.
    pub(super) fn give_up_late(&self, counter: &SourceCounter) -> usize {
        let mut given_up = 0;
        for account in self.shared.ledger.late() {
            let limit = account.limit();
            let (Owner::Device(slot), Some(group)) = (account.owner, account.close()) else {
                continue;
            };
            given_up += 1;
            if let Some(participant) = account.participant() {
                counter.leave(participant);
            }
            let returned = counter.give_all_back(group);
            if let Some(record) = lock(&self.shared.records).get_mut(slot) {
                record.state = DriverState::Failed;
                record.error = Some(DeviceError::NoAnswer {
                    what: record.info.name.clone(),
                    seconds: limit.as_secs_f64(),
                });
                (record.roots, record.returned) = (account.roots(), returned);
            }
        }
        given_up
    }

    /// Searches in another way than was thought when devices were started, now that the graph is
    /// known. What is built and warmed up for nothing is lost; which devices there are does not
    /// change.
    pub fn adopt(&mut self, strategy: Strategy, options: DeviceOptions) {
        self.request.strategy = strategy;
        self.request.options = options;
    }

    /// Lets the drivers begin as soon as they are ready.
    pub(super) fn begin(&self, prepared: Arc<Prepared>, counter: Arc<SourceCounter>) {
        *lock(&self.shared.work) = Some(Work {
            prepared,
            counter,
            strategy: self.request.strategy,
            options: self.request.options,
        });
        self.shared.work_ready.notify_all();
    }

    /// Whether a driver that has searched is still reading out its times.
    pub(super) fn any_profiling(&self) -> bool {
        let profiling =
            |record: &DriverRecord| record.state == DriverState::Worked && record.profile.is_none();
        self.request.options.profile && lock(&self.shared.records).iter().any(profiling)
    }

    /// Whether a driver that may still search has had no result yet.
    pub(super) fn any_silent(&self) -> bool {
        lock(&self.shared.records)
            .iter()
            .any(|record| record.state == DriverState::Starting && record.roots == 0)
    }

    /// Puts these devices into the outcome of a run that was made again without them, since there
    /// are too many paths for the numbers of this one: nothing of what the drivers did counts.
    pub fn dismissed(&self, outcome: &mut Outcome) {
        (outcome.drivers, outcome.spans) = self.records();
        outcome.no_device = lock(&self.shared.no_device).clone();
        for driver in &mut outcome.drivers {
            (driver.roots, driver.returned) = (0, 0);
            if matches!(driver.state, DriverState::Idle | DriverState::Worked) {
                driver.state = DriverState::PathCounts;
            }
        }
    }

    /// What each driver has done so far, and the spans of finding devices.
    pub(super) fn records(&self) -> (Vec<DriverRecord>, Vec<Span>) {
        (
            lock(&self.shared.records).clone(),
            lock(&self.shared.spans).clone(),
        )
    }
}

fn find(shared: &Arc<Shared>, request: &DeviceRequest, events: &Sender<DriverEvent>) {
    let mut spans = Vec::new();
    let chosen = Span::time(&mut spans, "find devices", || {
        request.options.faults.check(Step::Platform)?;
        find::survey()?.select(&request.selection)
    });
    *lock(&shared.spans) = spans;
    let chosen = match chosen {
        Ok(chosen) => chosen,
        Err(error) => {
            *lock(&shared.no_device) = Some(error.clone());
            let _ = events.send(DriverEvent::Selected(Err(error)));
            return;
        }
    };
    *lock(&shared.records) = chosen
        .iter()
        .map(|found| DriverRecord::new(found.info.clone()))
        .collect();
    let _ = events.send(DriverEvent::Selected(Ok(chosen.len())));
    for (slot, found) in chosen.into_iter().enumerate() {
        let driver = Driver {
            shared: Arc::clone(shared),
            request: request.clone(),
            slot,
            account: shared.ledger.open(Owner::Device(slot)),
        };
        let sender = events.clone();
        let started = thread::Builder::new().spawn(move || driver.run(&found, &sender));
        if let Err(error) = started {
            let error = no_thread(&error);
            if let Some(record) = lock(&shared.records).get_mut(slot) {
                record.state = DriverState::Failed;
                record.error = Some(error.clone());
            }
            let _ = events.send(DriverEvent::Ready);
            let error = Some(error.into());
            let _ = events.send(DriverEvent::Ended { error });
        }
    }
}

fn no_thread(error: &io::Error) -> DeviceError {
    DeviceError::NoThread {
        what: "a device",
        reason: error.to_string(),
    }
}

struct Driver {
    shared: Arc<Shared>,
    request: DeviceRequest,
    /// Position of its record.
    slot: usize,
    account: Arc<Account>,
}

impl Driver {
    fn record(&self, change: impl FnOnce(&mut DriverRecord)) {
        if let Some(record) = lock(&self.shared.records).get_mut(self.slot) {
            change(record);
        }
    }

    fn run(&self, found: &FoundDevice, events: &Sender<DriverEvent>) {
        let mut session = None;
        let told = Cell::new(false);
        let ready = || {
            told.set(true);
            let _ = events.send(DriverEvent::Ready);
        };
        let drive = || self.drive(found, ready, &mut session);
        let result = catch_unwind(AssertUnwindSafe(drive))
            .unwrap_or_else(|panic| Err(DeviceError::Panic(panic_text(panic.as_ref())).into()));
        let Some(group) = self.account.close() else {
            // The run goes on without this device. It is told so already.
            return;
        };
        let mut returned = 0;
        if result.is_err()
            && let Some(work) = lock(&self.shared.work).clone()
        {
            returned = work.counter.give_all_back(group);
        }
        let roots = self.account.roots();
        self.record(|record| {
            record.roots = roots;
            record.returned = returned;
            match &result {
                Err(error @ EngineError::Device(_)) => {
                    record.error = error.device_error().cloned();
                    record.state = DriverState::Failed;
                }
                Err(EngineError::PathCount { .. } | EngineError::Uncounted { .. }) => {
                    record.state = DriverState::PathCounts;
                }
                Err(EngineError::LengthLost { .. }) => record.state = DriverState::Failed,
                Ok(()) if roots > 0 => record.state = DriverState::Worked,
                Ok(()) => record.state = DriverState::Idle,
            }
        });
        if !told.get() {
            // No worker has to wait for it any more.
            let _ = events.send(DriverEvent::Ready);
        }
        let error = result.err();
        let _ = events.send(DriverEvent::Ended { error });
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
        let known = || lock(&self.shared.work).clone();
        let likely = |work: Option<&Work>| {
            work.map_or(strategy, |work| work.strategy.likely(&work.prepared))
        };
        let session = self.account.timed(self.step_limit(), || {
            let likely = || likely(known().as_ref());
            Session::open(found, self.request.options, likely, &mut spans)
        });
        // With the graph there already, only what will search it needs to be warm.
        let known = known();
        let lengths = LengthType::of_graph(known.as_ref().map(|work| &*work.prepared));
        let warm_for = likely(known.as_ref());
        let warm = session.and_then(|session| {
            Span::time(&mut spans, "warm-up", || {
                let test = || self_test::run(&session, warm_for, lengths);
                self.account.timed(self.step_limit(), test)
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
            let other = session.with_options(work.options)?;
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
        let mut spans = Vec::new();
        let made = Span::time(&mut spans, "upload", || {
            self.request.options.faults.check(Step::Allocate)?;
            let make = || work.strategy.engine(session, &work.prepared);
            self.account.timed(self.step_limit(), make)
        });
        self.record(|record| record.spans.append(&mut spans));
        let made = made?;
        let lengths = LengthType::of_graph(Some(&work.prepared));
        if !tested.contains(&made.plan.strategy) || lengths != tested_lengths {
            let test = || self_test::run(session, made.plan.strategy, lengths);
            self.account.timed(self.step_limit(), test)?;
        }
        self.record(|record| {
            record.plan = Some(made.plan);
        });
        let mut engine = made.engine;
        session.begin_profile();
        let participant = work.counter.join(Kind::Driver);
        self.account.joined_as(participant.number());
        ready();
        self.search(&mut *engine, work, &participant, session)?;
        drop(participant);
        let profile = session.end_profile();
        self.record(|record| {
            record.profile = profile.map(|profile| profile.map(Arc::new));
        });
        Ok(())
    }

    /// The driver's share of the roots.
    fn search(
        &self,
        engine: &mut dyn Engine,
        work: &Work,
        participant: &Participant<'_>,
        session: &Session,
    ) -> Result<(), EngineError> {
        let Work {
            prepared, counter, ..
        } = work;
        let start = Instant::now();
        let cpu = thread_seconds();
        let mut collected = start;
        let mut batches = 0;
        let faults = self.request.options.faults;
        let bounds = Bounds::new(prepared, session.options.precision);
        let mut fresh = prepared.zero_sums();
        let mut verified = self.verify(engine, prepared, session)?;
        loop {
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
                if self.account.searched() {
                    counter.searched(range.len());
                }
            }
            let group = match more && collected.elapsed() <= COLLECT_EVERY {
                true => Vec::new(),
                false => self.account.group(),
            };
            if !group.is_empty() || self.account.is_taken() {
                faults.check(Step::Collect)?;
                let limit = self.limit(prepared, start);
                let collect = || engine.collect(&mut fresh.lend());
                self.account.timed(limit, collect)?;
                let mut trusted = bounds.check(&fresh, &group).map_err(EngineError::from);
                if !more && trusted.is_ok() && verified.elapsed() > COLLECT_EVERY {
                    trusted = self
                        .verify(engine, prepared, session)
                        .map(|now| verified = now);
                }
                if trusted.is_err() && !self.account.is_taken() {
                    // What it committed before may be wrong too.
                    self.account.discard();
                    return trusted;
                }
                collected = Instant::now();
                let size: usize = group.iter().map(ExactSizeIterator::len).sum();
                // Before the commit: the run may be over at once then.
                self.record(|record| {
                    record.roots = self.account.roots() + size;
                    record.state = DriverState::Worked;
                    record.batches = batches as usize;
                    record.busy = start.elapsed().as_secs_f64();
                    record.cpu = thread_seconds() - cpu;
                    record.active = Some((start, collected));
                });
                let zero = || prepared.zero_sums();
                let add = |sums: &mut Sums<'_>| move_to(&mut fresh, sums);
                if !self.account.commit(zero, add)? {
                    fresh = zero();
                    counter.give_all_back(self.account.discarded());
                    self.record(|record| record.roots = self.account.roots());
                }
            }
            match claim {
                Claim::Roots(_) => {}
                Claim::Later => participant.wait(),
                Claim::Nothing => {
                    let shared = (&**counter, &*self.shared.ledger, &prepared.roots[..]);
                    match idle::next(shared, (participant, &self.account), || false) {
                        idle::Next::Claim => {}
                        idle::Next::End => return Ok(()),
                        idle::Next::Search(roots) => {
                            let limit = self.limit(prepared, start);
                            self.account.timed(limit, || engine.search(&roots))?;
                            if self.account.searched() {
                                counter.searched(roots.len());
                            }
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
        session: &Session,
    ) -> Result<Instant, EngineError> {
        let count = self.request.options.verify as usize;
        if count > 0 {
            verify::compare(engine, prepared, (count, session.options.precision))?;
        }
        Ok(Instant::now())
    }

    /// How long what is claimed and not committed may take: a device is expected to be no slower
    /// than it was so far, or, at first, than a core.
    fn limit(&self, prepared: &Prepared, start: Instant) -> Duration {
        let open: usize = self
            .account
            .group()
            .iter()
            .map(ExactSizeIterator::len)
            .sum();
        let seconds_for_root = match self.account.roots() {
            0 => CpuPlan::root_by_root(prepared).seconds(prepared, 1),
            done => start.elapsed().as_secs_f64() / done as f64,
        };
        let least = self.request.options.timeout.unwrap_or(SEARCH_LIMIT);
        let expected = SLACK * open as f64 * seconds_for_root;
        Duration::from_secs_f64(f64::from(least).max(expected))
    }

    /// How long a step of making it ready may take.
    fn step_limit(&self) -> Duration {
        Duration::from_secs(self.request.options.timeout.unwrap_or(STEP_LIMIT).into())
    }

    fn wait_for_work(&self) -> Work {
        let mut work = lock(&self.shared.work);
        loop {
            if let Some(work) = &*work {
                return work.clone();
            }
            work = wait(&self.shared.work_ready, work);
        }
    }
}

fn move_to(from: &mut OwnSums, to: &mut Sums<'_>) -> Result<(), EngineError> {
    from.move_to(to);
    Ok(())
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}
