//! What paths and dependencies are counted in.

use std::ops::{Add, Div, Mul};

use crate::cpu::limit::in_range;
use crate::engine::SIGMA_LIMIT_F64;
use crate::graph::Vertex;

/// What a search knows of a vertex.
#[derive(Debug, Clone, Copy)]
pub(in crate::cpu) struct Node<L, N> {
    /// Distance from the root; [`super::length::Length::FAR`] where it is not known to be reached.
    pub(super) dist: L,
    /// On the way there the path count sigma; from the way back on the coefficient, (weight +
    /// delta) / sigma.
    pub(super) value: N,
}

/// Numbers of zero or more.
pub(in crate::cpu) trait Count:
    Copy + PartialEq + From<f64> + Add<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    const ZERO: Self;

    /// The sum with another one if `so`, and else without.
    fn plus_if(self, so: bool, other: Self) -> Self;

    fn to_f64(self) -> f64;

    /// Whether all path counts of a search that settled these vertices are in range.
    fn in_range<L>(nodes: &[Node<L, Self>], settled: &[Vertex]) -> bool;
}

/// A search that settled at least this part of all vertices is looked at in the order of memory.
const MOST: usize = 4;

/// Sums that do not wait for each other.
const SUMS: usize = 4;

impl Count for f64 {
    const ZERO: f64 = 0.0;

    /// No branch: whether an arc is on a shortest path is hard to guess.
    #[inline(always)]
    fn plus_if(self, so: bool, other: f64) -> f64 {
        self + f64::from_bits(other.to_bits() & u64::from(so).wrapping_neg())
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(never)]
    fn in_range<L>(nodes: &[Node<L, f64>], settled: &[Vertex]) -> bool {
        // If their sum is, each of them is. Vertices that were not reached have a value of zero.
        if settled.len() >= nodes.len() / MOST && sum(nodes) <= SIGMA_LIMIT_F64 {
            return true;
        }
        in_range(settled.iter().map(|&v| nodes[v as usize].value))
    }
}

fn sum<L>(nodes: &[Node<L, f64>]) -> f64 {
    let (fours, rest) = nodes.as_chunks::<SUMS>();
    let mut sums = [0.0; SUMS];
    for four in fours {
        for i in 0..SUMS {
            sums[i] += four[i].value;
        }
    }
    let rest = rest.iter().map(|node| node.value);
    sums.into_iter().chain(rest).sum()
}
