//! Graphs of special shapes, which [`super::matrix`] searches with every engine and strategy.

use crate::common::queries::{Case, Text};
use crate::common::subdivided::{roads, subdivided};
use crate::common::weighted::{EXTRA_LENGTH, Weighted};
use crate::common::{graph, hub, one_way};
use brandes::Measure;
use brandes::graph::{Graph, generate};

/// The number of vertices of a shape with more paths than doubles can count.
pub const TOO_MANY_PATHS: usize = 3301;

fn pairs(ends: &[u32]) -> Vec<(u32, u32)> {
    ends.chunks(2).map(|ends| (ends[0], ends[1])).collect()
}

/// Returns graphs of special shapes, with their names.
pub fn all() -> Vec<(&'static str, Case)> {
    let world = generate::rmat(7, 8, 0.57, 0.19, 0.19, 7).unwrap();
    let two_parts: Vec<(u32, u32)> = (0..350u32)
        .flat_map(|v| {
            let (part, v) = (v % 2 * 175, v / 2);
            [(1, 7), (3, 11), (5, 2)].map(|(a, b)| (part + v, part + (v * a + b) % 175))
        })
        .collect();
    // Roots in the directed graph stand for several sources.
    let tails = pairs(&[0, 1, 1, 2, 2, 3, 3, 0, 3, 4, 5, 1, 1, 6, 6, 3]);
    // More chains end at the hub of the wheel than a batch has roots.
    let spokes = (1..80).map(|v| (0, v));
    let ring = (1..80).map(|v| (v, v % 79 + 1));
    let wheel: Vec<_> = spokes.chain(ring).chain([(0, 0)]).collect();
    let lengths: Vec<u32> = (0..wheel.len() as u32).map(|i| 1 + i * 7 % 13).collect();
    let kinds = pairs(&[0, 0, 1, 1, 2, 3, 2, 3, 2, 3, 4, 5, 5, 6, 6, 4, 7, 8]);
    let kinds_lengths = [5, 4, 3, 3, 4, 6, 6, 7, 9];
    let loops = [(0, 0), (0, 1), (1, 1)];
    let rings: Vec<(u32, u32)> = (0..20).map(|v| (v, v)).collect();
    let built = [
        ("no vertices", graph(0, &[], false)),
        ("a vertex", graph(1, &[], true)),
        ("isolated vertices", graph(5, &[], false)),
        ("an arc", graph(2, &[(0, 1)], true)),
        ("an edge", graph(2, &[(0, 1)], false)),
        ("a directed cycle with tails", graph(8, &tails, true)),
        ("a hub", hub(300)),
        ("arcs of a hub", one_way(&hub(300))),
        ("arcs of a small world", one_way(&world)),
        ("a small world", world.clone()),
        ("two parts", graph(350, &two_parts, false)),
        ("two directed parts", graph(350, &two_parts, true)),
        ("chains", roads(6)),
        ("kinds of chains", subdivided(9, &kinds, &kinds_lengths)),
        // Targets are equally far from both ends of a chain.
        ("rings", subdivided(20, &rings, &[8; 20])),
        ("parallel chains", subdivided(2, &[(0, 1); 300], &[3; 300])),
        ("a flower", subdivided(1, &[(0, 0); 3], &[3, 4, 9])),
    ];
    let generated = [
        ("a clique", generate::complete(33)),
        ("fewer vertices than lanes", generate::complete(13)),
        ("a star", generate::star(300)),
        ("two hubs", generate::complete_bipartite(2, 400)),
        ("high degrees", generate::barabasi_albert(150, 4, 5)),
        ("many components", generate::erdos_renyi(400, 330, 3)),
        ("a path", generate::path(70)),
        ("an even cycle", generate::cycle(102)),
        ("an odd cycle", generate::cycle(101)),
        ("a deep grid", generate::grid(40, 3, 0.05, 2)),
        ("a grid of ties", generate::grid(12, 17, 0.0, 1)),
        ("a broken grid", generate::grid(15, 15, 0.35, 2)),
        ("many paths", generate::diamonds(60)),
    ];
    let grid = |rows, cols, missing| generate::grid(rows, cols, missing, 2).unwrap();
    let components = generate::erdos_renyi(200, 170, 3).unwrap();
    let whole = [
        ("lengths of a small world", one_way(&world), 5),
        ("lengths of a hub", hub(300), 3),
        ("lengths of arcs", one_way(&grid(20, 20, 0.1)), 9),
        ("lengths of 1", grid(15, 9, 0.0), 1),
        ("hardly any tie", grid(60, 3, 0.05), 30_000),
        ("lengths of components", components, 4),
        ("lengths of roads", roads(6), 5),
        (
            "lengths of chains",
            subdivided(9, &kinds, &kinds_lengths),
            5,
        ),
    ];
    let hops = |graph: &Graph| Case::plain(Weighted::with_lengths(graph, |_| 1), Text::Hops);
    let generated = generated.map(|(name, graph)| (name, graph.unwrap()));
    let all = built.into_iter().chain(generated);
    let mut all: Vec<_> = all.map(|(name, graph)| (name, hops(&graph))).collect();
    all.extend(whole.into_iter().map(|(name, graph, longest)| {
        let length = |i: u32| 1 + (i.wrapping_mul(2_654_435_769) >> 16) % longest;
        (
            name,
            Case::plain(Weighted::with_lengths(&graph, length), Text::Whole),
        )
    }));
    // Each round settles one vertex. Distances are near the end of each type's range.
    let path = generate::path(1500).unwrap();
    let narrow = Weighted::with_lengths(&path, |i| (1 + i % 3) * 900_000 + i % 2);
    let wide = Weighted::with_lengths(&path, |i| (1 + i % 3) * 150_000).beside(EXTRA_LENGTH);
    let wheel = subdivided(80, &wheel, &lengths);
    let high = generate::barabasi_albert(1100, 4, 9).unwrap();
    let long_chains = subdivided(2, &loops, &[50, 300, 41]);
    for (name, case, roots) in [
        ("a long path", hops(&generate::path(3000).unwrap()), 2),
        ("a path of long edges", Case::plain(narrow, Text::Whole), 2),
        ("edges of 64 bits", Case::plain(wide, Text::Tiny), 2),
        (
            "too many paths",
            hops(&generate::diamonds(1100).unwrap()),
            2,
        ),
        ("long chains", hops(&long_chains), 30),
        ("a wheel of chains", hops(&wheel), 200),
        // There are frontiers of more than 512 vertices.
        ("wide frontiers", hops(&high), 60),
        ("arcs of wide frontiers", hops(&one_way(&high)), 60),
    ] {
        let roots = Some(0..roots);
        all.push((name, Case { roots, ..case }));
    }
    // Searches stop at the radius, long before they reach all vertices.
    let large = grid(24, 30, 0.1);
    let lengths = Weighted::with_lengths(&large, |i| 1 + i % 2);
    let with_radii = |case| Case {
        measures: vec![Measure::Betweenness, Measure::Closeness],
        radii: vec![4, 8],
        ..case
    };
    all.extend([
        ("small radii", with_radii(hops(&large))),
        (
            "small radii of lengths",
            with_radii(Case::plain(lengths, Text::Whole)),
        ),
        ("an absent arc", absent_arc()),
    ]);
    all
}

/// Returns a graph with two overlay arcs that are together 2^31 long, like an arc of a hierarchy that
/// does not exist in one direction.
fn absent_arc() -> Case {
    let long = (1 << 29) - 1;
    let long = [(1, 2, long), (2, 3, long), (2, 4, long)];
    let near = [(0, 5), (3, 6), (3, 8), (4, 0), (5, 4), (5, 9)].map(|(v, w)| (v, w, 1));
    let others = [
        0, 1, 0, 8, 3, 1, 4, 7, 4, 8, 6, 7, 7, 8, 9, 10, 9, 14, 10, 12, 11, 10, 13, 12, 13, 14, 15,
        12, 15, 14,
    ];
    let others: Vec<_> = others.chunks(2).map(|arc| (arc[0], arc[1], 2)).collect();
    let weighted = Weighted {
        vertices: 16,
        edges: [&long[..], &near, &others].concat(),
        directed: true,
    };
    Case::plain(weighted, Text::Whole)
}
