//! Splitting an undirected graph at its articulation points into *blocks*, its biconnected
//! components.
//!
//! A shortest path enters and leaves a block through articulation points only, and between two
//! vertices of a block it stays inside. So the graph can be searched as the disjoint union of its
//! blocks, with a copy of each articulation point in every block that it is in. (Sariyuce, Saule,
//! Kaya, Catalyurek: "Shattering and Compressing Networks for Betweenness Centrality", SDM 2013,
//! who split off one articulation point after another.)
//!
//! The copy of v in a block B stands for all that is connected to v when the edges of B are
//! removed: its weight is the number of input vertices there, and its search counts for the chosen
//! sources among them. What a search in B then adds to a copy are the pairs whose paths have inner
//! vertices of B around v. Pairs whose paths change blocks at v are left. If block or trunk i at v
//! has A_i chosen sources and B_i input vertices behind it, they are
//!
//! ```text
//! (sum A_i) (sum B_i) - sum A_i B_i
//! ```
//!
//! # Blocks that need no search
//! In a complete graph without lengths no path has inner vertices, nor has one in a block of a
//! single edge. Only the pairs of their edges are left, a(u) b(v) + a(v) b(u) with the sources a
//! and weights b of the copies.

mod find;
mod numbering;

use rayon::prelude::*;

use super::component_ranges::ComponentRanges;
use super::reduced::{Reduced, TOGETHER};
use crate::graph::{Csr, Vertex};
use find::{NONE, Partition, parent};
use numbering::Numbering;

/// What a vertex stands for, or what is in a branch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mass {
    /// Chosen sources.
    pub sources: u64,
    /// Input vertices.
    pub size: u64,
}

impl Mass {
    fn pairs(self, other: Mass) -> u64 {
        self.sources * other.size
    }

    fn add(&mut self, other: Mass) {
        self.sources += other.sources;
        self.size += other.size;
    }

    fn less(self, other: Mass) -> Mass {
        Mass {
            sources: self.sources - other.sources,
            size: self.size - other.size,
        }
    }
}

/// The blocks of a graph.
struct Blocks {
    partition: Partition,
    /// Per block: edges and vertices, the top included.
    edges: Vec<u32>,
    vertices: Vec<u32>,
}

/// A graph split into its blocks.
pub struct Split {
    /// The blocks that have to be searched, with what their vertices stand for.
    pub reduced: Reduced,
    /// Where they are.
    pub ranges: ComponentRanges,
    /// Per vertex of the graph before: ordered pairs whose paths change blocks there.
    pub closed: Vec<f64>,
    /// What scores of edges need.
    pub copies: Copies,
}

/// Splits an undirected graph of these components into its blocks, always or if that makes less
/// work. The graph is numbered as [`Partition::of`] wants it.
pub fn split(whole: &Reduced, components: &ComponentRanges, always: bool) -> Option<Split> {
    /// So much of the work is left at most.
    const LESS: f64 = 0.98;
    let blocks = Blocks::find(&whole.graph);
    let left = blocks.work(whole.lengths.is_some());
    let pays = left < LESS * components.work(&whole.graph);
    (always || pays).then(|| blocks.split(whole))
}

/// Where the copies of each vertex are.
#[derive(Debug, Clone)]
pub struct Copies {
    partition: Partition,
    numbering: Numbering,
    /// Per vertex: what its copy in the block that it is not the top of stands for.
    own: Vec<Mass>,
    /// Per block: what the copy of its top stands for.
    of_top: Vec<Mass>,
}

impl Blocks {
    /// Finds them. The graph is undirected, and numbered as [`Partition::of`] wants it.
    fn find(graph: &Csr) -> Blocks {
        let partition = Partition::of(graph);
        let count = partition.top.len();
        let (mut edges, mut vertices) = (vec![0; count], vec![1; count]);
        for (v, &block) in (0..).zip(&partition.block) {
            if block != NONE {
                let row = graph.neighbours(v);
                edges[block as usize] += row.partition_point(|&u| u < v) as u32;
                vertices[block as usize] += 1;
            }
        }
        Blocks {
            partition,
            edges,
            vertices,
        }
    }

    /// How many there are.
    fn count(&self) -> usize {
        self.edges.len()
    }

    /// Which of them have to be searched.
    fn searched(&self, lengths: bool) -> impl Fn(usize) -> bool {
        move |block| {
            let (edges, vertices) = (self.edges[block] as u64, self.vertices[block] as u64);
            match lengths {
                true => vertices > 2,
                false => 2 * edges < vertices * (vertices - 1),
            }
        }
    }

    /// About how much there is to search in them: vertices times arcs, as if every vertex was a
    /// root.
    fn work(&self, lengths: bool) -> f64 {
        let searched = self.searched(lengths);
        let of_blocks = (0..self.count()).filter(|&block| searched(block));
        let work = |b: usize| f64::from(self.vertices[b]) * 2.0 * f64::from(self.edges[b]);
        of_blocks.map(work).sum()
    }

    /// Splits the graph that they were found in.
    fn split(self, whole: &Reduced) -> Split {
        let searched = self.searched(whole.lengths.is_some());
        let numbering = Numbering::new(&self.partition, &self.vertices, searched);
        let (own, of_top, closed) = self.masses(whole);
        let mass = |copy: usize| match numbering.place(copy) {
            (block, true) => of_top[block],
            (_, false) => own[numbering.vertex[copy] as usize],
        };
        let copies = || {
            (0..numbering.vertex.len())
                .into_par_iter()
                .with_min_len(TOGETHER)
        };
        let graph = numbering.graph(&whole.graph, &self.partition);
        let vertex = &numbering.vertex;
        let lengths = whole.lengths.as_ref();
        let reduced = Reduced {
            lengths: lengths.map(|lengths| lengths.induced(&whole.graph, &graph, vertex)),
            graph,
            input_vertex: vertex
                .par_iter()
                .map(|&v| whole.input_vertex[v as usize])
                .collect(),
            sources: copies().map(|copy| mass(copy).sources as u32).collect(),
            size: copies().map(|copy| mass(copy).size as u32).collect(),
        };
        Split {
            reduced,
            ranges: numbering.ranges(),
            closed,
            copies: Copies {
                partition: self.partition,
                numbering,
                own,
                of_top,
            },
        }
    }

    /// What the copies of each vertex and of each top stand for, and the pairs whose paths change
    /// blocks at each vertex.
    fn masses(&self, graph: &Reduced) -> (Vec<Mass>, Vec<Mass>, Vec<f64>) {
        let Partition { block, top, first } = &self.partition;
        let n = graph.graph.vertices();
        let alone = |v: usize| Mass {
            sources: graph.sources[v].into(),
            size: graph.size[v].into(),
        };
        // Of each vertex and what is behind the blocks that it is the top of; of each block
        // without its top. A block is complete when its first vertex has been added.
        let mut own: Vec<Mass> = (0..n).map(alone).collect();
        let mut below = vec![Mass::default(); top.len()];
        // Pairs within a branch.
        let mut within = vec![0; n];
        let mut whole = vec![Mass::default(); n];
        for v in (0..n).rev() {
            let b = block[v] as usize;
            if b >= top.len() {
                continue;
            }
            below[b].add(own[v]);
            if v == first[b] as usize {
                let t = top[b] as usize;
                own[t].add(below[b]);
                within[t] += below[b].pairs(below[b]);
            }
        }
        for v in 0..n {
            let above = parent(&graph.graph, v as Vertex);
            whole[v] = above.map_or(own[v], |p| whole[p as usize]);
        }
        let of_top = (0..top.len()).map(|b| whole[top[b] as usize].less(below[b]));
        let of_top: Vec<Mass> = of_top.collect();
        let closed = (0..n).map(|v| {
            let others = whole[v].less(alone(v));
            let above = whole[v].less(own[v]);
            (others.pairs(others) - above.pairs(above) - within[v]) as f64
        });
        let closed = closed.collect();
        (own, of_top, closed)
    }
}

impl Copies {
    /// The edge between two vertices of the graph before: the copies of its ends, or its pairs if
    /// its block is not searched.
    pub fn edge(&self, [a, b]: [Vertex; 2]) -> Result<[Vertex; 2], f64> {
        let ends = (a.min(b), a.max(b));
        let copies = self.numbering.ends(&self.partition, ends);
        copies.ok_or_else(|| {
            let block = self.partition.block[ends.1 as usize];
            let is_top = self.partition.block[ends.0 as usize] != block;
            let smaller = match is_top {
                true => self.of_top[block as usize],
                false => self.own[ends.0 as usize],
            };
            let larger = self.own[ends.1 as usize];
            smaller.pairs(larger) as f64 + larger.pairs(smaller) as f64
        })
    }

    /// Leaves no pairs of edges that are not searched.
    pub fn without_closed_forms(&mut self) {
        self.own.fill(Mass::default());
        self.of_top.fill(Mass::default());
    }
}
