//! Tests of the crew: who is hired, how they search, and when they begin.

use super::*;
use crate::cpu::EngineName;
use crate::graph::generate;
use crate::prepare::{PrepareOptions, prepare};

/// A crew of a machine with four cores that waits for a device.
fn crew(asked: CpuWorkers, expected: usize) -> Crew {
    Crew::new(asked.into(), 4, expected)
}

fn shallow() -> Prepared {
    let graph = generate::erdos_renyi(500, 4000, 1).unwrap();
    prepare(&graph, &PrepareOptions::default()).unwrap()
}

#[test]
fn a_plan_is_made_once() {
    let (prepared, mut crew) = (Arc::new(shallow()), crew(CpuWorkers::Auto, 1));
    let hire = |crew: &mut Crew, left: usize| {
        let counter = Arc::new(SourceCounter::new(left, 1, 1));
        crew.adjust(&prepared, &counter, &unbounded().0).unwrap();
        crew.plan.unwrap().engine
    };
    assert_eq!(hire(&mut crew, 400), EngineName::Lanes);
    // Without the device there is one more. Few roots are left, but nobody changes horses for that.
    (crew.devices, crew.finders_or_drivers) = (0, 0);
    assert_eq!(hire(&mut crew, 3), EngineName::Lanes);
    assert_eq!((crew.live, crew.started), (4, 4));
    crew.threads.join();
}

#[test]
fn all_roots_are_searched_by_a_crew_that_shrinks() {
    let (prepared, mut crew) = (Arc::new(shallow()), crew(CpuWorkers::Auto, 0));
    let total = prepared.roots.len();
    let counter = Arc::new(SourceCounter::new(total, 1, 4));
    let mut gathered = Gathered::default();
    let (sender, events) = unbounded();
    crew.adjust(&prepared, &counter, &sender).unwrap();
    assert_eq!(crew.live, 4);
    // Devices have been found, for which cores are needed.
    (crew.devices, crew.finders_or_drivers) = (3, 3);
    crew.adjust(&prepared, &counter, &sender).unwrap();
    while crew.live > 0 {
        let event = Event::Worker(events.recv().unwrap());
        gathered.take(event, &mut crew).unwrap();
    }
    crew.threads.join();
    assert_eq!(gathered.roots, total);
    assert_eq!(crew.started, 4);
}

#[test]
fn workers_wait_for_devices_if_they_would_take_long_without() {
    let prepared = shallow();
    let (soon, late) = (Duration::from_millis(100), Duration::from_millis(600));
    let roots = 1_000_000;
    let mut crew = crew(CpuWorkers::Auto, 1);
    assert!(crew.waits(&prepared, roots, soon));
    assert!(!crew.waits(&prepared, 1000, soon), "they could be done");
    assert!(!crew.waits(&prepared, roots, late));
    crew.unready = Some(2);
    assert!(crew.waits(&prepared, roots, soon));
    crew.unready = Some(0);
    assert!(!crew.waits(&prepared, roots, soon));
    crew.unready = None;
    // No device can take roots.
    crew.finders_or_drivers = 0;
    assert!(!crew.waits(&prepared, roots, soon));
}
