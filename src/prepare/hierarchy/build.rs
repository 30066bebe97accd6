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
        let error = |why: &str| HierarchyError(why.into());
        // Sums of floating-point numbers depend on their order.
        if matches!(prepared.lengths, Some(Lengths::F64(_))) {
            return Err(error("its lengths are not multiples of a common unit"));
        }
        // Searches add the length of an overlay arc, which is at most a distance, to a distance.
        // Below FAR, the sums fit 32 bits.
        let fits = |bound: u64| bound < FAR.into();
        if !prepared.distance_bound().is_some_and(fits) {
            let text = "its distances may exceed 2^31 times the common unit of its lengths";
            return Err(error(text));
        }
        let mut spans = Vec::new();
        let skeleton = prepared.undirected();
        let order = || order::elimination_order(&skeleton);
        let vertices = Span::time(&mut spans, "elimination order", order);
        let vertices = vertices.ok_or_else(|| error("it has more than 2^31 arcs"))?;
        let eliminate = || fill::eliminated(&skeleton, vertices, limits);
        let eliminated = Span::time(&mut spans, "elimination", eliminate);
        let text = format!("elimination leaves too many arcs (more than {})", limits[0]);
        let eliminated = eliminated.ok_or_else(|| error(&text))?;
        let customize = || eliminated.customized(prepared);
        let mut hierarchy = Span::time(&mut spans, "customization", customize);
        let mut paths = hierarchy.up.paths.iter().chain(&hierarchy.down().paths);
        if !paths.all(|&paths| paths <= SIGMA_LIMIT_F64) {
            return Err(error(
                "there are more shortest paths than f64 (2^1022) can count",
            ));
        }
        hierarchy.spans = spans;
        Ok(hierarchy)
    }
}
