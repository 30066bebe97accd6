//! Splitting an undirected graph at its articulation points into *blocks*, its biconnected
//! components.
//!
//! A shortest path enters and leaves a block through articulation points only, and between two
//! vertices of a block it stays inside. So the graph can be searched as the disjoint union of its
//! blocks, with a copy of each articulation point in every block that it is in. (Sariyuce, Saule,
//! Kaya, Catalyurek: "Shattering and Compressing Networks for Betweenness Centrality", SDM 2013,
//! who split off one articulation point after another.)
//!
//! The copy of v in a block B stands for all that is connected to v when the edges of B are
//! removed: its weight is the number of input vertices there, and its search counts for the chosen
//! sources among them. A search in B adds to a copy the pairs whose paths have edges of B on both
//! sides of v. The pairs whose paths change blocks at v are counted in closed form. If branch i of
//! the component without v has A_i chosen sources and B_i input vertices, they are
//!
//! ```text
//! (sum A_i) (sum B_i) - sum A_i B_i
//! ```
//!
//! # Blocks that need no search
//! Paths in a complete graph without lengths have no inner vertices, and neither have paths in a
//! block of a single edge. Only the pairs of their edges are counted: a(u) b(v) + a(v) b(u), with
//! the sources a and the weights b of the copies.

mod apply;
mod find;
mod numbering;
mod partition;
mod undo;

pub use apply::split;
pub use undo::Copies;
