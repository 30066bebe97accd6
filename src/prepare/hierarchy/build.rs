//! The construction of a hierarchy.

use std::time::Instant;

use super::fill::Fill;
use super::overlay::{FAR, Hierarchy, Unfit};
use super::{customize, order};
use crate::engine::SIGMA_LIMIT_F64;
use crate::graph::{Lengths, Vertex};
use crate::prepare::Prepared;
use crate::prepare::order::places;
use crate::span::Span;

impl Hierarchy {
    /// Builds the hierarchy of a graph.
    ///
    /// # Errors
    /// The graph has no hierarchy, or elimination leaves more than `limit` arcs.
    pub fn new(prepared: &Prepared, limit: usize) -> Result<Hierarchy, Unfit> {
        if matches!(prepared.lengths, Some(Lengths::F64(_))) {
            return Err(Unfit::InexactLengths);
        }
        // An overlay arc is no longer than a distance, and searches add its length to a distance.
        let fits = |bound: u64| bound < FAR.into();
        if !prepared.distance_bound().is_some_and(fits) {
            return Err(Unfit::LongDistances);
        }
        let mut spans = Vec::new();
        let mut start = Instant::now();
        let mut step = |name, start: &mut Instant| {
            spans.push(Span::since(name, *start));
            *start = Instant::now();
        };
        let skeleton = order::skeleton(prepared);
        let mut vertex = order::elimination_order(&skeleton).ok_or(Unfit::Size)?;
        step("elimination order", &mut start);
        debug_assert!({
            let mut all = vertex.clone();
            all.sort_unstable();
            all.into_iter().eq(0..skeleton.vertices() as Vertex)
        });
        let fill = Fill::new(&skeleton, &vertex, &places(vertex.len(), &vertex), limit);
        let fill = fill.ok_or(Unfit::Fill { limit })?.in_postorder(&mut vertex);
        let rank = places(vertex.len(), &vertex);
        step("elimination", &mut start);
        let mut hierarchy = customize::customized(prepared, fill, vertex, rank);
        let mut paths = hierarchy.up.paths.iter().chain(&hierarchy.down().paths);
        if !paths.all(|&paths| paths <= SIGMA_LIMIT_F64) {
            return Err(Unfit::Paths);
        }
        hierarchy.most_paths = hierarchy.path_bound();
        step("customization", &mut start);
        hierarchy.spans = spans;
        Ok(hierarchy)
    }
}
