//! `--endpoints` of a directed graph, for engines of a root at a time.

use crate::engine::Root;
use crate::graph::Vertex;

/// The root meets all vertices that it reaches, and they, those `below` it, meet the root.
pub(super) fn count_endpoints(scores: &mut [f64], root: Root, below: &[Vertex]) {
    let sources = f64::from(root.sources);
    scores[root.vertex as usize] += sources * below.len() as f64;
    for &v in below {
        scores[v as usize] += sources;
    }
}
