//! A custom reduction, which the library makes like its own ones: components that are complete
//! graphs need no search, because no path in them has inner vertices.
//!
//!     cargo run --example toy_reduction

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::sync::Arc;

use brandes::graph::{Csr, Graph, Vertex};
use brandes::prepare::{ComponentRanges, Reduction, Undo, UndoArcs, WeightedGraph};
use brandes::{Betweenness, DeviceSelection, Reductions, Scores};

#[derive(Debug)]
struct CompleteComponents;

impl Reduction for CompleteComponents {
    fn name(&self) -> &'static str {
        "complete components"
    }

    fn reduce(&self, graph: &mut WeightedGraph, _always: bool) -> Option<Undo> {
        // An edge may be longer than a path beside it, and searches would count ends of paths.
        if graph.lengths.is_some() || graph.count_endpoints {
            return None;
        }
        let is_kept = |&component: &usize| {
            let size = graph.ranges.vertices(component).len();
            graph.ranges.arcs(&graph.graph, component) < size * (size - 1)
        };
        let components = (0..graph.ranges.count()).filter(is_kept);
        let kept: Vec<Vertex> = components
            .flat_map(|component| graph.ranges.vertices(component))
            .map(|v| v as Vertex)
            .collect();
        let before = graph.graph.vertices();
        if kept.len() == before {
            return None;
        }
        let mut number = vec![None; before];
        for (new, &v) in (0..).zip(&kept) {
            number[v as usize] = Some(new);
        }
        let arcs = Arcs {
            number,
            source: graph.source.clone(),
            weight: graph.weight.clone(),
        };
        let component = |&v: &Vertex| graph.ranges.component(v) as u32;
        graph.ranges = ComponentRanges::from_numbers(kept.iter().map(component));
        graph.graph = graph.graph.induced(&kept);
        graph.reverse = graph.reverse.as_ref().map(|_| graph.graph.reversed());
        for weights in [&mut graph.source, &mut graph.weight] {
            *weights = kept.iter().map(|&v| weights[v as usize]).collect();
        }
        graph.work = 0.0;
        Some(Undo {
            vertex: kept,
            arcs: Some(Arc::new(arcs)),
            ..Undo::default()
        })
    }
}

/// The arcs of the larger graph.
struct Arcs {
    /// Per vertex, its number in the smaller graph, if it is there.
    number: Vec<Option<Vertex>>,
    /// The weights of the larger graph.
    source: Vec<f64>,
    weight: Vec<f64>,
}

impl UndoArcs for Arcs {
    fn arc(&self, [tail, head]: [Vertex; 2]) -> Result<[Vertex; 2], f64> {
        let [tail, head] = [tail as usize, head as usize];
        match (self.number[tail], self.number[head]) {
            (Some(tail), Some(head)) => Ok([tail, head]),
            // The arc is the only shortest path between its ends, and on no other path.
            _ => Err(self.source[tail] * self.weight[head]),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A complete graph of 30 vertices, and a cycle of 60.
    let graph = Csr::of_rows(90, |v, target| match v as Vertex {
        v if v < 30 => (0..30).filter(|&u| u != v).for_each(target),
        30 => [31, 89].into_iter().for_each(target),
        89 => [30, 88].into_iter().for_each(target),
        v => [v - 1, v + 1].into_iter().for_each(target),
    });
    let graph = Graph::unlabelled(graph, None, false);
    let settings = Betweenness::new()
        .devices(DeviceSelection::None)
        .reduce(Reductions::NONE)
        .edges(true);
    let whole = settings.clone().run(&graph)?;
    let reduced = settings
        .more_reductions(&[&CompleteComponents])
        .run(&graph)?;
    let searches = |scores: &Scores| scores.record().prepared.roots.len();
    println!(
        "{} searches in place of {}",
        searches(&reduced),
        searches(&whole)
    );
    for (one, other) in [
        (reduced.vertices(), whole.vertices()),
        (
            reduced.edges().unwrap_or_default(),
            whole.edges().unwrap_or_default(),
        ),
    ] {
        let pairs = one.iter().zip(other);
        assert!(pairs.clone().all(|(one, other)| (one - other).abs() < 1e-9));
        println!("{} equal scores", pairs.len());
    }
    Ok(())
}
