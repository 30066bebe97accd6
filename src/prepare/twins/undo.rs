//! The way from the sums of classes to those of their members.

use super::super::Prepared;

impl Prepared {
    /// Adds the sums of searches, one for each class of twins, to the scores of the input's
    /// vertices: each member gets the same part.
    pub(in super::super) fn add_to_members(&self, searched: &[f64], scores: &mut [f64]) {
        let weights = self.weights();
        let first = (0..).zip(&self.input_vertex).map(|(v, &old)| (old, v));
        for (old, v) in first.chain(self.merged.iter().copied()) {
            scores[old as usize] += searched[v as usize] / weights.multiplicity(v as usize);
        }
    }
}
