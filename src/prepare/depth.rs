//! How deep searches are, from a few of them.

use crate::engine::Root;
use crate::graph::{Csr, Vertex};

const UNSEEN: u32 = u32::MAX;

/// A graph whose median search is deeper than this many times log2 of its vertices is deep: levels are small and
/// many, as in meshes and road networks.
pub const DEEP: f64 = 1.5;

/// The deepest that the median search of a graph of `n` vertices may be for the graph not to be deep.
pub fn shallow_limit(n: usize) -> f64 {
    DEEP * (n.max(2) as f64).log2()
}

/// The median of ascending depths; zero without any.
pub fn median(depths: &[u32]) -> u32 {
    depths.get(depths.len() / 2).copied().unwrap_or(0)
}

/// Whether these depths, ascending, are those of a deep graph of `n` vertices.
pub fn is_deep(depths: &[u32], n: usize) -> bool {
    f64::from(median(depths)) > shallow_limit(n)
}

/// The depths (levels below the root) of searches from at most `count` of these roots, spread over
/// them; ascending.
pub fn sample(graph: &Csr, roots: &[Root], count: usize) -> Vec<u32> {
    let count = count.min(roots.len());
    let mut dist = vec![UNSEEN; graph.vertices()];
    let mut queue: Vec<Vertex> = Vec::with_capacity(dist.len());
    let mut depths: Vec<u32> = (0..count)
        .map(|i| {
            let root = roots[i * roots.len() / count].vertex;
            queue.clear();
            queue.push(root);
            dist[root as usize] = 0;
            let mut head = 0;
            let mut depth = 0;
            while let Some(&v) = queue.get(head) {
                head += 1;
                depth = dist[v as usize];
                for &w in graph.neighbours(v) {
                    if dist[w as usize] == UNSEEN {
                        dist[w as usize] = depth + 1;
                        queue.push(w);
                    }
                }
            }
            for &v in &queue {
                dist[v as usize] = UNSEEN;
            }
            depth
        })
        .collect();
    depths.sort_unstable();
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::Prepared;

    #[test]
    fn depths_of_a_path() {
        let path = Csr::new(vec![0, 1, 3, 5, 6], vec![1, 0, 2, 1, 3, 2]);
        let prepared = Prepared::bare(path);
        let depths = |count| sample(&prepared.graph, &prepared.roots, count);
        assert_eq!(depths(4), [2, 2, 3, 3]);
        assert_eq!(depths(100), [2, 2, 3, 3]);
        assert_eq!(depths(1), [3]);
        assert!(sample(&Csr::empty(0), &[], 4).is_empty());
    }
}
