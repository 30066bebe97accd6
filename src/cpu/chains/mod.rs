//! Sweeps from junctions over a contracted graph; [`crate::prepare::chains`] has the mathematics.
//!
//! The sweep from a junction has three steps: shortest paths ([`paths`]); target weights Omega of
//! all junctions and interior vertices, which need the rows of the neighbours too ([`targets`]);
//! and the way back over junctions, as in Brandes' algorithm.

mod ends;
mod paths;
mod targets;

use std::time::{Duration, Instant};

use super::claim_size::ClaimSize;
use super::halt;
use crate::engine::{Engine, EngineError, Precision, Root, Sums};
use crate::graph::Vertex;
use crate::prepare::Chains;
use crate::prepare::chains::range;
use ends::Ends;
use paths::{PathCache, Seen};
use targets::{Targets, dot};

/// Aim of one claim: longer than elsewhere, since the rows made for one junction serve those that
/// come next.
const CLAIM_TIME: Duration = Duration::from_millis(100);

/// The engine for contracted graphs. Where K is 1, sources and weights are the same numbers, so
/// that S = S'; where it is 2, S and S' are kept side by side.
pub struct ChainSweeps<'c, const K: usize> {
    chains: &'c Chains,
    rows: PathCache<'c>,
    ends: Ends<K>,
    targets: Targets<'c, K>,
    /// (Omega + delta) / sigma, per junction.
    coefficient: Vec<f64>,
    /// Per junction.
    sums: Vec<f64>,
    /// What flows from end to end, per chain.
    through: Vec<f64>,
    claim: ClaimSize,
}

impl<'c, const K: usize> ChainSweeps<'c, K> {
    /// An engine for this graph.
    pub(super) fn boxed(chains: &'c Chains) -> Box<dyn Engine + 'c> {
        Box::new(ChainSweeps::<K> {
            chains,
            rows: PathCache::new(chains),
            ends: Ends::default(),
            targets: Targets::new(chains),
            coefficient: vec![0.0; chains.len()],
            sums: vec![0.0; chains.len()],
            through: vec![0.0; chains.chains()],
            claim: ClaimSize::new(CLAIM_TIME),
        })
    }

    /// Everything from one junction. Says whether all path counts were in range.
    fn sweep(&mut self, vertex: Vertex) -> bool {
        let chains = self.chains;
        let Some(root) = chains.junction(vertex) else {
            return true;
        };
        self.ends.take(chains, root);
        let beyond = self.targets.weigh(root, &self.ends, &mut self.rows);
        self.sums[root as usize] += beyond;
        for end in &self.ends.list {
            self.sums[root as usize] += end.round;
            if end.target != root {
                self.targets.junctions[end.target as usize].inside += end.round;
            }
        }
        self.back(root)
    }

    /// The way back, farthest junctions first.
    fn back(&mut self, root: u32) -> bool {
        let chains = self.chains;
        let slot = self.rows.fetch(root);
        let row = self.rows.at(slot);
        for &v in row.order.iter().rev() {
            let Seen { distance, sigma } = row.seen[v as usize];
            let mut sum = 0.0;
            for e in range(&chains.end_offsets, v as usize) {
                let (to, length) = (chains.end_target[e] as usize, chains.end_length[e]);
                if row.seen[to].distance == distance + length {
                    let coefficient = self.coefficient[to];
                    sum += coefficient;
                    if length > 1 {
                        self.through[chains.end_chain[e] as usize] += sigma * coefficient;
                    }
                }
            }
            if v != root {
                let target = &self.targets.junctions[v as usize];
                let delta = target.inside + sigma * sum;
                let omega = dot(&self.targets.factor(v), &target.mass);
                self.coefficient[v as usize] = (omega + delta) / sigma;
                self.sums[v as usize] += delta;
            }
        }
        row.in_range
    }
}

impl<const K: usize> Engine for ChainSweeps<'_, K> {
    fn roots_wanted(&self) -> usize {
        self.claim.wanted
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        for root in roots {
            halt::check()?;
            if !self.sweep(root.vertex) {
                return Err(EngineError::PathCount {
                    root: Some(root.vertex),
                    precision: Precision::F64,
                });
            }
        }
        self.claim.adjust(start);
        Ok(())
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        let [via_0, via_1] = self.targets.collect();
        self.chains
            .expand(&self.sums, &via_0, &via_1, &self.through, sums.vertices);
        self.sums.fill(0.0);
        self.through.fill(0.0);
        Ok(())
    }
}
