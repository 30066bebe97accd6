//! The formats of graph files, a file for each, and the one list of them.

mod adjlist;
pub(super) mod attributes;
pub(super) mod decorate;
mod dense;
pub(super) mod detect;
pub(super) mod dimacs;
pub(super) mod dl;
pub(super) mod edgelist;
mod fast;
pub(super) mod foreign;
pub(super) mod gexf;
pub(super) mod gml;
pub(super) mod graphml;
pub(super) mod lgl;
mod matrix;
pub(super) mod metis;
pub(super) mod mtx;
pub(super) mod names;
mod neighbours;
mod neo4j;
pub(super) mod npz;
pub(super) mod pajek;
pub(super) mod parsed;
mod sif;
pub(super) mod symmetry;
pub(super) mod table;
pub(super) mod text;
mod xml;
pub(super) mod xml_graph;

use super::write::WriteFormat;

pub use edgelist::{Column, Columns, EdgeListOptions};
pub use text::Delimiter;

/// A format of graph files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    /// Decide by the content, then by the suffix of the file name.
    Auto,
    /// Rows of two vertices and more, with or without a header: text, CSV, TSV. Also called csv,
    /// tsv, snap and konect.
    Edgelist,
    /// The same without a row of sizes, as NCOL files are.
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
    /// SIF of Cytoscape: a vertex, a relation and other vertices in a line.
    Sif,
    /// Dense adjacency matrix, with or without names.
    Matrix,
    /// Adjacency list of networkx: a vertex and its neighbours in a line.
    Adjlist,
    /// UCINET's DL.
    Dl,
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
    /// How such a file starts, if that tells: see [`foreign::signs`].
    pub sign: &'static str,
}

const fn row(suffixes: &'static [&'static str], read: Format, name: &'static str) -> Row {
    Row {
        suffixes,
        read,
        write: None,
        name,
        sign: foreign::NO_SIGN,
    }
}

impl Row {
    const fn sign(self, sign: &'static str) -> Row {
        Row { sign, ..self }
    }

    const fn write(self, format: WriteFormat) -> Row {
        let write = Some(format);
        Row { write, ..self }
    }
}

/// The start of an XML file up to the name of its outermost element. What comments hold is no
/// element.
macro_rules! xml {
    ($root:literal) => {
        concat!(
            r"\s*(<!--.*?-->[^<]*|<(\?|![^-]|!-[^-])[^<]*)*<([^\s>/:<]*:)?",
            $root,
            r"([\s>/]|\z)"
        )
    };
}

/// A problem line; a vertex can be called c, so comments alone are a sign only if there is no other
/// text to look at.
const DIMACS: &str = r"(?x) \s*(c([\ \t][^\n]*)?\r?\n\s*)*
    p[\ \t]+((sp|max|edge|col)(\s|\z)|\S+[\ \t]+\S+[\ \t]+\S)
    | \s*(c([\ \t\r][^\n]*)?(\n\s*|\z)){2,}\z";

/// The graph, perhaps behind comments and those other keys with values that are in use.
const GML: &str = r#"(?x) (\s*\#[^\n]*\n
    | \s*(Creator|Version|comment|directed|label)(\s*"[^"]*"|\s+[0-9.]+))* \s*graph\s*\["#;

/// All formats. What has no suffix of the list is an edge list.
pub(super) static FORMATS: [Row; 15] = [
    row(&["txt", "edges", "el"], Format::Edgelist, "an edge list").write(WriteFormat::Edgelist),
    row(&["csv"], Format::Edgelist, "CSV").write(WriteFormat::Csv),
    row(&["ncol"], Format::Labels, "NCOL"),
    row(&["mtx"], Format::Mtx, "Matrix Market")
        .sign(r"\s*%%?MatrixMarket")
        .write(WriteFormat::Mtx),
    row(&["graph", "metis"], Format::Metis, "METIS").write(WriteFormat::Metis),
    row(&["gr", "dimacs", "col"], Format::Dimacs, "DIMACS")
        .sign(DIMACS)
        .write(WriteFormat::Dimacs),
    row(&["graphml"], Format::Graphml, "GraphML")
        .sign(xml!("graphml"))
        .write(WriteFormat::Graphml),
    row(&["npz"], Format::Npz, "SciPy .npz")
        .sign(r"PK(\x03\x04|\x05\x06)")
        .write(WriteFormat::Npz),
    row(&["gml"], Format::Gml, "GML").sign(GML),
    row(&["gexf"], Format::Gexf, "GEXF")
        .sign(xml!("gexf"))
        .write(WriteFormat::Gexf),
    row(&["net", "paj"], Format::Pajek, "Pajek").sign(r"\s*\*(Vertices|Network)"),
    row(&["lgl"], Format::Lgl, "LGL"),
    row(&["sif"], Format::Sif, "SIF"),
    row(&["adjlist"], Format::Adjlist, "an adjacency list"),
    row(&["dl"], Format::Dl, "UCINET DL").sign(r"\s*dl[\s,]+(n[mrc]?\s*=|format)"),
];

/// The line of the list for a suffix, which may be in any case.
pub(super) fn of_suffix(suffix: &str) -> Option<&'static Row> {
    let same = |known: &&str| known.eq_ignore_ascii_case(suffix);
    FORMATS.iter().find(|row| row.suffixes.iter().any(&same))
}
