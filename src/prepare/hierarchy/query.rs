//! Distance and shortest paths of two vertices of an undirected graph, and what flows along them.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::overlay::{FAR, Hierarchy};
use super::unpack::Flows;
use crate::graph::Vertex;

/// A search of pairs, with its memory.
pub struct Query<'h> {
    hierarchy: &'h Hierarchy,
    sides: [Side; 2],
}

/// The rising search from one vertex of a pair.
#[derive(Default)]
struct Side {
    /// Ranks of the vertices that are reached, ascending.
    ranks: Vec<u32>,
    /// Those to go on from.
    open: BinaryHeap<Reverse<u32>>,
    /// Per rank.
    distances: Vec<u32>,
    paths: Vec<f64>,
    /// Per rank, paths to the other vertex.
    onward: Vec<f64>,
}

/// What is known of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between {
    /// Their distance.
    pub distance: u32,
    /// How many shortest paths there are.
    pub paths: f64,
}

impl<'h> Query<'h> {
    /// A search of an undirected graph.
    pub fn new(hierarchy: &'h Hierarchy) -> Self {
        let side = || Side {
            distances: vec![FAR; hierarchy.vertices()],
            paths: vec![0.0; hierarchy.vertices()],
            onward: vec![0.0; hierarchy.vertices()],
            ..Side::default()
        };
        Query {
            hierarchy,
            sides: [side(), side()],
        }
    }

    /// Searches the shortest paths of a pair, if they are no longer than `limit`.
    pub fn between(&mut self, pair: [Vertex; 2], limit: u32) -> Option<Between> {
        for (side, v) in self.sides.iter_mut().zip(pair) {
            side.rise(self.hierarchy, v, limit);
        }
        let [one, other] = &self.sides;
        let mut found = Between {
            distance: FAR,
            paths: 0.0,
        };
        for &v in &one.ranks {
            let v = v as usize;
            let distance = one.distances[v].saturating_add(other.distances[v]);
            let paths = one.paths[v] * other.paths[v];
            match distance.cmp(&found.distance) {
                Ordering::Less => found = Between { distance, paths },
                Ordering::Equal if distance < FAR => found.paths += paths,
                _ => {}
            }
        }
        (found.distance <= limit).then_some(found)
    }

    /// Adds `pairs` pairs between the vertices queried last to the flows of overlay arcs, and to
    /// the vertices between them, by rank.
    pub fn send(&mut self, pairs: f64, found: Between, flows: &mut Flows, vertices: &mut [f64]) {
        let [one, other] = &mut self.sides;
        one.meet(other, found.distance);
        other.meet(one, found.distance);
        let each = pairs / found.paths;
        one.lead(self.hierarchy, (each, &mut flows.up), vertices);
        other.lead(self.hierarchy, (each, &mut flows.down), vertices);
        // Where the paths meet, both sides have counted them.
        for &v in &one.ranks {
            let v = v as usize;
            if one.distances[v].saturating_add(other.distances[v]) == found.distance {
                vertices[v] -= each * one.paths[v] * other.paths[v];
            }
        }
    }
}

impl Side {
    fn rise(&mut self, hierarchy: &Hierarchy, v: Vertex, limit: u32) {
        for &v in &self.ranks {
            let v = v as usize;
            (self.distances[v], self.paths[v], self.onward[v]) = (FAR, 0.0, 0.0);
        }
        self.ranks.clear();
        let v = hierarchy.rank[v as usize];
        (self.distances[v as usize], self.paths[v as usize]) = (0, 1.0);
        self.open.push(Reverse(v));
        while let Some(Reverse(v)) = self.open.pop() {
            self.ranks.push(v);
            let (here, paths) = (self.distances[v as usize], self.paths[v as usize]);
            for arc in hierarchy.arcs_of(v) {
                let head = hierarchy.heads[arc] as usize;
                let distance = here + hierarchy.up.lengths[arc];
                let more = paths * hierarchy.up.paths[arc];
                if distance > limit {
                    continue;
                }
                match distance.cmp(&self.distances[head]) {
                    Ordering::Less => {
                        if self.distances[head] == FAR {
                            self.open.push(Reverse(head as u32));
                        }
                        (self.distances[head], self.paths[head]) = (distance, more);
                    }
                    Ordering::Equal => self.paths[head] += more,
                    Ordering::Greater => {}
                }
            }
        }
    }

    /// Notes where the paths reach the `other` side.
    fn meet(&mut self, other: &Side, distance: u32) {
        for &v in &self.ranks {
            let v = v as usize;
            if self.distances[v].saturating_add(other.distances[v]) == distance {
                self.onward[v] = other.paths[v];
            }
        }
    }

    /// Adds what flows on this side.
    fn lead(&mut self, hierarchy: &Hierarchy, flows: (f64, &mut [f64]), vertices: &mut [f64]) {
        let (each, flows) = flows;
        for &v in self.ranks.iter().rev() {
            let (here, paths) = (self.distances[v as usize], self.paths[v as usize]);
            let mut onward = self.onward[v as usize];
            let arcs = if here < FAR {
                hierarchy.arcs_of(v)
            } else {
                0..0
            };
            for arc in arcs {
                let head = hierarchy.heads[arc] as usize;
                if here + hierarchy.up.lengths[arc] == self.distances[head] {
                    let part = hierarchy.up.paths[arc] * self.onward[head];
                    onward += part;
                    flows[arc] += each * paths * part;
                }
            }
            self.onward[v as usize] = onward;
            vertices[v as usize] += each * paths * onward;
        }
    }
}
