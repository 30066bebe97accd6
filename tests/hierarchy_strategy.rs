//! Compares strategy `hierarchy` on an OpenCL device with the definition and the CPU engine.
//! (Engine `hierarchy` on cores has separate tests.)

use crate::common::{Setup, diamonds, difference};
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::When;
use brandes::runner::DriverState;
use brandes::strategy::Strategy as Search;

fn setup(lanes: u32, degree: u32, precision: Precision) -> Setup {
    let mut setup = Setup::lanes(lanes, degree, precision);
    setup.request.strategy = Search::Hierarchy;
    setup
}

/// Makes searches with a setup serve the sources inside chains where possible.
fn serving(mut setup: Setup) -> Setup {
    setup.prepare.reduce.chains = When::Always;
    setup
}

fn shapes() -> Vec<(&'static str, Graph)> {
    vec![
        ("grid of ties", generate::grid(12, 17, 0.0, 1).unwrap()),
        ("broken grid", generate::grid(20, 20, 0.35, 2).unwrap()),
        ("long path", generate::path(300).unwrap()),
        ("cycle", generate::cycle(101).unwrap()),
        ("chains", crate::common::subdivided::roads(6)),
        ("hub", generate::complete_bipartite(2, 60).unwrap()),
        ("many paths", generate::diamonds(60).unwrap()),
        (
            "many components",
            generate::erdos_renyi(300, 280, 3).unwrap(),
        ),
    ]
}

#[test]
fn any_number_of_lanes_and_any_degree_give_the_scores_of_the_cpu() {
    for (name, graph) in shapes() {
        let expected = Setup::cpu(1).scores(&graph);
        for (lanes, degree, group, fold) in
            [(32, 1, 8, true), (64, 16, 16, false), (96, 4, 7, true)]
        {
            let mut setup = setup(lanes, degree, Precision::F64).fold(fold);
            setup.request.options.numbers.work_group = Some(group);
            let mut setups = vec![setup];
            if group % 4 == 0 {
                setups.push(serving(setups[0].clone()));
            }
            for setup in setups {
                let difference = difference(&setup.scores(&graph), &expected, 1e-3);
                assert!(difference < 1e-10, "{name}, {lanes} lanes: {difference:e}");
            }
        }
    }
}

#[test]
fn scores_in_narrow_precisions_are_close() {
    for (name, graph) in shapes() {
        let expected = Setup::cpu(1).scores(&graph);
        for (precision, bound) in [(Precision::F32, 1e-4), (Precision::Mixed, 5e-6)] {
            for setup in [setup(64, 8, precision), serving(setup(64, 8, precision))] {
                let difference = difference(&setup.scores(&graph), &expected, 1e-1);
                assert!(difference < bound, "{name}, {precision:?}: {difference:e}");
            }
        }
    }
}

#[test]
fn a_path_count_beyond_the_number_type_is_counted_by_the_cpu() {
    // 2^125 paths are within the range of f32, 2^127 are not.
    let narrow = setup(32, 8, Precision::F32).scores(&diamonds::chain(125));
    assert!(difference(&narrow, &diamonds::scores(125), 1e-1) < 1e-4);
    let (scores, _) = setup(32, 8, Precision::F32).too_many_paths(&diamonds::chain(127));
    assert!(difference(&scores, &diamonds::scores(127), 1e-3) < 1e-4);
}

#[test]
fn a_path_count_beyond_floats_is_counted_in_doubles_by_the_device() {
    for count in [125, 140] {
        let (scores, outcome) = setup(32, 8, Precision::Mixed).outcome(&diamonds::chain(count));
        assert!(difference(&scores, &diamonds::scores(count), 1e-3) < 1e-4);
        assert_eq!(outcome.drivers[0].state, DriverState::Worked);
        assert_eq!(outcome.error_bound() > 0.0, count == 125);
    }
}

#[test]
fn the_plan_has_the_requested_lanes_or_the_reason_for_others() {
    let graph = generate::grid(30, 30, 0.0, 1).unwrap();
    let plan = |lanes, work_group| {
        let mut setup = setup(lanes, 16, Precision::F64).fold(false);
        setup.request.options.numbers.work_group = work_group;
        let (_, outcome) = setup.outcome(&graph);
        outcome.drivers[0].plan.clone().unwrap()
    };
    for lanes in [32, 96, 320] {
        let plan = plan(lanes, None);
        assert_eq!(plan.lanes, lanes as usize);
        assert!(!plan.why.contains("asked for"), "{}", plan.why);
    }
    // A work-group has four lanes for each work-item.
    let raised = plan(64, Some(64));
    assert_eq!((raised.lanes, raised.work_group), (256, 64));
    let note = "256 lanes (whole work-groups of 256 lanes, in place of the 64 asked for)";
    assert!(raised.why.ends_with(note), "{}", raised.why);
}
