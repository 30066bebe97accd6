//! Sources inside chains that a batch serves together with its roots.

use std::sync::Arc;

use super::rows::{Distances, Numbers};
use crate::engine::Root;
use crate::prepare::Chains;
use crate::prepare::chains::{NO_CHAIN, Split, Splits};
use crate::prepare::hierarchy::Hierarchy;

/// The chains of the graph, and those of them that the batch serves.
pub(super) struct ServedChains {
    chains: Arc<Chains>,
    /// Per rank, the chain that the vertex is inside, or [`NO_CHAIN`].
    chain_of: Vec<u32>,
    batch: Vec<Chain>,
}

/// A chain whose ends are roots of the batch.
struct Chain {
    number: u32,
    /// The lanes of its ends.
    lanes: [usize; 2],
    split: Split,
}

impl ServedChains {
    pub(super) fn new(chains: &Arc<Chains>, hierarchy: &Hierarchy) -> Self {
        let vertices = hierarchy.vertex.iter();
        ServedChains {
            chain_of: vertices.map(|&v| chains.chain_of[v as usize]).collect(),
            chains: Arc::clone(chains),
            batch: Vec::new(),
        }
    }

    /// Starts a batch with the chains that these roots serve.
    pub(super) fn begin(&mut self, roots: &[Root]) {
        let splits = &self.chains.splits.chains;
        let chains = self.chains.served_by(roots).iter().map(|served| Chain {
            number: served.chain,
            lanes: served.lanes.map(usize::from),
            split: splits[served.chain as usize],
        });
        self.batch.clear();
        self.batch.extend(chains);
    }

    /// Adds to the sources of each lane those inside chains whose shortest paths to the vertex of
    /// this rank lead over the root of the lane. A source whose paths lead over both ends of its
    /// chain is divided between their lanes by the path counts.
    #[inline(always)]
    pub(super) fn add(
        &self,
        v: u32,
        (distances, paths): (&Distances, &Numbers),
        sources: &mut Numbers,
    ) {
        let splits: &Splits = &self.chains.splits;
        let inside = self.chain_of[v as usize];
        for chain in &self.batch {
            let [one, other] = chain.lanes;
            let from = [distances[one], distances[other]];
            let ([by_one, by_other], by_both) = splits.sources(chain.split, from);
            if inside != NO_CHAIN && inside == chain.number {
                continue;
            }
            sources[one] += by_one;
            sources[other] += by_other;
            if by_both > 0.0 {
                let all = paths[one] + paths[other];
                sources[one] += by_both * (paths[one] / all);
                sources[other] += by_both * (paths[other] / all);
            }
        }
    }
}
