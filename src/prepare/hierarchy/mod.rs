//! Contraction hierarchies that count all shortest paths, for exact betweenness by linear sweeps.
//!
//! Vertices are eliminated in the order of a nested dissection ([`order`]). Elimination connects
//! the remaining neighbours of a vertex ([`fill`]); the overlay arc between two of them has the
//! length of a shortest path over eliminated vertices, and the number of such paths
//! ([`customize`]). A search then needs two sweeps over the overlay arcs, in an order that is the
//! same for all sources. After all searches, the dependencies summed on overlay arcs are
//! unpacked once, to the eliminated vertices that the arcs skip ([`unpack`]). All threads share
//! customization and unpacking ([`levels`]).
//!
//! Contraction hierarchies: Geisberger, Sanders, Schultes and Delling (2008); a fixed order and
//! triangles: Dibbelt, Strasser and Wagner, "Customizable contraction hierarchies" (2016); linear
//! sweeps for distances: Delling, Goldberg, Nowatzyk and Werneck, "PHAST" (2011). Path counts and
//! dependencies by such sweeps are derived in `docs/internals.md`.

mod build;
mod customize;
mod fill;
mod levels;
mod order;
mod overlay;
mod unpack;

pub use overlay::{ABSENT, Direction, FAR, Hierarchy, HierarchyError, arc_length};
pub use unpack::Flows;
