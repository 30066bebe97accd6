//! Sorts the vertices of shallow components by their distances to *landmarks*, the vertices of
//! highest degree.
//!
//! Roots with similar distances reach most vertices on the same levels, so a batch of them reads an
//! arc on fewer levels, and for more lanes at once. Batches are consecutive vertices, or in a
//! directed graph consecutive roots. The order depends on the input's numbers only where keys tie.
//! (The term is from Goldberg and Harrelson, "Computing the Shortest Path: A* Search Meets Graph
//! Theory", SODA 2005.)

use std::cmp::Reverse;

use rayon::prelude::*;

use super::depth;
use super::order::PER_TASK;
use crate::graph::{Csr, Vertex};

/// The number of landmarks, each with a bit in a search of all of them at once.
const LANDMARKS: usize = 24;

/// Components with fewer vertices keep their order: they have few batches.
const FEWEST_VERTICES: usize = 1 << 8;

/// Distances of at least this many arcs count as no path.
const FARTHEST: u8 = 64;

/// Sorts the vertices of each component of `order`, which is breadth-first from a vertex of highest
/// degree with these `levels`, so that batches of consecutive roots have similar distances. Deep
/// components keep their order. `reverse` is given for directed graphs.
///
/// The keys: the level, which is the distance from the first vertex along arcs in both ways, unless
/// the order is `for_roots` (a numbering needs it); in an undirected graph, the neighbour of
/// highest degree; the distances to the landmarks; the previous place. Returns the number of
/// sorted vertices.
pub fn sort(
    csr: &Csr,
    reverse: Option<&Csr>,
    component: impl Fn(Vertex) -> u32,
    (order, levels): (&mut [Vertex], &[u32]),
    for_roots: bool,
) -> usize {
    let inward = reverse.unwrap_or(csr);
    // Per vertex, the landmarks that it reaches within some distance, a bit for each.
    let mut reached = vec![0; csr.vertices()];
    // Per vertex, its place by descending degree in its component.
    let mut number = vec![u32::MAX; csr.vertices()];
    let (mut rest, mut count) = (levels, 0);
    for vertices in order.chunk_by_mut(|&u, &v| component(u) == component(v)) {
        let (levels, others) = rest.split_at(vertices.len());
        rest = others;
        let shallow = depth::MAY_BE_DEEP * depth::shallow_limit(vertices.len());
        if vertices.len() < FEWEST_VERTICES || f64::from(depth::median(levels)) > shallow {
            continue;
        }
        let mut hubs: Vec<u32> = (0..vertices.len() as u32).collect();
        let by_degree = |&i: &u32| (Reverse(inward.degree(vertices[i as usize])), i);
        hubs.par_sort_unstable_by_key(by_degree);
        for (place, &i) in (0..).zip(&hubs) {
            number[vertices[i as usize] as usize] = place;
        }
        let distances = distances(csr, vertices, &hubs[..LANDMARKS], &mut reached);
        let key = |(i, to): (usize, [u8; LANDMARKS])| {
            let heads = csr.neighbours(vertices[i]).iter();
            let hub = heads.map(|&u| number[u as usize]).min();
            let level = if for_roots { 0 } else { levels[i] };
            (level, hub.filter(|_| reverse.is_none()), to, i)
        };
        let mut keys: Vec<_> = distances.into_par_iter().enumerate().map(key).collect();
        keys.par_sort_unstable();
        let sorted: Vec<Vertex> = keys.into_iter().map(|(.., i)| vertices[i]).collect();
        vertices.copy_from_slice(&sorted);
        count += vertices.len();
    }
    count
}

/// Returns the distances along arcs from each of these vertices to each landmark, by a
/// breadth-first search for all landmarks at once. `reached` is zero for these vertices before.
fn distances(
    csr: &Csr,
    vertices: &[Vertex],
    landmarks: &[u32],
    reached: &mut [u32],
) -> Vec<[u8; LANDMARKS]> {
    let mut distances = vec![[FARTHEST; LANDMARKS]; vertices.len()];
    for (landmark, &i) in landmarks.iter().enumerate() {
        distances[i as usize][landmark] = 0;
        reached[vertices[i as usize] as usize] = 1 << landmark;
    }
    for level in 1..FARTHEST {
        let seen = &*reached;
        let new = |&v: &Vertex| {
            let own = seen[v as usize];
            if own.count_ones() as usize == LANDMARKS {
                return 0;
            }
            let heads = csr.neighbours(v).iter();
            heads.fold(0, |all, &u| all | seen[u as usize]) & !own
        };
        let new: Vec<u32> = (vertices.par_iter().with_min_len(PER_TASK).map(new)).collect();
        if new.iter().all(|&bits| bits == 0) {
            break;
        }
        for ((&v, mut bits), to) in vertices.iter().zip(new).zip(&mut distances) {
            reached[v as usize] |= bits;
            while bits != 0 {
                to[bits.trailing_zeros() as usize] = level;
                bits &= bits - 1;
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::components::components;
    use crate::graph::generate;
    use crate::prepare::order::{bfs_order, places};
    use crate::prepare::tests::upwards;

    /// Returns the order before and after the sort.
    fn orders(csr: &Csr, directed: bool) -> [Vec<Vertex>; 2] {
        let reverse = directed.then(|| csr.reversed());
        let all: Vec<Vertex> = (0..csr.vertices() as Vertex).collect();
        let (before, levels) = bfs_order(csr, reverse.as_ref(), &all);
        let (mut after, components) = (before.clone(), components(csr, directed));
        let component = |v| components.of[v as usize];
        let order = (&mut after[..], &levels[..]);
        sort(csr, reverse.as_ref(), component, order, false);
        let mut pairs = before.iter().zip(&after);
        assert!(pairs.all(|(&u, &v)| component(u) == component(v)));
        [before, after]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]
        #[test]
        fn all_vertices_but_one_have_smaller_neighbours(
            n in 260u32..500,
            edges in 0u64..2000,
            directed: bool,
            seed: u64,
        ) {
            let graph = generate::erdos_renyi(n, edges, seed).unwrap();
            let upwards = upwards(graph.csr());
            let csr = if directed { &upwards } else { graph.csr() };
            let [before, after] = orders(csr, directed);
            let places = places(n as usize, &after);
            let mut sorted = after.clone();
            sorted.sort_unstable();
            prop_assert!(sorted.into_iter().eq(0..n));
            let degree = |v: &Vertex| graph.csr().degree(*v);
            prop_assert!(before.iter().map(degree).max() == before.first().map(degree));
            let components = components(csr, directed);
            let mut seen = vec![false; components.count()];
            for (&v, place) in after.iter().zip(0..) {
                let smaller = |&u: &Vertex| places[u as usize] < place;
                let has_smaller = graph.csr().neighbours(v).iter().any(smaller);
                let seen = &mut seen[components.of[v as usize] as usize];
                prop_assert_eq!(has_smaller, std::mem::replace(seen, true));
            }
            prop_assert!(directed || components.count() > 1 || before[0] == after[0]);
        }
    }

    #[test]
    fn vertices_of_equal_distances_are_together_and_deep_components_keep_their_order() {
        // Two hubs, joined by an edge, with leaves that alternate in the input.
        let csr = Csr::of_rows(400, |v, target| match v as Vertex {
            hub @ (0 | 1) => {
                let leaves = (2..400).filter(|leaf| leaf % 2 == hub);
                std::iter::once(1 - hub).chain(leaves).for_each(target);
            }
            leaf => target(leaf % 2),
        });
        let [_, after] = orders(&csr, false);
        let changes = after[2..]
            .windows(2)
            .filter(|pair| pair[0] % 2 != pair[1] % 2);
        assert_eq!(changes.count(), 1, "{after:?}");
        let grid = generate::grid(30, 30, 0.0, 1).unwrap();
        let [before, after] = orders(grid.csr(), false);
        assert_eq!(before, after);
    }
}
