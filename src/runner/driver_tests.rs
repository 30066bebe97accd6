//! Tests of drivers with simulated devices.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::counter::RootCounter;
use super::devices::Devices;
use super::driver::Driver;
use super::ledger::Account;
use super::pace::Kind;
use super::ranges::total;
use super::records::DriverRecord;
use super::request::DeviceRequest;
use super::shared::DrivenDevice;
use super::sharing::Search;
use super::sync::lock;
use crate::cpu::{self, CpuPlan, CpuSearch};
use crate::device::{DeviceError, DeviceOptions, DeviceSelection};
use crate::engine::{Engine, EngineError, Precision, Root, Sums};
use crate::graph::generate;
use crate::prepare::Prepared;

/// Makes the driver of a simulated device, and a run for it.
fn driver(prepared: Prepared, options: DeviceOptions) -> (Devices, Driver, Search) {
    let request = DeviceRequest {
        selection: DeviceSelection::None,
        options,
        ..DeviceRequest::default()
    };
    let devices = Devices::start(request.clone());
    let shared = &devices.shared;
    let account = shared.ledger.open(Some(0));
    lock(&shared.state).devices = vec![DrivenDevice {
        account: Arc::clone(&account),
        yields: false,
        record: DriverRecord::default(),
    }];
    let driver = Driver {
        shared: Arc::clone(shared),
        request,
        index: 0,
        account,
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
        if self.errs {
            let Search {
                counter, ledger, ..
            } = self.search;
            ledger.copy(&self.rival, counter.now() + 100.0, |_| Some(0.0));
            let zero = || self.search.prepared.zero_sums();
            assert!(ledger.commit(&self.rival, zero, |_| Ok::<_, EngineError>(()))?);
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
    let rival = search.ledger.open(None);
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
    let error = result.unwrap_err();
    assert!(matches!(
        error.device_error(),
        Some(DeviceError::Spoiled { .. })
    ));
    assert_eq!(devices.shared.ledger.roots(), rival.roots());
    let returned = total(&driver.account.close().unwrap());
    assert_eq!(returned + rival.roots(), search.prepared.roots.len());
}
