//! A graph whose rows are in the input as they are to be: nothing is left to sort or to merge.

use super::builder::{check_vertices, lengths};
use super::weights::{Weight, scaled};
use super::{BuildError, Csr, Graph, Labels, Simplified, Vertex, WeightIs};

/// Rows as [`Csr`] wants them, and what is known of them.
pub(super) struct Rows {
    pub csr: Csr,
    /// The weight of each arc and what weights mean, if they were asked for.
    pub weights: Option<(Vec<Weight>, WeightIs)>,
    /// Whether each arc has its counterpart, with the same weight.
    pub symmetric: bool,
    pub weights_dropped: bool,
}

impl Rows {
    /// Makes the graph. Rows of an undirected graph have to be symmetric.
    ///
    /// # Errors
    /// [`BuildError`] when there are more vertices than 32 bits can count.
    pub fn build(self, labels: Labels, directed: bool) -> Result<Graph, BuildError> {
        check_vertices(labels.len())?;
        debug_assert!(directed || self.symmetric);
        let csr = self.csr;
        let weights = self.weights.map(|(list, meaning)| {
            let scaled = scaled(&list, meaning, |keys| longest_path(&csr, keys));
            drop(list);
            let fits = longest_path(&csr, &scaled.keys) < u128::from(u32::MAX);
            lengths(scaled.keys.into_iter(), scaled.unit, fits, meaning)
        });
        let entries = csr.arcs() as u64 / (1 + u64::from(self.symmetric));
        Ok(Graph {
            csr,
            weights,
            labels,
            directed,
            simplified: Simplified {
                entries,
                weights_dropped: self.weights_dropped,
                ..Simplified::default()
            },
        })
    }
}

/// No path is longer than this: it leaves each vertex at most once.
fn longest_path(csr: &Csr, keys: &[u64]) -> u128 {
    let ends = csr.offsets().windows(2);
    let longest = ends.map(|ends| {
        let row = &keys[ends[0] as usize..ends[1] as usize];
        row.iter().copied().max().unwrap_or(0)
    });
    debug_assert!(csr.vertices() <= Vertex::MAX as usize);
    longest.map(u128::from).sum()
}
