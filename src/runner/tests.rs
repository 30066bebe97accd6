//! Tests of the worker pool: the number of workers, their engines, and when they start.

use crossbeam::channel::unbounded;

use super::pace::Kind;
use super::*;
use crate::cpu::EngineName;
use crate::graph::generate;
use crate::prepare::{PrepareOptions, prepare};

/// The pool of a machine with four cores.
fn pool() -> WorkerPool {
    WorkerPool::new(CpuWorkers::Auto.into(), 4)
}

fn devices(live: usize) -> DeviceCount {
    DeviceCount {
        live,
        ..DeviceCount::default()
    }
}

fn search() -> Search {
    let graph = generate::erdos_renyi(500, 4000, 1).unwrap();
    let prepared = prepare(&graph, &PrepareOptions::default()).unwrap();
    Search {
        counter: Arc::new(RootCounter::new(prepared.roots.len(), 1, 4)),
        prepared: Arc::new(prepared),
        ledger: Arc::default(),
    }
}

#[test]
fn a_plan_is_made_once() {
    let mut pool = pool();
    let start = |pool: &mut WorkerPool, live: usize, left: usize| {
        let counter = Arc::new(RootCounter::new(left, 1, 1));
        let search = Search {
            counter,
            ..search()
        };
        pool.adjust(&search, &devices(live), &unbounded().0)
            .unwrap();
        pool.trial.as_ref().unwrap().plan(0).engine
    };
    assert_eq!(start(&mut pool, 1, 400), EngineName::Lanes);
    // Without the device there is one more worker. Few roots are left, but the plan stays.
    assert_eq!(start(&mut pool, 0, 3), EngineName::Lanes);
    assert_eq!((pool.live.len(), pool.started), (4, 4));
    pool.threads.join();
}

#[test]
fn all_roots_are_searched_by_a_pool_that_shrinks() {
    let (search, mut pool) = (search(), pool());
    let (sender, events) = unbounded();
    pool.adjust(&search, &devices(0), &sender).unwrap();
    assert_eq!(pool.live.len(), 4);
    // Devices have been found, whose drivers need cores.
    pool.adjust(&search, &devices(3), &sender).unwrap();
    while !pool.live.is_empty() {
        handle(events.recv().unwrap(), &mut pool, &devices(3)).unwrap();
    }
    pool.threads.join();
    assert_eq!(search.ledger.roots(), search.prepared.roots.len());
    assert_eq!(pool.started, 4);
}

#[test]
fn a_single_worker_searches_a_small_graph_on_the_calling_thread() {
    let graph = generate::erdos_renyi(50, 100, 1).unwrap();
    let prepared = prepare(&graph, &PrepareOptions::default()).unwrap();
    let roots = prepared.roots.len();
    let search = Search {
        counter: Arc::new(RootCounter::new(roots, 1, 1)),
        prepared: Arc::new(prepared),
        ledger: Arc::default(),
    };
    let mut pool = WorkerPool::new(CpuWorkers::Count(1).into(), 4);
    pool.knows_roots = true;
    let (sender, events) = unbounded();
    pool.adjust(&search, &devices(0), &sender).unwrap();
    assert_eq!(
        search.ledger.roots(),
        roots,
        "the search ends before the call returns"
    );
    assert!(matches!(events.try_recv(), Ok(Event::WorkerEnded(0))));
}

#[test]
fn workers_wait_for_devices_that_are_faster() {
    let soon = Duration::from_millis(100);
    let waits = |count, roots, rate: Option<f64>, waited| {
        let search = search();
        let counter = Arc::new(RootCounter::new(roots, 1, 1));
        let search = Search { counter, ..search };
        let _device = rate.map(|rate| search.counter.join(Kind::Driver, Some(rate)));
        pool().waits(&search, &count, waited)
    };
    let starting = DeviceCount {
        live: 1,
        starting: 1,
        yielding: 0,
    };
    let many = 1_000_000;
    assert!(waits(starting, many, None, soon));
    assert!(!waits(starting, 1000, None, soon), "they could be done");
    assert!(!waits(starting, 0, None, soon));
    assert!(!waits(starting, many, None, Duration::from_secs(100)));
    assert!(!waits(devices(0), many, None, soon), "there is no device");
    let yielding = DeviceCount {
        yielding: 1,
        ..starting
    };
    assert!(!waits(yielding, many, None, soon));
    // The device is ready, at a known rate.
    assert!(waits(devices(1), many, None, soon));
    assert!(waits(devices(1), many, Some(1e9), Duration::from_secs(100)));
    assert!(!waits(devices(1), many, Some(10.0), soon));
}

#[test]
fn repeated_adjustments_stop_only_surplus_workers() {
    let (search, mut pool) = (search(), pool());
    let (sender, events) = unbounded();
    pool.adjust(&search, &devices(0), &sender).unwrap();
    // The pool is adjusted more often than workers end.
    for _ in 0..10 {
        pool.adjust(&search, &devices(1), &sender).unwrap();
    }
    assert_eq!(
        (
            pool.live.len(),
            pool.live.iter().filter(|worker| worker.stays()).count()
        ),
        (4, 3)
    );
    search.counter.close();
    while !pool.live.is_empty() {
        let Event::WorkerEnded(number) = events.recv().unwrap() else {
            panic!("a worker failed");
        };
        pool.remove(number);
    }
    pool.threads.join();
}
