//! The engine that searches from a root at a time, for all kinds of such searches.

use std::time::Instant;

use super::claim_size::ClaimSize;
use super::weighted::arcs::Arc;
use super::{halt, steps};
use crate::engine::{Engine, EngineError, OwnSums, Root, Sums};
use crate::graph::{Lengths, Vertex};
use crate::prepare::Prepared;

/// A search from one root, whose arrays over the prepared vertices are reused for every root.
pub(super) trait RootSearch {
    /// Finds distances and path counts from the root. Returns whether all path counts are in range;
    /// if not, the backward phase is skipped.
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError>;

    /// Adds the dependencies of the last search, and those of arcs if there are sums of arcs.
    fn backward(&mut self, root: Root, sums: &mut OwnSums) -> Result<(), EngineError>;

    /// Returns the vertices that the last search has reached, the root first.
    fn reached(&self) -> &[Vertex];

    /// Resets the arrays for the next root.
    fn clear(&mut self);
}

/// Estimates the bytes that such an engine holds for this graph, without queues.
pub fn bytes(prepared: &Prepared) -> usize {
    let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
    // A vertex has a distance, path count, coefficient, score, and a place in the order.
    let per_vertex = 4 * size_of::<f64>() + size_of::<Vertex>();
    let length = match prepared.lengths {
        None => 0,
        Some(Lengths::U32(_)) => size_of::<Arc<u32>>(),
        Some(Lengths::U64(_) | Lengths::F64(_)) => size_of::<Arc<u64>>(),
    };
    let sum = usize::from(prepared.count_edges) * size_of::<f64>();
    n * per_vertex + arcs * (length + sum) + steps::bytes(prepared)
}

/// The engine for one kind of search.
pub(super) struct RootByRoot<'g, S> {
    prepared: &'g Prepared,
    pub(super) search: S,
    sums: OwnSums,
    claim: ClaimSize,
}

impl<'g, S: RootSearch + 'g> RootByRoot<'g, S> {
    /// Makes an engine, with all memory allocated.
    pub(super) fn boxed(prepared: &'g Prepared, search: S) -> Box<dyn Engine + 'g> {
        Box::new(RootByRoot {
            prepared,
            search,
            sums: prepared.zero_sums(),
            claim: ClaimSize::default(),
        })
    }

    /// Counts path ends, for `--endpoints` of a directed graph: one pair for each vertex reached,
    /// at the root and at the vertex.
    fn count_endpoints(&mut self, root: Root) {
        let (scores, sources) = (&mut self.sums.vertices, f64::from(root.sources));
        let below = &self.search.reached()[1..];
        scores[root.vertex as usize] += sources * below.len() as f64;
        for &v in below {
            scores[v as usize] += sources;
        }
    }
}

impl<'g, S: RootSearch + 'g> Engine for RootByRoot<'g, S> {
    fn roots_wanted(&self) -> usize {
        self.claim.wanted
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut uncounted = Vec::new();
        for &root in roots {
            halt::check()?;
            if self.search.forward(root.vertex)? {
                self.search.backward(root, &mut self.sums)?;
                if self.prepared.count_endpoints {
                    self.count_endpoints(root);
                }
            } else {
                uncounted.push(root);
            }
            self.search.clear();
        }
        self.claim.adjust(start);
        EngineError::of_uncounted(uncounted)
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.sums.move_to(sums);
        Ok(())
    }
}
