//! From the sums of sweeps to those of the vertices inside chains.

use super::structure::{Chains, range};

impl Chains {
    /// Adds the sums of searches to `scores`, one entry per prepared vertex.
    ///
    /// `junction_sums`: dependencies of each junction. `via_0` and `via_1`: for each interior
    /// vertex, the target weight that reached it by end 0 and end 1 of its chain (T_u and T_w).
    /// `through`: what flowed over each chain from end to end, either way.
    pub fn expand(
        &self,
        junction_sums: &[f64],
        via_0: &[f64],
        via_1: &[f64],
        through: &[f64],
        scores: &mut [f64],
    ) {
        for (&vertex, &sum) in self.junctions.iter().zip(junction_sums) {
            scores[vertex as usize] += sum;
        }
        for (c, &flow) in through.iter().enumerate() {
            let interior = range(&self.chain_first, c);
            // What has come in by an end meets all vertices between the end and where it goes.
            // Twice: once for each direction of the pair.
            let mut passing = 0.0;
            for i in interior.clone() {
                scores[self.interior[i] as usize] += flow + 2.0 * passing;
                passing += via_1[i];
            }
            passing = 0.0;
            for i in interior.rev() {
                scores[self.interior[i] as usize] += 2.0 * passing;
                passing += via_0[i];
            }
        }
    }
}
