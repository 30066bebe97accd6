//! Degree-1 folding: trees hanging off the graph are removed and accounted for exactly.
//!
//! A vertex with one neighbour lies on no shortest path between others, so it can be *folded*
//! into that neighbour, which then stands for one vertex more; repeated, this removes every
//! tree. What is left (the 2-core, and one vertex for each component that is a tree) is
//! searched with *weights*: weight(v) = number of input vertices that v stands for, itself
//! included. Every pair of vertices that the trees themselves separate is counted here, in
//! closed form. (Sariyuce, Saule, Kaya, Catalyurek: "Shattering and Compressing Networks for
//! Betweenness Centrality", SDM 2013; linear-time form.)
//!
//! # The closed form
//! Let N be the size of v's component and C the number of chosen sources in it. Removing v
//! splits the component into branches; those made of folded vertices are known completely, the
//! rest of the graph is one more branch. A source x in a branch of size b meets v on every
//! shortest path to the N - 1 - b vertices of the other branches. With A = sum of the chosen
//! sources in the folded branches, B = sum of (chosen sources * size) over them, and size and
//! sources the totals of everything folded into v, v included, this sums to
//!
//! ```text
//! (N - 1) A - B + (C - sources) (size - 1)
//! ```
//!
//! Pairs with both ends in "the rest" are what the searches count.

mod apply;
mod find;
mod undo;

pub use apply::Folded;
pub use undo::FoldedEdges;
