//! Tests which reductions are made and refused, and graphs at the limits of number types. (The
//! matrix compares scores of reduced graphs with the definition.)

use std::collections::VecDeque;

use crate::common::subdivided::{roads, subdivided};
use crate::common::weighted::Weighted;
use crate::common::{assert_close, cores, graph, on_device};
use brandes::cpu::CpuOptions;
use brandes::graph::{Graph, generate};
use brandes::prepare::{
    PrepareOptions, Prepared, Reduction, Undo, WeightedGraph, prepare, prepare_estimate,
    prepare_query,
};
use brandes::{
    Betweenness, CpuEngine, Measure, Order, Precision, Query, Reductions, RootSelection, Strategy,
    When,
};

/// Returns a graph prepared with these reductions only.
fn reduced(graph: &Graph, reduce: &str) -> Prepared {
    let options = PrepareOptions {
        reduce: reduce.parse().unwrap(),
        ..PrepareOptions::default()
    };
    prepare(graph, &options).unwrap()
}

#[derive(Debug)]
struct Unwanted;

impl Reduction for Unwanted {
    fn name(&self) -> &'static str {
        "unwanted"
    }

    fn reduce(&self, _: &mut WeightedGraph, _: bool) -> Option<Undo> {
        panic!("this search has no reductions");
    }
}

#[test]
fn measures_and_estimates_make_no_reductions_of_others() {
    let grid = generate::grid(5, 5, 0.0, 1).unwrap();
    let options = PrepareOptions {
        more: &[&Unwanted],
        ..PrepareOptions::default()
    };
    let closeness = Query {
        measures: vec![Measure::Closeness],
        ..Query::default()
    };
    prepare_query(&grid, &options, &closeness).unwrap();
    prepare_estimate(&grid, &options, (&[25], 1));
}

#[test]
fn the_work_of_directed_graphs_is_what_searches_reach() {
    let tree = graph(5, &[(0, 1), (0, 2), (1, 3), (1, 4)], true);
    let steps = reduced(&tree, "blocks,twins").steps;
    assert_eq!(steps.last().unwrap().work.to_bits(), 0);
    // Each vertex reaches about ten others.
    let arcs: Vec<_> = (1..1000u32).map(|v| (v, v / 2)).collect();
    let graph = graph(1000, &arcs, true);
    let options = PrepareOptions {
        reduce: Reductions::NONE,
        ..PrepareOptions::default()
    };
    let (estimate, _) = prepare_estimate(&graph, &options, (&[100, 1000], 1));
    for prepared in [prepare(&graph, &options).unwrap(), estimate] {
        assert!((5.0..10.0).contains(&prepared.arcs_per_root));
    }
    let roots = RootSelection::Sample(20);
    let few = prepare(&graph, &PrepareOptions { roots, ..options }).unwrap();
    assert_eq!(few.arcs_per_root, 999.0);
}

#[test]
fn trees_and_cliques_need_no_search() {
    let mut arcs = Vec::new();
    for v in 1..600u32 {
        arcs.extend((v % 4 > 0).then_some((v, v / 3)));
        arcs.extend((v % 4 != 1).then_some((v / 3, v)));
    }
    let cliques = (0..50u32).map(|clique| 4 * clique);
    let clique = |first| (first..first + 5).flat_map(move |v| (first..v).map(move |u| (u, v)));
    let cliques: Vec<_> = cliques.flat_map(clique).collect();
    for graph in [graph(600, &arcs, true), graph(201, &cliques, false)] {
        for endpoints in [false, true] {
            let search = cores(1).edges(true).endpoints(endpoints);
            let scores = search.run(&graph).unwrap();
            assert!(scores.record().prepared.roots.is_empty());
            let plain = search.reduce(Reductions::NONE).run(&graph).unwrap();
            assert_close(scores.vertices(), plain.vertices(), 1e-12);
            assert_close(scores.edges().unwrap(), plain.edges().unwrap(), 1e-12);
        }
    }
}

#[test]
fn graphs_are_searched_in_the_cheaper_direction() {
    // Many vertices lead into a dense core, so most searches against the arcs end at once.
    let core = (0..40u32).flat_map(|v| (1..11).map(move |i| (v, (v + i) % 40)));
    let inward = (40..1000u32).flat_map(|v| [(v, v % 40), (v, (v + 7) % 40)]);
    let arcs: Vec<_> = core.chain(inward).collect();
    let backward: Vec<_> = arcs.iter().map(|&(u, v)| (v, u)).collect();
    for (arcs, is_reversed) in [(arcs, true), (backward, false)] {
        let graph = graph(1000, &arcs, true);
        let prepared = reduced(&graph, "auto");
        let is_step = |after: &str| prepared.steps.iter().any(|step| step.after == after);
        assert_eq!(is_step("reverse"), is_reversed);
        assert_eq!(prepared.roots.len(), 40);
    }
}

#[test]
fn roots_of_directed_graphs_are_sorted_by_their_distances_to_a_hub() {
    for seed in 1..6 {
        let random = generate::erdos_renyi(600, 2400, seed).unwrap();
        let arcs: Vec<_> = random.ends().map(|[u, v]| (v, u)).collect();
        let graph = graph(600, &arcs, true);
        let prepared = reduced(&graph, "auto");
        let [out, into] = prepared.ways();
        let vertices = 0..out.vertices() as u32;
        let roots: Vec<u32> = prepared.roots.iter().map(|root| root.vertex).collect();
        let mut sorted = roots.clone();
        sorted.sort_unstable();
        assert!(
            sorted
                .into_iter()
                .eq(vertices.clone().filter(|&v| out.degree(v) > 0))
        );
        // The first of the vertices of highest in-degree of the largest component.
        let largest = (0..prepared.ranges.count()).map(|c| prepared.ranges.vertices(c));
        let largest = largest.max_by_key(ExactSizeIterator::len).unwrap();
        let inside = |v: &u32| largest.contains(&(*v as usize));
        let highest = vertices.filter(inside).map(|v| into.degree(v)).max();
        let is_hub = |v: &u32| inside(v) && Some(into.degree(*v)) == highest;
        let is_sorted = |hub: u32| {
            let mut distance = vec![u32::MAX; out.vertices()];
            distance[hub as usize] = 0;
            let mut queue = VecDeque::from([hub]);
            while let Some(v) = queue.pop_front() {
                for &u in into.neighbours(v) {
                    if distance[u as usize] == u32::MAX {
                        distance[u as usize] = distance[v as usize] + 1;
                        queue.push_back(u);
                    }
                }
            }
            let roots = roots.iter().filter(|v| inside(v));
            roots.map(|&v| distance[v as usize]).is_sorted()
        };
        assert!(
            (0..out.vertices() as u32).filter(is_hub).any(is_sorted),
            "seed {seed}"
        );
        let plain = cores(1).reduce(Reductions::NONE).run(&graph).unwrap();
        let sorted = cores(1).run(&graph).unwrap();
        assert_close(sorted.vertices(), plain.vertices(), 1e-9);
    }
}

/// Returns `count` layers of `width` vertices, each adjacent to all vertices of the next layer.
fn layers(width: u32, count: u32) -> Graph {
    let pairs = (0..width).flat_map(|v| (0..width).map(move |u| (v, u)));
    let step = |layer: u32| {
        let first = layer * width;
        let edge = move |(v, u)| (first + v, first + width + u);
        pairs.clone().map(edge)
    };
    let edges: Vec<_> = (0..count - 1).flat_map(step).collect();
    graph((count * width) as usize, &edges, false)
}

#[test]
fn twins_may_be_more_and_have_more_paths_than_a_number_can_count() {
    // There are 2^62 and 2^1194 paths between two vertices of the first and the last layer.
    let plain = |graph: Graph| {
        let search = cores(1).roots(RootSelection::Sample(9));
        let plain = search.clone().reduce(Reductions::NONE).run(&graph);
        (search, graph, plain.unwrap().into_vertices())
    };
    // There are more twins in a class than 16 bits can count.
    let (few, many) = (3u32, 70_000u32);
    let pairs = |k: u32| f64::from(k) * f64::from(k - 1) / 2.0;
    let mut closed = vec![pairs(many) / f64::from(few); few as usize];
    closed.resize((few + many) as usize, pairs(few) / f64::from(many));
    let bipartite = generate::complete_bipartite(few, many).unwrap();
    for (search, graph, expected) in [
        plain(layers(4, 33)),
        plain(layers(64, 201)),
        (cores(1), bipartite, closed),
    ] {
        for engine in [CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Clustered] {
            let search = search.clone().reduce("twins".parse().unwrap());
            let scores = search.cpu_engine(engine).run(&graph).unwrap();
            assert_close(scores.vertices(), &expected, 1e-12);
        }
    }
}

#[test]
fn impossible_reductions_are_refused() {
    let hierarchy = Betweenness::new().strategy(Strategy::Hierarchy);
    let (none, arcs, lengths) = ([false; 2], [true, false], [false, true]);
    for (search, reduce, [directed, weighted], expected) in [
        (cores(1), "fold", arcs, "is for undirected graphs"),
        (cores(1), "fold,twins", arcs, "is for undirected graphs"),
        (cores(1), "blocks,chains", arcs, "is for undirected graphs"),
        (cores(1), "blocks,reverse", none, "is for directed graphs"),
        (cores(1).order(Order::None), "blocks", none, "`order none`"),
        (cores(1).edges(true), "twins", none, "`edges` does not"),
        (cores(1), "twins", lengths, "`weighted` does not go with"),
        (cores(1), "twins,chains", none, "cannot be combined"),
        (hierarchy, "twins", none, "cannot search merged twins"),
    ] {
        let search = search.reduce(reduce.parse().unwrap());
        let error = search.start(directed, weighted).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn auto_does_not_split_if_that_saves_no_work() {
    let grid = generate::grid(20, 20, 0.0, 1).unwrap();
    assert_eq!(reduced(&grid, "auto").blocks(), None);
    assert_eq!(reduced(&grid, "blocks").blocks(), Some(1));
}

/// Makes a search serve the sources inside chains.
fn serving(search: Betweenness) -> Betweenness {
    search.edges(true).reduce(Reductions {
        chains: When::Always,
        ..Reductions::default()
    })
}

#[test]
fn rounding_errors_make_no_score_negative() {
    let road = |n, seed| generate::road(n, 0.25, 0.7, seed).unwrap().graph;
    let exact = serving(cores(1)).reproducible(true);
    let exact = exact.run(&road(8000, 8)).unwrap();
    let mixed = serving(on_device(Strategy::Hierarchy).into()).precision(Precision::Mixed);
    let mixed = mixed.run(&road(3000, 2)).unwrap();
    for (scores, least) in [(exact, 1e-6), (mixed, 0.0)] {
        assert!(scores.record().prepared.chains.is_some());
        let mut all = scores.vertices().iter().chain(scores.edges().unwrap());
        assert!(all.all(|&score| score == 0.0 || score > least));
    }
}

/// Distances along chains of 2^29 and more cannot be doubled, so a graph with such a chain is
/// searched without serving any chain.
#[test]
fn chains_of_any_length() {
    for (each, served) in [(1 << 24, 5), ((1 << 25) - 1, 5), (1 << 25, 0), (1 << 26, 0)] {
        // Two chains of 16 edges, which are cut in two, and one of 2 edges join the junctions. The
        // first edge is shorter, which breaks ties.
        let edges = [(0, 1), (0, 1), (0, 1), (1, 2)];
        let graph = subdivided(3, &edges, &[16, 16, 2, 1]);
        let graph =
            Weighted::with_lengths(&graph, |i| if i == 0 { each - 1 } else { each }).graph();
        let scores = serving(cores(1)).run(&graph).unwrap();
        let chains = scores.record().prepared.chains.as_ref();
        assert_eq!(chains.map_or(0, |chains| chains.count()), served, "{each}");
        let plain = cores(1).edges(true).reduce(Reductions::NONE);
        let plain = plain.run(&graph).unwrap();
        assert_close(scores.vertices(), plain.vertices(), 1e-11);
        assert_close(scores.edges().unwrap(), plain.edges().unwrap(), 1e-11);
    }
}

#[test]
fn auto_serves_chains_where_that_is_faster() {
    let social = generate::rmat(8, 8, 0.57, 0.19, 0.19, 1);
    for (graph, devices, expected) in [
        (generate::cycle(50_000), &[true][..], true),
        (generate::complete(12), &[false, true], false),
        (generate::path(12), &[false, true], false),
        (social, &[false, true], false),
        (Ok(roads(30)), &[false], true),
    ] {
        for &devices in devices {
            let reduce = Reductions {
                chains: When::Auto,
                ..Reductions::folding(true)
            };
            let options = PrepareOptions {
                reduce,
                ..PrepareOptions::default()
            };
            let mut prepared = prepare(graph.as_ref().unwrap(), &options).unwrap();
            let cpu = CpuOptions::default();
            brandes::plan::reduce(&mut prepared, When::Never, cpu, 1, devices);
            assert_eq!(prepared.chains.is_some(), expected);
        }
    }
    // A cycle of three is a block that needs no search.
    for n in [3, 4] {
        let scores = serving(cores(1)).run(&generate::cycle(n).unwrap()).unwrap();
        assert_eq!(scores.record().prepared.chains.is_some(), n > 3);
    }
}
