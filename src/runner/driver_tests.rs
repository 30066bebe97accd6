//! Tests of drivers with simulated devices.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::counter::SourceCounter;
use super::devices::Devices;
use super::driver::Driver;
use super::ledger::Owner;
use super::pace::Kind;
use super::records::DriverState;
use super::request::DeviceRequest;
use super::shared::DrivenDevice;
use super::sharing::Search;
use super::sync::lock;
use crate::device::{DeviceError, DeviceInfo, DeviceOptions, DeviceSelection};
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

#[test]
fn a_device_that_answers_too_late_stops() {
    let graph = generate::complete(50).unwrap();
    let prepared = Arc::new(Prepared::bare(graph.csr().clone()));
    let total = prepared.roots.len();
    let request = DeviceRequest {
        selection: DeviceSelection::None,
        options: DeviceOptions {
            timeout: Some(0),
            ..DeviceOptions::default()
        },
        ..DeviceRequest::default()
    };
    let devices = Devices::start(request.clone());
    let shared = &devices.shared;
    let counter = Arc::new(SourceCounter::new(total, 1, 2));
    let account = shared.ledger.open(Owner::Device(0));
    let driven = DrivenDevice::new(Arc::clone(&account), DeviceInfo::default(), false);
    lock(&shared.state).devices = vec![driven];
    let driver = Driver {
        shared: Arc::clone(shared),
        request,
        index: 0,
        account: Arc::clone(&account),
        min_memory: 0,
        share: 1.0,
    };
    let search = Search {
        prepared,
        counter: Arc::clone(&counter),
        ledger: Arc::clone(devices.ledger()),
    };
    let (answer, answers) = channel();
    let (ended, end) = channel();
    thread::spawn(move || {
        let participant = search.counter.join(Kind::Driver, None);
        let mut engine = Silent(answers);
        let _ = ended.send(driver.search(&mut engine, &search, participant, Precision::F64));
    });
    let errors = loop {
        let errors = devices.give_up_late(&counter);
        if !errors.is_empty() {
            break errors;
        }
        thread::sleep(Duration::from_millis(1));
    };
    assert!(matches!(errors[..], [DeviceError::NoAnswer { .. }]));
    assert_eq!(counter.unclaimed(), total);
    // Now the call returns.
    drop(answer);
    let result = end.recv_timeout(Duration::from_secs(60));
    let result = result.expect("the driver does not end");
    assert!(matches!(result, Err(EngineError::Stopped)), "{result:?}");
    assert_eq!(
        lock(&shared.state).devices[0].record().state,
        DriverState::Failed
    );
    let ledger = devices.ledger();
    assert_eq!((ledger.searched(), ledger.roots()), (0, 0));
    assert!(!ledger.is_open() && counter.unclaimed() == total);
}
