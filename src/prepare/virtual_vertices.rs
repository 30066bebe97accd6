//! Virtual vertices, so that several work-items share a vertex with many arcs.

use crate::graph::{Csr, Vertex};

/// The split of every vertex into virtual vertices of at most D arcs.
///
/// Vertex `v` owns the virtual vertices `first[v]..first[v + 1]`, k = ceil(degree / D) of them
/// (none if it has no arcs). They are dealt its arcs round-robin: the j-th takes arcs j, j + k,
/// j + 2k, ... so that neighbouring work-items read neighbouring arcs. (Sariyuce, Kaya, Saule,
/// Catalyurek: "Betweenness Centrality on GPUs and Heterogeneous Architectures", GPGPU 2013.)
#[derive(Debug)]
pub struct VirtualVertices {
    /// The first virtual vertex of each vertex, and the number of all; `n + 1` entries.
    pub first: Vec<u32>,
    /// The vertex that each virtual vertex belongs to; `first[n]` entries.
    pub owner: Vec<Vertex>,
}

impl VirtualVertices {
    /// Splits the rows of `csr` so that no virtual vertex has more than `degree_limit` arcs.
    ///
    /// # Panics
    /// If `degree_limit` is zero.
    pub fn new(csr: &Csr, degree_limit: u32) -> Self {
        let n = csr.vertices();
        let mut first = Vec::with_capacity(n + 1);
        let mut owner = Vec::new();
        first.push(0);
        for v in 0..n as Vertex {
            let pieces = csr.degree(v).div_ceil(degree_limit as usize);
            owner.resize(owner.len() + pieces, v);
            first.push(owner.len() as u32);
        }
        VirtualVertices { first, owner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_split_by_the_limit() {
        let star = Csr::new(vec![0, 3, 4, 5, 6, 6], vec![1, 2, 3, 0, 0, 0]);
        let split = VirtualVertices::new(&star, 2);
        assert_eq!(split.first, [0, 2, 3, 4, 5, 5]);
        assert_eq!(split.owner, [0, 0, 1, 2, 3]);
        assert_eq!(VirtualVertices::new(&star, 1).owner.len(), 6);
        assert_eq!(VirtualVertices::new(&star, 100).owner.len(), 4);
    }
}
