//! Whether twins are worth merging, and the graph with a vertex for each class.

use std::time::{Duration, Instant};

use super::super::component_ranges::ComponentRanges;
use super::classes::Classes;
use crate::graph::{Csr, Vertex};

/// So much of the work is left at most: what a vertex takes beside its arcs stays, and merging
/// takes time.
const LESS: f64 = 0.95;

/// The twins of a graph, and the graph with a vertex for each class.
pub struct Twins {
    pub(super) classes: Classes,
    /// The vertices of the smaller graph: the first of each class.
    pub(super) kept: Vec<Vertex>,
    pub(super) graph: Csr,
    pub(super) ranges: ComponentRanges,
    /// What part of the work is left, about.
    pub share: f64,
    /// How long it took to find them.
    pub(super) found: Duration,
}

impl Twins {
    /// Of an undirected graph of these components: always, or if merging them makes less work.
    pub fn find(graph: &Csr, ranges: &ComponentRanges, always: bool) -> Option<Twins> {
        let start = Instant::now();
        let classes = Classes::find(graph);
        let before = ranges.work(graph);
        if !always && classes.least_left(graph, ranges) >= LESS * before {
            return None;
        }
        let mut beside = vec![0; graph.vertices()];
        for &v in &classes.joined {
            beside[classes.first[v as usize] as usize] += 1;
        }
        // Nothing is searched from a complete component, which is one class.
        let searched = |&v: &Vertex| {
            let i = v as usize;
            classes.first[i] == v && beside[i] < graph.degree(v)
        };
        let kept: Vec<Vertex> = (0..graph.vertices() as Vertex).filter(searched).collect();
        let smaller = graph.induced(&kept);
        let component = |&v: &Vertex| ranges.component(v) as u32;
        let of_smaller = ComponentRanges::of(kept.iter().map(component));
        let left = of_smaller.work(&smaller);
        (always || left < LESS * before).then(|| Twins {
            classes,
            kept,
            graph: smaller,
            ranges: of_smaller,
            share: left / before.max(1.0),
            found: start.elapsed(),
        })
    }
}

impl Classes {
    /// At least so much work is left, as [`ComponentRanges::work`] counts it.
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
