//! The weights and multiplicities of vertices, for engines.

use super::WeightedGraph;

/// The weights of prepared vertices, and their multiplicities if twins are merged.
#[derive(Clone, Copy)]
pub struct Weights<'p> {
    weight: &'p [f64],
    multiplicity: Option<&'p [f64]>,
}

impl WeightedGraph {
    /// Returns the weights of its vertices.
    pub fn weights(&self) -> Weights<'_> {
        Weights {
            weight: &self.weight,
            multiplicity: self.multiplicity.as_deref(),
        }
    }

    /// Returns the multiplicity of each vertex; a single entry without meaning if no twins are
    /// merged.
    pub(crate) fn multiplicities(&self) -> &[f64] {
        self.multiplicity.as_deref().unwrap_or(&[1.0])
    }
}

impl Weights<'_> {
    /// Returns the weight of the vertex; see [`WeightedGraph::weight`].
    #[inline(always)]
    pub fn weight(self, v: usize) -> f64 {
        self.weight[v]
    }

    /// Returns the number of twins that the vertex stands for, a factor of its path count.
    #[inline(always)]
    pub fn multiplicity(self, v: usize) -> f64 {
        self.multiplicity.map_or(1.0, |twins| twins[v])
    }
}
