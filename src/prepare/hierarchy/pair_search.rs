//! Searches for the shortest paths of two vertices of an undirected graph, and the flow along them.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::overlay::{FAR, Hierarchy};
use super::unpack::Flows;
use crate::graph::Vertex;

/// A search for the shortest paths of pairs, with its memory.
pub struct PairSearch<'h> {
    hierarchy: &'h Hierarchy,
    sides: [Side; 2],
}

/// The rising search from one vertex of a pair.
#[derive(Default)]
struct Side {
    /// The ranks of the vertices that are reached, ascending.
    ranks: Vec<u32>,
    /// The ranks that are reached but not expanded yet.
    open: BinaryHeap<Reverse<u32>>,
    /// Distance per rank; [`FAR`] if the search did not reach it.
    distances: Vec<u32>,
    /// Path count per rank.
    paths: Vec<f64>,
    /// Per rank, the flow for each path from this side's vertex to it.
    onward: Vec<f64>,
}

/// The shortest paths of a pair of vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairPaths {
    /// The distance of the vertices.
    pub distance: u32,
    /// The number of shortest paths.
    pub paths: f64,
}

impl<'h> PairSearch<'h> {
    /// Makes a search of an undirected graph.
    pub fn new(hierarchy: &'h Hierarchy) -> Self {
        let side = || Side {
            distances: vec![FAR; hierarchy.vertices()],
            paths: vec![0.0; hierarchy.vertices()],
            onward: vec![0.0; hierarchy.vertices()],
            ..Side::default()
        };
        PairSearch {
            hierarchy,
            sides: [side(), side()],
        }
    }

    /// Finds the shortest paths of a pair, if they are no longer than `limit`.
    pub fn between(&mut self, pair: [Vertex; 2], limit: u32) -> Option<PairPaths> {
        for (side, v) in self.sides.iter_mut().zip(pair) {
            side.rise(self.hierarchy, v, limit);
        }
        let [one, other] = &self.sides;
        let mut found = PairPaths {
            distance: FAR,
            paths: 0.0,
        };
        for &v in &one.ranks {
            let v = v as usize;
            let distance = one.distances[v].saturating_add(other.distances[v]);
            let paths = one.paths[v] * other.paths[v];
            match distance.cmp(&found.distance) {
                Ordering::Less => found = PairPaths { distance, paths },
                Ordering::Equal if distance < FAR => found.paths += paths,
                _ => {}
            }
        }
        (found.distance <= limit).then_some(found)
    }

    /// Adds the flow of `pairs` pairs between the vertices queried last, whose shortest paths are
    /// `found`, to the overlay arcs, and per rank to the vertices of the paths, including both
    /// ends.
    pub fn send(&mut self, pairs: f64, found: PairPaths, flows: &mut Flows, vertices: &mut [f64]) {
        let [one, other] = &mut self.sides;
        let meeting = (found.distance, pairs / found.paths);
        one.add_flow(self.hierarchy, other, meeting, &mut flows.up, vertices);
        other.add_flow(self.hierarchy, one, meeting, &mut flows.down, vertices);
    }
}

impl Side {
    /// Searches from `v` along rising arcs, up to the distance `limit`.
    fn rise(&mut self, hierarchy: &Hierarchy, v: Vertex, limit: u32) {
        for v in self.ranks.drain(..) {
            (self.distances[v as usize], self.paths[v as usize]) = (FAR, 0.0);
        }
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

    /// Adds the flow on this side, up to the vertices where the paths of this `distance` meet the
    /// `other` side; each path has the flow `per_path`. Each side adds half of the flow over those
    /// vertices.
    fn add_flow(
        &mut self,
        hierarchy: &Hierarchy,
        other: &Side,
        (distance, per_path): (u32, f64),
        flows: &mut [f64],
        vertices: &mut [f64],
    ) {
        for &rank in self.ranks.iter().rev() {
            let v = rank as usize;
            let (here, paths) = (self.distances[v], self.paths[v]);
            let meets = here.saturating_add(other.distances[v]) == distance;
            let meeting = if meets {
                per_path * other.paths[v]
            } else {
                0.0
            };
            let mut rising = 0.0;
            for arc in hierarchy.arcs_of(rank) {
                let head = hierarchy.heads[arc] as usize;
                let through = here + hierarchy.up.lengths[arc];
                // A sum may equal `FAR`, the distance of a vertex that was not reached.
                if through < FAR && through == self.distances[head] {
                    let part = hierarchy.up.paths[arc] * self.onward[head];
                    rising += part;
                    flows[arc] += paths * part;
                }
            }
            self.onward[v] = rising + meeting;
            vertices[v] += paths * (rising + meeting / 2.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::hierarchy::Direction;

    #[test]
    fn no_flow_goes_to_vertices_that_were_not_reached() {
        // Ranks 0, 1 and 2, from 1 over 0 to 2. The length of the arc from 1 to 2, added to that
        // from 0 to 1, is the value of vertices that are not reached.
        let (near, far) = (1 << 29, FAR - (1 << 30));
        let hierarchy = Hierarchy {
            vertex: vec![0, 1, 2],
            rank: vec![0, 1, 2],
            parent: vec![1, 2, 2],
            offsets: vec![0, 2, 3, 3],
            heads: vec![1, 2, 2],
            up: Direction {
                lengths: vec![near, far, near + far],
                paths: vec![1.0; 3],
            },
            down: None,
            filled: 3,
            most_paths: 1.0,
            spans: Vec::new(),
        };
        let mut search = PairSearch::new(&hierarchy);
        let mut send = |pair, limit| {
            let (mut flows, mut vertices) = (Flows::zero(&hierarchy), vec![0.0; 3]);
            let found = search.between(pair, limit).unwrap();
            search.send(1.0, found, &mut flows, &mut vertices);
            (flows.up, vertices)
        };
        let to_the_end = send([1, 2], near + far);
        assert_eq!(to_the_end, (vec![0.0, 0.0, 1.0], vec![0.0, 1.0, 1.0]));
        let to_the_middle = send([0, 1], near);
        assert_eq!(to_the_middle, (vec![1.0, 0.0, 0.0], vec![1.0, 1.0, 0.0]));
    }
}
