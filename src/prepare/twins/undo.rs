//! Conversion of the sums of classes of twins to scores of their members.

use super::super::Prepared;

impl Prepared {
    /// Adds the sums of searches, one per prepared vertex, to the scores of input vertices. Each
    /// member of a class of twins gets the same part.
    pub(in super::super) fn add_to_members(&self, searched: &[f64], scores: &mut [f64]) {
        let weights = self.weights();
        let first = (0..).zip(&self.input_vertex).map(|(v, &old)| (old, v));
        for (old, v) in first.chain(self.merged.iter().copied()) {
            scores[old as usize] += searched[v as usize] / weights.multiplicity(v as usize);
        }
    }
}
