//! The devices of a run, from looking for them to waiting for their threads.

use std::cell::Cell;
use std::io;
use std::sync::{Arc, MutexGuard};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::counter::SourceCounter;
use super::driver::Driver;
use super::ledger::{Ledger, Owner};
use super::pool::DeviceCount;
use super::records::{DriverRecord, DriverState, Outcome};
use super::shared::{DeviceRequest, DeviceState, Driven, DriverEvent, Phase, Shared, Work};
use super::sharing::Search;
use super::sync::lock;
use crate::device::find::Survey;
use crate::device::{
    DeviceError, DeviceInfo, DeviceKind, DeviceOptions, DeviceSelection, FoundDevice, Step, find,
    priority,
};
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

/// The time between two looks at whether threads are ready or have ended.
const LOOK: Duration = Duration::from_millis(1);
const JOIN_LOOK: Duration = Duration::from_millis(100);

impl Devices {
    /// Starts finding and initialising devices; returns at once.
    pub fn start(request: DeviceRequest) -> Devices {
        let (sender, events) = unbounded();
        let shared = Arc::new(Shared::default());
        if request.selection == DeviceSelection::None {
            lock(&shared.state).found = Some(Ok(()));
        } else {
            let (found, request, events) = (Arc::clone(&shared), request.clone(), sender.clone());
            let finder = thread::Builder::new().name(priority::FINDER.into());
            let started = finder.spawn(move || find(&found, &request, &events));
            if let Err(error) = started {
                lock(&shared.state).found = Some(Err(no_thread(&error)));
            }
        }
        Devices {
            shared,
            events,
            request,
            gave_up_finding: Cell::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, DeviceState> {
        lock(&self.shared.state)
    }

    /// Waits until every device is ready, has failed or is late, so that a measurement does not
    /// count that.
    pub fn wait_until_ready(&self) {
        self.wait_until_found();
        // Each has its spans when its driver is ready.
        let unready =
            |record: &DriverRecord| record.spans.is_empty() && record.state != DriverState::Failed;
        while self.any(unready) && !self.shared.ledger.any_late() {
            thread::sleep(LOOK);
        }
    }

    /// Waits until devices have been looked for. Returns those that will be driven.
    pub fn wait_until_found(&self) -> Vec<DeviceInfo> {
        while self.found().is_none() {
            thread::sleep(LOOK);
        }
        let state = self.state();
        let info = |driven: &Driven| driven.record.info.clone();
        state.devices.iter().map(info).collect()
    }

    /// Waits, after a run, until no thread is inside an OpenCL driver any more, but for those of
    /// devices that do not answer. A process that ends before, other than by `_exit`, may crash:
    /// its exit handlers tear the driver down while that thread uses it.
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
        let state = self.state();
        state.devices.iter().any(|driven| is_so(&driven.record))
    }

    /// The accounts of all participants.
    pub(super) fn ledger(&self) -> &Arc<Ledger> {
        &self.shared.ledger
    }

    /// Why there are no devices, if so; `None` until they have been looked for.
    pub(super) fn found(&self) -> Option<Result<(), DeviceError>> {
        self.state().found.clone()
    }

    /// How many devices there are. One is expected until they have been looked for, unless that is
    /// not waited for any more.
    pub(super) fn count(&self) -> DeviceCount {
        let state = self.state();
        let expected = usize::from(state.found.is_none() && !self.gave_up_finding.get());
        let mut count = DeviceCount {
            live: expected,
            starting: expected,
            yielding: 0,
        };
        let live = |driven: &&Driven| driven.phase != Phase::Ended;
        for driven in state.devices.iter().filter(live) {
            count.live += 1;
            count.starting += usize::from(driven.phase == Phase::Starting);
            count.yielding += usize::from(driven.yields);
        }
        count
    }

    /// Closes the accounts of devices that do not answer, and gives their roots back. Returns an
    /// error for each.
    pub(super) fn give_up_late(&self, counter: &SourceCounter) -> Vec<DeviceError> {
        let mut errors = Vec::new();
        for (account, limit, group) in self.shared.ledger.close_late() {
            let returned = counter.give_back(group);
            // Only drivers have a limit.
            let Owner::Device(slot) = account.owner else {
                continue;
            };
            if let Some(driven) = self.state().devices.get_mut(slot) {
                driven.phase = Phase::Ended;
                let record = &mut driven.record;
                let error = DeviceError::NoAnswer {
                    what: record.info.name.clone(),
                    limit,
                };
                errors.push(error.clone());
                (record.state, record.error) = (DriverState::Failed, Some(error));
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
    pub(super) fn begin(&self, search: &Search) {
        self.state().work = Some(Work {
            search: search.clone(),
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
        self.describe(outcome);
        for driver in &mut outcome.drivers {
            (driver.roots, driver.returned) = (0, 0);
            if matches!(driver.state, DriverState::Idle | DriverState::Worked) {
                driver.state = DriverState::PathCounts;
            }
        }
    }

    /// Notes in an outcome which devices there are, and what each driver has done so far.
    pub(super) fn describe(&self, outcome: &mut Outcome) {
        let state = self.state();
        let records = state.devices.iter().map(|driven| driven.record.clone());
        outcome.drivers = records.collect();
        outcome.no_device = state.found.clone().and_then(Result::err);
        outcome.left_out.clone_from(&state.left_out);
        outcome.spans.clone_from(&state.spans);
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
        lock(&shared.state).left_out.clone_from(&survey.left_out);
        let chosen = dealt(&survey, request)?;
        match request.options.reproducible {
            true => alike(chosen),
            false => Ok(chosen),
        }
    });
    let share = |found: &FoundDevice| match found.info.kind {
        DeviceKind::Cpu => request.workers.leave(num_cpus::get()),
        _ => 1.0,
    };
    let driven = |found: &FoundDevice| Driven {
        yields: share(found) < 1.0,
        record: DriverRecord {
            info: found.info.clone(),
            ..DriverRecord::default()
        },
        ..Driven::default()
    };
    let mut state = lock(&shared.state);
    state.spans = spans;
    state.devices = chosen.iter().flatten().map(driven).collect();
    state.found = Some(chosen.as_ref().map(drop).map_err(DeviceError::clone));
    if state.devices.iter().any(|driven| driven.yields) {
        priority::lower_found();
    }
    drop(state);
    let _ = events.send(None);
    for (slot, found) in chosen.into_iter().flatten().enumerate() {
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
            let driven = &mut lock(&shared.state).devices[slot];
            driven.phase = Phase::Ended;
            driven.record.state = DriverState::Failed;
            driven.record.error = Some(error.clone());
            let _ = events.send(Some(error.into()));
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
