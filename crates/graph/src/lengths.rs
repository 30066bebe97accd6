//! Lengths of arcs, beside the targets of a [`Csr`].

use rayon::prelude::*;

use super::csr::by_rows;
use super::{Csr, Vertex};

/// A length per arc, in the order of [`Csr::targets`]. All are positive.
///
/// Integers are in units of [`super::WeightInfo::unit`]. No path that a search meets, which is a
/// shortest one and an arc more and one to look ahead, is longer than the type can hold: sums need
/// no checks.
#[derive(Debug, Clone, PartialEq)]
pub enum Lengths {
    /// Integers; every shortest path is shorter than 2^32 - 1.
    U32(Vec<u32>),
    /// Integers; every path is shorter than 2^63.
    U64(Vec<u64>),
    /// Doubles, since integers would not do.
    F64(Vec<f64>),
}

impl Lengths {
    /// Number of arcs.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Lengths::U32(lengths) => lengths.len(),
            Lengths::U64(lengths) => lengths.len(),
            Lengths::F64(lengths) => lengths.len(),
        }
    }

    /// Whether there are no arcs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of an arc as a double, in the units it is in.
    #[inline]
    pub fn at(&self, arc: usize) -> f64 {
        match self {
            Lengths::U32(lengths) => lengths[arc].into(),
            Lengths::U64(lengths) => lengths[arc] as f64,
            Lengths::F64(lengths) => lengths[arc],
        }
    }

    /// Bytes of its array.
    pub fn bytes(&self) -> usize {
        match self {
            Lengths::U32(lengths) => size_of_val(&lengths[..]),
            Lengths::U64(lengths) => size_of_val(&lengths[..]),
            Lengths::F64(lengths) => size_of_val(&lengths[..]),
        }
    }

    /// Smallest and largest as doubles, in the units they are in; `None` without arcs.
    pub fn range(&self) -> Option<(f64, f64)> {
        let ends = (0..self.len()).into_par_iter().map(|arc| [self.at(arc); 2]);
        let ends = ends.reduce_with(|[low, high], [l, h]| [low.min(l), high.max(h)]);
        ends.map(|[low, high]| (low, high))
    }

    /// Lengths for the arcs of `to`: that of its arc (v, u) is that of the arc `origin(v, u)` of
    /// `from`, whose lengths these are and which must have that arc.
    pub fn gathered(
        &self,
        from: &Csr,
        to: &Csr,
        origin: impl Fn(Vertex, Vertex) -> (Vertex, Vertex) + Sync,
    ) -> Lengths {
        match self {
            Lengths::U32(lengths) => Lengths::U32(gathered(lengths, from, to, origin)),
            Lengths::U64(lengths) => Lengths::U64(gathered(lengths, from, to, origin)),
            Lengths::F64(lengths) => Lengths::F64(gathered(lengths, from, to, origin)),
        }
    }

    /// The same lengths as doubles, in the units they are in.
    pub fn into_doubles(self) -> Lengths {
        match self {
            Lengths::F64(_) => self,
            _ => Lengths::F64((0..self.len()).map(|arc| self.at(arc)).collect()),
        }
    }

    /// Those of `graph.reversed()`, if these are those of `graph`.
    pub fn reversed(&self, graph: &Csr, reverse: &Csr) -> Lengths {
        self.gathered(graph, reverse, |head, tail| (tail, head))
    }

    /// Those of `graph.induced(order)`, if these are those of `graph`.
    pub fn induced(&self, graph: &Csr, induced: &Csr, order: &[Vertex]) -> Lengths {
        self.gathered(graph, induced, |v, u| {
            (order[v as usize], order[u as usize])
        })
    }
}

fn gathered<T: Copy + Default + Send + Sync>(
    lengths: &[T],
    from: &Csr,
    to: &Csr,
    origin: impl Fn(Vertex, Vertex) -> (Vertex, Vertex) + Sync,
) -> Vec<T> {
    let mut all = vec![T::default(); to.arcs()];
    by_rows(to.offsets(), &mut all, |v, row| {
        let v = v as Vertex;
        for (slot, &u) in row.iter_mut().zip(to.neighbours(v)) {
            let (tail, head) = origin(v, u);
            *slot = lengths[from.arc(tail, head)];
        }
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_follow_their_arcs() {
        // 0>1 (5), 0>2 (6), 2>0 (7)
        let graph = Csr::new(vec![0, 2, 2, 3], vec![1, 2, 0]);
        let lengths = Lengths::U32(vec![5, 6, 7]);
        let reverse = graph.reversed();
        let turned = lengths.reversed(&graph, &reverse);
        assert_eq!(turned, Lengths::U32(vec![7, 5, 6]));
        assert_eq!(turned.reversed(&reverse, &graph), lengths);
        let order = [2, 0];
        let part = graph.induced(&order);
        let kept = lengths.induced(&graph, &part, &order);
        assert_eq!(kept, Lengths::U32(vec![7, 6]));
        assert_eq!(kept.range(), Some((6.0, 7.0)));
        assert_eq!(Lengths::F64(Vec::new()).range(), None);
    }
}
