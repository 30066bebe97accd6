//! Compares strategy `lanes` on an OpenCL device with the CPU engine.

use crate::common::{Setup, assert_close, diamonds, difference, graph};
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::{Order, Reductions, RootSelection, When};
use brandes::strategy::Strategy as Search;

/// Numbers of lanes: batches of one tile of each width, and of several tiles.
const LANES: [u32; 4] = [32, 64, 96, 256];
/// Values of D: every arc is a piece; some vertices have several pieces and others are whole; all
/// vertices are whole.
const DEGREES: [u32; 3] = [1, 8, 256];
/// The time-out in seconds for searches of hundreds of levels on a busy machine.
const PATIENT: Option<u32> = Some(600);

fn shapes() -> Vec<(&'static str, Graph)> {
    vec![
        (
            "small world",
            generate::rmat(9, 8, 0.57, 0.19, 0.19, 7).unwrap(),
        ),
        ("hub", generate::complete_bipartite(2, 400).unwrap()),
        ("deep", generate::grid(3, 60, 0.05, 2).unwrap()),
        ("many paths", generate::diamonds(30).unwrap()),
        (
            "many components",
            generate::erdos_renyi(400, 330, 3).unwrap(),
        ),
        ("fewer vertices than lanes", generate::complete(13).unwrap()),
    ]
}

#[test]
fn any_number_of_lanes_gives_the_scores_of_the_cpu() {
    for (shape, (name, graph)) in shapes().into_iter().enumerate() {
        let expected = Setup::cpu(2).scores(&graph);
        for (width, lanes) in LANES.into_iter().enumerate() {
            for (limit, degree) in DEGREES.into_iter().enumerate() {
                // Every pair of shape, width and limit occurs; all triples would take too long.
                if (shape + width + limit) % 3 != 0 {
                    continue;
                }
                let fold = degree != 8;
                let setup = Setup::lanes(lanes, degree, Precision::F64).fold(fold);
                let difference = difference(&setup.scores(&graph), &expected, 1e-3);
                assert!(
                    difference < 1e-10,
                    "{name}, {lanes} lanes, D {degree}: {difference:e}"
                );
            }
        }
    }
}

#[test]
fn work_groups_of_any_size_clear_everything() {
    // There are as many levels as vertices, and launches have no padding that would hide a level
    // too many.
    let path = generate::path(64).unwrap();
    let expected = Setup::cpu(1).scores(&path);
    for work_group in [1, 7, 64] {
        let mut setup = Setup::lanes(32, 256, Precision::F64).fold(false);
        setup.request.options.numbers.work_group = Some(work_group);
        assert_close(&setup.scores(&path), &expected, 1e-12);
    }
}

#[test]
fn searches_deeper_than_the_masks_use_another_strategy() {
    // One graph is a cycle deeper than the masks of any plan. The other is a small world beside a
    // cycle that the sample of depths misses.
    let cycle = generate::cycle(600).unwrap();
    let world = generate::rmat(10, 8, 0.57, 0.19, 0.19, 3).unwrap();
    let n = world.vertices() as u32;
    let mut edges = Vec::new();
    for v in 0..n {
        edges.extend(world.csr().neighbours(v).iter().map(|&w| (v, w)));
    }
    edges.extend((0..80).map(|i| (n + i, n + (i + 1) % 80)));
    let mixed = graph(n as usize + 80, &edges, false);
    // The sample shows the depth of the first cycle, so `lanes` is not tried on it.
    for (graph, roots, strategy) in [
        (cycle, RootSelection::Sample(64), Search::Warp),
        (mixed, RootSelection::All, Search::Lanes),
    ] {
        let with_roots = |mut setup: Setup| {
            setup.prepare.roots = roots;
            setup
        };
        let expected = with_roots(Setup::cpu(2)).scores(&graph);
        let setup = with_roots(Setup::lanes(128, 64, Precision::F64));
        let (scores, outcome) = setup.outcome(&graph);
        assert!(difference(&scores, &expected, 1e-3) < 1e-10);
        let plan = outcome.drivers[0].plan.as_ref().unwrap();
        assert_eq!(plan.strategy, strategy);
        assert_eq!(
            plan.why.contains("lanes have masks for"),
            strategy == Search::Warp
        );
    }
}

#[test]
fn a_path_count_beyond_the_number_type_is_counted_by_the_cpu() {
    // 2^125 paths are within the range of f32.
    let narrow = Setup::lanes(32, 8, Precision::F32).scores(&diamonds::chain(125));
    assert!(difference(&narrow, &diamonds::scores(125), 1e-1) < 1e-4);
    // 2^127 paths are beyond it.
    let (scores, _) = Setup::lanes(32, 8, Precision::F32).too_many_paths(&diamonds::chain(127));
    assert!(difference(&scores, &diamonds::scores(127), 1e-3) < 1e-4);
}

/// Returns the edges of a row of joints with `widths[i]` vertices between joints i and i + 1. The
/// number of paths from end to end is the product of the widths. The first joint is vertex 0.
fn stages(widths: &[u32]) -> Vec<(u32, u32)> {
    let (mut joint, mut next) = (0, 1);
    let mut edges = Vec::new();
    for &width in widths {
        let end = next + width;
        edges.extend((next..end).flat_map(|v| [(joint, v), (v, end)]));
        (joint, next) = (end, end + 1);
    }
    edges
}

fn graph_of(edges: &[(u32, u32)]) -> Graph {
    let n = edges.iter().map(|&(_, v)| v + 1).max().unwrap();
    graph(n as usize, edges, false)
}

#[test]
fn path_counts_at_the_limits_of_number_types() {
    // 2^24 - 1 is the largest path count of rows of narrow numbers. The widths are factors of the
    // counts.
    let most = [65_537, 257, 17, 5, 3];
    let widest = [&[512; 113][..], &[32]].concat();
    let cases: [(&str, &[u32]); 11] = [
        ("2^16 - 1", &most[1..]),
        ("2^16", &[2; 16]),
        ("2^24 - 1", &[241, 17, 13, 7, 5, 3, 3]),
        ("2^24", &[2; 24]),
        ("2^24 + 1", &[673, 257, 97]),
        ("2^1022", &widest),
        ("2^32 - 1", &most),
        ("2^32", &[2; 32]),
        ("beyond 2^32", &[5, 31, 67, 643, 644]),
        ("2^53", &[2; 53]),
        ("2^100", &[2; 100]),
    ];
    for (name, widths) in cases {
        let graph = graph_of(&stages(widths));
        for twins in [When::Never, When::Always] {
            let mut cpu = Setup::cpu(1).fold(false);
            cpu.prepare.roots = RootSelection::Range { first: 0, last: 2 };
            let expected = cpu.scores(&graph);
            for precision in [Precision::F64, Precision::Mixed] {
                let mut setup = Setup::lanes(32, 64, precision).fold(false);
                setup.request.options.timeout = PATIENT;
                setup.prepare.reduce.twins = twins;
                setup.prepare.roots = cpu.prepare.roots;
                let (scores, outcome) = setup.outcome(&graph);
                let difference = difference(&scores, &expected, 1e-3);
                assert!(
                    difference < 1e-12 + outcome.error_bound(),
                    "{name}, {twins:?}, {precision:?}: {difference:e}"
                );
            }
        }
    }
}

#[test]
fn path_counts_beyond_doubles_are_left_to_the_cpu() {
    let widths = [&[512; 113][..], &[64]].concat();
    let graph = graph_of(&stages(&widths));
    let roots = RootSelection::Range { first: 0, last: 2 };
    let mut cpu = Setup::cpu(1).fold(false);
    cpu.prepare.roots = roots;
    let expected = cpu.scores(&graph);
    for precision in [Precision::F64, Precision::Mixed] {
        let mut setup = Setup::lanes(32, 64, precision).fold(false);
        setup.request.options.timeout = PATIENT;
        setup.prepare.roots = roots;
        setup.prepare.reduce.twins = When::Never;
        let (scores, _) = setup.too_many_paths(&graph);
        assert!(
            difference(&scores, &expected, 1e-3) < 1e-12,
            "{precision:?}"
        );
    }
}

#[test]
fn mixed_precision_rounds_and_stays_within_its_bound() {
    let thirds = graph_of(&stages(&[3, 7, 11, 13, 3, 5, 3, 7, 9, 11]));
    let shapes = shapes().into_iter().chain([
        ("thirds", thirds),
        ("diamonds", generate::diamonds(23).unwrap()),
        ("deep grid", generate::grid(12, 13, 0.0, 1).unwrap()),
        ("hubs", generate::barabasi_albert(600, 3, 5).unwrap()),
    ]);
    let mut largest: f64 = 0.0;
    for (name, graph) in shapes {
        for reduce in [Reductions::NONE, Reductions::default()] {
            let mut cpu = Setup::cpu(2);
            cpu.prepare.reduce = reduce;
            let mut setup = Setup::lanes(64, 8, Precision::Mixed);
            setup.prepare.reduce = reduce;
            let (scores, outcome) = setup.outcome(&graph);
            let bound = outcome.error_bound();
            let is_searched = outcome.drivers[0].roots > 0; // a complete graph needs no search
            assert!(
                !is_searched || bound > 3e-7 && bound < 1e-4,
                "{name}: {bound:e}"
            );
            let difference = difference(&scores, &cpu.scores(&graph), 1e-9);
            assert!(
                difference <= bound,
                "{name}: {difference:e} beyond {bound:e}"
            );
            largest = largest.max(difference);
        }
    }
    assert!(largest > 1e-9, "nothing was stored in 32 bits: {largest:e}");
}

#[test]
fn only_batches_of_too_many_paths_are_searched_again() {
    // Batches have 32 roots in the order of the input: few paths, then more than 2^24, then few.
    let world: Vec<(u32, u32)> = (0..70u32)
        .flat_map(|v| [(v, (v + 1) % 70), (v, (v * v + 2) % 70)])
        .collect();
    let shifted = |edges: &[(u32, u32)], by: u32| -> Vec<(u32, u32)> {
        edges.iter().map(|&(u, v)| (u + by, v + by)).collect()
    };
    let many = stages(&[2; 40]);
    let edges = [world.clone(), shifted(&many, 70), shifted(&world, 70 + 121)].concat();
    let graph = graph(70 + 121 + 70, &edges, false);
    let expected = Setup::cpu(1).scores(&graph);
    for order in [Order::None, Order::Bfs] {
        for precision in [Precision::F64, Precision::Mixed] {
            let mut setup = Setup::lanes(32, 8, precision);
            setup.prepare.order = order;
            let (scores, outcome) = setup.outcome(&graph);
            let difference = difference(&scores, &expected, 1e-3);
            assert!(
                difference < 1e-12 + outcome.error_bound(),
                "{order:?}, {precision:?}: {difference:e}"
            );
        }
    }
}

#[test]
fn auto_takes_lanes_for_small_worlds_and_says_why() {
    let choice = |graph: &Graph| {
        let mut setup = Setup::device(16, Precision::F64, 0);
        setup.request.strategy = Search::Auto;
        let (scores, outcome) = setup.outcome(graph);
        assert!(difference(&scores, &Setup::cpu(1).scores(graph), 1e-3) < 1e-10);
        outcome.drivers[0].plan.clone().unwrap()
    };
    let world = choice(&generate::rmat(10, 16, 0.57, 0.19, 0.19, 7).unwrap());
    assert_eq!(world.strategy, Search::Lanes);
    assert!(
        world.why.contains("median depth") && world.why.contains("tiles"),
        "{}",
        world.why
    );
    let road = choice(&generate::grid(2, 150, 0.0, 1).unwrap());
    assert_eq!(road.strategy, Search::Local);
    assert!(road.why.contains("median depth"), "{}", road.why);
}
