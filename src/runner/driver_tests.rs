//! Tests of drivers with simulated devices.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::counter::RootCounter;
use super::devices::Devices;
use super::driver::Driver;
use super::ledger::{Account, Owner};
use super::pace::Kind;
use super::ranges::total;
use super::records::{DriverRecord, DriverState};
use super::request::DeviceRequest;
use super::shared::{DrivenDevice, DriverRun};
use super::sharing::Search;
use super::sync::lock;
use crate::cpu::{self, CpuPlan, CpuSearch};
use crate::device::{DeviceError, DeviceOptions, DeviceSelection};
use crate::engine::{Engine, EngineError, Precision, Root, Sums};
use crate::graph::generate;
use crate::prepare::Prepared;

/// An engine whose searches wait for a message, until the sender is dropped. Its sums are zero.
struct Silent(Receiver<()>);

impl Engine for Silent {
    fn roots_wanted(&self) -> usize {
        8
    }

    fn search(&mut self, _: &[Root]) -> Result<(), EngineError> {
        let _ = self.0.recv();
        Ok(())
    }

    fn collect(&mut self, _: &mut Sums<'_>) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Makes the driver of a simulated device, and a run for it.
fn driver(prepared: Prepared, options: DeviceOptions) -> (Devices, Driver, Search) {
    let request = DeviceRequest {
        selection: DeviceSelection::None,
        options,
        ..DeviceRequest::default()
    };
    let devices = Devices::start(request.clone());
    let shared = &devices.shared;
    let account = shared.ledger.open(Owner::Device(0));
    let driven = DrivenDevice {
        account: Arc::clone(&account),
        ended: false,
        yields: false,
        record: DriverRecord::default(),
        next: None,
    };
    lock(&shared.state).devices = vec![driven];
    let driver = Driver {
        run: DriverRun {
            shared: Arc::clone(shared),
            index: 0,
            account,
        },
        request,
        min_memory: 0,
        share: 1.0,
    };
    let search = Search {
        counter: Arc::new(RootCounter::new(prepared.roots.len(), 1, 2)),
        prepared: Arc::new(prepared),
        ledger: Arc::clone(&devices.shared.ledger),
    };
    (devices, driver, search)
}

#[test]
fn a_device_that_answers_too_late_stops() {
    let graph = generate::complete(50).unwrap();
    let prepared = Prepared::bare(graph.csr().clone());
    let total = prepared.roots.len();
    let options = DeviceOptions {
        timeout: Some(0),
        ..DeviceOptions::default()
    };
    let (devices, driver, search) = driver(prepared, options);
    let counter = Arc::clone(&search.counter);
    let (block, blocked) = channel();
    let (send_result, result) = channel();
    thread::spawn(move || {
        let participant = search.counter.join(Kind::Driver, None);
        let mut engine = Silent(blocked);
        let _ = send_result.send(driver.search(&mut engine, &search, participant, Precision::F64));
    });
    let errors = loop {
        let errors = devices.fail_late(&counter);
        if !errors.is_empty() {
            break errors;
        }
        thread::sleep(Duration::from_millis(1));
    };
    assert!(matches!(errors[..], [DeviceError::NoAnswer { .. }]));
    assert_eq!(counter.unclaimed(), total);
    // Now the call returns.
    drop(block);
    let result = result.recv_timeout(Duration::from_secs(60));
    let result = result.expect("the driver does not end");
    assert!(matches!(result, Err(EngineError::Stopped)), "{result:?}");
    assert_eq!(
        devices.state().devices[0].record().state,
        DriverState::Failed
    );
    let ledger = &devices.shared.ledger;
    assert_eq!((ledger.searched(), ledger.roots()), (0, 0));
    assert!(!ledger.has_uncommitted() && counter.unclaimed() == total);
}

/// A device that begins to err when all roots are claimed. Another participant then commits the
/// roots that the device has not committed.
struct Erring<'s> {
    core: CpuSearch<'s>,
    search: &'s Search,
    rival: Arc<Account>,
    searches: usize,
    errs: bool,
}

impl Engine for Erring<'_> {
    fn roots_wanted(&self) -> usize {
        1
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        self.searches += 1;
        // The first search is that of the verification. The second takes more than a second, so
        // that the device commits its root at once and is verified again before its last commit.
        if self.searches == 2 {
            thread::sleep(Duration::from_millis(1100));
        }
        let Search {
            prepared,
            counter,
            ledger,
        } = self.search;
        if self.errs {
            ledger.copy(&self.rival, counter.now() + 100.0, |_| Some(0.0));
            let add = |_: &mut Sums<'_>| Ok::<_, EngineError>(());
            assert!(ledger.commit(&self.rival, || prepared.zero_sums(), add)?);
        }
        self.core.search(roots)
    }

    /// Returns a time so long, from the third search on, that the device commits only at the end.
    fn collect_time(&self) -> Duration {
        Duration::from_secs(if self.searches <= 2 { 0 } else { 1000 })
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.core.collect(sums)?;
        let factor = if self.errs { 2.0 } else { 1.0 };
        sums.vertices.iter_mut().for_each(|sum| *sum *= factor);
        self.errs = self.search.counter.unclaimed() == 0;
        Ok(())
    }
}

#[test]
fn a_device_that_errs_loses_its_commits_even_if_others_committed_its_last_roots() {
    let graph = generate::grid(6, 7, 0.0, 1).unwrap();
    let prepared = Prepared::bare(graph.csr().clone());
    let options = DeviceOptions {
        verify: 1,
        ..DeviceOptions::default()
    };
    let (devices, driver, search) = driver(prepared, options);
    let plain = CpuPlan::root_by_root(&search.prepared);
    let rival = search.ledger.open(Owner::Worker(0));
    let mut device = Erring {
        core: cpu::engine(&search.prepared, &plain),
        search: &search,
        rival: Arc::clone(&rival),
        searches: 0,
        errs: false,
    };
    let participant = search.counter.join(Kind::Driver, None);
    let result = driver.search(&mut device, &search, participant, Precision::F64);
    assert!(device.errs && rival.roots() > 0 && rival.roots() < search.prepared.roots.len());
    let spoiled =
        |error: &EngineError| matches!(error.device_error(), Some(DeviceError::Spoiled { .. }));
    assert!(result.as_ref().is_err_and(spoiled), "{result:?}");
    assert_eq!(devices.shared.ledger.roots(), rival.roots());
    let returned = total(&driver.run.account.close().unwrap());
    assert_eq!(returned + rival.roots(), search.prepared.roots.len());
}
