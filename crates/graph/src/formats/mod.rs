//! Readers of graph files, and the list of all formats.

pub(super) mod attributes;
pub(super) mod decorate;
mod dense;
pub(super) mod dimacs;
pub(super) mod dot;
pub(super) mod edgelist;
mod fast;
pub(super) mod gml;
pub(super) mod json;
pub(super) mod lgl;
pub(super) mod list;
mod matrix;
pub(super) mod metis;
pub(super) mod mtx;
pub(super) mod names;
mod neighbours;
pub(super) mod npz;
pub(super) mod pajek;
pub(super) mod parsed;
pub(super) mod symmetry;
pub(super) mod table;
pub(super) mod text;
pub(super) mod tntp;
mod vertex_file;
mod xml;
pub(super) mod xml_graph;

pub use table::{Ends, find_ends};
pub use text::Delimiter;
pub use vertex_file::{read_demand, read_vertex_weights};

/// A format of graph files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    /// Decide by the content, then by the suffix of the file name.
    Auto,
    /// Rows of two vertices and perhaps other values, with or without a header: text, CSV, TSV.
    Edgelist,
    /// An edge list without a row of sizes, such as an NCOL file.
    Labels,
    /// Matrix Market coordinate file.
    Mtx,
    /// METIS adjacency file.
    Metis,
    /// DIMACS file of shortest paths (9th challenge), flows or colourings.
    Dimacs,
    /// GML, as Newman's collection and igraph write it.
    Gml,
    /// GraphML.
    Graphml,
    /// GEXF, as Gephi writes it.
    Gexf,
    /// Pajek network.
    Pajek,
    /// LGL: a block of neighbours for each vertex.
    Lgl,
    /// SIF of Cytoscape: a vertex, a relation and other vertices in a line.
    Sif,
    /// Dense adjacency matrix, with or without names.
    Matrix,
    /// Adjacency list of networkx: a vertex and its neighbours in a line.
    Adjlist,
    /// JSON of networkx, D3, Cytoscape (`.cyjs`) or the JSON Graph Format.
    Json,
    /// DOT, the language of Graphviz.
    Dot,
    /// TNTP: a road network for traffic assignment.
    Tntp,
    /// Sparse matrix of SciPy (scipy.sparse.save_npz).
    Npz,
}

/// A format that graphs are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WriteFormat {
    /// Edge list of two columns, and a third of lengths if there are any.
    Edgelist,
    /// Edge list with commas and a header: `source,target[,weight]`.
    Csv,
    /// Matrix Market coordinate file.
    Mtx,
    /// METIS adjacency file.
    Metis,
    /// DIMACS shortest-path file.
    Dimacs,
    /// GraphML.
    Graphml,
    /// GEXF, the format of Gephi.
    Gexf,
    /// Sparse matrix of SciPy, with labels beside it.
    Npz,
}
