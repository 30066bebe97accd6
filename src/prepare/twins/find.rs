//! The decision whether to merge twins, and the graph with a vertex for each class.

use std::time::{Duration, Instant};

use super::super::component_ranges::ComponentRanges;
use super::classes::Classes;
use crate::graph::{Csr, Vertex};

/// Merging must leave less than this part of the work, since merging takes time too.
const LESS: f64 = 0.95;

/// The twins of a graph, and the graph with a vertex for each class.
pub struct Twins {
    pub(super) classes: Classes,
    /// The vertices of the smaller graph: the first vertex of each class. A component that consists
    /// of true twins needs no search and has none.
    pub(super) kept: Vec<Vertex>,
    pub(super) graph: Csr,
    pub(super) ranges: ComponentRanges,
    /// The time that it took to find the twins.
    pub(super) duration: Duration,
}

impl Twins {
    /// Finds the twins of an undirected graph with these components: `always`, or only if merging
    /// them makes less work.
    pub fn find(graph: &Csr, ranges: &ComponentRanges, always: bool) -> Option<Twins> {
        let start = Instant::now();
        let classes = Classes::find(graph);
        let before = ranges.work(graph);
        if !always && classes.least_left(graph, ranges) >= LESS * before {
            return None;
        }
        let mut beside = vec![0; graph.vertices()];
        for &v in &classes.true_twins {
            beside[classes.first[v as usize] as usize] += 1;
        }
        // A complete component, which is one class, is not searched.
        let searched = |&v: &Vertex| {
            let i = v as usize;
            classes.first[i] == v && beside[i] < graph.degree(v)
        };
        let kept: Vec<Vertex> = (0..graph.vertices() as Vertex).filter(searched).collect();
        let smaller = graph.induced(&kept);
        let component = |&v: &Vertex| ranges.component(v) as u32;
        let of_smaller = ComponentRanges::from_numbers(kept.iter().map(component));
        let left = of_smaller.work(&smaller);
        (always || left < LESS * before).then(|| Twins {
            classes,
            kept,
            graph: smaller,
            ranges: of_smaller,
            duration: start.elapsed(),
        })
    }
}

impl Classes {
    /// Returns a lower bound on the work that is left, in the unit of [`ComponentRanges::work`].
    fn least_left(&self, graph: &Csr, ranges: &ComponentRanges) -> f64 {
        let left = |component: usize| {
            let vertices = ranges.vertices(component);
            let (mut kept, mut arcs) = (0, ranges.arcs(graph, component));
            for v in vertices {
                if self.first[v] as usize == v {
                    kept += 1;
                } else {
                    arcs = arcs.saturating_sub(2 * graph.degree(v as Vertex));
                }
            }
            f64::from(kept) * arcs as f64
        };
        (0..ranges.count()).map(left).sum()
    }
}
