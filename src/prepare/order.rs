//! The order in which prepared vertices are numbered.

use crate::graph::{Csr, Vertex};

/// Breadth-first order, each component from a vertex of its highest degree; components with
/// higher-degree starts come first.
///
/// Vertices that are close in the graph get close numbers, so that the vertices of one level,
/// and the roots of one batch, lie together in memory. Only the vertices in `kept` are numbered
/// and walked over. `reverse` is given for directed graphs, whose arcs are followed both ways here.
pub fn bfs_order(csr: &Csr, reverse: Option<&Csr>, kept: &[Vertex]) -> Vec<Vertex> {
    let degree = |v: Vertex| csr.degree(v) + reverse.map_or(0, |r| r.degree(v));
    let mut starts = kept.to_vec();
    starts.sort_by_key(|&v| std::cmp::Reverse(degree(v)));

    let mut seen = vec![true; csr.vertices()];
    for &v in kept {
        seen[v as usize] = false;
    }
    let mut order = Vec::with_capacity(kept.len());
    let mut head = 0;
    for start in starts {
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        order.push(start);
        while head < order.len() {
            let v = order[head];
            head += 1;
            let inward = reverse.map_or(&[][..], |r| r.neighbours(v));
            for &u in csr.neighbours(v).iter().chain(inward) {
                if !std::mem::replace(&mut seen[u as usize], true) {
                    order.push(u);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hub_comes_first_and_every_vertex_once() {
        // 0-1, 1-2, 1-3, 4-5
        let csr = Csr::new(vec![0, 1, 4, 5, 6, 7, 8], vec![1, 0, 2, 3, 1, 1, 5, 4]);
        let order = bfs_order(&csr, None, &[0, 1, 2, 3, 4, 5]);
        assert_eq!(order[0], 1);
        assert_eq!(order[4..], [4, 5]);
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
        assert_eq!(bfs_order(&csr, None, &[0, 2, 4]), [0, 2, 4]);
    }

    #[test]
    fn directed_arcs_are_followed_both_ways() {
        let csr = Csr::new(vec![0, 0, 1, 2], vec![0, 1]); // 1 -> 0, 2 -> 1
        assert_eq!(
            bfs_order(&csr, Some(&csr.reversed()), &[0, 1, 2]),
            [1, 0, 2]
        );
    }
}
