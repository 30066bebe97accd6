//! Reads, builds, generates, describes and writes graphs.
//!
//! Every reader and generator returns a [`Graph`]: a simple graph in compressed sparse rows, the
//! labels that its vertices have in the input, and counts of the edges that were dropped.
//!
//! ```no_run
//! use brandes_graph::{ReadOptions, read, write_graph};
//!
//! let (graph, source) = read("graph.txt.gz".as_ref(), &ReadOptions::default())?;
//! println!("{:?}: {} vertices, {} edges", source.format, graph.vertices(), graph.edges());
//! write_graph(&graph, "graph.graphml".as_ref())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::expect_used, clippy::unwrap_used)]
#![cfg_attr(
    test,
    allow(clippy::expect_used, clippy::unwrap_used, reason = "tests may panic")
)]

// Comes first because the other modules use its macros.
#[macro_use]
mod error;

pub mod components;
pub mod generate;

mod arrays;
mod blocks;
mod builder;
mod csr;
mod fingerprint;
mod formats;
mod input;
mod labels;
mod lengths;
mod numbering;
mod options;
mod read;
mod stats;
mod tokens;
mod weights;
mod write;

// Internal modules that the crate `brandes` also uses. They may change without notice.
#[doc(hidden)]
pub mod memory;
#[doc(hidden)]
pub mod mixed;
mod os;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod pages;

pub use crate::output::{Compression, OutputError};
pub use arrays::ArraysError;
pub use builder::EdgeList;
pub use csr::{Csr, Vertex};
pub use error::{BuildError, Problem, ReadError};
pub use fingerprint::fingerprint;
pub use formats::{Delimiter, Ends, Format, WriteFormat, find_ends};
pub use formats::{read_demand, read_vertex_weights};
pub use labels::{LabelChoice, Labels};
pub use lengths::Lengths;
#[doc(hidden)]
pub use lengths::zero_bits;
pub use options::{Column, Columns, EdgeListOptions, ReadOptions};
pub use read::{Source, read, read_stream};
pub use stats::{ComponentStats, DegreeStats, GraphStats, stats};
pub use weights::{WeightChoice, WeightInfo, WeightIs, WeightOptions};
pub use write::{LengthTexts, NamedScores, write_graph, write_graph_as};
#[doc(hidden)]
pub use write::{Shortest, is_xml_text, write_labels, write_quoted};

/// A simple graph, which has no self-loops and no parallel edges. If weights were asked for, they
/// are converted to lengths of edges as [`WeightIs`] says.
///
/// An undirected graph is stored symmetrically: each edge is two arcs. Vertices without any arc
/// are kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    csr: Csr,
    weights: Option<(Lengths, WeightInfo)>,
    labels: Labels,
    directed: bool,
    simplified: Simplified,
}

/// Counts of the edges that were read, and of those dropped to make a [`Graph`] simple.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Simplified {
    /// The number of edges in the input, self-loops and repeats included.
    pub entries: u64,
    /// The number of self-loops.
    pub loops: u64,
    /// The number of entries that repeat an earlier one. In an undirected graph, the direction of
    /// an entry does not matter.
    pub merged: u64,
    /// Whether the input has weights that were dropped because they were not asked for.
    pub weights_dropped: bool,
    /// Whether arcs of the input became undirected edges although some of them have no counterpart
    /// in the other direction.
    pub symmetrised: bool,
}

impl Graph {
    /// Makes a graph of these arcs, whose labels are the numbers from 0. `csr` holds both arcs of
    /// each edge of an undirected graph.
    #[doc(hidden)]
    pub fn unlabelled(csr: Csr, lengths: Option<Lengths>, directed: bool) -> Graph {
        let weights = lengths.map(|lengths| (lengths, WeightInfo::default()));
        Graph {
            labels: Labels::consecutive(0, csr.vertices()),
            csr,
            weights,
            directed,
            simplified: Simplified::default(),
        }
    }

    /// Returns the arcs.
    #[inline]
    pub fn csr(&self) -> &Csr {
        &self.csr
    }

    /// Returns the length of each arc of [`Csr::targets`]; `None` if every edge has length 1.
    #[inline]
    pub fn lengths(&self) -> Option<&Lengths> {
        self.weights.as_ref().map(|(lengths, _)| lengths)
    }

    /// Returns the graph with length 1 for every edge.
    pub fn without_lengths(mut self) -> Graph {
        self.weights = None;
        self
    }

    /// Returns a description of the weights; `None` if they were not asked for.
    pub fn weights(&self) -> Option<WeightInfo> {
        self.weights.as_ref().map(|&(_, info)| info)
    }

    /// Returns the label of each vertex in the input.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Returns whether the graph is directed.
    #[inline]
    pub fn directed(&self) -> bool {
        self.directed
    }

    /// Returns the word `directed` or `undirected`.
    pub fn direction(&self) -> &'static str {
        match self.directed {
            true => "directed",
            false => "undirected",
        }
    }

    /// Returns the number of vertices, those without edges included.
    #[inline]
    pub fn vertices(&self) -> usize {
        self.csr.vertices()
    }

    /// Returns the number of distinct edges: arcs of a directed graph, half the arcs of an
    /// undirected one.
    pub fn edges(&self) -> usize {
        self.csr.arcs() / (1 + usize::from(!self.directed))
    }

    /// Calls `f` with both ends of each edge: the smaller one and the larger one, or in a directed
    /// graph the tail and the head. Edges are sorted by their first end, then by their second.
    pub fn for_each_edge(&self, mut f: impl FnMut(Vertex, Vertex)) {
        self.ends().for_each(|[tail, head]| f(tail, head));
    }

    /// Returns the ends of each edge, as [`Graph::for_each_edge`] passes them.
    #[inline]
    pub fn ends(&self) -> impl Iterator<Item = [Vertex; 2]> {
        self.edges_and_arcs().map(|(tail, head, _)| [tail, head])
    }

    /// Returns the ends of each edge, and the position in [`Csr::targets`] of its arc from the
    /// first end.
    #[inline]
    pub fn edges_and_arcs(&self) -> impl Iterator<Item = (Vertex, Vertex, usize)> {
        let arcs = (0..self.vertices() as Vertex).flat_map(|tail| {
            let first = self.csr.offsets()[tail as usize] as usize;
            let heads = self.csr.neighbours(tail).iter().zip(first..);
            heads.map(move |(&head, arc)| (tail, head, arc))
        });
        arcs.filter(|&(tail, head, _)| self.directed || tail < head)
    }

    /// Returns counts of the edges that were dropped to make the graph simple.
    pub fn simplified(&self) -> Simplified {
        self.simplified
    }
}

#[cfg(test)]
mod tests;
