use proptest::prelude::*;

use super::super::components::components;
use super::super::{Graph, Lengths};
use super::*;

fn size(graph: Result<Graph, GenerateError>) -> (usize, usize) {
    let graph = graph.expect("parameters are in range");
    assert_eq!(graph.csr().reversed(), *graph.csr());
    (graph.vertices(), graph.edges())
}

fn message(graph: Result<Graph, GenerateError>) -> String {
    match graph {
        Ok(graph) => panic!("made {} vertices", graph.vertices()),
        Err(error) => error.to_string(),
    }
}

fn connected(graph: &Graph) -> bool {
    components(graph.csr(), false).count() == 1
}

#[test]
fn shapes_have_the_stated_sizes() {
    assert_eq!(size(path(5)), (5, 4));
    assert_eq!(size(path(1)), (1, 0));
    assert_eq!(size(cycle(5)), (5, 5));
    assert_eq!(size(star(5)), (5, 4));
    assert_eq!(size(star(1)), (1, 0));
    assert_eq!(size(complete(6)), (6, 15));
    assert_eq!(size(complete_bipartite(3, 4)), (7, 12));
    assert_eq!(size(complete_bipartite(0, 4)), (4, 0));
    assert_eq!(size(diamonds(0)), (1, 0));
    assert_eq!(size(diamonds(4)), (13, 16));
    assert_eq!(size(grid(3, 4, 0.0, 1)), (12, 17));
    assert_eq!(size(grid(3, 4, 0.5, 1)), (12, 8));
    assert_eq!(size(grid(3, 4, 1.0, 1)), (12, 0));
    assert_eq!(size(grid(1, 4, 0.0, 1)), (4, 3));
    assert_eq!(size(grid(4, 0, 0.0, 1)), (0, 0));
}

#[test]
fn random_families_have_the_stated_sizes() {
    assert_eq!(size(erdos_renyi(50, 1225, 1)), (50, 1225));
    assert_eq!(size(barabasi_albert(4, 3, 1)), (4, 3));
    assert_eq!(size(watts_strogatz(5, 4, 1.0, 1)), (5, 10));
    let graph = rmat(10, 8, 0.57, 0.19, 0.19, 1).expect("in range");
    let counts = graph.simplified();
    assert_eq!((graph.vertices(), counts.entries), (1024, 8192));
    assert_eq!(counts.loops + counts.merged + graph.edges() as u64, 8192);
    assert!(graph.edges() > 4000, "{} edges", graph.edges());
}

#[test]
fn empty_graphs_are_possible() {
    for graph in [
        path(0),
        cycle(0),
        star(0),
        complete(0),
        complete_bipartite(0, 0),
        random_tree(0, 1),
        erdos_renyi(0, 0, 1),
        barabasi_albert(0, 3, 1),
        watts_strogatz(0, 0, 0.5, 1),
        grid(0, 0, 0.5, 1),
        road(0, 0.5, 1.0, 1).map(|road| road.graph),
    ] {
        assert_eq!(size(graph), (0, 0));
    }
    assert_eq!(size(rmat(0, 3, 0.25, 0.25, 0.25, 1)), (1, 0));
}

#[test]
fn the_same_seed_gives_the_same_graph_and_another_seed_another() {
    type Family = fn(u64) -> Result<Graph, GenerateError>;
    let families: [Family; 7] = [
        |seed| rmat(13, 20, 0.57, 0.19, 0.19, seed),
        |seed| erdos_renyi(100, 300, seed),
        |seed| barabasi_albert(100, 3, seed),
        |seed| watts_strogatz(100, 6, 0.2, seed),
        |seed| grid(10, 10, 0.2, seed),
        |seed| random_tree(100, seed),
        |seed| Ok(road(100, 0.2, 1.0, seed)?.graph),
    ];
    for (i, family) in families.into_iter().enumerate() {
        let [first, again, other] = [7, 7, 8].map(|seed| family(seed).expect("in range"));
        assert_eq!(first, again, "family {i}");
        assert_ne!(first.csr(), other.csr(), "family {i}");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let make = || rmat(14, 16, 0.57, 0.19, 0.19, 3).expect("in range");
    assert_eq!(alone.expect("one thread").install(make), make());
}

#[test]
fn rewiring_leaves_the_ring_alone_at_chance_zero_only() {
    let ring = watts_strogatz(20, 2, 0.0, 5).expect("in range");
    assert_eq!(ring, cycle(20).expect("in range"));
    assert_ne!(watts_strogatz(20, 2, 1.0, 5).expect("in range"), ring);
}

#[test]
fn chances_of_quadrants_decide_where_edges_are() {
    for (a, b, c, expected) in [(1.0, 0.0, 0.0, (0, 0)), (0.0, 1.0, 0.0, (0, 15))] {
        let graph = rmat(4, 1, a, b, c, 1).expect("in range");
        let (tail, head) = expected;
        assert_eq!(graph.edges(), usize::from(tail != head));
        assert!(tail == head || graph.csr().neighbours(tail) == [head]);
    }
}

#[test]
fn parameters_out_of_range_are_explained() {
    let endless = road(9, 0.5, f64::INFINITY, 1);
    for (graph, expected) in [
        (cycle(2), "cycle: n = 2"),
        (rmat(32, 1, 0.57, 0.19, 0.19, 1), "rmat: scale = 32"),
        (rmat(3, 1, 0.9, 0.1, 0.1, 1), "rmat: a, b, c = 0.9, 0.1"),
        (erdos_renyi(4, 7, 1), "erdos_renyi: m = 7"),
        (barabasi_albert(5, 5, 1), "barabasi_albert: m_per_vertex"),
        (watts_strogatz(10, 3, 0.1, 1), "watts_strogatz: k = 3"),
        (watts_strogatz(10, 10, 0.1, 1), "watts_strogatz: k = 10"),
        (watts_strogatz(10, 4, 1.5, 1), "watts_strogatz: p = 1.5"),
        (grid(3, 3, f64::NAN, 1), "grid: drop = NaN"),
        (endless.map(|road| road.graph), "road: bends = inf"),
    ] {
        let message = message(graph);
        assert!(message.starts_with(expected), "{message}");
        assert!(message.contains(" is not allowed (use "), "{message}");
    }
    for (graph, expected) in [
        (
            rmat(31, 16, 0.57, 0.19, 0.19, 1),
            "rmat: 2147483648 vertices and 34359738368",
        ),
        (
            complete(100_000),
            "complete: 100000 vertices and 4999950000",
        ),
    ] {
        let limits = "a graph has at most 4294967295 vertices and 2147483647 edges";
        let expected = format!("{expected} edges are too many ({limits})");
        assert_eq!(message(graph), expected);
    }
    for graph in [
        grid(u32::MAX, u32::MAX, 0.0, 1),
        complete_bipartite(u32::MAX, u32::MAX),
        diamonds(u32::MAX),
        star(u32::MAX),
        road(u32::MAX, 0.0, 0.0, 1).map(|road| road.graph),
    ] {
        assert!(message(graph).contains("too many"));
    }
}

/// Returns whether two lines have more in common than an end.
fn cross(one: [[u32; 2]; 2], other: [[u32; 2]; 2]) -> bool {
    let way = |from: [u32; 2], to: [u32; 2]| {
        [0, 1].map(|axis| i64::from(to[axis]) - i64::from(from[axis]))
    };
    // The sign is positive if the corners of a triangle turn left, and negative if they turn right.
    let turn = |a, b, c| {
        let ([x, y], [s, t]) = (way(a, b), way(a, c));
        (x * t - y * s).signum()
    };
    // Whether the ends of the second line are on both sides of the first, or on it.
    let meets = |[a, b]: [[u32; 2]; 2], [c, d]: [[u32; 2]; 2]| turn(a, b, c) * turn(a, b, d) <= 0;
    let Some(&shared) = one.iter().find(|end| other.contains(end)) else {
        // Lines of one row may be disjoint parts of one straight line.
        let range = |line: [[u32; 2]; 2], axis: usize| line.map(|end| end[axis]);
        let overlap = |axis| {
            let ([a, b], [c, d]) = (range(one, axis), range(other, axis));
            a.min(b) <= c.max(d) && c.min(d) <= a.max(b)
        };
        return overlap(0) && overlap(1) && meets(one, other) && meets(other, one);
    };
    let far = |line: [[u32; 2]; 2]| line[usize::from(line[0] == shared)];
    let ([x, y], [s, t]) = (way(shared, far(one)), way(shared, far(other)));
    turn(shared, far(one), far(other)) == 0 && x * s + y * t > 0
}

/// Returns the ends of each street of a road network.
fn streets_of(road: &Road) -> Vec<[u32; 2]> {
    let csr = road.graph.csr();
    let end = |(mut last, mut at): (u32, u32)| {
        while at >= road.crossings {
            let next = csr.neighbours(at).iter().find(|&&next| next != last);
            (last, at) = (at, *next.expect("a bend has two neighbours"));
        }
        at
    };
    let both_ways = (0..road.crossings).flat_map(|start| {
        let firsts = csr.neighbours(start).iter();
        firsts.map(move |&first| [start, end((start, first))])
    });
    both_ways.filter(|[start, end]| start < end).collect()
}

#[test]
fn roads_have_a_mean_degree_of_two_and_a_half() {
    let road = road(20_000, ROAD_DROP, ROAD_BENDS, 1).expect("in range");
    let degree = 2.0 * road.graph.edges() as f64 / 20_000.0;
    assert!((2.45..2.55).contains(&degree), "{degree}");
    let longest = road.graph.lengths().and_then(Lengths::range);
    assert!(
        longest.is_some_and(|(low, high)| low >= 1.0 && high < 200.0),
        "{longest:?}"
    );
    let csr = road.graph.csr().clone();
    let hops = road.graph.without_lengths();
    assert_eq!((hops.lengths(), hops.csr()), (None, &csr));
}

proptest! {
    #[test]
    fn roads_are_planar_and_connected(
        n in 1u32..300, drop in 0.0..=1.0f64, bends in 0.0..6.0f64, seed: u64,
    ) {
        let road = road(n, drop, bends, seed).expect("in range");
        let csr = road.graph.csr();
        prop_assert_eq!((csr.vertices(), road.positions.len()), (n as usize, n as usize));
        prop_assert!(connected(&road.graph));
        prop_assert!((road.crossings..n).all(|bend| csr.degree(bend) == 2));
        let streets = streets_of(&road);
        let position = |v: u32| road.positions[v as usize];
        for (i, &one) in streets.iter().enumerate() {
            for &other in &streets[..i] {
                prop_assert!(!cross(one.map(position), other.map(position)), "{one:?} {other:?}");
            }
        }
        let unit = road.graph.weights().and_then(|info| info.unit).expect("integers");
        for (v, u, arc) in road.graph.edges_and_arcs() {
            let [[x, y], [s, t]] = [v, u].map(|v| road.positions[v as usize].map(f64::from));
            let distance = (x - s).hypot(y - t);
            let length = unit * road.graph.lengths().expect("a road has lengths").at(arc);
            prop_assert!((length - distance).abs() <= 0.5 || length == 1.0);
        }
    }

    #[test]
    fn roads_have_the_degrees_and_bends_asked_for(
        n in 5000u32..9000, drop in 0.0..0.4f64, bends in 0.0..4.0f64, seed: u64,
    ) {
        let road = road(n, drop, bends, seed).expect("in range");
        let streets = road.graph.edges() as f64 - f64::from(n - road.crossings);
        let each = streets / f64::from(road.crossings);
        prop_assert!((each / (2.0 * (1.0 - drop)) - 1.0).abs() < 0.06, "{each}");
        let found = f64::from(n - road.crossings) / streets;
        prop_assert!((found - bends).abs() < 0.1 * (1.0 + bends), "{found}");
    }

    #[test]
    fn random_trees_are_trees(n in 1u32..60, seed: u64) {
        let graph = random_tree(n, seed).expect("in range");
        prop_assert_eq!(graph.edges(), n as usize - 1);
        prop_assert!(connected(&graph));
    }

    #[test]
    fn grown_graphs_are_connected(n in 2u32..60, m in 1u32..5, seed: u64) {
        prop_assume!(m < n);
        let graph = barabasi_albert(n, m, seed).expect("in range");
        prop_assert_eq!(graph.edges() as u32, m * (n - m));
        prop_assert!(connected(&graph));
    }

    #[test]
    fn exact_counts_hold_for_all_parameters(
        n in 0u32..25, share in 0.0..=1.0f64, half in 0u32..6, seed: u64,
    ) {
        let pairs = u64::from(n) * u64::from(n.saturating_sub(1)) / 2;
        let m = (share * pairs as f64) as u64;
        prop_assert_eq!(size(erdos_renyi(n, m, seed)), (n as usize, m as usize));
        if 2 * half < n {
            let expected = (n as usize, (n * half) as usize);
            prop_assert_eq!(size(watts_strogatz(n, 2 * half, share, seed)), expected);
        }
        let total = if n == 0 { 0 } else { n * 4 + 5 * (n - 1) };
        let kept = total - (share * f64::from(total)).round() as u32;
        prop_assert_eq!(size(grid(n, 5, share, seed)), (n as usize * 5, kept as usize));
    }
}

#[test]
fn all_labelled_trees_of_four_vertices_are_about_equally_frequent() {
    let mut seen = std::collections::HashMap::new();
    for seed in 0..1600 {
        let graph = random_tree(4, seed).expect("in range");
        let csr = format!("{:?}", graph.csr());
        *seen.entry(csr).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 16);
    // 100 each are expected, with a standard deviation of 10.
    let is_usual = |count| (60..140).contains(count);
    assert!(seen.values().all(is_usual), "{seen:?}");
}
