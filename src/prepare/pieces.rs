//! The connected pieces of a prepared graph: components, or the blocks it was split into.

use std::ops::Range;

use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// Pieces that are numbered one after the other. What is searched from a root is its piece.
#[derive(Debug, Clone)]
pub struct Pieces {
    /// The first vertex of each, ascending.
    first: Vec<Vertex>,
    vertices: usize,
}

impl Pieces {
    /// So many vertices in one piece, or in no order.
    pub fn one(vertices: usize) -> Pieces {
        Pieces {
            first: vec![0; vertices.min(1)],
            vertices,
        }
    }

    /// A piece begins at each vertex whose number here is not that of the one before.
    pub fn of(numbers: impl ExactSizeIterator<Item = u32>) -> Pieces {
        let vertices = numbers.len();
        let (mut first, mut last) = (Vec::new(), None);
        for (v, number) in (0..).zip(numbers) {
            if last.replace(number) != Some(number) {
                first.push(v);
            }
        }
        Pieces { first, vertices }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.first.len()
    }

    /// The vertices of a piece.
    pub fn vertices(&self, piece: usize) -> Range<usize> {
        let end = self
            .first
            .get(piece + 1)
            .map_or(self.vertices, |&v| v as usize);
        self.first[piece] as usize..end
    }

    /// The arcs of a piece.
    pub fn arcs(&self, graph: &Csr, piece: usize) -> usize {
        let Range { start, end } = self.vertices(piece);
        (graph.offsets()[end] - graph.offsets()[start]) as usize
    }

    /// The piece of a vertex.
    pub fn piece(&self, v: Vertex) -> usize {
        self.first.partition_point(|&first| first <= v) - 1
    }

    /// Of roots by ascending vertex: the arcs of the piece of each.
    pub fn arcs_of<'p>(
        &'p self,
        graph: &'p Csr,
        roots: &'p [Root],
    ) -> impl Iterator<Item = usize> + 'p {
        let mut piece = 0;
        roots.iter().map(move |root| {
            while self.vertices(piece).end <= root.vertex as usize {
                piece += 1;
            }
            self.arcs(graph, piece)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_runs_of_vertices() {
        let pieces = Pieces::of([7, 7, 2, 2, 2, 7].into_iter());
        assert_eq!(pieces.count(), 3);
        assert_eq!(pieces.vertices(1), 2..5);
        assert_eq!(pieces.vertices(2), 5..6);
        let of: Vec<usize> = (0..6).map(|v| pieces.piece(v)).collect();
        assert_eq!(of, [0, 0, 1, 1, 1, 2]);
        let graph = Csr::new(vec![0, 1, 2, 2, 3, 4, 4], vec![1, 0, 4, 3]);
        let roots = [0, 1, 3, 5].map(|vertex| Root { vertex, sources: 1 });
        let arcs: Vec<usize> = pieces.arcs_of(&graph, &roots).collect();
        assert_eq!(arcs, [2, 2, 2, 0]);
        assert_eq!(Pieces::one(4).vertices(0), 0..4);
        assert_eq!(Pieces::one(0).count(), 0);
    }
}
