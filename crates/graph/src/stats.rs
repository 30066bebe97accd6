//! Numbers that describe a graph at a glance.

use rayon::prelude::*;

use super::components::{components, weak_components};
use super::{Graph, Vertex};

/// Size, degrees and components of a graph. Degrees count arcs out of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphStats {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of distinct edges; arcs of a directed graph.
    pub edges: usize,
    /// Number of arcs; an undirected edge is two.
    pub arcs: usize,
    /// Vertices with neither arcs out nor arcs in.
    pub isolated: usize,
    /// Smallest degree; 0 when there are no vertices.
    pub degree_min: usize,
    /// Largest degree; 0 when there are no vertices.
    pub degree_max: usize,
    /// Mean degree; 0 when there are no vertices.
    pub degree_mean: f64,
    /// Median degree; 0 when there are no vertices.
    pub degree_median: f64,
    /// The smallest degree that 99 of 100 vertices do not exceed; 0 when there are no vertices.
    pub degree_p99: usize,
    /// Connected components, in a directed graph weak ones.
    pub components: usize,
    /// Vertices of the largest component.
    pub largest_component: usize,
}

/// Describes `graph`. Takes time linear in its size but for a sort of the degrees.
pub fn stats(graph: &Graph) -> GraphStats {
    let csr = graph.csr();
    let parts = if graph.directed() {
        weak_components(csr)
    } else {
        components(csr)
    };
    let vertices = (0..csr.vertices() as Vertex).into_par_iter();
    let mut degrees: Vec<u32> = vertices.map(|v| csr.degree(v) as u32).collect();
    degrees.par_sort_unstable();
    GraphStats {
        vertices: graph.vertices(),
        edges: graph.edges(),
        arcs: csr.arcs(),
        // Loops are gone, so a vertex is on its own only when nothing leads to or from it.
        isolated: parts.sizes.par_iter().filter(|&&size| size == 1).count(),
        degree_min: degrees.first().copied().unwrap_or(0) as usize,
        degree_max: degrees.last().copied().unwrap_or(0) as usize,
        degree_mean: csr.arcs() as f64 / csr.vertices().max(1) as f64,
        degree_median: median(&degrees),
        degree_p99: percentile_99(&degrees) as usize,
        components: parts.count(),
        largest_component: parts.largest() as usize,
    }
}

/// The smallest of sorted values that 99 of 100 do not exceed; 0 of none.
fn percentile_99(sorted: &[u32]) -> u32 {
    let covered = (99 * sorted.len()).div_ceil(100);
    sorted.get(covered.max(1) - 1).copied().unwrap_or(0)
}

/// Median of sorted values; 0 of none.
fn median(sorted: &[u32]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.get(middle) {
        None => 0.0,
        Some(&upper) if sorted.len() % 2 == 1 => f64::from(upper),
        Some(&upper) => f64::midpoint(f64::from(sorted[middle - 1]), f64::from(upper)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EdgeList, Labels};
    use super::*;

    fn star_and_one(directed: bool) -> GraphStats {
        let mut list = EdgeList::default();
        for leaf in 1..4 {
            list.push(0, leaf);
        }
        let graph = list.build(Labels::consecutive(0, 5), directed);
        stats(&graph.expect("small graphs fit"))
    }

    #[test]
    fn an_undirected_star_beside_a_lone_vertex() {
        let expected = GraphStats {
            vertices: 5,
            edges: 3,
            arcs: 6,
            isolated: 1,
            degree_min: 0,
            degree_max: 3,
            degree_mean: 1.2,
            degree_median: 1.0,
            degree_p99: 3,
            components: 2,
            largest_component: 4,
        };
        assert_eq!(star_and_one(false), expected);
    }

    #[test]
    fn a_directed_star_has_weak_components_and_out_degrees() {
        let expected = GraphStats {
            vertices: 5,
            edges: 3,
            arcs: 3,
            isolated: 1,
            degree_min: 0,
            degree_max: 3,
            degree_mean: 0.6,
            degree_median: 0.0,
            degree_p99: 3,
            components: 2,
            largest_component: 4,
        };
        assert_eq!(star_and_one(true), expected);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[1, 2, 9]), 2.0);
        assert_eq!(median(&[1, 2, 3, 9]), 2.5);
    }

    #[test]
    fn percentiles() {
        assert_eq!(percentile_99(&[]), 0);
        assert_eq!(percentile_99(&[7]), 7);
        let hundred: Vec<u32> = (1..=100).collect();
        assert_eq!(percentile_99(&hundred), 99);
        assert_eq!(percentile_99(&hundred[..99]), 99);
        let more: Vec<u32> = (1..=101).collect();
        assert_eq!(percentile_99(&more), 100);
    }
}
