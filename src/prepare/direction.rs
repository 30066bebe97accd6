//! The direction of searches of a directed graph.
//!
//! Reversing all arcs changes no betweenness of a vertex, and that of an arc is the one of the
//! reversed arc; weights of sources and of targets change places. The reversed graph may need less
//! work: its searches begin at other vertices and reach others.

use std::mem;
use std::sync::Arc;

use super::{Reduction, Undo, UndoArcs, WeightedGraph};
use crate::graph::Vertex;

/// The graph is reversed only if less than this part of the work remains.
const MOST_WORK_LEFT: f64 = 0.8;

/// The reduction. Engines count the ends of paths for the original direction only, so with these
/// the graph stays the same.
#[derive(Debug)]
pub struct Reverse;

impl Reduction for Reverse {
    fn name(&self) -> &'static str {
        "reverse"
    }

    fn reduce(&self, graph: &mut WeightedGraph, always: bool) -> Option<Undo> {
        let reverse = graph.reverse.as_mut().filter(|_| !graph.count_endpoints)?;
        let work = graph.reach.as_ref()?.work(reverse, true, &graph.weight);
        if !always && work >= MOST_WORK_LEFT * graph.work {
            return None;
        }
        let lengths = graph.lengths.as_ref();
        graph.lengths = lengths.map(|lengths| lengths.reversed(&graph.graph, reverse));
        mem::swap(&mut graph.graph, reverse);
        mem::swap(&mut graph.source, &mut graph.weight);
        (graph.work, graph.reach) = (work, None);
        Some(Undo {
            vertex: (0..graph.source.len() as Vertex).collect(),
            arcs: Some(Arc::new(Reversed)),
            ..Undo::default()
        })
    }
}

/// The arcs of a graph in the reversed graph.
struct Reversed;

impl UndoArcs for Reversed {
    fn arc(&self, [tail, head]: [Vertex; 2]) -> Result<[Vertex; 2], f64> {
        Ok([head, tail])
    }
}
