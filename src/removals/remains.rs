//! The remains of a graph from which vertices or edges are removed, and their components.

use std::collections::BTreeSet;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::graph::components::{Components, components};
use crate::graph::{Csr, Graph, Lengths, Vertex};

/// The remains of a graph.
pub struct Remains {
    pub whole: Arc<Graph>,
    /// The lengths of the whole graph. Removals make shortest paths longer, so 32-bit lengths are
    /// widened to 64 bits.
    lengths: Option<Lengths>,
    /// The arcs that are left. Removed vertices have none.
    pub csr: Csr,
    /// The components of these arcs.
    pub found: Components,
    /// The number of removed vertices, each of which is a component of its own in `found`.
    pub removed_vertices: usize,
    /// All vertices, in the order in which [`Remains::take_changed`] numbers them.
    order: Vec<Vertex>,
    /// The vertices whose components have changed since the last call of [`Remains::take_changed`].
    changed: FixedBitSet,
}

impl Remains {
    pub fn new(whole: Arc<Graph>) -> Remains {
        let lengths = whole.lengths().map(|lengths| match lengths {
            Lengths::U32(short) => Lengths::U64(short.iter().map(|&x| x.into()).collect()),
            lengths => lengths.clone(),
        });
        Remains {
            lengths,
            csr: whole.csr().clone(),
            found: components(whole.csr(), whole.directed()),
            changed: FixedBitSet::from_iter(0..whole.vertices()),
            removed_vertices: 0,
            order: (0..whole.vertices() as Vertex).collect(),
            whole,
        }
    }

    /// Removes edges, or vertices as both ends.
    pub fn remove(&mut self, all: impl Iterator<Item = [Vertex; 2]>) {
        let all: BTreeSet<_> = all.collect();
        let component = |v: Vertex| self.found.of[v as usize] as usize;
        let touched: FixedBitSet = all.iter().map(|&[tail, _]| component(tail)).collect();
        let touches = |&v: &usize| touched.contains(component(v as Vertex));
        self.changed.extend((0..self.order.len()).filter(touches));
        for &[v, _] in all.iter().filter(|[tail, head]| tail == head) {
            self.changed.remove(v as usize);
            self.removed_vertices += 1;
        }
        // Most arcs share no end with a removed edge or vertex, and are not looked up.
        let near: FixedBitSet = all.iter().flatten().map(|&v| v as usize).collect();
        let is_left = |tail: Vertex, head: Vertex| {
            let is_near = near.contains(tail as usize) || near.contains(head as usize);
            let ends = [[tail; 2], [head; 2], [tail, head], [head, tail]];
            let mut ends = ends.iter().take(if self.whole.directed() { 3 } else { 4 });
            !is_near || !ends.any(|ends| all.contains(ends))
        };
        self.csr = Csr::of_rows(self.order.len(), |tail, add| {
            let row = self.csr.neighbours(tail as Vertex).iter().copied();
            row.filter(|&head| is_left(tail as Vertex, head))
                .for_each(add);
        });
        self.found = components(&self.csr, self.whole.directed());
    }

    /// Sets the vertex order of the subgraphs that [`Remains::take_changed`] returns. The first
    /// occurrence of a vertex counts. Vertices missing from `order` follow, in their previous
    /// order.
    pub fn set_order(&mut self, order: impl Iterator<Item = Vertex>) {
        let mut numbered = FixedBitSet::with_capacity(self.order.len());
        let all = order.chain(std::mem::take(&mut self.order));
        self.order = all.filter(|&v| !numbered.put(v as usize)).collect();
    }

    /// Returns the components that have changed since the last call (all of them on the first
    /// call), as their vertices and the subgraph that these induce.
    pub fn take_changed(&mut self) -> (Vec<Vertex>, Graph) {
        let vertices = self.order.iter().copied();
        let vertices: Vec<_> = vertices.filter(|&v| self.changed[v as usize]).collect();
        self.changed.clear();
        let csr = self.csr.induced(&vertices);
        let lengths = self.lengths.as_ref();
        let lengths = lengths.map(|all| all.induced(self.whole.csr(), &csr, &vertices));
        let graph = Graph::unlabelled(csr, lengths, self.whole.directed());
        (vertices, graph)
    }

    /// Returns the components as communities of the whole graph, and their modularity.
    pub fn communities(&self) -> (f64, Vec<u32>) {
        let modularity = self.found.modularity(self.whole.csr());
        (modularity, self.found.of.clone())
    }
}
