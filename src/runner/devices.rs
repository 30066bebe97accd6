//! The devices of a run, from looking for them to waiting for their threads.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::counter::SourceCounter;
use super::driver::Driver;
use super::ledger::{Ledger, Owner};
use super::pool::CpuWorkers;
use super::records::{DriverRecord, DriverState, Outcome};
use super::shared::{DeviceRequest, DriverEvent, Question, Shared, Work};
use super::start;
use super::sync::lock;
use crate::device::find::Survey;
use crate::device::{
    DeviceError, DeviceInfo, DeviceKind, DeviceOptions, DeviceSelection, FoundDevice, Step, find,
    priority,
};
use crate::prepare::Prepared;
use crate::span::Span;
use crate::strategy::Strategy;
use crate::strategy::trial::Compared;

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

/// A device is given up that has not even this part of the memory that it says.
const LEAST_MEMORY: u64 = 8;

/// A device that takes longer to compare is not waited for.
const TRIAL_LIMIT: Duration = Duration::from_secs(5);

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
            let finder = thread::Builder::new().name(priority::FINDER.into());
            let started = finder.spawn(move || find(&shared, &request, &events));
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

    /// Waits until every device is ready, has failed or is late, so that a measurement does not
    /// count that.
    pub fn wait_until_ready(&self) {
        // The event comes behind the records. Each has its spans when its driver is ready.
        let ready = || {
            !self.events.is_empty()
                && lock(&self.shared.records)
                    .iter()
                    .all(|record| !record.spans.is_empty() || record.state == DriverState::Failed)
        };
        while !ready() && self.shared.ledger.late().is_empty() {
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

    /// Closes the accounts of devices that do not answer, and gives their roots back. Returns an
    /// error for each.
    pub(super) fn give_up_late(&self, counter: &SourceCounter) -> Vec<DeviceError> {
        let mut errors = Vec::new();
        for account in self.shared.ledger.late() {
            let limit = account.limit();
            let (Owner::Device(slot), Some(group)) = (account.owner, account.close()) else {
                continue;
            };
            if let Some(participant) = account.participant() {
                counter.leave(participant);
            }
            let returned = counter.give_all_back(group);
            if let Some(record) = lock(&self.shared.records).get_mut(slot) {
                record.state = DriverState::Failed;
                let error = DeviceError::NoAnswer {
                    what: record.info.name.clone(),
                    limit,
                };
                errors.push(error.clone());
                record.error = Some(error);
                (record.roots, record.returned) = (account.roots(), returned);
            }
        }
        errors
    }

    /// Searches in another way than was thought when devices were started, now that the graph is
    /// known. What is built and warmed up for nothing is lost; which devices there are does not
    /// change.
    pub fn adopt(&mut self, strategy: Strategy, options: DeviceOptions) {
        self.request.strategy = strategy;
        self.request.options = options;
    }

    /// Whether there are devices, as far as that is known by now. If two forms of the graph are
    /// given, waits until devices have been found, and lets the first one that is ready soon search
    /// both for a moment.
    pub fn compare(&self, forms: Option<&dyn Fn() -> [Arc<Prepared>; 2]>) -> Compared {
        let start = Instant::now();
        let too_long = || start.elapsed().as_secs_f64() > start::PATIENCE;
        // The first event says that devices have been found, and comes behind the records.
        while self.events.is_empty() {
            if forms.is_none() || too_long() {
                return Compared::Unknown;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let alone = self.request.workers == CpuWorkers::Count(0);
        let any = |state: fn(DriverState) -> bool| {
            let records = lock(&self.shared.records);
            let of_own = |record: &&DriverRecord| alone || record.info.kind != DeviceKind::Cpu;
            records
                .iter()
                .filter(of_own)
                .any(|record| state(record.state))
        };
        if !any(|_| true) {
            return Compared::NoDevice;
        }
        let Some(forms) = forms else {
            return Compared::Unknown;
        };
        let (answer, answers) = bounded(1);
        let question = Question {
            forms: forms(),
            strategy: self.request.strategy,
            answer,
        };
        lock(&self.shared.orders).question = Some(question);
        self.shared.ordered.notify_all();
        loop {
            match answers.recv_timeout(JOIN_LOOK / 10) {
                Ok(compared) => return compared,
                Err(RecvTimeoutError::Disconnected) => return Compared::Unknown,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let failed = !any(|state| state != DriverState::Failed);
            if failed || too_long() && self.withdraw() || start.elapsed() > TRIAL_LIMIT {
                return Compared::Unknown;
            }
        }
    }

    /// Takes back what no driver has begun to answer, if so.
    fn withdraw(&self) -> bool {
        lock(&self.shared.orders).question.take().is_some()
    }

    /// Lets the drivers begin as soon as they are ready.
    pub(super) fn begin(&self, prepared: Arc<Prepared>, counter: Arc<SourceCounter>) {
        lock(&self.shared.orders).work = Some(Work {
            prepared,
            counter,
            strategy: self.request.strategy,
            options: self.request.options,
        });
        self.shared.ordered.notify_all();
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
        outcome.left_out = self.left_out();
        for driver in &mut outcome.drivers {
            (driver.roots, driver.returned) = (0, 0);
            if matches!(driver.state, DriverState::Idle | DriverState::Worked) {
                driver.state = DriverState::PathCounts;
            }
        }
    }

    /// Why platforms and devices could not be asked, and were left out.
    pub(super) fn left_out(&self) -> Vec<DeviceError> {
        lock(&self.shared.left_out).clone()
    }

    /// What each driver has done so far, and the spans of finding devices.
    pub(super) fn records(&self) -> (Vec<DriverRecord>, Vec<Span>) {
        (
            lock(&self.shared.records).clone(),
            lock(&self.shared.spans).clone(),
        )
    }
}

/// The devices of this process. Where several share them, they are dealt in turn, and the best one
/// alone would be left to one of them.
fn dealt(survey: &Survey, request: &DeviceRequest) -> Result<Vec<FoundDevice>, DeviceError> {
    let Some((number, processes)) = request.local else {
        return survey.select(&request.selection);
    };
    let selection = match &request.selection {
        DeviceSelection::Auto => &DeviceSelection::All,
        selection => selection,
    };
    let mut chosen = survey.select(selection)?;
    let devices = chosen.len();
    let mut place = 0..devices;
    chosen.retain(|_| {
        place
            .next()
            .is_some_and(|place| place % processes == number)
    });
    match chosen.is_empty() {
        true => Err(DeviceError::Dealt { devices }),
        false => Ok(chosen),
    }
}

fn find(shared: &Arc<Shared>, request: &DeviceRequest, events: &Sender<DriverEvent>) {
    let mut spans = Vec::new();
    let chosen = Span::time(&mut spans, "find devices", || {
        request.options.faults.check(Step::Platform)?;
        let survey = find::survey()?;
        lock(&shared.left_out).clone_from(&survey.left_out);
        let chosen = dealt(&survey, request)?;
        match request.options.reproducible {
            true => alike(chosen),
            false => Ok(chosen),
        }
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
    let share = |found: &FoundDevice| match found.info.kind {
        DeviceKind::Cpu => request.workers.leave(num_cpus::get()),
        _ => 1.0,
    };
    if chosen.iter().any(|found| share(found) < 1.0) {
        priority::lower_found();
    }
    let _ = events.send(DriverEvent::Selected(Ok(chosen.len())));
    for (slot, found) in chosen.into_iter().enumerate() {
        let driver = Driver {
            shared: Arc::clone(shared),
            request: request.clone(),
            slot,
            account: shared.ledger.open(Owner::Device(slot)),
            least_memory: found.info.memory / LEAST_MEMORY,
            share: share(&found),
        };
        let sender = events.clone();
        let thread = thread::Builder::new().name("driver".into());
        let started = thread.spawn(move || driver.run(&found, &sender));
        if let Err(error) = started {
            let error = no_thread(&error);
            if let Some(record) = lock(&shared.records).get_mut(slot) {
                record.state = DriverState::Failed;
                record.error = Some(error.clone());
            }
            let _ = events.send(DriverEvent::Ready);
            let error = Some(error.into());
            let _ = events.send(DriverEvent::Ended {
                error,
                yielded: false,
            });
        }
    }
}

/// Refuses devices that may round in different ways.
fn alike(chosen: Vec<FoundDevice>) -> Result<Vec<FoundDevice>, DeviceError> {
    let way = |found: &FoundDevice| {
        let DeviceInfo { name, driver, .. } = &found.info;
        (name.clone(), driver.clone())
    };
    match chosen
        .windows(2)
        .find(|pair| way(&pair[0]) != way(&pair[1]))
    {
        None => Ok(chosen),
        Some(pair) => Err(DeviceError::Refused(format!(
            "scores of {} and {} together are not reproducible; name equal devices",
            pair[0].info.name, pair[1].info.name
        ))),
    }
}

fn no_thread(error: &io::Error) -> DeviceError {
    DeviceError::NoThread {
        what: "a device",
        reason: error.to_string(),
    }
}
