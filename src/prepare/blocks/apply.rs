//! The disjoint union of the blocks, and the pairs whose paths change blocks.

use rayon::prelude::*;

use super::super::component_ranges::ComponentRanges;
use super::super::reduced::{PER_TASK, Reduced};
use super::find::Blocks;
use super::numbering::Numbering;
use super::partition::{Partition, parent};
use super::undo::{Copies, Mass};
use crate::graph::Vertex;

/// A graph split into its blocks.
pub struct Split {
    /// The blocks that have to be searched, with the sources and sizes of their vertices.
    pub reduced: Reduced,
    /// The vertices of each block.
    pub ranges: ComponentRanges,
    /// Per vertex of the original graph, the ordered pairs whose paths change blocks there.
    pub closed: Vec<f64>,
    /// The copies of each vertex, for scores of edges.
    pub copies: Copies,
}

/// Splits an undirected graph with these components into its blocks: `always`, or only if that
/// makes less work. [`Partition::find`] says how the graph has to be numbered.
pub fn split(whole: &Reduced, components: &ComponentRanges, always: bool) -> Option<Split> {
    /// A split must leave less than this part of the work.
    const LESS: f64 = 0.98;
    let blocks = Blocks::find(&whole.graph);
    let left = blocks.work(whole.lengths.is_some());
    let pays = left < LESS * components.work(&whole.graph);
    (always || pays).then(|| blocks.split(whole))
}

impl Blocks {
    /// Splits the graph `whole`, which has these blocks.
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
                .with_min_len(PER_TASK)
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

    /// Returns the mass of the copy of each vertex in the block whose top it is not, the mass of
    /// the copy of each block's top, and for each vertex the ordered pairs whose paths change
    /// blocks there.
    fn masses(&self, graph: &Reduced) -> (Vec<Mass>, Vec<Mass>, Vec<f64>) {
        let Partition { block, top, first } = &self.partition;
        let n = graph.graph.vertices();
        let alone = |v: usize| Mass {
            sources: graph.sources[v].into(),
            size: graph.size[v].into(),
        };
        // `own` is the mass of each vertex and of all blocks below it, `below` that of each block
        // without its top but with all blocks below. Vertices are visited in descending order, so a
        // block is complete after its first vertex.
        let mut own: Vec<Mass> = (0..n).map(alone).collect();
        let mut below = vec![Mass::default(); top.len()];
        // Per vertex, the pairs with both ends in the same block or branch below it.
        let mut within = vec![0; n];
        // Per vertex, the mass of its component.
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
