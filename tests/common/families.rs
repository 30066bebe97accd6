//! Generates vertices and edges of random graphs of many families. Edges may be loops or
//! repetitions.

use proptest::prelude::*;
use proptest::sample::Index;

/// The number of vertices, and the edges.
pub type Edges = (usize, Vec<(usize, usize)>);

/// Generates graphs of all families.
pub fn all() -> BoxedStrategy<Edges> {
    prop_oneof![sparse(24), grid(), roads(4), trees(), apart(), pieces(24)].boxed()
}

/// Generates graphs with many parts that reductions remove.
pub fn reducible() -> BoxedStrategy<Edges> {
    prop_oneof![2 => pieces(36), 1 => roads(4), 1 => roads(14), 1 => sparse(28)].boxed()
}

/// Generates sparse graphs, often disconnected, with loops and repetitions.
fn sparse(most: usize) -> impl Strategy<Value = Edges> {
    (1..most).prop_flat_map(|n| (Just(n), prop::collection::vec((0..n, 0..n), 0..3 * n)))
}

/// Generates grids, which have many ties, without some of their edges.
fn grid() -> impl Strategy<Value = Edges> {
    let kept = prop::collection::vec(prop::bool::weighted(0.85), 60);
    (1usize..6, 1usize..6, kept).prop_map(|(rows, cols, kept)| {
        let across = (0..rows * cols).filter(|v| v % cols + 1 < cols);
        let down = 0..(rows - 1) * cols;
        let all = across
            .map(|v| (v, v + 1))
            .chain(down.map(|v| (v, v + cols)));
        let edges = all.zip(kept).filter(|(_, kept)| *kept);
        (rows * cols, edges.map(|(edge, _)| edge).collect())
    })
}

/// Generates road-like graphs: few junctions, joined by chains of less than `longest` vertices.
fn roads(longest: usize) -> impl Strategy<Value = Edges> {
    let road = move |n| (0..n, 0..n, 0..longest);
    let roads = (1usize..7).prop_flat_map(move |n| (Just(n), prop::collection::vec(road(n), 0..8)));
    roads.prop_map(|(mut n, roads)| {
        let mut edges = Vec::new();
        for (from, to, inner) in roads {
            let ends = (n..n + inner).chain([to]);
            let mut last = from;
            edges.extend(ends.map(|v| (std::mem::replace(&mut last, v), v)));
            n += inner;
        }
        (n, edges)
    })
}

/// Generates trees with few further edges.
fn trees() -> impl Strategy<Value = Edges> {
    let parents = prop::collection::vec(any::<Index>(), 0..22);
    let more = prop::collection::vec(any::<(Index, Index)>(), 0..3);
    (parents, more).prop_map(|(parents, more)| {
        let n = parents.len() + 1;
        let tree = parents.iter().zip(1..);
        let tree = tree.map(|(parent, v)| (parent.index(v), v));
        let more = more.iter().map(|(a, b)| (a.index(n), b.index(n)));
        (n, tree.chain(more).collect())
    })
}

/// Generates two graphs beside each other and isolated vertices.
fn apart() -> impl Strategy<Value = Edges> {
    (sparse(9), roads(4), 0usize..3).prop_map(|((n, mut edges), (m, others), isolated)| {
        edges.extend(others.into_iter().map(|(u, v)| (u + n, v + n)));
        (n + m + isolated, edges)
    })
}

/// Returns groups of vertices, each adjacent to all vertices of the other groups: isolated
/// vertices, an edge, a clique, a book, and so on.
fn multipartite(sizes: &[usize]) -> Edges {
    let groups = sizes.iter().enumerate();
    let group: Vec<usize> = groups.flat_map(|(i, &size)| vec![i; size]).collect();
    let pairs = (0..group.len()).flat_map(|v| (0..v).map(move |u| (u, v)));
    let edges = pairs.filter(|&(u, v)| group[u] != group[v]).collect();
    (group.len(), edges)
}

/// Generates groups, cycles, wheels and ladders.
fn piece() -> impl Strategy<Value = Edges> {
    let cycle = |k: usize| (0..k).map(move |v| (v, (v + 1) % k));
    let wheel = move |k| (k + 1, cycle(k).chain((0..k).map(|v| (v, k))).collect());
    let ladder = |k: usize| {
        let rungs = (0..k).map(|v| (2 * v, 2 * v + 1));
        (2 * k, rungs.chain((2..2 * k).map(|v| (v - 2, v))).collect())
    };
    prop_oneof![
        4 => Just(multipartite(&[1, 1])),
        3 => prop::collection::vec(1usize..4, 1..4).prop_map(|sizes| multipartite(&sizes)),
        1 => (3usize..6).prop_map(|k| multipartite(&vec![1; k])),
        2 => (3usize..8).prop_map(move |k| (k, cycle(k).collect())),
        1 => (3usize..6).prop_map(wheel),
        1 => (2usize..5).prop_map(ladder),
    ]
}

/// Generates graphs of at most `most` + 6 vertices: pieces, each attached at one of its vertices,
/// few edges that unite some blocks, and copies of vertices with the same neighbours.
pub fn pieces(most: usize) -> impl Strategy<Value = Edges> {
    let attached = prop::collection::vec((piece(), any::<Index>(), any::<Index>()), 1..9);
    let more = prop::collection::vec(any::<(Index, Index)>(), 0..3);
    let twins = prop::collection::vec((any::<Index>(), any::<bool>()), 0..6);
    (attached, more, twins).prop_map(move |(attached, more, twins)| {
        let (mut n, mut edges) = (1, Vec::new());
        for ((k, inside), at, by) in attached {
            if n + k > most {
                continue;
            }
            let mut names: Vec<usize> = (n..n + k - 1).collect();
            names.insert(by.index(k), at.index(n));
            edges.extend(inside.into_iter().map(|(u, v)| (names[u], names[v])));
            n += k - 1;
        }
        edges.extend(more.iter().map(|(a, b)| (a.index(n), b.index(n))));
        for (original, joined) in twins {
            let original = original.index(n);
            let own = edges
                .iter()
                .filter(|&&(u, v)| u != v && (u == original || v == original));
            let mut copies: Vec<_> = own.map(|&(u, v)| (n, u + v - original)).collect();
            copies.extend(joined.then_some((n, original)));
            edges.extend(copies);
            n += 1;
        }
        (n, edges)
    })
}
