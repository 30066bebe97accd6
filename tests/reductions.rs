//! Tests reductions on graphs with many reducible parts: blocks of many kinds that share vertices,
//! with trees and chains attached, in a random numbering.

use crate::common::definition::{Sums, definition};
use crate::common::weighted::Weighted;
use crate::common::{any_device, assert_close, case_count, config, cores, graph};
use brandes::graph::{Graph, Vertex, generate};
use brandes::prepare::{
    PrepareOptions, Reduction, Reductions, RootSelection, Undo, WeightedGraph, When, prepare,
    prepare_estimate, prepare_query,
};
use brandes::strategy::{ALL, Feature};
use brandes::{Betweenness, CpuEngine, CpuWorkers, Measure, Order, Query, Scores};
use proptest::prelude::*;
use proptest::sample::Index;

/// A piece that is attached to a graph at one of its vertices.
#[derive(Debug, Clone, Copy)]
enum Piece {
    /// A single vertex, which is a separate component.
    Apart,
    Edge,
    Clique(u32),
    Cycle(u32),
    Bipartite(u32, u32),
    /// Two vertices with this many common neighbours; the flag makes the two adjacent.
    Book(u32, bool),
    /// A cycle and a vertex that is adjacent to all of it.
    Wheel(u32),
    /// A grid of two rows.
    Ladder(u32),
    /// Three groups of vertices; each vertex is adjacent to all vertices of the other groups.
    Multipartite([u32; 3]),
}

impl Piece {
    /// Returns the number of vertices, and the edges.
    fn edges(self) -> (u32, Vec<(u32, u32)>) {
        let cycle = |k: u32| (0..k).map(move |v| (v, (v + 1) % k));
        match self {
            Piece::Apart => (1, Vec::new()),
            Piece::Edge => (2, vec![(0, 1)]),
            Piece::Clique(k) => {
                let edges = (0..k).flat_map(|v| (0..v).map(move |u| (v, u)));
                (k, edges.collect())
            }
            Piece::Cycle(k) => (k, cycle(k).collect()),
            Piece::Bipartite(a, b) => {
                let edges = (0..a).flat_map(|v| (a..a + b).map(move |u| (v, u)));
                (a + b, edges.collect())
            }
            Piece::Book(k, joined) => {
                let pages = (2..k + 2).flat_map(|v| [(0, v), (1, v)]);
                (k + 2, pages.chain(joined.then_some((0, 1))).collect())
            }
            Piece::Wheel(k) => (k + 1, cycle(k).chain((0..k).map(|v| (v, k))).collect()),
            Piece::Ladder(k) => {
                let rungs = (0..k).map(|v| (2 * v, 2 * v + 1));
                let rails = (2..2 * k).map(|v| (v - 2, v));
                (2 * k, rungs.chain(rails).collect())
            }
            Piece::Multipartite([a, b, c]) => {
                let group = |v: u32| u32::from(v >= a) + u32::from(v >= a + b);
                let pairs = (0..a + b + c).flat_map(|v| (0..v).map(move |u| (v, u)));
                let apart = pairs.filter(|&(v, u)| group(v) != group(u));
                (a + b + c, apart.collect())
            }
        }
    }
}

fn pieces() -> impl Strategy<Value = Piece> {
    prop_oneof![
        1 => Just(Piece::Apart),
        4 => Just(Piece::Edge),
        2 => (3u32..6).prop_map(Piece::Clique),
        2 => (3u32..8).prop_map(Piece::Cycle),
        1 => (1u32..4, 1u32..4).prop_map(|(a, b)| Piece::Bipartite(a, b)),
        1 => (1u32..5, any::<bool>()).prop_map(|(k, joined)| Piece::Book(k, joined)),
        1 => (3u32..6).prop_map(Piece::Wheel),
        1 => (2u32..5).prop_map(Piece::Ladder),
        1 => [1u32..4, 1u32..3, 1u32..3].prop_map(Piece::Multipartite),
    ]
}

/// Generates graphs of at most `most` vertices, with lengths of at most `longest`: attached pieces,
/// a few extra edges, and copies of vertices with the same neighbours.
fn pieced(most: u32, longest: u32) -> impl Strategy<Value = Weighted> {
    any_pieced(most, longest, Just(false))
}

/// Generates graphs as [`pieced`] does; edges of directed graphs have one way or both.
fn any_pieced(
    most: u32,
    longest: u32,
    directed: impl Strategy<Value = bool>,
) -> impl Strategy<Value = Weighted> {
    let attached = prop::collection::vec((pieces(), any::<Index>(), any::<Index>()), 1..9);
    let extra_edges = prop::collection::vec((any::<Index>(), any::<Index>()), 0..3);
    let clones = prop::collection::vec((any::<Index>(), any::<bool>()), 0..6);
    let lengths = prop::collection::vec((1..=longest, 0u8..4), 200);
    let parts = (
        attached,
        extra_edges,
        clones,
        lengths,
        any::<u64>(),
        directed,
    );
    parts.prop_map(
        move |(attached, extra_edges, clones, lengths, seed, directed)| {
            let mut n = 1u32;
            let mut edges = Vec::new();
            for (piece, at, by) in attached {
                let (k, inside) = piece.edges();
                if n + k > most {
                    continue;
                }
                let (at, by) = (at.index(n as usize) as u32, by.index(k as usize) as u32);
                let apart = matches!(piece, Piece::Apart);
                let number = |v: u32| match v.cmp(&by) {
                    std::cmp::Ordering::Less => n + v,
                    std::cmp::Ordering::Equal => at,
                    std::cmp::Ordering::Greater => n + v - 1,
                };
                edges.extend(inside.into_iter().map(|(v, u)| (number(v), number(u))));
                n += if apart { 1 } else { k - 1 };
            }
            // These edges unite some blocks.
            for (a, b) in extra_edges {
                edges.push((a.index(n as usize) as u32, b.index(n as usize) as u32));
            }
            for (original, joined) in clones {
                if n + 1 > most {
                    break;
                }
                let original = original.index(n as usize) as u32;
                let original_edges = edges
                    .iter()
                    .filter(|&&(v, u)| v != u && (v == original || u == original));
                let mut copies: Vec<_> = original_edges
                    .map(|&(v, u)| (n, v + u - original))
                    .collect();
                copies.extend(joined.then_some((n, original)));
                edges.extend(copies);
                n += 1;
            }
            let mut order: Vec<u32> = (0..n).collect();
            order.sort_by_key(|&v| (u64::from(v) + 1).wrapping_mul(seed | 1).rotate_left(32));
            let renamed = |v: u32| order[v as usize] as usize;
            let lengths = lengths.into_iter().cycle();
            let arcs = edges
                .into_iter()
                .zip(lengths)
                .flat_map(|((v, u), (length, way))| {
                    let (v, u) = (renamed(v), renamed(u));
                    let forward = (!directed || way != 1).then_some((v, u, length));
                    forward
                        .into_iter()
                        .chain((directed && way < 2).then_some((u, v, length)))
                });
            Weighted {
                vertices: n as usize,
                edges: arcs.collect(),
                directed,
            }
        },
    )
}

fn without_lengths(weighted: &Weighted) -> Graph {
    let edges = weighted.edges.iter();
    let edges: Vec<_> = edges.map(|&(v, u, _)| (v as u32, u as u32)).collect();
    graph(weighted.vertices, &edges, weighted.directed)
}

/// Generates reductions that can be combined.
fn reductions() -> impl Strategy<Value = Reductions> {
    let when = || prop::sample::select(vec![When::Auto, When::Always, When::Never]);
    (when(), when(), when(), when()).prop_map(|(fold, blocks, twins, chains)| Reductions {
        fold,
        blocks,
        reverse: When::Auto,
        twins: match chains {
            When::Always => When::Auto,
            _ => twins,
        },
        chains,
    })
}

/// Generates reductions of directed graphs.
fn directed_reductions() -> impl Strategy<Value = Reductions> {
    let when = || prop::sample::select(vec![When::Auto, When::Always, When::Always, When::Never]);
    (when(), when(), when()).prop_map(|(blocks, reverse, twins)| Reductions {
        blocks,
        reverse,
        twins,
        ..Reductions::default()
    })
}

fn check(scores: &Scores, graph: &Graph, expected: &Sums, tolerance: f64) {
    assert_close(scores.vertices(), &expected.scores(graph), tolerance);
    if let Some(edges) = scores.edges() {
        assert_close(edges, &expected.edges(graph), tolerance);
    }
}

/// Selects half of the `n` vertices as sources.
fn half(n: usize) -> RootSelection {
    RootSelection::Sample(n.div_ceil(2) as u64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(case_count(400)))]

    #[test]
    fn scores_equal_the_definition(
        weighted in pieced(40, 1),
        reduce in reductions(),
        engine in prop::sample::select(vec![
            CpuEngine::Auto, CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Clustered,
        ]),
        (endpoints, sampled, edges) in any::<(bool, bool, bool)>(),
    ) {
        let graph = without_lengths(&weighted);
        let n = graph.vertices();
        let roots = if sampled { half(n) } else { RootSelection::All };
        let chosen = roots.mark(n).unwrap();
        let search = cores(1).reduce(reduce).endpoints(endpoints).roots(roots);
        let search = search.edges(edges && reduce.twins != When::Always);
        let search = match reduce.chains {
            When::Always => search,
            When::Auto | When::Never => search.cpu_engine(engine),
        };
        let expected = definition(n, &weighted.arcs(), endpoints, |v| chosen[v]);
        check(&search.run(&graph).unwrap(), &graph, &expected, 1e-12);
    }

    #[test]
    fn scores_with_lengths_equal_the_definition(
        weighted in pieced(30, 4),
        reduce in reductions(),
        (endpoints, sampled, edges) in any::<(bool, bool, bool)>(),
    ) {
        let graph = weighted.graph();
        let n = graph.vertices();
        let roots = if sampled { half(n) } else { RootSelection::All };
        let chosen = roots.mark(n).unwrap();
        let reduce = Reductions { twins: When::Auto, ..reduce };
        let search = cores(1).reduce(reduce).endpoints(endpoints).roots(roots).edges(edges);
        let expected = definition(n, &weighted.arcs(), endpoints, |v| chosen[v]);
        check(&search.run(&graph).unwrap(), &graph, &expected, 1e-12);
    }

    #[test]
    fn scores_of_directed_graphs_equal_the_definition(
        weighted in any_pieced(40, 1, Just(true)),
        reduce in directed_reductions(),
        engine in prop::sample::select(vec![
            CpuEngine::Auto, CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Clustered,
        ]),
        (endpoints, sampled, edges) in any::<(bool, bool, bool)>(),
    ) {
        let graph = without_lengths(&weighted);
        let n = graph.vertices();
        let roots = if sampled { half(n) } else { RootSelection::All };
        let chosen = roots.mark(n).unwrap();
        let search = cores(1).reduce(reduce).endpoints(endpoints).roots(roots).cpu_engine(engine);
        let search = search.edges(edges && reduce.twins != When::Always);
        let expected = definition(n, &weighted.arcs(), endpoints, |v| chosen[v]);
        check(&search.run(&graph).unwrap(), &graph, &expected, 1e-12);
    }

    #[test]
    fn scores_of_directed_graphs_with_lengths_equal_the_definition(
        weighted in any_pieced(30, 4, Just(true)),
        reduce in directed_reductions(),
        (endpoints, sampled, edges) in any::<(bool, bool, bool)>(),
    ) {
        let graph = weighted.graph();
        let n = graph.vertices();
        let roots = if sampled { half(n) } else { RootSelection::All };
        let chosen = roots.mark(n).unwrap();
        let reduce = Reductions { twins: When::Auto, ..reduce };
        let search = cores(1).reduce(reduce).endpoints(endpoints).roots(roots).edges(edges);
        let expected = definition(n, &weighted.arcs(), endpoints, |v| chosen[v]);
        check(&search.run(&graph).unwrap(), &graph, &expected, 1e-12);
    }

    /// The prepared graph consists of the blocks that are not complete; a vertex is copied for each
    /// of its blocks.
    #[test]
    fn prepared_graphs_consist_of_blocks(weighted in pieced(40, 1)) {
        let graph = without_lengths(&weighted);
        let reduce = Reductions { blocks: When::Always, ..Reductions::NONE };
        let options = PrepareOptions { reduce, ..PrepareOptions::default() };
        let prepared = prepare(&graph, &options).unwrap();
        let with_fold = Reductions { fold: When::Always, ..reduce };
        let folded = prepare(&graph, &PrepareOptions { reduce: with_fold, ..options }).unwrap();
        // Each edge of a tree is a block.
        prop_assert_eq!(prepared.graph.arcs(), folded.graph.arcs());
        prop_assert_eq!(prepared.blocks(), folded.blocks());
        for v in 0..prepared.graph.vertices() as Vertex {
            prop_assert!(prepared.graph.degree(v) >= 2);
        }
    }
}

#[test]
fn devices_search_blocks_and_twins() {
    let strategies = ALL
        .iter()
        .filter(|strategy| strategy.covers(&[Feature::Twins]));
    let strategies = prop::sample::select(strategies.collect::<Vec<_>>());
    let reductions = prop::sample::select(vec!["blocks", "twins", "blocks,twins"]);
    let choices = (
        any_pieced(40, 1, any::<bool>()),
        strategies,
        reductions,
        any::<bool>(),
        any::<bool>(),
    );
    proptest::test_runner::TestRunner::new(config(case_count(24)))
        .run(&choices, |(weighted, strategy, reduce, sampled, edges)| {
            let graph = without_lengths(&weighted);
            if graph.directed() && !strategy.covers(&[Feature::Directed]) {
                return Ok(());
            }
            let n = graph.vertices();
            let roots = if sampled { half(n) } else { RootSelection::All };
            let chosen = roots.mark(n).unwrap();
            let search = Betweenness::new()
                .devices(any_device())
                .cpu_workers(CpuWorkers::Count(0))
                .strategy(*strategy)
                .reduce(reduce.parse().unwrap())
                .roots(roots)
                .edges(edges && reduce == "blocks");
            let expected = definition(n, &weighted.arcs(), false, |v| chosen[v]);
            check(&search.run(&graph).unwrap(), &graph, &expected, 1e-10);
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_work_of_a_graph_without_searches_is_zero() {
    let tree = graph(5, &[(0, 1), (0, 2), (1, 3), (1, 4)], true);
    let options = PrepareOptions {
        reduce: "blocks,twins".parse().unwrap(),
        ..PrepareOptions::default()
    };
    let works = prepare(&tree, &options).unwrap().steps;
    assert_eq!(works.last().unwrap().work.to_bits(), 0);
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
fn directed_trees_need_no_search() {
    let mut arcs = Vec::new();
    for v in 1..600u32 {
        let above = v / 3;
        arcs.extend((v % 4 > 0).then_some((v, above)));
        arcs.extend((v % 4 != 1).then_some((above, v)));
    }
    let graph = graph(600, &arcs, true);
    let arcs = arcs.iter().map(|&(u, v)| ((u as usize, v as usize), 1));
    for endpoints in [false, true] {
        let scores = cores(1)
            .edges(true)
            .endpoints(endpoints)
            .run(&graph)
            .unwrap();
        assert!(scores.record().prepared.roots.is_empty());
        let expected = definition(600, &arcs.clone().collect(), endpoints, |_| true);
        check(&scores, &graph, &expected, 1e-12);
    }
}

#[test]
fn the_work_of_directed_graphs_is_what_searches_reach() {
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
fn graphs_are_searched_in_the_cheaper_direction() {
    // Many vertices lead into a dense core, so most searches against the arcs end at once.
    let core = (0..40u32).flat_map(|v| (1..11).map(move |i| (v, (v + i) % 40)));
    let inward = (40..1000u32).flat_map(|v| [(v, v % 40), (v, (v + 7) % 40)]);
    let arcs: Vec<_> = core.chain(inward).collect();
    let backward: Vec<_> = arcs.iter().map(|&(u, v)| (v, u)).collect();
    for (arcs, is_reversed) in [(arcs, true), (backward, false)] {
        let graph = graph(1000, &arcs, true);
        let options = PrepareOptions {
            reduce: Reductions::default(),
            ..PrepareOptions::default()
        };
        let prepared = prepare(&graph, &options).unwrap();
        let is_step = |after: &str| prepared.steps.iter().any(|step| step.after == after);
        assert_eq!(is_step("reverse"), is_reversed);
        assert_eq!(prepared.roots.len(), 40);
    }
}

#[test]
fn a_path_of_cliques_needs_no_search() {
    let mut edges = Vec::new();
    for clique in 0..50u32 {
        let first = 4 * clique;
        for v in first..first + 5 {
            edges.extend((first..v).map(|u| (u, v)));
        }
    }
    let graph = graph(201, &edges, false);
    let plan = cores(1).plan(&graph).unwrap();
    assert_eq!((plan.vertices, plan.roots), (0, 0));
    let scores = cores(1).edges(true).run(&graph).unwrap();
    let plain = cores(1)
        .edges(true)
        .reduce(Reductions::NONE)
        .run(&graph)
        .unwrap();
    assert_close(scores.vertices(), plain.vertices(), 1e-12);
    assert_close(scores.edges().unwrap(), plain.edges().unwrap(), 1e-12);
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
fn twins_may_have_more_paths_than_a_number_can_count() {
    let twins: Reductions = "twins".parse().unwrap();
    // There are 2^62 and 2^1194 paths between two vertices of the first and the last layer.
    for (width, count) in [(4, 33), (64, 201)] {
        let graph = layers(width, count);
        let plain = cores(1)
            .reduce(Reductions::NONE)
            .roots(RootSelection::Sample(9));
        let plain = plain.run(&graph).unwrap();
        for engine in [CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Clustered] {
            let search = cores(1).reduce(twins).cpu_engine(engine);
            let scores = search.roots(RootSelection::Sample(9)).run(&graph).unwrap();
            assert_close(scores.vertices(), plain.vertices(), 1e-12);
        }
    }
}

#[test]
fn classes_of_twins_may_be_larger_than_16_bits_can_count() {
    let (few, many) = (3u32, 70_000u32);
    let graph = generate::complete_bipartite(few, many).unwrap();
    let pairs = |k: u32| f64::from(k) * f64::from(k - 1) / 2.0;
    let [between_many, between_few] = [pairs(many) / f64::from(few), pairs(few) / f64::from(many)];
    for engine in [CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Clustered] {
        let search = cores(1).reduce("twins".parse().unwrap()).cpu_engine(engine);
        let scores = search.run(&graph).unwrap();
        let expected = |v: u32| if v < few { between_many } else { between_few };
        let expected: Vec<f64> = (0..few + many).map(expected).collect();
        assert_close(scores.vertices(), &expected, 1e-12);
    }
}

#[test]
fn impossible_reductions_are_refused() {
    let refused = |search: Betweenness, directed: bool| {
        let error = search.start(directed, false).err().unwrap();
        error.to_string()
    };
    for name in ["fold", "fold,twins", "blocks,chains"] {
        let text = refused(cores(1).reduce(name.parse().unwrap()), true);
        assert!(text.contains("is for undirected graphs"), "{text}");
    }
    let text = refused(cores(1).reduce("blocks,reverse".parse().unwrap()), false);
    assert!(
        text.contains("`reduce reverse` is for directed graphs"),
        "{text}"
    );
    let search = cores(1).reduce("blocks".parse().unwrap());
    let text = refused(search.order(Order::None), false);
    assert!(text.contains("`order none`"), "{text}");
    let search = || cores(1).reduce("twins".parse().unwrap());
    let text = refused(search().edges(true), false);
    assert!(text.contains("`edges` does not go with"), "{text}");
    let error = search().start(false, true).err().unwrap().to_string();
    assert!(error.contains("`weighted` does not go with"), "{error}");
    let reduce = Reductions {
        twins: When::Always,
        chains: When::Always,
        ..Reductions::NONE
    };
    let text = refused(cores(1).reduce(reduce), false);
    assert!(text.contains("cannot be combined"), "{text}");
    let search = Betweenness::new().strategy("hierarchy".parse().unwrap());
    let text = refused(search.reduce("twins".parse().unwrap()), false);
    assert!(text.contains("cannot search merged twins"), "{text}");
}

#[test]
fn auto_does_not_split_if_that_saves_no_work() {
    let grid = generate::grid(20, 20, 0.0, 1).unwrap();
    let mut options = PrepareOptions::default();
    options.reduce.blocks = When::Auto;
    assert_eq!(prepare(&grid, &options).unwrap().blocks(), None);
    options.reduce.blocks = When::Always;
    assert_eq!(prepare(&grid, &options).unwrap().blocks(), Some(1));
}
