//! The remains of a graph from which vertices or edges are removed, and their components.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::graph::components::components;
use crate::graph::{Csr, Graph, Lengths, Vertex};

/// The remains of a graph.
pub struct Remains {
    pub whole: Arc<Graph>,
    /// The lengths of the whole graph. Removals make shortest paths longer, so those of 32 bits are
    /// widened.
    lengths: Option<Lengths>,
    /// The vertices and the arcs that are left. Arcs of removed vertices stay in `arcs`.
    vertices: FixedBitSet,
    arcs: FixedBitSet,
    /// The component of each vertex, and the vertices of each in ascending order. Some are empty.
    part_of: Vec<u32>,
    parts: Vec<Vec<Vertex>>,
    /// The number of components that are not empty.
    pub components: usize,
    /// The place of each vertex among those that changed last.
    place: Vec<Vertex>,
}

impl Remains {
    pub fn new(whole: Arc<Graph>) -> Remains {
        let n = whole.vertices();
        let lengths = whole.lengths().map(|lengths| match lengths {
            Lengths::U32(short) => Lengths::U64(short.iter().map(|&x| x.into()).collect()),
            lengths => lengths.clone(),
        });
        let all = |count| FixedBitSet::from_iter(0..count);
        let mut remains = Remains {
            lengths,
            vertices: all(n),
            arcs: all(whole.csr().arcs()),
            whole,
            part_of: vec![0; n],
            parts: vec![(0..n as Vertex).collect()],
            components: 1,
            place: vec![0; n],
        };
        remains.divide(vec![0]);
        remains
    }

    /// Returns whether an edge, or a vertex as both ends, is left.
    pub fn has(&self, [tail, head]: [Vertex; 2]) -> bool {
        let row = || self.whole.csr().neighbours(tail);
        self.vertices.contains(tail as usize)
            && (tail == head
                || row().binary_search(&head).is_ok()
                    && self.arcs.contains(self.whole.csr().arc(tail, head)))
    }

    /// Removes edges, or vertices as both ends, and returns what they were connected to: its
    /// vertices in ascending order, and the graph of these.
    pub fn remove(&mut self, all: impl Iterator<Item = [Vertex; 2]>) -> (Vec<Vertex>, Graph) {
        let mut numbers = Vec::new();
        for [tail, head] in all {
            numbers.push(self.part_of[tail as usize]);
            if tail == head {
                self.vertices.remove(tail as usize);
                continue;
            }
            self.arcs.remove(self.whole.csr().arc(tail, head));
            if !self.whole.directed() {
                self.arcs.remove(self.whole.csr().arc(head, tail));
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        self.divide(numbers)
    }

    /// Returns all that is left, as [`Self::remove`] does.
    pub fn all(&mut self) -> (Vec<Vertex>, Graph) {
        let numbers = 0..self.parts.len() as u32;
        let numbers = numbers.filter(|&number| !self.parts[number as usize].is_empty());
        self.divide(numbers.collect())
    }

    /// Finds the components of what is left of these.
    fn divide(&mut self, mut numbers: Vec<u32>) -> (Vec<Vertex>, Graph) {
        let (csr, directed) = (self.whole.csr(), self.whole.directed());
        let mut vertices = Vec::new();
        for &number in &numbers {
            vertices.append(&mut self.parts[number as usize]);
        }
        vertices.retain(|&v| self.vertices.contains(v as usize));
        vertices.sort_unstable();
        for (place, &v) in vertices.iter().enumerate() {
            self.place[v as usize] = place as Vertex;
        }
        let (mut offsets, mut targets) = (vec![0], Vec::new());
        for &v in &vertices {
            let row = (csr.offsets()[v as usize] as usize..).zip(csr.neighbours(v));
            let left = row.filter(|&(arc, &head)| {
                self.arcs.contains(arc) && self.vertices.contains(head as usize)
            });
            targets.extend(left.map(|(_, &head)| self.place[head as usize]));
            offsets.push(targets.len() as u32);
        }
        let left = Csr::new(offsets, targets);
        let found = components(&left, directed);
        self.components = self.components + found.count() - numbers.len();
        while numbers.len() < found.count() {
            numbers.push(self.parts.len() as u32);
            self.parts.push(Vec::new());
        }
        for (&v, &component) in vertices.iter().zip(&found.of) {
            let number = numbers[component as usize];
            self.part_of[v as usize] = number;
            self.parts[number as usize].push(v);
        }
        let lengths = self.lengths.as_ref();
        let lengths = lengths.map(|lengths| lengths.induced(csr, &left, &vertices));
        (vertices, Graph::unlabelled(left, lengths, directed))
    }

    /// Returns the modularity of the components as communities of the whole graph, without lengths.
    pub fn modularity(&self) -> f64 {
        let arcs = self.whole.csr().arcs().max(1) as f64;
        let mut sums = vec![[0.0; 2]; self.parts.len()];
        let mut inside = 0.0;
        for v in 0..self.whole.vertices() as Vertex {
            let part = self.part_of[v as usize];
            for &head in self.whole.csr().neighbours(v) {
                let other = self.part_of[head as usize];
                sums[part as usize][0] += 1.0;
                sums[other as usize][1] += 1.0;
                inside += f64::from(u8::from(part == other));
            }
        }
        let products = sums.iter().map(|[out, into]| out * into);
        inside / arcs - products.sum::<f64>() / (arcs * arcs)
    }

    /// Returns the number of vertices of the largest component.
    pub fn largest(&self) -> usize {
        self.parts.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns the component of each vertex, numbered in the order of their first vertices.
    pub fn communities(&self) -> Vec<u32> {
        let (mut new, mut count) = (vec![u32::MAX; self.parts.len()], 0);
        let number = |&part: &u32| {
            let number = &mut new[part as usize];
            if *number == u32::MAX {
                (*number, count) = (count, count + 1);
            }
            *number
        };
        self.part_of.iter().map(number).collect()
    }
}
