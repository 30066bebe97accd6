//! Lengths and multiplicities of overlay arcs.

use std::array;

use super::overlay::{ABSENT, Direction, Hierarchy, arc_length};
use crate::graph::{Csr, Lengths};
use crate::prepare::Prepared;

impl Hierarchy {
    /// Gives the arcs lengths and multiplicities. Arcs longer than the distance of their ends are
    /// removed, since they are on no shortest path.
    pub(super) fn customized(self, prepared: &Prepared) -> Hierarchy {
        let up = self.input_arcs(&prepared.graph, prepared.lengths.as_ref());
        let mut customized = match &prepared.reverse {
            None => self.with_shortest([up]),
            Some(reverse) => {
                let down = self.input_arcs(reverse, prepared.reverse_lengths.as_ref());
                self.with_shortest([up, down])
            }
        };
        customized.most_paths = customized.path_bound();
        customized
    }

    /// Returns the overlay arcs that the graph itself has, from lower to higher ranks.
    fn input_arcs(&self, graph: &Csr, lengths: Option<&Lengths>) -> Direction {
        let mut arcs = Direction {
            lengths: vec![ABSENT; self.arcs()],
            paths: vec![0.0; self.arcs()],
        };
        for (arc, (tail, &head)) in graph.tails().into_iter().zip(graph.targets()).enumerate() {
            if let Some(overlay) = self.arc_between([tail, head].map(|v| self.rank[v as usize])) {
                arcs.lengths[overlay] = arc_length(lengths, arc);
                arcs.paths[overlay] = 1.0;
            }
        }
        arcs
    }

    /// Completes the lengths and multiplicities of arcs, from those of the graph: rising arcs and,
    /// in a directed graph, falling ones. `arcs[D - 1 - i]` has the arcs opposite to `arcs[i]`. A
    /// shorter path replaces the paths of an arc, and one of equal length adds its multiplicity.
    fn with_shortest<const D: usize>(self, mut arcs: [Direction; D]) -> Hierarchy {
        for v in 0..self.vertices() as u32 {
            self.each_triangle(v, |low, high, across| {
                for to in 0..D {
                    let (first, second) = (&arcs[D - 1 - to], &arcs[to]);
                    let length = first.lengths[low].saturating_add(second.lengths[high]);
                    let paths = first.paths[low] * second.paths[high];
                    let known = second.lengths[across];
                    if length <= known && length < ABSENT {
                        let known_paths = if length == known {
                            second.paths[across]
                        } else {
                            0.0
                        };
                        arcs[to].lengths[across] = length;
                        arcs[to].paths[across] = known_paths + paths;
                    }
                }
            });
        }
        let distances = self.distances(&arcs);
        let is_tight = |way: usize, arc: usize| {
            let length = arcs[way].lengths[arc];
            length < ABSENT && length == distances[way][arc]
        };
        let (mut offsets, mut tight_arcs) = (vec![0], Vec::new());
        for v in 0..self.vertices() as u32 {
            let tight = |arc: &usize| (0..D).any(|way| is_tight(way, *arc));
            tight_arcs.extend(self.arcs_of(v).filter(tight).map(|arc| arc as u32));
            offsets.push(tight_arcs.len() as u32);
        }
        let mut directions = (0..D).map(|way| {
            let tight_arcs = tight_arcs.iter().map(|&arc| arc as usize);
            let arcs = tight_arcs.map(|arc| match is_tight(way, arc) {
                true => (arcs[way].lengths[arc], arcs[way].paths[arc]),
                false => (ABSENT, 0.0),
            });
            let (lengths, paths) = arcs.unzip();
            Direction { lengths, paths }
        });
        let head = |&arc: &u32| self.heads[arc as usize];
        Hierarchy {
            offsets,
            heads: tight_arcs.iter().map(head).collect(),
            up: directions.next().unwrap_or_default(),
            down: directions.next(),
            ..self
        }
    }

    /// Returns the distances between the ends of all arcs. Vertices are visited from the highest
    /// rank down; an arc of a vertex is shortened by paths over its other higher neighbours.
    fn distances<const D: usize>(&self, arcs: &[Direction; D]) -> [Vec<u32>; D] {
        let mut distances = arcs.each_ref().map(|arcs| arcs.lengths.clone());
        for v in (0..self.vertices() as u32).rev() {
            self.each_triangle(v, |low, high, across| {
                let known: [_; D] =
                    array::from_fn(|way| [low, high, across].map(|arc| distances[way][arc]));
                for (to, distances) in distances.iter_mut().enumerate() {
                    let ([by_low, by_high, over], back) = (known[to], known[D - 1 - to][2]);
                    distances[low] = by_low.min(by_high.saturating_add(back));
                    distances[high] = by_high.min(by_low.saturating_add(over));
                }
            });
        }
        distances
    }
}
