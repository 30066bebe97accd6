//! What the runner and the drivers of devices tell each other.

use std::sync::{Arc, Condvar, Mutex};

use super::counter::SourceCounter;
use super::ledger::Ledger;
use super::pool::CpuWorkers;
use super::records::DriverRecord;
use super::rehearsal::Rehearse;
use crate::device::{DeviceError, DeviceOptions, DeviceSelection};
use crate::engine::EngineError;
use crate::prepare::Prepared;
use crate::span::Span;
use crate::strategy::Strategy;

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
    /// The CPU workers that search as well, to whom a device that is the CPU itself leaves its
    /// cores.
    pub workers: CpuWorkers,
    /// The number of this process among those of its machine that share the devices, and how many
    /// these are, if there are others.
    pub local: Option<(usize, usize)>,
    /// How to try drivers in another process first.
    pub rehearse: Option<Rehearse>,
}

/// What the runner hands the drivers once the graph is ready.
#[derive(Clone)]
pub(super) struct Work {
    pub prepared: Arc<Prepared>,
    pub counter: Arc<SourceCounter>,
    pub strategy: Strategy,
    pub options: DeviceOptions,
}

/// What drivers are to do when they are ready.
#[derive(Default)]
pub(super) struct Orders {
    pub work: Option<Work>,
}

/// What drivers tell the runner.
pub(super) enum DriverEvent {
    /// How many devices will be driven, or why none.
    Selected(Result<usize, DeviceError>),
    /// A device is ready and begins to search, or will never be, or `yields`: it leaves its cores
    /// to workers, who need not wait for it.
    Ready { yields: bool },
    /// A driver is done, perhaps with an error.
    Ended {
        error: Option<EngineError>,
        /// Whether its device had left its cores to workers.
        yielded: bool,
    },
}

/// State shared with the driver threads.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) orders: Mutex<Orders>,
    pub(super) ordered: Condvar,
    /// One per device; drivers keep theirs up to date, so that it can be read at any time.
    pub(super) records: Mutex<Vec<DriverRecord>>,
    pub(super) spans: Mutex<Vec<Span>>,
    pub(super) ledger: Arc<Ledger>,
    /// Why there are none, if so.
    pub(super) no_device: Mutex<Option<DeviceError>>,
    /// Why platforms and devices could not be asked.
    pub(super) left_out: Mutex<Vec<DeviceError>>,
}
