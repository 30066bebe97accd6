//! State that the runner and the driver threads share.

use std::sync::{Arc, Mutex, OnceLock};

use crossbeam::channel::Sender;

use super::ledger::{Account, Ledger};
use super::records::{DriverRecord, DriverState};
use super::sharing::Search;
use crate::device::DeviceError;
use crate::engine::EngineError;
use crate::span::Span;

/// A device and the state of its driver.
pub(super) struct DrivenDevice {
    pub(super) account: Arc<Account>,
    /// Whether the device is the host CPU and has a lower priority than CPU workers. Workers do not
    /// wait for it.
    pub(super) yields: bool,
    /// The record, without the number of committed roots and the state that follows from it
    /// ([`DrivenDevice::record`]).
    pub(super) record: DriverRecord,
}

impl DrivenDevice {
    /// Returns the record, with the number of committed roots and the state that follows from that
    /// number.
    pub(super) fn record(&self) -> DriverRecord {
        let mut record = self.record.clone();
        record.roots = self.account.roots();
        if record.roots > 0 && matches!(record.state, DriverState::Starting | DriverState::Idle) {
            record.state = DriverState::Worked;
        }
        record
    }

    /// Records that the driver has failed, or has not answered in time.
    pub(super) fn fail(&mut self, error: DeviceError) {
        (self.record.state, self.record.error) = (DriverState::Failed, Some(error));
    }
}

/// State shared with the driver threads.
pub(super) struct Shared {
    pub(super) state: Mutex<DeviceState>,
    /// The search of all drivers, which is known once the graph is prepared.
    pub(super) search: OnceLock<Search>,
    pub(super) ledger: Arc<Ledger>,
    pub(super) events: Sender<Event>,
}

/// The devices of a run.
#[derive(Default)]
pub(super) struct DeviceState {
    /// `None` while the search for devices goes on; then `Ok`, or the reason why there are none.
    pub(super) found: Option<Result<(), DeviceError>>,
    pub(super) devices: Vec<DrivenDevice>,
    /// The time that finding devices took.
    pub(super) spans: Vec<Span>,
    /// The errors of platforms and devices that could not be queried.
    pub(super) left_out: Vec<DeviceError>,
}

/// A message of a worker or driver to the runner.
pub(super) enum Event {
    /// The state of the devices has changed.
    Devices,
    /// A driver has failed.
    DriverFailed(EngineError),
    /// The worker of this number has ended: it has committed everything that it searched, or the
    /// run had ended before.
    WorkerEnded(usize),
    /// The engine of a worker returned this error.
    WorkerFailed(EngineError),
    /// The worker of this number panicked. All its roots, or in a reproducible run the uncommitted
    /// ones, go back to the counter.
    WorkerPanicked(usize),
}
