//! Graphs: reading, building, generating, describing and writing them.
//!
//! Every reader and generator ends in one [`Graph`]: a simple graph in compressed sparse rows,
//! the labels its vertices had in the input, and a note of what was dropped on the way.
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

// First, for its macros.
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
mod read;
mod sort;
mod stats;
mod tokens;
mod weights;
mod write;

// What the program and the rest of its library share with this crate. They change without notice.
#[doc(hidden)]
pub mod memory;
#[doc(hidden)]
pub mod mixed;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod pages;

pub use crate::output::Compression;
pub use arrays::ArraysError;
pub use builder::EdgeList;
pub use csr::{Csr, Vertex};
pub use error::{BuildError, Problem, ReadError};
pub use fingerprint::fingerprint;
pub use formats::npz::Entries;
pub use formats::{Column, Columns, Delimiter, EdgeListOptions, Format};
pub use labels::{LabelChoice, Labels};
pub use lengths::Lengths;
pub use read::{ReadOptions, Source, read, read_stream};
pub use stats::{ComponentStats, DegreeStats, GraphStats, stats};
pub use weights::{WeightChoice, WeightInfo, WeightIs, WeightOptions};
pub use write::{
    LengthTexts, WriteError, WriteFormat, write_edgelist, write_graph, write_graph_as,
};
#[doc(hidden)]
pub use write::{is_xml_text, write_labels, write_quoted};

/// A simple graph: no self-loops, no parallel edges. Its edges have lengths if weights were asked
/// for.
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

/// What was dropped to make a [`Graph`] simple.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Simplified {
    /// Edges as the input states them, self-loops and repeats included.
    pub entries: u64,
    /// Entries that join a vertex to itself.
    pub loops: u64,
    /// Entries that repeat an earlier one; in an undirected graph also in the other direction.
    pub merged: u64,
    /// Whether the input carried weights that were not asked for; they are dropped.
    pub weights_dropped: bool,
    /// Whether the input states directions that are not used: its arcs became undirected edges,
    /// and some of them have no counterpart in the other direction.
    pub symmetrised: bool,
}

impl Graph {
    /// A graph of these arcs, those of an undirected one in both directions, whose vertices have
    /// numbers for labels.
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

    /// The arcs.
    #[inline]
    pub fn csr(&self) -> &Csr {
        &self.csr
    }

    /// The length of each arc, beside [`Csr::targets`]; `None` if every edge has length 1.
    #[inline]
    pub fn lengths(&self) -> Option<&Lengths> {
        self.weights.as_ref().map(|(lengths, _)| lengths)
    }

    /// The same graph with every edge of length 1.
    pub fn without_lengths(self) -> Graph {
        Graph {
            weights: None,
            ..self
        }
    }

    /// What became of the weights, if they were asked for.
    pub fn weights(&self) -> Option<WeightInfo> {
        self.weights.as_ref().map(|&(_, info)| info)
    }

    /// What each vertex is called in the input; as many labels as vertices.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Whether arcs count in one direction only.
    #[inline]
    pub fn directed(&self) -> bool {
        self.directed
    }

    /// The same as a word: `directed` or `undirected`.
    pub fn direction(&self) -> &'static str {
        match self.directed {
            true => "directed",
            false => "undirected",
        }
    }

    /// Number of vertices, those without edges included.
    #[inline]
    pub fn vertices(&self) -> usize {
        self.csr.vertices()
    }

    /// Number of distinct edges: arcs of a directed graph, half the arcs of an undirected one.
    pub fn edges(&self) -> usize {
        self.csr.arcs() / (1 + usize::from(!self.directed))
    }

    /// Calls `f` for each edge: both ends of an undirected one, smaller first, or tail and head.
    /// They come by first end, then by second.
    pub fn for_each_edge(&self, mut f: impl FnMut(Vertex, Vertex)) {
        self.ends().for_each(|[tail, head]| f(tail, head));
    }

    /// Both ends of each edge, as [`Graph::for_each_edge`] has them.
    #[inline]
    pub fn ends(&self) -> impl Iterator<Item = [Vertex; 2]> {
        self.edges_and_arcs().map(|(tail, head, _)| [tail, head])
    }

    /// The same edges, each with the number of its arc from the first end.
    #[inline]
    pub fn edges_and_arcs(&self) -> impl Iterator<Item = (Vertex, Vertex, usize)> {
        let arcs = (0..self.vertices() as Vertex).flat_map(|tail| {
            let first = self.csr.offsets()[tail as usize] as usize;
            let heads = self.csr.neighbours(tail).iter().zip(first..);
            heads.map(move |(&head, arc)| (tail, head, arc))
        });
        arcs.filter(|&(tail, head, _)| self.directed || tail < head)
    }

    /// What was dropped to make the graph simple.
    pub fn simplified(&self) -> Simplified {
        self.simplified
    }
}

#[cfg(test)]
mod tests;
