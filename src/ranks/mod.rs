//! Several processes that search one graph together, by MPI (feature `mpi`).
//!
//! Every process, called a rank, has the whole graph, and runs the runner on its processors. Rank 0
//! deals roots ([`dealer`]): a rank asks for more whenever half of its last ones are claimed
//! ([`supply`]). Rank 0 adds the sums of all ranks up at the end ([`World`]). [`messages`] is the
//! interface to MPI; the ranks of tests are threads.

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

pub use messages::started;
pub use record::{RankDevice, RankRecord};
pub use world::World;
