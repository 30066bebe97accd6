//! The graph of rank 0 for all.

use super::World;
use crate::graph::{Csr, Graph, Lengths};

impl World {
    /// Gives all the graph that rank 0 has. Those of the others have no labels.
    pub fn share(&self, graph: Option<Graph>) -> Graph {
        let (mut head, mut offsets, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        let (mut short, mut long, mut doubles) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(graph) = &graph {
            offsets.extend_from_slice(graph.csr().offsets());
            targets.extend_from_slice(graph.csr().targets());
            let kind = match graph.lengths() {
                None => 0,
                Some(Lengths::U32(lengths)) => {
                    short.clone_from(lengths);
                    1
                }
                Some(Lengths::U64(lengths)) => {
                    long.clone_from(lengths);
                    2
                }
                Some(Lengths::F64(lengths)) => {
                    doubles.clone_from(lengths);
                    3
                }
            };
            head = vec![u64::from(graph.directed()), kind];
        }
        self.broadcast::<u64>(&mut head);
        self.broadcast::<u32>(&mut offsets);
        self.broadcast::<u32>(&mut targets);
        self.broadcast::<u32>(&mut short);
        self.broadcast::<u64>(&mut long);
        self.broadcast::<f64>(&mut doubles);
        graph.unwrap_or_else(|| {
            let lengths = match head[1] {
                0 => None,
                1 => Some(Lengths::U32(short)),
                2 => Some(Lengths::U64(long)),
                _ => Some(Lengths::F64(doubles)),
            };
            Graph::unlabelled(Csr::new(offsets, targets), lengths, head[0] == 1)
        })
    }
}
