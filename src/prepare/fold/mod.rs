//! Degree-1 folding: trees hanging off the graph are removed and accounted for exactly.
//!
//! A vertex with one neighbour lies on no shortest path between others, so it can be *folded* into
//! that neighbour, which then stands for one vertex more. Repeated folding removes every tree. The
//! remaining vertices (the 2-core: a component that is a tree leaves none) are searched with
//! *weights*: weight(v) is the number of input vertices that v stands for, itself included. Every
//! pair of vertices that the trees themselves separate is counted here, in closed form. (Sariyuce,
//! Saule, Kaya, Catalyurek: "Shattering and Compressing Networks for Betweenness Centrality", SDM
//! 2013; linear-time form.)
//!
//! # The closed form
//! Let N be the size of v's component and C the number of chosen sources in it. Removing v splits
//! the component into branches: one for each neighbour that was folded into v, and the rest of the
//! graph. A source in a branch of size b meets v on every shortest path to the N - 1 - b vertices
//! of the other branches. Let A be the sum of the chosen sources in the folded branches, and B the
//! sum of chosen sources times size over these branches. Let `size` and `sources` be the totals of
//! v and everything folded into it. Then the ordered pairs with ends in different branches are
//!
//! ```text
//! (N - 1) A - B + (C - sources) (size - 1)
//! ```
//!
//! The searches count the pairs with both ends in the rest.

mod apply;
mod find;
mod undo;

pub use apply::Folded;
pub use undo::FoldedEdges;
