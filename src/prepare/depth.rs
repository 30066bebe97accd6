//! How deep searches are, from a few of them.

use crate::engine::Root;
use crate::graph::{Csr, Vertex};

const UNSEEN: u32 = u32::MAX;

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
