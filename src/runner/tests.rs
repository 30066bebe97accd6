//! Tests of the worker pool: how many workers there are, how they search, and when they begin.

use super::*;
use crate::cpu::EngineName;
use crate::graph::generate;
use crate::prepare::{PrepareOptions, prepare};

/// The pool of a machine with four cores that waits for a device.
fn pool(asked: CpuWorkers, expected: usize) -> WorkerPool {
    WorkerPool::new(asked.into(), 4, expected)
}

fn shallow() -> Prepared {
    let graph = generate::erdos_renyi(500, 4000, 1).unwrap();
    prepare(&graph, &PrepareOptions::default()).unwrap()
}

#[test]
fn a_plan_is_made_once() {
    let (prepared, mut pool) = (Arc::new(shallow()), pool(CpuWorkers::Auto, 1));
    let start = |pool: &mut WorkerPool, left: usize| {
        let counter = Arc::new(SourceCounter::new(left, 1, 1));
        let shared = (&counter, &Arc::default());
        pool.adjust(&prepared, shared, &unbounded().0).unwrap();
        pool.trial.as_ref().unwrap().plan(0).engine
    };
    assert_eq!(start(&mut pool, 400), EngineName::Lanes);
    // Without the device there is one more. Few roots are left, but the plan stays.
    (pool.devices, pool.finders_or_drivers) = (0, 0);
    assert_eq!(start(&mut pool, 3), EngineName::Lanes);
    assert_eq!((pool.live(), pool.started), (4, 4));
    pool.threads.join();
}

#[test]
fn all_roots_are_searched_by_a_pool_that_shrinks() {
    let (prepared, mut pool) = (Arc::new(shallow()), pool(CpuWorkers::Auto, 0));
    let total = prepared.roots.len();
    let counter = Arc::new(SourceCounter::new(total, 1, 4));
    let ledger = Arc::default();
    let shared = (&counter, &ledger);
    let mut gathered = Gathered::default();
    let (sender, events) = unbounded();
    pool.adjust(&prepared, shared, &sender).unwrap();
    assert_eq!(pool.live(), 4);
    // Devices have been found, for which cores are needed.
    (pool.devices, pool.finders_or_drivers) = (3, 3);
    pool.adjust(&prepared, shared, &sender).unwrap();
    while pool.live() > 0 {
        let event = Event::Worker(events.recv().unwrap());
        gathered.take(event, &mut pool).unwrap();
    }
    pool.threads.join();
    assert_eq!(ledger.roots(), total);
    assert_eq!(pool.started, 4);
}

#[test]
fn workers_wait_for_devices_only_if_there_may_be_some() {
    let prepared = shallow();
    let soon = Duration::from_millis(100);
    let roots = 1_000_000;
    let mut pool = pool(CpuWorkers::Auto, 1);
    assert!(pool.waits(&prepared, roots, soon));
    assert!(!pool.waits(&prepared, 1000, soon), "they could be done");
    assert!(!pool.waits(&prepared, 0, soon));
    // No device can take roots.
    pool.finders_or_drivers = 0;
    assert!(!pool.waits(&prepared, roots, soon));
}

#[test]
fn workers_end_once_for_each_that_is_too_many() {
    let (prepared, mut pool) = (Arc::new(shallow()), pool(CpuWorkers::Auto, 0));
    let counter = Arc::new(SourceCounter::new(prepared.roots.len(), 1, 4));
    let ledger = Arc::default();
    let shared = (&counter, &ledger);
    let (sender, events) = unbounded();
    pool.adjust(&prepared, shared, &sender).unwrap();
    // The pool is looked at more often than workers end.
    (pool.devices, pool.finders_or_drivers) = (1, 1);
    for _ in 0..10 {
        pool.adjust(&prepared, shared, &sender).unwrap();
    }
    assert_eq!((pool.live(), pool.staying()), (4, 3));
    counter.close();
    while pool.live() > 0 {
        let WorkerEvent::Ended(number) = events.recv().unwrap() else {
            panic!("a worker failed");
        };
        pool.ended(number);
    }
    pool.threads.join();
}
