//! The components of a prepared graph: those of the input, or the blocks if it was split.

use std::ops::Range;

use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// Components as consecutive ranges of vertices. A search stays in the component of its root.
#[derive(Debug, Clone, Default)]
pub struct ComponentRanges {
    /// The first vertex of each component, ascending, and the number of all vertices. It may be
    /// empty for a graph without vertices.
    first: Vec<Vertex>,
}

impl ComponentRanges {
    /// Makes one component of all vertices.
    pub fn one(vertices: usize) -> ComponentRanges {
        let mut first = vec![0; vertices.min(1)];
        first.push(vertices as Vertex);
        ComponentRanges { first }
    }

    /// Begins a component at each vertex whose component number differs from that of the previous
    /// vertex.
    pub fn from_numbers(numbers: impl ExactSizeIterator<Item = u32>) -> ComponentRanges {
        let vertices = numbers.len() as Vertex;
        let (mut first, mut last) = (Vec::new(), None);
        for (v, number) in (0..).zip(numbers) {
            if last.replace(number) != Some(number) {
                first.push(v);
            }
        }
        first.push(vertices);
        ComponentRanges { first }
    }

    /// Returns the number of components.
    pub fn count(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Returns the vertices of a component.
    pub fn vertices(&self, component: usize) -> Range<usize> {
        self.first[component] as usize..self.first[component + 1] as usize
    }

    /// Returns the number of arcs of a component.
    pub fn arcs(&self, graph: &Csr, component: usize) -> usize {
        let Range { start, end } = self.vertices(component);
        (graph.offsets()[end] - graph.offsets()[start]) as usize
    }

    /// Returns the sum over the components of vertices times arcs.
    pub fn work(&self, graph: &Csr) -> f64 {
        let work = |c| self.vertices(c).len() as f64 * self.arcs(graph, c) as f64;
        (0..self.count()).map(work).sum()
    }

    /// Returns the component of a vertex.
    pub fn component(&self, v: Vertex) -> usize {
        self.first.partition_point(|&first| first <= v) - 1
    }

    /// Returns the depth of a search from the first vertex of each component, for an undirected
    /// graph that is numbered breadth-first or block by block: no search is more than twice as
    /// deep. With any other numbering the depth is a guess without bounds, and callers may use it
    /// only to choose an engine.
    pub fn depths(&self, graph: &Csr) -> Vec<u32> {
        let mut distances = vec![0; graph.vertices()];
        for v in 0..distances.len() {
            // The first neighbour is the nearest to the first vertex.
            let near = graph.neighbours(v as Vertex).first();
            let near = near.filter(|&&u| (u as usize) < v);
            distances[v] = near.map_or(0, |&u| distances[u as usize] + 1);
        }
        let deepest = |component| distances[self.vertices(component)].iter().max().copied();
        let deepest = (0..self.count()).map(deepest);
        deepest.map(Option::unwrap_or_default).collect()
    }

    /// Returns the largest number of these roots in one component.
    pub fn most(&self, roots: &[Root]) -> usize {
        let mut count = vec![0; self.count()];
        for root in roots {
            count[self.component(root.vertex)] += 1;
        }
        count.into_iter().max().unwrap_or(0)
    }

    /// Orders roots, given by ascending vertex, so that every prefix of the order is a
    /// representative sample: batches are filled from many components, and the first claims predict
    /// the time of the others. `together` roots of a component stay together.
    pub fn mixed(&self, roots: &[Root], together: usize) -> Vec<Root> {
        /// The groups of a component are evenly spaced. Multiples of the golden ratio shift those
        /// of each component, so that components with a single group are spread too.
        const SPREAD: f64 = 0.618_033_988_749_894_8;
        let mut groups = Vec::new();
        let is_same = |a: &Root, b: &Root| self.component(a.vertex) == self.component(b.vertex);
        for (component, own) in roots.chunk_by(is_same).enumerate() {
            let count = own.len().div_ceil(together) as f64;
            let offset = (component as f64 * SPREAD).fract();
            let placed = own.chunks(together).enumerate();
            groups.extend(placed.map(|(i, group)| ((i as f64 + offset) / count, group)));
        }
        groups.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let ordered = groups.into_iter().flat_map(|(_, group)| group);
        ordered.copied().collect()
    }

    /// Returns the number of arcs of the component of each root.
    pub fn root_arcs(&self, graph: &Csr, roots: &[Root]) -> impl Iterator<Item = usize> {
        let component = |root: &Root| self.component(root.vertex);
        let arcs = move |root| self.arcs(graph, component(root));
        roots.iter().map(arcs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::tests::all_roots;

    #[test]
    fn every_beginning_of_mixed_roots_is_like_the_whole() {
        // A component of 2,010 vertices, and 99 of ten.
        let numbers = (0..3000).map(|v: u32| v.saturating_sub(2000) / 10);
        let components = ComponentRanges::from_numbers(numbers);
        let roots = all_roots(3000);
        let mixed = components.mixed(&roots, 64);
        let mut sorted = mixed.clone();
        sorted.sort_by_key(|root| root.vertex);
        assert_eq!(sorted, roots);
        let large = |part: &[Root]| part.iter().filter(|root| root.vertex < 2010).count();
        for end in [500, 1000, 2000] {
            let share = large(&mixed[..end]) as f64 / end as f64;
            assert!((0.5..0.8).contains(&share), "{share}");
        }
        assert_eq!(ComponentRanges::one(3000).mixed(&roots, 64), roots);
    }
}
