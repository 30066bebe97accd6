//! How the kernels see a contracted graph, and what becomes of their sums.

use crate::prepare::Chains;
use crate::prepare::chains::range;

/// No chain.
const NONE: u32 = u32::MAX;

/// Chains with an interior, numbered, and where the sums are: those of a workspace and those over
/// all have the same order, which `cl/chains/sweep.cl` tells.
pub(super) struct Layout {
    /// The chains with an interior.
    pub(super) inner: Vec<u32>,
    /// Number of each chain in `inner`, or [`NONE`] [chains].
    pub(super) number: Vec<u32>,
    junctions: usize,
    interiors: usize,
}

impl Layout {
    pub(super) fn new(chains: &Chains) -> Self {
        let has_interior = |&c: &u32| chains.chain_length[c as usize] > 1;
        let inner: Vec<u32> = (0..chains.chains() as u32).filter(has_interior).collect();
        let mut number = vec![NONE; chains.chains()];
        for (i, &c) in (0..).zip(&inner) {
            number[c as usize] = i;
        }
        Layout {
            inner,
            number,
            junctions: chains.len(),
            interiors: chains.interior.len(),
        }
    }

    /// Numbers of a workspace.
    pub(super) fn len(&self) -> usize {
        self.junctions + 6 * self.interiors + self.inner.len()
    }

    /// Where each chain-end leads, and its length.
    pub(super) fn ends(&self, chains: &Chains) -> Vec<[u32; 2]> {
        let pairs = chains.end_target.iter().zip(&chains.end_length);
        pairs.map(|(&to, &length)| [to, length]).collect()
    }

    /// Number of the chain of each chain-end.
    pub(super) fn end_chain(&self, chains: &Chains) -> Vec<u32> {
        let number = |&c: &u32| self.number[c as usize];
        chains.end_chain.iter().map(number).collect()
    }

    /// Length of the shortest chain at each junction; 1 if there is none.
    pub(super) fn shortest(&self, chains: &Chains) -> Vec<u32> {
        let lengths = |j| &chains.end_length[range(&chains.end_offsets, j)];
        (0..chains.len())
            .map(|j| lengths(j).iter().copied().min().unwrap_or(1))
            .collect()
    }

    /// Ends, length and start of the interior of each chain with an interior.
    pub(super) fn chains(&self, chains: &Chains) -> Vec<[u32; 4]> {
        let words = |&c: &u32| {
            let c = c as usize;
            [
                chains.chain_from[c],
                chains.chain_to[c],
                chains.chain_length[c],
                chains.chain_first[c],
            ]
        };
        self.inner.iter().map(words).collect()
    }

    /// The two chain-ends of each chain with an interior.
    pub(super) fn chain_ends(&self, chains: &Chains) -> Vec<[u32; 2]> {
        let mut places = vec![[0; 2]; self.inner.len()];
        for (e, (&c, &side)) in chains.end_chain.iter().zip(&chains.end_side).enumerate() {
            if let Some(place) = places.get_mut(self.number[c as usize] as usize) {
                place[side as usize] = e as u32;
            }
        }
        places
    }

    /// Sources and weight of each junction, pairs in a row; if they are the same everywhere, no
    /// weight.
    pub(super) fn masses(&self, chains: &Chains) -> Vec<f64> {
        let pairs = chains.junction_sources.iter().zip(&chains.junction_weight);
        pairs
            .flat_map(|(&sources, &weight)| [sources, if chains.uniform { 0.0 } else { weight }])
            .collect()
    }

    /// The same of all interior vertices before each.
    pub(super) fn prefix(&self, chains: &Chains) -> Vec<[u32; 2]> {
        let pairs = chains.prefix_sources.iter().zip(&chains.prefix_weight);
        pairs
            .map(|(&sources, &weight)| [sources, if chains.uniform { 0 } else { weight }])
            .collect()
    }

    /// Adds the sums over all workspaces to `scores`, one entry per prepared vertex.
    pub(super) fn expand(&self, chains: &Chains, sums: &[f64], scores: &mut [f64]) {
        let (junctions, rest) = sums.split_at(self.junctions);
        let (via, rest) = rest.split_at(2 * self.interiors);
        let (marks, through) = rest.split_at(4 * self.interiors);
        let mut via_0: Vec<f64> = via.iter().copied().step_by(2).collect();
        let mut via_1: Vec<f64> = via.iter().copied().skip(1).step_by(2).collect();
        // Omega is S times the weight, or half of both S w and S' src.
        let omega = |i: usize, mass: [f64; 2]| {
            let (sources, weight) = (chains.interior_sources[i], chains.interior_weight[i]);
            if chains.uniform {
                mass[0] * weight
            } else {
                (mass[0] * weight + mass[1] * sources) / 2.0
            }
        };
        for c in 0..chains.chains() {
            let interior = range(&chains.chain_first, c);
            let mut mass = [0.0; 2];
            for i in interior.clone().rev() {
                mass[0] += marks[4 * i];
                mass[1] += marks[4 * i + 1];
                via_0[i] += omega(i, mass);
            }
            let mut mass = [0.0; 2];
            for i in interior {
                mass[0] += marks[4 * i + 2];
                mass[1] += marks[4 * i + 3];
                via_1[i] += omega(i, mass);
            }
        }
        let mut flow = vec![0.0; chains.chains()];
        for (&c, &sum) in self.inner.iter().zip(through) {
            flow[c as usize] = sum;
        }
        chains.expand(junctions, &via_0, &via_1, &flow, scores);
    }
}
