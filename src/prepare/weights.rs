//! What vertices stand for, as engines see it.

use super::Prepared;

/// The weights of prepared vertices, and their multiplicities if twins are merged.
#[derive(Clone, Copy)]
pub struct Weights<'p> {
    weight: &'p [f64],
    multiplicity: Option<&'p [f64]>,
}

impl Prepared {
    /// What its vertices stand for.
    pub fn weights(&self) -> Weights<'_> {
        Weights {
            weight: &self.weight,
            multiplicity: self.multiplicity.as_deref(),
        }
    }

    /// How many twins each vertex stands for; of no account if none are merged.
    pub(crate) fn multiplicities(&self) -> &[f64] {
        self.multiplicity.as_deref().unwrap_or(&[1.0])
    }
}

impl<'p> Weights<'p> {
    /// How many input vertices each vertex stands for.
    #[inline(always)]
    pub fn all(self) -> &'p [f64] {
        self.weight
    }

    /// How many input vertices it stands for.
    #[inline(always)]
    pub fn weight(self, v: usize) -> f64 {
        self.weight[v]
    }

    /// How many twins it stands for: all paths to it are so many times those to one of them.
    #[inline(always)]
    pub fn multiplicity(self, v: usize) -> f64 {
        self.multiplicity.map_or(1.0, |of| of[v])
    }

    /// Whether any vertex has a multiplicity.
    #[inline(always)]
    pub fn has_twins(self) -> bool {
        self.multiplicity.is_some()
    }
}
