//! Several processes that search one graph together, by MPI (feature `mpi`).
//!
//! Every process, called a rank, has the whole graph, and searches on the processors that it has by
//! the same runner as ever. Rank 0 deals roots ([`dealer`]): each rank's source counter is filled
//! whenever half of what came last is claimed, by a question and an answer ([`supply`]). Sums come
//! together at the end ([`World`]). All that is asked of MPI is [`messages`]; tests have ranks that
//! are threads.

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
