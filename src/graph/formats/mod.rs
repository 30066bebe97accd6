//! The formats of graph files, a file for each, and the one list of them.

pub(super) mod attributes;
pub(super) mod detect;
pub(super) mod dimacs;
pub(super) mod edgelist;
mod entries;
mod fast;
pub(super) mod foreign;
pub(super) mod gexf;
pub(super) mod gml;
pub(super) mod graphml;
pub(super) mod lgl;
pub(super) mod metis;
pub(super) mod mtx;
pub(super) mod names;
pub(super) mod npz;
pub(super) mod pajek;
pub(super) mod parsed;
mod symmetry;
mod xml;

use super::write::WriteFormat;

pub use edgelist::{Column, Columns, Delimiter, EdgeListOptions};

/// A format of graph files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "app", derive(clap::ValueEnum, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    /// Decide by the content, then by the suffix of the file name.
    Auto,
    /// Two columns; the first edge decides whether vertices are numbers or names.
    Edgelist,
    /// Two columns of names.
    Labels,
    /// Matrix Market coordinate file.
    Mtx,
    /// METIS adjacency file.
    Metis,
    /// DIMACS file of shortest paths (9th challenge), flows or colourings.
    Dimacs,
    /// GML, as Newman's collection and igraph have it.
    Gml,
    /// GraphML.
    Graphml,
    /// GEXF, as Gephi has it.
    Gexf,
    /// Pajek network.
    Pajek,
    /// LGL: a block of neighbours for each vertex.
    Lgl,
    /// Sparse matrix of SciPy (scipy.sparse.save_npz).
    Npz,
}

/// A line of the list of formats.
pub(super) struct Row {
    /// Suffixes of file names, without compression.
    pub suffixes: &'static [&'static str],
    /// What such a file is read as.
    pub read: Format,
    /// What such a file is written as; `None`: it is not written.
    pub write: Option<WriteFormat>,
    /// How messages call the format.
    pub name: &'static str,
    /// Words that begin such a file, in any case; more is in [`detect`].
    pub begins: &'static [&'static str],
}

/// All formats. What has no suffix of the list is an edge list.
pub(super) const FORMATS: [Row; 12] = [
    Row {
        suffixes: &["txt", "edges", "el"],
        read: Format::Edgelist,
        write: Some(WriteFormat::Edgelist),
        name: "an edge list",
        begins: &[],
    },
    Row {
        suffixes: &["csv"],
        read: Format::Edgelist,
        write: Some(WriteFormat::Csv),
        name: "CSV",
        begins: &[],
    },
    Row {
        suffixes: &["ncol"],
        read: Format::Labels,
        write: None,
        name: "NCOL",
        begins: &[],
    },
    Row {
        suffixes: &["mtx"],
        read: Format::Mtx,
        write: Some(WriteFormat::Mtx),
        name: "Matrix Market",
        begins: &["%%MatrixMarket", "%MatrixMarket"],
    },
    Row {
        suffixes: &["graph", "metis"],
        read: Format::Metis,
        write: Some(WriteFormat::Metis),
        name: "METIS",
        begins: &[],
    },
    Row {
        suffixes: &["gr", "dimacs", "col"],
        read: Format::Dimacs,
        write: Some(WriteFormat::Dimacs),
        name: "DIMACS",
        begins: &[],
    },
    Row {
        suffixes: &["graphml"],
        read: Format::Graphml,
        write: Some(WriteFormat::Graphml),
        name: "GraphML",
        begins: &["<graphml"],
    },
    Row {
        suffixes: &["npz"],
        read: Format::Npz,
        write: Some(WriteFormat::Npz),
        name: "SciPy .npz",
        begins: &["PK\u{3}\u{4}"],
    },
    Row {
        suffixes: &["gml"],
        read: Format::Gml,
        write: None,
        name: "GML",
        begins: &[],
    },
    Row {
        suffixes: &["gexf"],
        read: Format::Gexf,
        write: None,
        name: "GEXF",
        begins: &["<gexf"],
    },
    Row {
        suffixes: &["net", "paj"],
        read: Format::Pajek,
        write: None,
        name: "Pajek",
        begins: &["*Vertices", "*Network"],
    },
    Row {
        suffixes: &["lgl"],
        read: Format::Lgl,
        write: None,
        name: "LGL",
        begins: &[],
    },
];

/// The line of the list for a suffix, which may be in any case.
pub(super) fn of_suffix(suffix: &str) -> Option<&'static Row> {
    let same = |known: &&str| known.eq_ignore_ascii_case(suffix);
    FORMATS.iter().find(|row| row.suffixes.iter().any(&same))
}
