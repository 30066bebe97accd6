//! The construction of a hierarchy.

use super::overlay::{FAR, Hierarchy, HierarchyError};
use super::{fill, order};
use crate::engine::SIGMA_LIMIT_F64;
use crate::graph::{Csr, Lengths, Vertex};
use crate::prepare::Prepared;
use crate::span::Span;

impl Hierarchy {
    /// Returns whether the hierarchy of an undirected graph is likely to be small: whether the
    /// elimination of vertices by degree, which takes less time than a nested dissection, leaves
    /// few arcs.
    pub fn is_likely_small(graph: &Csr) -> bool {
        /// The most arcs after elimination for each edge of the graph.
        const GROWTH: usize = 8;
        let mut order: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
        order.sort_by_key(|&v| graph.degree(v));
        fill::eliminated(graph, order, [GROWTH * graph.arcs() / 2, usize::MAX]).is_some()
    }

    /// Builds the hierarchy of a graph.
    ///
    /// # Errors
    /// The graph has no hierarchy, or elimination leaves more arcs than the first of the limits, or
    /// more pairs of arcs with the same lower end, in total, than the second one. Customization
    /// looks at each pair.
    pub fn new(prepared: &Prepared, limits: [usize; 2]) -> Result<Hierarchy, HierarchyError> {
        if matches!(prepared.lengths, Some(Lengths::F64(_))) {
            return Err(HierarchyError::InexactLengths);
        }
        // Searches add the length of an overlay arc, which is at most a distance, to a distance.
        // Below FAR, the sums fit 32 bits.
        let fits = |bound: u64| bound < FAR.into();
        if !prepared.distance_bound().is_some_and(fits) {
            return Err(HierarchyError::LongDistances);
        }
        let mut spans = Vec::new();
        let skeleton = prepared.undirected();
        let order = || order::elimination_order(&skeleton).ok_or(HierarchyError::Size);
        let vertices = Span::time(&mut spans, "elimination order", order)?;
        let eliminate = || fill::eliminated(&skeleton, vertices, limits);
        let eliminated = Span::time(&mut spans, "elimination", eliminate);
        let eliminated = eliminated.ok_or(HierarchyError::Fill { limit: limits[0] })?;
        let customize = || eliminated.customized(prepared);
        let mut hierarchy = Span::time(&mut spans, "customization", customize);
        let mut paths = hierarchy.up.paths.iter().chain(&hierarchy.down().paths);
        if !paths.all(|&paths| paths <= SIGMA_LIMIT_F64) {
            return Err(HierarchyError::Paths);
        }
        hierarchy.spans = spans;
        Ok(hierarchy)
    }
}
