//! Tests of the worker pool: the number of workers, their engines, and when they start.

use std::sync::atomic::Ordering::Relaxed;

use crossbeam::channel::unbounded;

use super::pace::Kind;
use super::*;
use crate::cpu::CpuEngine;
use crate::graph::generate;
use crate::prepare::{PrepareOptions, prepare};

/// The pool of a machine with four cores.
fn pool() -> WorkerPool {
    WorkerPool::new(CpuRequest::default(), 4)
}

fn devices(live: usize, starting: usize, yielding: usize) -> DeviceCount {
    DeviceCount {
        live,
        starting,
        yielding,
    }
}

/// Returns a search of a random graph of 500 vertices, with `roots` in its counter.
fn search(roots: Option<usize>) -> Search {
    search_of(500, 4000, roots)
}

fn search_of(vertices: u32, edges: u64, roots: Option<usize>) -> Search {
    let graph = generate::erdos_renyi(vertices, edges, 1).unwrap();
    let prepared = prepare(&graph, &PrepareOptions::default()).unwrap();
    let roots = roots.unwrap_or(prepared.roots.len());
    Search {
        counter: Arc::new(RootCounter::new(roots, 1, 4)),
        prepared: Arc::new(prepared),
        ledger: Arc::default(),
    }
}

#[test]
fn a_plan_is_made_once() {
    let mut pool = pool();
    // Without the device there is one more worker. Few roots are left, but the plan stays.
    for (live, left) in [(1, 400), (0, 3)] {
        let search = search(Some(left));
        let events = unbounded().0;
        pool.adjust(&search, &devices(live, 0, 0), &events).unwrap();
        let engine = pool.trial.as_ref().unwrap().plan(0).engine;
        assert_eq!(engine, CpuEngine::Lanes);
    }
    assert_eq!((pool.live.len(), pool.started), (4, 4));
    pool.threads.join();
}

#[test]
fn all_roots_are_searched_by_a_pool_that_shrinks() {
    let (search, mut pool) = (search(None), pool());
    let (sender, events) = unbounded();
    pool.adjust(&search, &devices(0, 0, 0), &sender).unwrap();
    // A device has been found, whose driver needs a core. The pool is adjusted more often than
    // workers end.
    for _ in 0..10 {
        pool.adjust(&search, &devices(1, 0, 0), &sender).unwrap();
    }
    let staying = pool.live.values().filter(|surplus| !surplus.load(Relaxed));
    assert_eq!((pool.live.len(), staying.count()), (4, 3));
    while !pool.live.is_empty() {
        handle(events.recv().unwrap(), &mut pool, &devices(1, 0, 0)).unwrap();
    }
    pool.threads.join();
    assert_eq!(search.ledger.roots(), search.prepared.roots.len());
    assert_eq!(pool.started, 4);
}

#[test]
fn a_single_worker_searches_a_small_graph_on_the_calling_thread() {
    let search = search_of(50, 100, None);
    let roots = search.prepared.roots.len();
    let mut pool = pool();
    pool.requested = CpuWorkers::Count(1);
    pool.knows_roots = true;
    let (sender, events) = unbounded();
    pool.adjust(&search, &devices(0, 0, 0), &sender).unwrap();
    assert_eq!(
        search.ledger.roots(),
        roots,
        "the search ends before the call returns"
    );
    assert!(matches!(events.try_recv(), Ok(Event::WorkerEnded(0))));
}

#[test]
fn workers_wait_for_devices_that_are_faster() {
    let many = 1_000_000;
    for (count, roots, rate, seconds, expected) in [
        (devices(1, 1, 0), many, None, 0.1, true),
        // The workers could be done.
        (devices(1, 1, 0), 1000, None, 0.1, false),
        (devices(1, 1, 0), 0, None, 0.1, false),
        (devices(1, 1, 0), many, None, 100.0, false),
        // There is no device.
        (devices(0, 0, 0), many, None, 0.1, false),
        (devices(1, 1, 1), many, None, 0.1, false),
        // The device is ready, at a known rate.
        (devices(1, 0, 0), many, None, 0.1, true),
        (devices(1, 0, 0), many, Some(1e9), 100.0, true),
        (devices(1, 0, 0), many, Some(10.0), 0.1, false),
    ] {
        let search = search(Some(roots));
        let _device = rate.map(|rate| search.counter.join(Kind::Driver, Some(rate)));
        let waits = pool().waits(&search, &count, Duration::from_secs_f64(seconds));
        assert_eq!(waits, expected, "{count:?} {roots} {rate:?} {seconds}");
    }
}
