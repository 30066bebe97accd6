//! How far it is from end to end of a chain without the chain.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::{Chains, range};

/// Shortest paths between the ends of a chain that avoid it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bypass {
    pub distance: u32,
    pub paths: f64,
}

/// By how much a bypass must be shorter than the chain for any pair inside to go by it: the
/// positions 1 and length - 1 are length - 2 apart one way, and distance + 2 the other way.
const MARGIN: u32 = 4;

/// Per chain: its bypass, if it is short enough to matter.
pub(super) fn all(chains: &Chains) -> Vec<Option<Bypass>> {
    let per_junction: Vec<Vec<(u32, Bypass)>> = (0..chains.len())
        .into_par_iter()
        .with_min_len(256)
        .map_init(|| BypassSearch::new(chains), |search, j| search.from(j))
        .collect();
    let mut bypasses = vec![None; chains.chains()];
    for (chain, bypass) in per_junction.into_iter().flatten() {
        bypasses[chain as usize] = Some(bypass);
    }
    bypasses
}

/// Dijkstra's algorithm on junctions, up to a distance.
struct BypassSearch<'c> {
    chains: &'c Chains,
    distance: Vec<u32>,
    paths: Vec<f64>,
    touched: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'c> BypassSearch<'c> {
    fn new(chains: &'c Chains) -> Self {
        BypassSearch {
            chains,
            distance: vec![u32::MAX; chains.len()],
            paths: vec![0.0; chains.len()],
            touched: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    /// Bypasses of the chains whose end 0 is at junction `j`.
    fn from(&mut self, j: usize) -> Vec<(u32, Bypass)> {
        let chains = self.chains;
        let mut found = Vec::new();
        let mut wanted = Vec::new();
        let mut radius = 0;
        for e in range(&chains.end_offsets, j).filter(|&e| chains.end_side[e] == 0) {
            let to = chains.end_target[e] as usize;
            // From end to end of a loop there is nothing to go.
            let limit = match to == j {
                true => 0,
                false => chains.end_length[e].saturating_sub(MARGIN),
            };
            if to == j || limit > 0 {
                wanted.push((chains.end_chain[e], to, limit));
                radius = radius.max(limit);
            }
        }
        if !wanted.is_empty() {
            self.search(j as u32, radius);
        }
        for (chain, to, limit) in wanted {
            if self.distance[to] <= limit {
                let bypass = Bypass {
                    distance: self.distance[to],
                    paths: self.paths[to],
                };
                found.push((chain, bypass));
            }
        }
        for j in self.touched.drain(..) {
            self.distance[j as usize] = u32::MAX;
        }
        found
    }

    /// Distances and path counts up to `radius`; what is farther may be wrong.
    fn search(&mut self, start: u32, radius: u32) {
        let chains = self.chains;
        self.heap.clear();
        self.heap.push(Reverse((0, start)));
        self.touched.push(start);
        self.distance[start as usize] = 0;
        self.paths[start as usize] = 1.0;
        while let Some(Reverse((distance, j))) = self.heap.pop() {
            if distance > radius {
                break;
            }
            // Pushed once for each time that the distance shrank, and only then.
            if distance > self.distance[j as usize] {
                continue;
            }
            for e in range(&chains.end_offsets, j as usize) {
                let to = chains.end_target[e] as usize;
                let there = distance + chains.end_length[e];
                if there < self.distance[to] {
                    if self.distance[to] == u32::MAX {
                        self.touched.push(to as u32);
                    }
                    self.distance[to] = there;
                    self.paths[to] = self.paths[j as usize];
                    self.heap.push(Reverse((there, to as u32)));
                } else if there == self.distance[to] {
                    self.paths[to] += self.paths[j as usize];
                }
            }
        }
    }
}
