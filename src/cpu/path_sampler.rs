//! Random shortest paths of pairs of vertices, by balanced bidirectional searches without lengths.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::weighted::count::Count;
use super::wide::Wide;
use crate::graph::{Csr, Vertex};

/// The level of a vertex that a search has not reached.
const UNSEEN: u32 = u32::MAX;

/// The memory of balanced bidirectional searches. Arrays of two have the search from the source
/// along arcs, and the search from the target against them.
#[derive(Default)]
pub struct PathSampler {
    /// The levels of each vertex.
    levels: Vec<[u32; 2]>,
    /// The numbers of shortest paths between each vertex and the ends.
    paths: Vec<[Wide; 2]>,
    frontiers: [Vec<Vertex>; 2],
    /// The level of each frontier, and the number of its arcs.
    depths: [u32; 2],
    arcs: [usize; 2],
    /// All vertices that have levels.
    seen: Vec<Vertex>,
}

impl PathSampler {
    /// Makes the memory for searches of a graph with this many vertices.
    pub fn new(vertices: usize) -> PathSampler {
        PathSampler {
            levels: vec![[UNSEEN; 2]; vertices],
            paths: vec![[Wide::ZERO; 2]; vertices],
            ..PathSampler::default()
        }
    }

    /// Returns about the most bytes of the memory for a graph.
    pub fn bytes(graph: &Csr) -> usize {
        graph.vertices()
            * (size_of::<[u32; 2]>() + size_of::<[Wide; 2]>() + 3 * size_of::<Vertex>())
    }

    /// Draws one of the shortest paths of a pair of different vertices, all with the same
    /// probability, and calls `inner` with each vertex inside it. The `graphs` are the one of all
    /// arcs and the one of all reversed arcs.
    ///
    /// The search with fewer arcs in its frontier expands a whole level, until the two meet. Each
    /// shortest path then has exactly one vertex in both frontiers.
    pub fn draw(
        &mut self,
        graphs: [&Csr; 2],
        pair: [Vertex; 2],
        random: &mut Pcg64,
        mut inner: impl FnMut(Vertex),
    ) {
        for (side, &v) in pair.iter().enumerate() {
            self.levels[v as usize][side] = 0;
            self.paths[v as usize][side] = Wide::from(1.0);
            self.frontiers[side].clear();
            self.frontiers[side].push(v);
            (self.depths[side], self.arcs[side]) = (0, graphs[side].degree(v));
        }
        self.seen.extend(pair);
        while self.frontiers.iter().all(|frontier| !frontier.is_empty()) {
            let side = usize::from(self.arcs[1] < self.arcs[0]);
            if self.grow(graphs[side], side) {
                self.walk(graphs, side, random, &mut inner);
                break;
            }
        }
        for v in self.seen.drain(..) {
            self.levels[v as usize] = [UNSEEN; 2];
        }
    }

    /// Searches the next level of a side. Returns whether it has met the other side.
    fn grow(&mut self, graph: &Csr, side: usize) -> bool {
        let frontier = std::mem::take(&mut self.frontiers[side]);
        let (first, depth) = (self.seen.len(), self.depths[side] + 1);
        let (mut met, mut arcs) = (false, 0);
        for &u in &frontier {
            let paths = self.paths[u as usize][side];
            for &v in graph.neighbours(u) {
                let levels = &mut self.levels[v as usize];
                if levels[side] == UNSEEN {
                    levels[side] = depth;
                    met |= levels[1 - side] != UNSEEN;
                    self.paths[v as usize][side] = paths;
                    self.seen.push(v);
                    arcs += graph.degree(v);
                } else if levels[side] == depth {
                    let sum = &mut self.paths[v as usize][side];
                    *sum = *sum + paths;
                }
            }
        }
        (self.depths[side], self.arcs[side]) = (depth, arcs);
        self.frontiers[side] = frontier;
        self.frontiers[side].clear();
        self.frontiers[side].extend_from_slice(&self.seen[first..]);
        met
    }

    /// Walks along a random path from a vertex in both frontiers to both ends.
    fn walk(
        &self,
        graphs: [&Csr; 2],
        grown: usize,
        random: &mut Pcg64,
        inner: &mut impl FnMut(Vertex),
    ) {
        let levels = |v: Vertex| self.levels[v as usize];
        let both = self.frontiers[grown].iter();
        let both = both.filter(|&&v| levels(v) == self.depths);
        let through = |&v: &Vertex| {
            let [from, to] = self.paths[v as usize];
            (v, from * to)
        };
        let middle = choose(random, both.map(through));
        if !levels(middle).contains(&0) {
            inner(middle);
        }
        for side in 0..2 {
            let mut v = middle;
            while levels(v)[side] > 1 {
                let before = levels(v)[side] - 1;
                let all = graphs[1 - side].neighbours(v).iter();
                let all = all.filter(|&&u| levels(u)[side] == before);
                v = choose(random, all.map(|&u| (u, self.paths[u as usize][side])));
                inner(v);
            }
        }
    }
}

/// Chooses a vertex with a probability in proportion to its number. There is at least one.
fn choose(random: &mut Pcg64, all: impl Iterator<Item = (Vertex, Wide)> + Clone) -> Vertex {
    let sum = all
        .clone()
        .fold(Wide::ZERO, |sum, (_, number)| sum + number);
    let (mut left, mut chosen) = (random.random::<f64>(), Vertex::MAX);
    for (v, number) in all {
        chosen = v;
        left -= (number / sum).to_f64();
        if left < 0.0 {
            break;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::SeedableRng;

    use super::*;

    /// Returns a random graph, undirected if the seed is even, and its reverse.
    fn random_graphs(seed: u64) -> [Csr; 2] {
        let mut random = Pcg64::seed_from_u64(seed);
        let n = random.random_range(2..14);
        let density = random.random_range(0.1..0.6);
        let arcs: Vec<bool> = (0..n * n)
            .map(|_| random.random::<f64>() < density)
            .collect();
        let graph = Csr::of_rows(n, |u, add| {
            let index = |v| match seed.is_multiple_of(2) {
                true => u.max(v) * n + u.min(v),
                false => u * n + v,
            };
            let heads = (0..n).filter(|&v| u != v && arcs[index(v)]);
            heads.for_each(|v| add(v as Vertex));
        });
        let reverse = graph.reversed();
        [graph, reverse]
    }

    /// Returns the inner vertices of all shortest paths from s to t, in ascending order.
    fn all_paths(graph: &Csr, s: Vertex, t: Vertex) -> Vec<Vec<Vertex>> {
        let mut walks = vec![vec![s]];
        for _ in 0..graph.vertices() {
            let found = walks.iter().filter(|walk| walk.ends_with(&[t]));
            let inner = found.map(|walk| walk[1..walk.len() - 1].to_vec());
            let mut inner: Vec<Vec<Vertex>> = inner.collect();
            inner.iter_mut().for_each(|one| one.sort_unstable());
            if !inner.is_empty() {
                return inner;
            }
            let longer = |walk: &Vec<Vertex>| {
                let next = graph.neighbours(walk[walk.len() - 1]).iter();
                let next = next.filter(|v| !walk.contains(v));
                next.map(|&v| [walk, &[v][..]].concat()).collect::<Vec<_>>()
            };
            walks = walks.iter().flat_map(longer).take(20_000).collect();
        }
        Vec::new()
    }

    #[test]
    fn all_shortest_paths_of_a_pair_are_equally_likely() {
        let (mut squares, mut freedom) = (0.0, 0.0);
        for seed in 0..40 {
            let [graph, reverse] = random_graphs(seed);
            let n = graph.vertices() as Vertex;
            let mut sampler = PathSampler::new(n as usize);
            let mut random = Pcg64::seed_from_u64(1000 + seed);
            let pairs = (0..n).flat_map(|s| (0..n).map(move |t| [s, t]));
            for pair in pairs.filter(|[s, t]| s != t) {
                let mut paths = all_paths(&graph, pair[0], pair[1]);
                if paths.is_empty() {
                    paths.push(Vec::new());
                }
                let mut counts: HashMap<Vec<Vertex>, usize> = HashMap::new();
                for _ in 0..100 * paths.len() {
                    let mut path = Vec::new();
                    sampler.draw([&graph, &reverse], pair, &mut random, |v| path.push(v));
                    path.sort_unstable();
                    *counts.entry(path).or_default() += 1;
                }
                let count = |path| counts.get(path).copied().unwrap_or(0);
                let drawn: usize = paths.iter().map(count).sum();
                assert_eq!(drawn, 100 * paths.len(), "{seed} {pair:?}: {counts:?}");
                freedom += paths.len() as f64 - 1.0;
                let square = |path| (count(path) as f64 - 100.0).powi(2) / 100.0;
                squares += paths.iter().map(square).sum::<f64>();
            }
        }
        assert!(freedom > 1000.0);
        let deviation = (squares - freedom) / (2.0 * freedom).sqrt();
        assert!(deviation.abs() < 5.0, "{squares} {freedom}");
    }

    #[test]
    fn paths_may_be_more_than_a_double_can_count() {
        // 2,000 diamonds in a row: vertex 3 i is the begin of diamond i.
        let count = 2_000;
        let graph = Csr::of_rows(3 * count + 1, |v, add| match v % 3 {
            0 if v == 3 * count => {}
            0 => [v + 1, v + 2].iter().for_each(|&u| add(u as Vertex)),
            side => add((v + 3 - side) as Vertex),
        });
        let reverse = graph.reversed();
        let mut random = Pcg64::seed_from_u64(1);
        let mut sampler = PathSampler::new(graph.vertices());
        let mut firsts = 0;
        for _ in 0..20 {
            let mut inner = Vec::new();
            let pair = [0, 3 * count as Vertex];
            sampler.draw([&graph, &reverse], pair, &mut random, |v| inner.push(v));
            assert_eq!(inner.len(), 2 * count - 1);
            firsts += inner.iter().filter(|&v| v % 3 == 1).count();
        }
        // 40,000 fair coins.
        assert!(firsts.abs_diff(20_000) < 500, "{firsts}");
    }
}
