//! The order of roots: by distances to landmarks in a shallow directed graph, in groups of
//! neighbours in a graph that may be deep, with the components interleaved in all others.

use super::order::{NO_PLACE, bfs_order, places, spread_order};
use super::part::LONGEST_RUN;
use super::{FEWEST_ROOTS, Prepared, depth, landmarks};
use crate::engine::Root;
use crate::graph::{Csr, Vertex};
use crate::span::Span;

/// The number of roots in a group.
pub const ROOT_GROUP: usize = 8;

/// The most vertices that a search for a group looks at.
const LOOKED_AT: usize = 64;

impl Prepared {
    /// Orders the roots, which are ascending, for the search: by distances to landmarks in a
    /// shallow directed graph without lengths. If the graph was not sorted and may be deep, makes
    /// groups of neighbours; otherwise interleaves the components.
    pub(super) fn order_roots(&mut self) {
        if self.sort_by_distances() || !self.is_deeper_than(depth::MAY_BE_DEEP) {
            if self.ranges.count() > 1 {
                self.roots = self.ranges.mixed(&self.roots, LONGEST_RUN);
            }
            return;
        }
        let (graph, roots) = (&self.searched, &self.roots);
        let cluster = || cluster_roots(&graph.graph, graph.reverse.as_ref(), roots);
        (self.roots, self.grouped_roots) = Span::time(&mut self.spans, "cluster roots", cluster);
        self.root_group = ROOT_GROUP;
    }

    /// Sorts the roots of a directed graph by their distances to landmarks along the arcs that are
    /// searched. Returns whether they are sorted: if the graph has no lengths, enough roots, and
    /// most of its vertices are in components that [`landmarks::sort`] sorts.
    fn sort_by_distances(&mut self) -> bool {
        let (graph, reverse) = (&self.graph, self.reverse.as_ref());
        if reverse.is_none() || self.lengths.is_some() || self.roots.len() < FEWEST_ROOTS {
            return false;
        }
        let all: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
        let (mut order, levels) = bfs_order(graph, reverse, &all);
        let component = |v: Vertex| self.ranges.component(v) as u32;
        let sorted = landmarks::sort(graph, reverse, component, (&mut order, &levels), true);
        let is_sorted = 2 * sorted > graph.vertices();
        if is_sorted {
            let place = places(graph.vertices(), &order);
            self.roots
                .sort_unstable_by_key(|root| place[root.vertex as usize]);
        }
        is_sorted
    }
}

/// Orders the roots: first groups of [`ROOT_GROUP`] roots that are near one another, then the roots
/// that are in no such group. Also returns the number of roots in groups. `reverse` is given for
/// directed graphs, whose arcs are followed both ways.
pub fn cluster_roots(graph: &Csr, reverse: Option<&Csr>, roots: &[Root]) -> (Vec<Root>, usize) {
    let n = graph.vertices();
    let starts: Vec<Vertex> = roots.iter().map(|root| root.vertex).collect();
    // Per vertex, its place in `roots`, until a search for a group looks at it.
    let mut root_at = places(n, &starts);
    let mut queued_from = vec![Vertex::MAX; n];
    let mut queue: Vec<Vertex> = Vec::new();
    let (mut groups, mut rest) = (Vec::with_capacity(roots.len()), Vec::new());
    for start in starts {
        if root_at[start as usize] == NO_PLACE {
            continue;
        }
        queue.clear();
        queue.push(start);
        queued_from[start as usize] = start;
        let first = groups.len();
        let mut head = 0;
        while head < queue.len().min(LOOKED_AT) && groups.len() < first + ROOT_GROUP {
            let v = queue[head];
            head += 1;
            let root = std::mem::replace(&mut root_at[v as usize], NO_PLACE);
            groups.extend(roots.get(root as usize).copied());
            let inward = reverse.map_or(&[][..], |reverse| reverse.neighbours(v));
            for &u in graph.neighbours(v).iter().chain(inward) {
                if std::mem::replace(&mut queued_from[u as usize], start) != start {
                    queue.push(u);
                }
            }
        }
        if groups.len() < first + ROOT_GROUP {
            rest.extend(groups.drain(first..));
        }
    }
    let grouped = groups.len();
    // Every prefix of the order is a representative sample, so that the first claims predict the
    // time of the others. Roots that may be searched together stay together.
    let runs: Vec<&[Root]> = groups.chunks(LONGEST_RUN).collect();
    let order = spread_order(runs.len()).into_iter();
    let mut ordered: Vec<Root> = order.flat_map(|i| runs[i]).copied().collect();
    ordered.extend(rest);
    (ordered, grouped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;
    use crate::prepare::tests::all_roots;

    #[test]
    fn most_groups_of_a_grid_are_near_and_every_root_is_in_one_or_left() {
        let graph = generate::grid(30, 20, 0.0, 1).unwrap();
        let mut roots = all_roots(600);
        for (modulus, least) in [(600, 560), (7, 300)] {
            roots.retain(|root| root.vertex % modulus != 3);
            let (mut grouped, count) = cluster_roots(graph.csr(), None, &roots);
            assert!(count % ROOT_GROUP == 0 && count > least, "{count}");
            let near = |group: &&[Root]| {
                let at = |root: &Root| (root.vertex % 20, root.vertex / 20);
                let (x, y) = at(&group[0]);
                let distance = |root| at(root).0.abs_diff(x) + at(root).1.abs_diff(y);
                group.iter().all(|root| distance(root) <= 5)
            };
            let groups = grouped[..count].chunks(ROOT_GROUP);
            assert!(modulus == 7 || groups.filter(near).count() > count / ROOT_GROUP * 9 / 10);
            grouped.sort_by_key(|root| root.vertex);
            assert_eq!(grouped, roots);
        }
    }
}
