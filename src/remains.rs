//! What is left of a graph from which vertices or edges are removed, and its components.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::graph::components::components;
use crate::graph::{Csr, Graph, Lengths, Vertex};

/// A vertex or an edge that is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Removed {
    /// A vertex, with its edges.
    Vertex(Vertex),
    /// An edge, by its ends as [`Graph::ends`] returns them.
    Edge([Vertex; 2]),
}

/// The parts of a graph that removals have changed, as a graph.
pub struct Changed {
    /// The vertex of the whole graph for each vertex of `graph`, in ascending order.
    pub vertices: Vec<Vertex>,
    pub graph: Graph,
}

/// The remains of a graph.
pub struct Remains {
    pub graph: Arc<Graph>,
    /// The lengths of the whole graph. Removals make shortest paths longer, so those of 32 bits are
    /// widened.
    lengths: Option<Lengths>,
    /// The vertices and the arcs that are left. Arcs of removed vertices may be in `arcs`.
    vertices: FixedBitSet,
    arcs: FixedBitSet,
    /// The component of each vertex, and the vertices of each in ascending order. Some are empty.
    part_of: Vec<u32>,
    parts: Vec<Vec<Vertex>>,
    /// The number of components that are not empty.
    pub components: usize,
    /// The place of each vertex in the last [`Changed::vertices`].
    place: Vec<Vertex>,
    /// The numbers of arcs into vertices, if modularity is wanted.
    in_degrees: Option<Vec<u32>>,
    /// The sums of [`Self::tally`] over all components.
    tallies: [u64; 2],
}

impl Remains {
    pub fn new(graph: Arc<Graph>, has_modularity: bool) -> Remains {
        let (n, arcs) = (graph.vertices(), graph.csr().arcs());
        let lengths = graph.lengths().map(|lengths| match lengths {
            Lengths::U32(short) => Lengths::U64(short.iter().map(|&x| x.into()).collect()),
            lengths => lengths.clone(),
        });
        let in_degrees = has_modularity.then(|| {
            let mut degrees = vec![0; n];
            let heads = graph.csr().targets().iter();
            heads.for_each(|&head| degrees[head as usize] += 1);
            degrees
        });
        let [mut vertices, mut all] = [n, arcs].map(FixedBitSet::with_capacity);
        vertices.insert_range(..);
        all.insert_range(..);
        let mut remains = Remains {
            graph,
            lengths,
            vertices,
            arcs: all,
            part_of: vec![0; n],
            parts: vec![(0..n as Vertex).collect()],
            components: 1,
            place: vec![0; n],
            in_degrees,
            tallies: [arcs as u64, (arcs as u64).pow(2)],
        };
        remains.divide(vec![0]);
        remains
    }

    /// Returns whether a vertex or an edge is left.
    pub fn has(&self, removed: Removed) -> bool {
        let csr = self.graph.csr();
        let holds = |v: Vertex| self.vertices.contains(v as usize);
        match removed {
            Removed::Vertex(v) => holds(v),
            Removed::Edge([tail, head]) => {
                holds(tail)
                    && csr.neighbours(tail).binary_search(&head).is_ok()
                    && self.arcs.contains(csr.arc(tail, head))
            }
        }
    }

    /// Removes vertices or edges that are left, and returns what they were connected to.
    pub fn remove(&mut self, all: impl Iterator<Item = Removed>) -> Changed {
        let mut numbers = Vec::new();
        for removed in all {
            let (Removed::Vertex(at) | Removed::Edge([at, _])) = removed;
            numbers.push(self.part_of[at as usize]);
            match removed {
                Removed::Vertex(v) => self.vertices.remove(v as usize),
                Removed::Edge([tail, head]) => {
                    let csr = self.graph.csr();
                    self.arcs.remove(csr.arc(tail, head));
                    if !self.graph.directed() {
                        self.arcs.remove(csr.arc(head, tail));
                    }
                }
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        self.divide(numbers)
    }

    /// Returns all that is left.
    pub fn all(&mut self) -> Changed {
        let numbers = 0..self.parts.len() as u32;
        let numbers = numbers.filter(|&number| !self.parts[number as usize].is_empty());
        self.divide(numbers.collect())
    }

    /// Finds the components of what is left of these.
    fn divide(&mut self, numbers: Vec<u32>) -> Changed {
        let whole = Arc::clone(&self.graph);
        let old = numbers.iter().map(|&number| &self.parts[number as usize]);
        let mut vertices: Vec<Vertex> = old.flatten().copied().collect();
        vertices.retain(|&v| self.vertices.contains(v as usize));
        if numbers.len() > 1 {
            vertices.sort_unstable();
        }
        for (place, &v) in vertices.iter().enumerate() {
            self.place[v as usize] = place as Vertex;
        }
        let (mut offsets, mut targets) = (vec![0], Vec::new());
        for &v in &vertices {
            let first = whole.csr().offsets()[v as usize] as usize;
            let row = (first..).zip(whole.csr().neighbours(v));
            let left = row.filter(|&(arc, &head)| {
                self.arcs.contains(arc) && self.vertices.contains(head as usize)
            });
            targets.extend(left.map(|(_, &head)| self.place[head as usize]));
            offsets.push(targets.len() as u32);
        }
        let csr = Csr::new(offsets, targets);
        let found = components(&csr, whole.directed());
        let tallied = self.in_degrees.is_some() && found.count() != numbers.len();
        if tallied {
            numbers
                .iter()
                .for_each(|&number| self.add_tally(number, u64::wrapping_sub));
        }
        self.components = self.components + found.count() - numbers.len();
        numbers
            .iter()
            .for_each(|&number| self.parts[number as usize].clear());
        let others = self.parts.len() as u32..;
        let numbers: Vec<u32> = numbers
            .into_iter()
            .chain(others)
            .take(found.count())
            .collect();
        let most = numbers.last().map_or(0, |&last| last as usize + 1);
        self.parts.resize_with(self.parts.len().max(most), Vec::new);
        for (&v, &component) in vertices.iter().zip(&found.of) {
            let number = numbers[component as usize];
            self.part_of[v as usize] = number;
            self.parts[number as usize].push(v);
        }
        if tallied {
            numbers
                .iter()
                .for_each(|&number| self.add_tally(number, u64::wrapping_add));
        }
        let lengths = self.lengths.as_ref();
        let lengths = lengths.map(|lengths| lengths.induced(whole.csr(), &csr, &vertices));
        let graph = Graph::unlabelled(csr, lengths, whole.directed());
        Changed { vertices, graph }
    }

    /// Adds two numbers of a component to their sums: the arcs of the whole graph inside it, and the
    /// product of the numbers of arcs out of and into its vertices.
    fn add_tally(&mut self, number: u32, add: fn(u64, u64) -> u64) {
        let (csr, part) = (self.graph.csr(), &self.parts[number as usize]);
        let [mut inside, mut out, mut into] = [0; 3];
        for &v in part {
            let row = csr.neighbours(v);
            let own = row
                .iter()
                .filter(|&&head| self.part_of[head as usize] == number);
            inside += own.count() as u64;
            out += row.len() as u64;
            into += self
                .in_degrees
                .as_ref()
                .map_or(0, |all| u64::from(all[v as usize]));
        }
        let [all_inside, products] = &mut self.tallies;
        *all_inside = add(*all_inside, inside);
        *products = add(*products, out * into);
    }

    /// Returns the modularity of the components as communities of the whole graph, without lengths.
    pub fn modularity(&self) -> Option<f64> {
        self.in_degrees.as_ref()?;
        let arcs = self.graph.csr().arcs() as f64;
        let [inside, products] = self.tallies.map(|sum| sum as f64);
        (arcs > 0.0).then(|| inside / arcs - products / (arcs * arcs))
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
