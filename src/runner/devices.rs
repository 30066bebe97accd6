//! The devices of a run: the threads that find and drive them, and their results.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, unbounded};

use super::counter::RootCounter;
use super::driver::Driver;
use super::pool::DeviceCount;
use super::records::{DriverRecord, DriverState, Outcome};
use super::request::DeviceRequest;
use super::shared::{DeviceState, DrivenDevice, Event, Shared};
use super::sync::lock;
use super::threads::WorkerThreads;
use crate::device::find::Survey;
use crate::device::{
    DeviceError, DeviceInfo, DeviceKind, DeviceSelection, FoundDevice, find, priority,
};
use crate::engine::OwnSums;
use crate::os::lower_priority;
use crate::span::Span;

/// The devices of a run. Separate threads initialise them while the graph is read and prepared.
///
/// A run does not wait until these threads end, since a thread may still be inside its OpenCL
/// driver when all roots are committed. [`Devices::join`] waits for them.
pub struct Devices {
    pub(super) shared: Arc<Shared>,
    pub(super) events: Receiver<Event>,
    pub(super) request: DeviceRequest,
    /// The thread that finds devices. It returns the threads of their drivers.
    finder: Option<JoinHandle<Vec<JoinHandle<()>>>>,
}

/// A device fails if even buffers that fit into its nominal memory divided by this number cannot be
/// allocated.
const MEMORY_DIVISOR: u64 = 8;

/// The default time limit for finding devices, in seconds.
const FINDING_LIMIT: u32 = 10;

/// The interval at which the state of threads is polled.
const POLL: Duration = Duration::from_millis(1);

impl Devices {
    /// Starts to find and initialise devices, and returns at once.
    pub fn start(request: DeviceRequest) -> Devices {
        let (sender, events) = unbounded();
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            search: OnceLock::new(),
            ledger: Arc::default(),
            events: sender,
        });
        let mut finder = None;
        if request.selection == DeviceSelection::None {
            lock(&shared.state).found = Some(Ok(()));
        } else {
            let (for_finder, request) = (Arc::clone(&shared), request.clone());
            let thread = thread::Builder::new().name(priority::FINDER.into());
            match thread.spawn(move || find(&for_finder, &request)) {
                Ok(thread) => finder = Some(thread),
                Err(error) => lock(&shared.state).found = Some(Err(no_thread(&error))),
            }
        }
        Devices {
            shared,
            events,
            request,
            finder,
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, DeviceState> {
        lock(&self.shared.state)
    }

    /// Waits until every device is ready or has failed, or one exceeds its time limit, so that a
    /// measurement does not include initialisation.
    pub fn wait_until_ready(&self) {
        self.wait_until_found();
        // The driver records spans when the device is ready.
        let unready =
            |record: &DriverRecord| record.spans.is_empty() && record.state != DriverState::Failed;
        while self.any(unready) && !self.shared.ledger.any_late() {
            thread::sleep(POLL);
        }
    }

    /// Waits until the search for devices has ended. Returns the selected ones.
    pub fn wait_until_found(&self) -> Vec<DeviceInfo> {
        while self.state().found.is_none() {
            thread::sleep(POLL);
        }
        let state = self.state();
        let devices = state.devices.iter();
        devices.map(|driven| driven.record().info).collect()
    }

    /// Waits, after a run, until no thread is inside an OpenCL driver, or until a device does not
    /// answer in time. A process that exits earlier may crash, unless it calls `_exit`: exit
    /// handlers would unload the driver while a thread uses it.
    pub fn join(mut self) {
        let mut threads = Vec::new();
        while self.finder.is_some() || !threads.is_empty() {
            let no_answer = |error: &DeviceError| matches!(error, DeviceError::NoAnswer { .. });
            if matches!(&self.state().found, Some(Err(error)) if no_answer(error))
                || self.any(|record| record.error.as_ref().is_some_and(no_answer))
                || self.shared.ledger.any_late()
            {
                return;
            }
            if let Some(finder) = self.finder.take_if(|finder| finder.is_finished()) {
                // A thread that panicked has printed its message.
                threads = finder.join().unwrap_or_default();
            }
            threads.retain(|thread| !thread.is_finished());
            thread::sleep(POLL);
        }
    }

    /// Returns whether any record satisfies a condition.
    pub(crate) fn any(&self, condition: impl Fn(&DriverRecord) -> bool) -> bool {
        let state = self.state();
        let mut devices = state.devices.iter();
        devices.any(|driven| condition(&driven.record()))
    }

    /// Returns `None` while the search for devices goes on; then `Ok`, or the reason why there are
    /// none. The reason is a time-out if the search has taken too long; devices found later are
    /// driven nevertheless.
    pub(super) fn found(&self, waited: Duration) -> Option<Result<(), DeviceError>> {
        let limit = self.request.options.timeout.unwrap_or(FINDING_LIMIT);
        let limit = Duration::from_secs(limit.into());
        let mut state = self.state();
        if state.found.is_none() && waited > limit {
            state.found = Some(Err(DeviceError::NoAnswer {
                what: "the list of OpenCL devices".into(),
                limit,
            }));
        }
        state.found.clone()
    }

    /// Returns the numbers of devices. Until the search for devices ends, one device is expected.
    pub(super) fn count(&self) -> DeviceCount {
        let state = self.state();
        let expected = usize::from(state.found.is_none());
        let mut count = DeviceCount {
            live: expected,
            starting: expected,
            yielding: 0,
        };
        let is_live = |driven: &&DrivenDevice| driven.record.state == DriverState::Starting;
        for driven in state.devices.iter().filter(is_live) {
            count.live += 1;
            // A device without a plan is not ready to search.
            count.starting += usize::from(driven.record.plan.is_none());
            count.yielding += usize::from(driven.yields);
        }
        count
    }

    /// Closes the accounts of devices that exceed their time limits, and gives their roots back.
    /// Returns an error for each device.
    pub(super) fn fail_late(&self, counter: &RootCounter) -> Vec<DeviceError> {
        let mut errors = Vec::new();
        for (account, limit, group) in self.shared.ledger.close_late() {
            let returned = counter.give_back(group);
            // Only drivers have a time limit.
            if let Some(index) = account.device
                && let Some(driven) = self.state().devices.get_mut(index)
            {
                driven.record.returned = returned;
                let what = driven.record.info.name.clone();
                let error = DeviceError::NoAnswer { what, limit };
                driven.fail(error.clone());
                errors.push(error);
            }
        }
        errors
    }

    /// Returns whether a driver that has searched is still reading the times of its commands.
    pub(super) fn any_profiling(&self) -> bool {
        self.request.options.profile
            && self.any(|r| r.state == DriverState::Worked && r.profile.is_none())
    }

    /// Returns the outcome of a run that was repeated without these devices, because there are more
    /// shortest paths than their numbers can count, with their records. Their results do not count.
    pub fn dismissed(&self, outcome: Outcome) -> Outcome {
        let mut described = Outcome {
            workers: outcome.workers,
            lost_workers: outcome.lost_workers,
            threads: outcome.threads,
            ..self.outcome(outcome.sums, outcome.search)
        };
        for driver in &mut described.drivers {
            (driver.roots, driver.returned) = (0, 0);
            if matches!(driver.state, DriverState::Idle | DriverState::Worked) {
                driver.state = DriverState::PathCounts;
            }
        }
        described
    }

    /// Returns an outcome with the records of devices, as of now, and without workers.
    pub fn outcome(&self, sums: OwnSums, search: (Instant, Instant)) -> Outcome {
        let state = self.state();
        Outcome {
            sums,
            workers: Vec::new(),
            lost_workers: 0,
            drivers: state.devices.iter().map(DrivenDevice::record).collect(),
            no_device: state.found.clone().and_then(Result::err),
            left_out: state.left_out.clone(),
            spans: state.spans.clone(),
            search,
            threads: WorkerThreads::default(),
        }
    }
}

/// Returns the devices of this process. Several processes on a machine divide the selected devices;
/// `auto` then selects what `all` does, since only one process could use the best device.
fn select(survey: &Survey, request: &DeviceRequest) -> Result<Vec<FoundDevice>, DeviceError> {
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
        false => Err(DeviceError::AllTaken(devices)),
    }
}

/// Finds devices, starts their drivers, and returns the threads of these.
fn find(shared: &Arc<Shared>, request: &DeviceRequest) -> Vec<JoinHandle<()>> {
    let mut spans = Vec::new();
    let chosen = Span::time(&mut spans, "find devices", || {
        let survey = find::survey()?;
        lock(&shared.state).left_out.clone_from(&survey.left_out);
        let chosen = select(&survey, request)?;
        match request.options.reproducible {
            true => require_equal(chosen),
            false => Ok(chosen),
        }
    });
    let found = chosen.as_ref().map(drop).map_err(DeviceError::clone);
    let chosen = chosen.into_iter().flatten().enumerate();
    let drivers = chosen.map(|(index, found)| {
        let driver = Driver {
            shared: Arc::clone(shared),
            request: request.clone(),
            index,
            account: shared.ledger.open(Some(index)),
            min_memory: found.info.memory / MEMORY_DIVISOR,
            share: match found.info.kind {
                DeviceKind::Cpu => request.workers.share_of_device(num_cpus::get()),
                _ => 1.0,
            },
        };
        (driver, found)
    });
    let drivers: Vec<_> = drivers.collect();
    if drivers.iter().any(|(driver, _)| driver.yields()) {
        lower_priority(Some(priority::FINDER));
    }
    let driven = drivers.iter().map(|(driver, found)| DrivenDevice {
        account: Arc::clone(&driver.account),
        yields: driver.yields(),
        record: DriverRecord {
            info: found.info.clone(),
            ..DriverRecord::default()
        },
    });
    let mut state = lock(&shared.state);
    state.spans = spans;
    state.devices = driven.collect();
    state.found = Some(found);
    drop(state);
    let _ = shared.events.send(Event::Devices);
    let mut threads = Vec::new();
    for (driver, found) in drivers {
        let index = driver.index;
        let thread = thread::Builder::new().name("driver".into());
        match thread.spawn(move || driver.run(&found)) {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                let error = no_thread(&error);
                lock(&shared.state).devices[index].fail(error.clone());
                let _ = shared.events.send(Event::DriverFailed(error.into()));
            }
        }
    }
    threads
}

/// Returns the devices, or an error if they may round in different ways.
fn require_equal(chosen: Vec<FoundDevice>) -> Result<Vec<FoundDevice>, DeviceError> {
    let mut pairs = chosen.windows(2).map(|pair| (&pair[0].info, &pair[1].info));
    match pairs.find(|(a, b)| (&a.name, &a.driver) != (&b.name, &b.driver)) {
        None => Ok(chosen),
        Some((a, b)) => Err(DeviceError::Refused(format!(
            "scores of {} and {} together are not reproducible; name equal devices",
            a.name, b.name
        ))),
    }
}

/// Returns the error of a thread that could not be started.
fn no_thread(error: &io::Error) -> DeviceError {
    DeviceError::NoThread("a device", error.to_string())
}
