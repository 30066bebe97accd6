//! Brandes' algorithm with lengths, for one root at a time on one core.
//!
//! U. Brandes, "A Faster Algorithm for Betweenness Centrality", 2001, with Dijkstra's algorithm. There are
//! no predecessor lists: the way back looks at the arcs out of each vertex once more, in the reverse of the
//! order in which vertices were settled. Distance and path count of a vertex share 16 bytes, and its coef
//! takes the place of the path count when that has been used for the last time.

pub(super) mod arcs;
mod buckets;
pub(super) mod length;
mod limit;
mod queue;

use std::time::{Duration, Instant};

use super::claim::Claim;
use crate::engine::{Engine, EngineError, Root, Sums};
use crate::graph::{Lengths, Vertex};
use crate::prepare::Prepared;
use arcs::{Arc, Arcs};
use buckets::Buckets;
use length::{Length, Tie};
use queue::{Heap, Queue};

/// Aim of one claim.
const CLAIM_TIME: Duration = Duration::from_millis(5);

/// What a search knows of a vertex.
#[derive(Debug, Clone, Copy)]
struct Node<L> {
    /// Distance from the root; [`Length::FAR`] where it is not known to be reached.
    dist: L,
    /// On the way there the path count sigma, from the way back on coef = (weight + delta) / sigma.
    value: f64,
}

/// The engine for lengths of one type, with one kind of queue.
struct Dijkstra<'g, L: Length, Q> {
    prepared: &'g Prepared,
    arcs: Arcs<L>,
    tie: L::Tie,
    queue: Q,
    nodes: Vec<Node<L>>,
    /// Vertices in the order they were settled.
    settled: Vec<Vertex>,
    scores: Vec<f64>,
    /// Dependencies of arcs; empty if they are not wanted.
    arc_scores: Vec<f64>,
    claim: Claim,
}

/// The engine for this weighted graph, with its memory allocated; `None` if the graph has no lengths.
pub fn engine(prepared: &Prepared) -> Option<Box<dyn Engine + '_>> {
    Some(match prepared.lengths.as_ref()? {
        Lengths::U32(lengths) => match Buckets::fitting(lengths) {
            Some(buckets) => Box::new(Dijkstra::new(prepared, lengths, buckets)),
            None => Box::new(Dijkstra::new(prepared, lengths, Heap::default())),
        },
        Lengths::U64(lengths) => match Buckets::fitting(lengths) {
            Some(buckets) => Box::new(Dijkstra::new(prepared, lengths, buckets)),
            None => Box::new(Dijkstra::new(prepared, lengths, Heap::default())),
        },
        Lengths::F64(lengths) => Box::new(Dijkstra::new(prepared, lengths, Heap::default())),
    })
}

/// About as many bytes as the engine holds for this graph, queues aside.
pub fn bytes(prepared: &Prepared) -> usize {
    let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
    let arc = match prepared.lengths {
        Some(Lengths::U32(_)) | None => size_of::<Arc<u32>>(),
        Some(Lengths::U64(_)) => size_of::<Arc<u64>>(),
        Some(Lengths::F64(_)) => size_of::<Arc<f64>>(),
    };
    let sums = if prepared.count_edges { arcs } else { 0 };
    n * (size_of::<Node<u64>>() + size_of::<Vertex>()) + arcs * arc + (n + sums) * size_of::<f64>()
}

impl<'g, L: Length, Q: Queue<L>> Dijkstra<'g, L, Q> {
    fn new(prepared: &'g Prepared, lengths: &[L], queue: Q) -> Self {
        let n = prepared.graph.vertices();
        let far = Node {
            dist: L::FAR,
            value: 0.0,
        };
        let sums = if prepared.count_edges {
            prepared.graph.arcs()
        } else {
            0
        };
        Dijkstra {
            prepared,
            arcs: Arcs::new(&prepared.graph, lengths),
            tie: L::tie(prepared.tie_tolerance),
            queue,
            nodes: vec![far; n],
            settled: Vec::with_capacity(n),
            scores: vec![0.0; n],
            arc_scores: vec![0.0; sums],
            claim: Claim::new(CLAIM_TIME),
        }
    }

    /// Distances, and the order in which vertices are settled. Path counts too, where they can be had on
    /// the way.
    // Not inlined: loops in one large function would share its registers.
    #[inline(never)]
    fn forward(&mut self, root: Vertex) {
        self.settled.clear();
        self.nodes[root as usize] = Node {
            dist: L::ZERO,
            value: 1.0,
        };
        self.queue.push(root, L::ZERO);
        while let Some((v, dist)) = self.queue.pop() {
            // Each entry of a vertex is nearer than the ones before.
            if self.nodes[v as usize].dist != dist {
                continue;
            }
            self.settled.push(v);
            let paths = self.nodes[v as usize].value;
            for arc in self.arcs.of(v) {
                let node = &mut self.nodes[arc.target as usize];
                let through = dist.plus(arc.length);
                if through < node.dist {
                    node.dist = through;
                    node.value = paths;
                    self.queue.push(arc.target, through);
                } else if L::Tie::ON_THE_WAY && through == node.dist {
                    node.value += paths;
                }
            }
        }
        if !L::Tie::ON_THE_WAY {
            self.count_paths();
        }
    }

    /// Path counts where distances have to be final before it is known who comes before whom.
    fn count_paths(&mut self) {
        for &v in &self.settled[1..] {
            self.nodes[v as usize].value = 0.0;
        }
        for &v in &self.settled {
            let Node { dist, value: paths } = self.nodes[v as usize];
            for arc in self.arcs.of(v) {
                let node = &mut self.nodes[arc.target as usize];
                if self.tie.leads_to(dist, arc.length, node.dist) {
                    node.value += paths;
                }
            }
        }
    }

    /// Dependencies, the farthest vertex first, into the scores.
    #[inline(never)]
    fn backward(&mut self, root: Root) -> Result<(), EngineError> {
        let sources = f64::from(root.sources);
        let mut all_counted = true;
        for i in (1..self.settled.len()).rev() {
            let v = self.settled[i];
            let Node { dist, value: paths } = self.nodes[v as usize];
            let mut sum = 0.0;
            for arc in self.arcs.of(v) {
                let node = &self.nodes[arc.target as usize];
                // No branch: whether an arc is on a shortest path is hard to guess.
                let on = u64::from(self.tie.leads_to(dist, arc.length, node.dist)).wrapping_neg();
                sum += f64::from_bits(node.value.to_bits() & on);
            }
            if !self.arc_scores.is_empty() {
                self.count_arcs(v, sources * paths);
            }
            all_counted &= paths > 0.0;
            self.nodes[v as usize].value = self.prepared.weight[v as usize] / paths + sum;
            self.scores[v as usize] += sources * paths * sum;
        }
        if !self.arc_scores.is_empty() {
            self.count_arcs(root.vertex, sources);
        }
        if !all_counted {
            return Err(EngineError::LengthLost { root: root.vertex });
        }
        Ok(())
    }

    /// Adds the dependencies of the arcs out of `v`: `factor` (sources * sigma) times coef of their heads.
    fn count_arcs(&mut self, v: Vertex, factor: f64) {
        let dist = self.nodes[v as usize].dist;
        let first = self.prepared.graph.offsets()[v as usize] as usize;
        let sums = &mut self.arc_scores[first..];
        for (arc, sum) in self.arcs.of(v).iter().zip(sums) {
            let node = &self.nodes[arc.target as usize];
            if self.tie.leads_to(dist, arc.length, node.dist) {
                *sum += factor * node.value;
            }
        }
    }

    /// `--endpoints` of a directed graph: the root meets all it reaches, and they meet the root.
    fn count_endpoints(&mut self, root: Root) {
        let sources = f64::from(root.sources);
        self.scores[root.vertex as usize] += sources * (self.settled.len() - 1) as f64;
        for &v in &self.settled[1..] {
            self.scores[v as usize] += sources;
        }
    }
}

impl<L: Length, Q: Queue<L>> Engine for Dijkstra<'_, L, Q> {
    fn roots_wanted(&self) -> usize {
        self.claim.wanted
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut uncounted = Vec::new();
        for &root in roots {
            self.forward(root.vertex);
            if !self.in_range() {
                self.forget();
                uncounted.push(root);
                continue;
            }
            let result = self.backward(root);
            if self.prepared.count_endpoints {
                self.count_endpoints(root);
            }
            for &v in &self.settled {
                self.nodes[v as usize].dist = L::FAR;
            }
            result?;
        }
        self.claim.adjust(start);
        EngineError::of_uncounted(uncounted)
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        sums.take(&mut self.scores, &mut self.arc_scores);
        Ok(())
    }
}
