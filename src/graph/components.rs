//! Connected components.

use super::{Csr, Vertex};

/// A partition of the vertices, numbered by the smallest vertex of each part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Components {
    /// Per vertex: its component, from 0.
    pub of: Vec<u32>,
    /// Per component: how many vertices it has.
    pub sizes: Vec<u32>,
}

impl Components {
    /// Number of components.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// How many of the vertices marked in `chosen` each component has.
    pub fn sources(&self, chosen: &[bool]) -> Vec<u64> {
        let mut sources = vec![0; self.sizes.len()];
        for (&component, &chosen) in self.of.iter().zip(chosen) {
            sources[component as usize] += u64::from(chosen);
        }
        sources
    }

    /// Size of the largest component; 0 when there are no vertices.
    pub fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(0)
    }
}

/// Components of a symmetric graph, by one search from each vertex not yet reached.
pub fn components(csr: &Csr) -> Components {
    const UNSEEN: u32 = u32::MAX;
    let mut of = vec![UNSEEN; csr.vertices()];
    let mut sizes = Vec::new();
    let mut queue: Vec<Vertex> = Vec::new();
    for root in 0..csr.vertices() as Vertex {
        if of[root as usize] != UNSEEN {
            continue;
        }
        let component = sizes.len() as u32;
        of[root as usize] = component;
        queue.clear();
        queue.push(root);
        // The queue is never popped, so in the end it is the component.
        let mut next = 0;
        while let Some(&v) = queue.get(next) {
            next += 1;
            for &u in csr.neighbours(v) {
                if of[u as usize] == UNSEEN {
                    of[u as usize] = component;
                    queue.push(u);
                }
            }
        }
        sizes.push(queue.len() as u32);
    }
    Components { of, sizes }
}

/// Components of a directed graph when the direction of its arcs is ignored. Merges the ends of
/// each arc, so no reverse of the graph is needed.
pub fn weak_components(csr: &Csr) -> Components {
    // A vertex's parent is never larger than the vertex, and roots are their own parents.
    let mut parent: Vec<Vertex> = (0..csr.vertices() as Vertex).collect();
    for tail in 0..csr.vertices() as Vertex {
        for &head in csr.neighbours(tail) {
            let (a, b) = (root(&mut parent, tail), root(&mut parent, head));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut of = vec![0; parent.len()];
    let mut sizes = Vec::new();
    for v in 0..parent.len() {
        // Parents come first, so they already have their component.
        let up = parent[v] as usize;
        if up == v {
            of[v] = sizes.len() as u32;
            sizes.push(1);
        } else {
            of[v] = of[up];
            sizes[of[v] as usize] += 1;
        }
    }
    Components { of, sizes }
}

/// The root above `v`; halves the path to it on the way.
fn root(parent: &mut [Vertex], mut v: Vertex) -> Vertex {
    while parent[v as usize] != v {
        let above = parent[parent[v as usize] as usize];
        parent[v as usize] = above;
        v = above;
    }
    v
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{EdgeList, Graph, Labels};
    use super::*;

    fn built(vertices: usize, edges: &[(u32, u32)], directed: bool) -> Graph {
        let mut list = EdgeList::default();
        for &(tail, head) in edges {
            list.push(tail, head);
        }
        list.build(Labels::consecutive(0, vertices), directed)
            .expect("small graphs fit")
    }

    #[test]
    fn components_are_numbered_by_their_smallest_vertex() {
        let graph = built(6, &[(4, 0), (3, 1), (5, 3)], false);
        let expected = Components {
            of: vec![0, 1, 2, 1, 0, 1],
            sizes: vec![2, 3, 1],
        };
        assert_eq!(components(graph.csr()), expected);
        assert_eq!((expected.count(), expected.largest()), (3, 3));
        assert_eq!(components(&Csr::empty(0)), Components::default());
    }

    proptest! {
        #[test]
        fn weak_components_are_those_of_the_undirected_graph(
            edges in prop::collection::vec((0u32..30, 0u32..30), 0..40)
        ) {
            let undirected = components(built(31, &edges, false).csr());
            prop_assert_eq!(&weak_components(built(31, &edges, true).csr()), &undirected);
            prop_assert_eq!(undirected.sizes.iter().sum::<u32>(), 31);
        }
    }
}
