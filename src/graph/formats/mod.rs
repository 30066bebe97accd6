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
mod xml_graph;

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

const fn row(suffixes: &'static [&'static str], read: Format, name: &'static str) -> Row {
    Row {
        suffixes,
        read,
        write: None,
        name,
        begins: &[],
    }
}

impl Row {
    const fn begins(self, begins: &'static [&'static str]) -> Row {
        Row { begins, ..self }
    }

    const fn write(self, format: WriteFormat) -> Row {
        let write = Some(format);
        Row { write, ..self }
    }
}

/// All formats. What has no suffix of the list is an edge list.
pub(super) const FORMATS: [Row; 12] = [
    row(&["txt", "edges", "el"], Format::Edgelist, "an edge list").write(WriteFormat::Edgelist),
    row(&["csv"], Format::Edgelist, "CSV").write(WriteFormat::Csv),
    row(&["ncol"], Format::Labels, "NCOL"),
    row(&["mtx"], Format::Mtx, "Matrix Market")
        .begins(&["%%MatrixMarket", "%MatrixMarket"])
        .write(WriteFormat::Mtx),
    row(&["graph", "metis"], Format::Metis, "METIS").write(WriteFormat::Metis),
    row(&["gr", "dimacs", "col"], Format::Dimacs, "DIMACS").write(WriteFormat::Dimacs),
    row(&["graphml"], Format::Graphml, "GraphML")
        .begins(&["<graphml"])
        .write(WriteFormat::Graphml),
    row(&["npz"], Format::Npz, "SciPy .npz")
        .begins(&["PK\u{3}\u{4}"])
        .write(WriteFormat::Npz),
    row(&["gml"], Format::Gml, "GML"),
    row(&["gexf"], Format::Gexf, "GEXF").begins(&["<gexf"]),
    row(&["net", "paj"], Format::Pajek, "Pajek").begins(&["*Vertices", "*Network"]),
    row(&["lgl"], Format::Lgl, "LGL"),
];

/// The line of the list for a suffix, which may be in any case.
pub(super) fn of_suffix(suffix: &str) -> Option<&'static Row> {
    let same = |known: &&str| known.eq_ignore_ascii_case(suffix);
    FORMATS.iter().find(|row| row.suffixes.iter().any(&same))
}
