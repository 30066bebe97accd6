//! The devices of a run, from looking for them to waiting for their threads.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::counter::SourceCounter;
use super::driver::Driver;
use super::ledger::{Ledger, Owner};
use super::records::{DriverRecord, DriverState, Outcome};
use super::shared::{DeviceRequest, DriverEvent, Shared, Work};
use super::sync::lock;
use crate::device::find::Survey;
use crate::device::{
    DeviceError, DeviceInfo, DeviceKind, DeviceOptions, DeviceSelection, FoundDevice, Step, find,
    priority,
};
use crate::prepare::Prepared;
use crate::span::Span;
use crate::strategy::Strategy;

/// Devices being made ready on threads of their own while the graph is read and prepared.
///
/// A run does not wait for their threads to end: one that is still inside its OpenCL driver when
/// all roots are done would only hold it up. A driver that has claimed nothing has nothing to lose.
/// But see [`Devices::join`].
pub struct Devices {
    pub(super) shared: Arc<Shared>,
    pub(super) events: Receiver<DriverEvent>,
    pub(super) request: DeviceRequest,
    /// Whether it was not waited for until devices were found. They may be found later.
    pub(super) gave_up_finding: Cell<bool>,
}

/// A device is given up that has not even this part of the memory that it says.
const LEAST_MEMORY: u64 = 8;

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
        let unready =
            |record: &DriverRecord| record.spans.is_empty() && record.state != DriverState::Failed;
        let ready = || !self.events.is_empty() && !self.any(unready);
        while !ready() && !self.shared.ledger.any_late() {
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
            let late = self.shared.ledger.any_late();
            let silent = self.any(|r| matches!(r.error, Some(DeviceError::NoAnswer { .. })));
            if late || silent || self.gave_up_finding.get() {
                return;
            }
        }
    }

    /// Whether this is so of any driver.
    fn any(&self, is_so: impl Fn(&DriverRecord) -> bool) -> bool {
        lock(&self.shared.records).iter().any(is_so)
    }

    /// The accounts of all participants.
    pub(super) fn ledger(&self) -> &Arc<Ledger> {
        &self.shared.ledger
    }

    /// Closes the accounts of devices that do not answer, and gives their roots back. Returns an
    /// error for each.
    pub(super) fn give_up_late(&self, counter: &SourceCounter) -> Vec<DeviceError> {
        let mut errors = Vec::new();
        for (account, limit, group) in self.shared.ledger.close_late() {
            if let Some(participant) = account.participant() {
                counter.leave(participant);
            }
            let returned = counter.give_all_back(group);
            // Only drivers have a limit.
            let Owner::Device(slot) = account.owner else {
                continue;
            };
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
        self.request.options.profile
            && self.any(|r| r.state == DriverState::Worked && r.profile.is_none())
    }

    /// Whether a driver that may still search has had no result yet.
    pub(super) fn any_silent(&self) -> bool {
        self.any(|record| record.state == DriverState::Starting && record.roots == 0)
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
        let (records, spans) = (&self.shared.records, &self.shared.spans);
        (lock(records).clone(), lock(spans).clone())
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
    let chosen = survey.select(selection)?;
    let devices = chosen.len();
    let own = chosen.into_iter().skip(number).step_by(processes);
    match number < devices {
        true => Ok(own.collect()),
        false => Err(DeviceError::Dealt { devices }),
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
    let record = |found: &FoundDevice| DriverRecord {
        info: found.info.clone(),
        ..DriverRecord::default()
    };
    *lock(&shared.records) = chosen.iter().map(record).collect();
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
            let _ = events.send(DriverEvent::Ready { yields: false });
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
    let pairs = chosen.iter().zip(chosen.iter().skip(1));
    let mut pairs = pairs.map(|(a, b)| (&a.info, &b.info));
    let other = pairs.find(|(a, b)| (&a.name, &a.driver) != (&b.name, &b.driver));
    match other {
        None => Ok(chosen),
        Some((a, b)) => Err(DeviceError::Refused(format!(
            "scores of {} and {} together are not reproducible; name equal devices",
            a.name, b.name
        ))),
    }
}

fn no_thread(error: &io::Error) -> DeviceError {
    DeviceError::NoThread {
        what: "a device",
        reason: error.to_string(),
    }
}
