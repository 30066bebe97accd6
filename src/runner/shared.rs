//! What the runner and the drivers of devices tell each other.

use std::sync::{Arc, Condvar, Mutex};

use super::ledger::Ledger;
use super::pool::CpuWorkers;
use super::records::DriverRecord;
use super::rehearsal::Rehearse;
use super::sharing::Search;
use crate::device::{DeviceError, DeviceOptions, DeviceSelection};
use crate::engine::EngineError;
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
    pub search: Search,
    pub strategy: Strategy,
    pub options: DeviceOptions,
}

/// What a driver does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Phase {
    /// It makes its device ready.
    #[default]
    Starting,
    /// It searches.
    Searching,
    /// It has ended, or is not waited for any more.
    Ended,
}

/// A device that is driven.
#[derive(Default)]
pub(super) struct Driven {
    pub(super) phase: Phase,
    /// Whether it leaves its cores to workers, who need not wait for it.
    pub(super) yields: bool,
    pub(super) record: DriverRecord,
}

/// State shared with the driver threads.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) state: Mutex<DeviceState>,
    /// Notified when there is work.
    pub(super) ordered: Condvar,
    pub(super) ledger: Arc<Ledger>,
}

/// What is known of the devices of a run. Drivers keep it up to date.
#[derive(Default)]
pub(super) struct DeviceState {
    /// Why there are no devices, if so; nothing until they have been looked for.
    pub(super) found: Option<Result<(), DeviceError>>,
    pub(super) devices: Vec<Driven>,
    /// Finding devices.
    pub(super) spans: Vec<Span>,
    /// Why platforms and devices could not be asked.
    pub(super) left_out: Vec<DeviceError>,
    pub(super) work: Option<Work>,
}

/// Tells the runner that the state has changed, perhaps by an error of a driver.
pub(super) type DriverEvent = Option<EngineError>;
