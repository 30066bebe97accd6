//! Lengths of the arcs of a [`Csr`].

use rayon::prelude::*;

use super::csr::by_rows;
use super::{Csr, Vertex};

/// The length of each arc, in the order of [`Csr::targets`]. Doubles are positive; integers may be
/// zero.
///
/// Integers are in units of [`super::WeightInfo::unit`]. A search compares the lengths of shortest
/// paths that are extended by up to two arcs. The type can hold their lengths, so sums need no
/// checks for overflow.
#[derive(Debug, Clone, PartialEq)]
pub enum Lengths {
    /// Integers; every shortest path is shorter than 2^32 - 1.
    U32(Vec<u32>),
    /// Integers; every path is shorter than 2^63.
    U64(Vec<u64>),
    /// Doubles, where integers on a common scale do not fit.
    F64(Vec<f64>),
}

/// Evaluates an expression with the array in any variant of [`Lengths`].
macro_rules! each {
    ($lengths:expr, $array:ident => $value:expr) => {
        match $lengths {
            Lengths::U32($array) => $value,
            Lengths::U64($array) => $value,
            Lengths::F64($array) => $value,
        }
    };
}

impl Lengths {
    /// Returns the number of arcs.
    #[inline]
    pub fn len(&self) -> usize {
        each!(self, lengths => lengths.len())
    }

    /// Returns whether there are no arcs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the length of an arc as a double: integers in units of [`super::WeightInfo::unit`],
    /// doubles in those of the input.
    #[inline]
    #[allow(clippy::unnecessary_cast, reason = "one type of lengths is f64")]
    pub fn at(&self, arc: usize) -> f64 {
        each!(self, lengths => lengths[arc] as f64)
    }

    /// Returns the length of an arc in units of [`super::WeightInfo::unit`]; `None` for doubles.
    #[inline]
    pub fn integer(&self, arc: usize) -> Option<u64> {
        match self {
            Lengths::U32(lengths) => Some(lengths[arc].into()),
            Lengths::U64(lengths) => Some(lengths[arc]),
            Lengths::F64(_) => None,
        }
    }

    /// Returns the memory of the lengths.
    #[doc(hidden)]
    pub fn as_bytes(&self) -> &[u8] {
        each!(self, lengths => bytemuck::cast_slice(lengths))
    }

    /// Returns the size of the array in bytes.
    pub fn bytes(&self) -> usize {
        self.as_bytes().len()
    }

    /// Returns the smallest and the largest length as doubles; `None` if there are no arcs.
    pub fn range(&self) -> Option<(f64, f64)> {
        let ends = (0..self.len()).into_par_iter().map(|arc| [self.at(arc); 2]);
        let ends = ends.reduce_with(|[low, high], [l, h]| [low.min(l), high.max(h)]);
        ends.map(|[low, high]| (low, high))
    }

    /// Returns the lengths of the arcs of `to`, where `self` holds the lengths of `from`. The arc
    /// (v, u) of `to` has the length of the arc `origin(v, u)` of `from`, which must exist.
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

    /// Converts the lengths to doubles, in the same units.
    pub fn into_doubles(self) -> Lengths {
        match self {
            Lengths::F64(_) => self,
            _ => Lengths::F64((0..self.len()).map(|arc| self.at(arc)).collect()),
        }
    }

    /// Returns the lengths of `reverse`, which is `graph.reversed()`, where `self` holds those of
    /// `graph`.
    pub fn reversed(&self, graph: &Csr, reverse: &Csr) -> Lengths {
        self.gathered(graph, reverse, |head, tail| (tail, head))
    }

    /// Returns the lengths of `induced`, which is `graph.induced(order)`, where `self` holds those
    /// of `graph`.
    pub fn induced(&self, graph: &Csr, induced: &Csr, order: &[Vertex]) -> Lengths {
        let old = |v: Vertex| order[v as usize];
        self.gathered(graph, induced, |v, u| (old(v), old(u)))
    }
}

/// Returns the k of a scale of 2^k on which lengths of 1 stand for zeros: 2^k exceeds 2 `zeros`,
/// twice the length of a path over so many of them. It is 0 if there are none.
#[doc(hidden)]
pub fn zero_bits(zeros: usize) -> u32 {
    (4 * zeros + 1).ilog2()
}

/// Implements [`Lengths::gathered`] for an array of any type.
fn gathered<T: Copy + Default + Send + Sync>(
    lengths: &[T],
    from: &Csr,
    to: &Csr,
    origin: impl Fn(Vertex, Vertex) -> (Vertex, Vertex) + Sync,
) -> Vec<T> {
    let mut gathered = vec![T::default(); to.arcs()];
    by_rows(to.offsets(), &mut gathered, |v, row| {
        let v = v as Vertex;
        for (slot, &u) in row.iter_mut().zip(to.neighbours(v)) {
            let (tail, head) = origin(v, u);
            *slot = lengths[from.arc(tail, head)];
        }
    });
    gathered
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
