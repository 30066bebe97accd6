//! The formats that graphs are written in.

/// A format that graphs are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
