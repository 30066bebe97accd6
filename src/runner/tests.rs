//! Tests of the crew: who is hired, who has to leave, and when.

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
fn a_crew_with_no_device_from_the_start_keeps_its_plan() {
    let (prepared, mut crew) = (shallow(), crew(CpuWorkers::Auto, 0));
    assert_eq!(crew.make_plan(&prepared, 400).engine, EngineName::Lanes);
    crew.live = 4;
    // Few are left, but nobody changes horses for that.
    assert_eq!(crew.make_plan(&prepared, 3).engine, EngineName::Lanes);
    assert_eq!((crew.live, crew.leaving, crew.changed), (4, 0, false));
}

#[test]
fn workers_hired_beside_a_device_leave_when_it_is_gone() {
    let (prepared, mut crew) = (shallow(), crew(CpuWorkers::Auto, 1));
    let beside = crew.make_plan(&prepared, 400);
    assert_eq!((beside.engine, crew.wanted()), (EngineName::Plain, 3));
    crew.live = 3;
    (crew.devices, crew.finders_or_drivers) = (0, 0);
    let alone = crew.make_plan(&prepared, 400);
    assert_eq!((alone.engine, crew.wanted()), (EngineName::Lanes, 4));
    assert_eq!((crew.live, crew.leaving, crew.changed), (0, 3, true));
    crew.live = 1;
    crew.ended(&beside);
    assert_eq!((crew.live, crew.leaving), (1, 2));
    crew.ended(&alone);
    assert_eq!((crew.live, crew.leaving), (0, 2));
}

#[test]
fn workers_stay_when_the_plan_would_be_the_same() {
    // Too few roots for batches.
    let (prepared, mut crew) = (shallow(), crew(CpuWorkers::Count(2), 1));
    let beside = crew.make_plan(&prepared, 400);
    crew.live = 2;
    (crew.devices, crew.finders_or_drivers) = (0, 0);
    assert_eq!(crew.make_plan(&prepared, 5), beside);
    assert_eq!((crew.live, crew.leaving, crew.changed), (2, 0, false));
    crew.ended(&beside);
    assert_eq!((crew.live, crew.leaving), (1, 0));
}

#[test]
fn all_roots_are_searched_when_a_crew_is_replaced() {
    let (prepared, mut crew) = (Arc::new(shallow()), crew(CpuWorkers::Count(2), 1));
    let total = prepared.roots.len();
    let counter = Arc::new(SourceCounter::new(total, 1, 3));
    let tickets = Arc::new(Tickets::default());
    let mut gathered = Gathered::default();
    let (sender, events) = unbounded();
    crew.adjust(&prepared, &counter, &tickets, &sender);
    assert_eq!(crew.live, 2);
    (crew.devices, crew.finders_or_drivers) = (0, 0);
    loop {
        crew.adjust(&prepared, &counter, &tickets, &sender);
        assert!(crew.live + crew.leaving <= 2);
        if crew.live + crew.leaving == 0 {
            break;
        }
        let event = Event::Worker(events.recv().unwrap());
        gathered.take(event, &mut crew).unwrap();
    }
    crew.threads.join();
    assert_eq!(gathered.roots, total);
    let engines = gathered
        .workers
        .iter()
        .map(|(record, _)| record.plan.engine);
    assert!(
        engines
            .clone()
            .all(|e| matches!(e, EngineName::Plain | EngineName::Lanes))
    );
    assert!(engines.filter(|&e| e == EngineName::Plain).count() <= 2);
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
