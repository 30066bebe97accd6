//! Statistics of a graph.

use rayon::prelude::*;

use super::components::components;
use super::{Graph, Vertex};

/// Degrees and components of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphStats {
    /// The connected components.
    pub components: ComponentStats,
    /// The degrees.
    pub degrees: DegreeStats,
}

/// Connected components, weakly connected ones if directed.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ComponentStats {
    /// The number of components.
    pub count: usize,
    /// The number of vertices of the largest component.
    pub largest: usize,
    /// The number of vertices without any arc.
    pub isolated: usize,
}

/// Degrees of all vertices of the input; out-degrees if directed. All are 0 when there are no
/// vertices.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DegreeStats {
    /// Smallest.
    pub min: usize,
    /// Median.
    pub median: f64,
    /// Mean.
    pub mean: f64,
    /// The smallest degree that 99 of 100 vertices do not exceed.
    pub percentile_99: usize,
    /// Largest.
    pub max: usize,
}

/// Computes the statistics of `graph`, in linear time except for a sort of the degrees.
pub fn stats(graph: &Graph) -> GraphStats {
    let csr = graph.csr();
    let parts = components(csr, graph.directed());
    let vertices = (0..csr.vertices() as Vertex).into_par_iter();
    let mut degrees: Vec<u32> = vertices.map(|v| csr.degree(v) as u32).collect();
    degrees.par_sort_unstable();
    GraphStats {
        components: ComponentStats {
            count: parts.count(),
            largest: parts.largest() as usize,
            // A graph has no self-loops, so the vertex of a component of size 1 has no arcs.
            isolated: parts.sizes.par_iter().filter(|&&size| size == 1).count(),
        },
        degrees: DegreeStats {
            min: degrees.first().copied().unwrap_or(0) as usize,
            median: median(&degrees),
            mean: csr.arcs() as f64 / csr.vertices().max(1) as f64,
            percentile_99: percentile_99(&degrees) as usize,
            max: degrees.last().copied().unwrap_or(0) as usize,
        },
    }
}

/// Returns the smallest of sorted values that 99 of 100 do not exceed; 0 if there are none.
fn percentile_99(sorted: &[u32]) -> u32 {
    let covered = (99 * sorted.len()).div_ceil(100);
    sorted.get(covered.max(1) - 1).copied().unwrap_or(0)
}

/// Returns the median of sorted values; 0 if there are none.
fn median(sorted: &[u32]) -> f64 {
    let at = |place: usize| sorted.get(place).map_or(0.0, |&value| value.into());
    f64::midpoint(at(sorted.len().saturating_sub(1) / 2), at(sorted.len() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::built;

    #[test]
    fn a_star_beside_a_lone_vertex_has_weak_components_and_out_degrees() {
        for (directed, median, mean) in [(false, 1.0, 1.2), (true, 0.0, 0.6)] {
            let graph = built(5, &[(0, 1), (0, 2), (0, 3)], directed);
            let expected = GraphStats {
                components: ComponentStats {
                    count: 2,
                    largest: 4,
                    isolated: 1,
                },
                degrees: DegreeStats {
                    min: 0,
                    median,
                    mean,
                    percentile_99: 3,
                    max: 3,
                },
            };
            assert_eq!(stats(&graph), expected);
        }
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[1, 2, 9]), 2.0);
        assert_eq!(median(&[1, 2, 3, 9]), 2.5);
    }

    #[test]
    fn percentiles() {
        for (count, expected) in [(0, 0), (1, 1), (99, 99), (100, 99), (101, 100)] {
            let degrees: Vec<u32> = (1..=count).collect();
            assert_eq!(percentile_99(&degrees), expected, "{count}");
        }
    }
}
