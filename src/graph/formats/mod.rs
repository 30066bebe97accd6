//! The formats of graph files, a file for each.

pub(super) mod detect;
pub(super) mod dimacs;
pub(super) mod edgelist;
mod entries;
mod fast;
pub(super) mod metis;
pub(super) mod mtx;
pub(super) mod parsed;

pub use edgelist::{Column, Columns, Delimiter, EdgeListOptions};

/// A format of graph files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
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
    /// DIMACS shortest-path file (9th challenge).
    Dimacs,
}
