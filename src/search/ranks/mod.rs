//! Several processes that search one graph together, by MPI (feature `mpi`).
//!
//! Every process, called a rank, has the whole graph, and searches with its own runner. Rank 0
//! distributes the roots ([`dealer`]): a rank asks for more roots whenever half of its last ones
//! are claimed ([`supply`]). At the end rank 0 adds up the sums of all ranks ([`World`]).
//! [`messages`] is the interface to MPI; the ranks of tests are threads.

pub mod dealer;
mod messages;
#[cfg(feature = "mpi")]
mod mpi;
mod record;
#[cfg(test)]
mod simulation_tests;
mod supply;
#[cfg(test)]
mod tests;
mod world;

pub use messages::rank_and_size;
pub use record::{RankDevice, RankRecord};
pub use world::World;
